//! The search: cut, judge, keep what still shows it; coarse cuts first, single parts until none can
//! go. It knows nothing of what the parts are.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use results::bundle::Size;

use super::parts::{Cut, Files, Parts, Set, runs};

/// How long to continue.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most wall-clock time.
    pub time: Duration,
    /// Most candidates that are judged.
    pub tries: u64,
}

/// The progress so far.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Candidates judged.
    pub tried: u64,
    /// Of them, those that were kept.
    pub kept: u64,
    /// Size of the whole.
    pub before: Size,
    /// Size of the best so far.
    pub now: Size,
    /// Time since the beginning.
    pub took: Duration,
    /// What ended the search before it was through.
    pub ended: Option<Ended>,
}

/// Why a search is not through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// [`Bounds`] were reached.
    Bound,
    /// [`Watch::is_interrupted`].
    Interrupted,
}

/// The observer of a reduction.
pub trait Watch {
    /// After each candidate that was judged.
    fn tried(&mut self, counts: &Counts);

    /// A better one. Its files are on disk when this returns, so that an interruption loses
    /// nothing.
    ///
    /// # Errors
    /// If they cannot be written; the search ends.
    fn kept(&mut self, files: &Files) -> io::Result<()>;

    /// Returns true if the search is to end here.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Judges a candidate: its files, where it shows what must stay.
pub type Shows<'a, P> = dyn Fn(&P) -> Option<Files> + 'a;

/// Pairs are tried among at most this many parts: their number grows with the square.
const MOST_IN_PAIRS: usize = 40;

/// A search under way.
pub struct Search<'a, P> {
    best: P,
    shows: &'a Shows<'a, P>,
    bounds: Bounds,
    watch: &'a mut dyn Watch,
    counts: Counts,
    began: Instant,
    seen: BTreeSet<String>,
    failed: Option<io::Error>,
}

impl<'a, P: Parts> Search<'a, P> {
    /// A search from something that `shows`.
    pub fn new(whole: P, shows: &'a Shows<'a, P>, bounds: Bounds, watch: &'a mut dyn Watch) -> Search<'a, P> {
        let counts = Counts { before: whole.size(), now: whole.size(), ..Counts::default() };
        let seen = BTreeSet::from([whole.key()]);
        Search { best: whole, shows, bounds, watch, counts, began: Instant::now(), seen, failed: None }
    }

    /// Cuts until nothing more can go, or a bound is reached. `files` are those of the whole.
    pub fn run(&mut self, files: &Files) {
        if let Err(error) = self.watch.kept(files) {
            self.failed = Some(error);
        }
        for bare in self.best.bare() {
            if self.is_tried(bare) {
                break;
            }
        }
        loop {
            let kept = self.counts.kept;
            for cut in Cut::ORDER {
                // Blocks nest: neighbours have nothing to do with each other.
                let mut size = if *cut == Cut::Blocks { 1 } else { self.best.sets(*cut).len().div_ceil(2) };
                while size > 0 && !self.is_over() {
                    self.drop_sets(|best| runs(&best.sets(*cut), size));
                    size /= 2;
                }
            }
            if self.counts.kept == kept {
                self.drop_pairs();
                self.simplify();
            }
            if self.counts.kept == kept || self.is_over() {
                break;
            }
        }
        self.counts.ended = match (self.watch.is_interrupted(), self.is_over()) {
            (true, _) => Some(Ended::Interrupted),
            (false, true) => Some(Ended::Bound),
            (false, false) => None,
        };
    }

    /// The least that shows it, and what it took.
    ///
    /// # Errors
    /// If a better one could not be kept.
    pub fn finish(self) -> io::Result<(P, Counts)> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok((self.best, self.counts)),
        }
    }

    fn is_over(&self) -> bool {
        self.failed.is_some()
            || self.counts.tried >= self.bounds.tries
            || self.began.elapsed() >= self.bounds.time
            || self.watch.is_interrupted()
    }

    /// Tries to do without each set of parts, the last first: later parts need earlier ones.
    fn drop_sets(&mut self, sets: impl Fn(&P) -> Vec<Set>) {
        let mut all = sets(&self.best);
        let mut at = all.len();
        while at > 0 && !self.is_over() {
            at -= 1;
            let Some(set) = all.get(at) else { continue };
            if self.is_tried_without(set) {
                all = sets(&self.best);
                at = at.min(all.len());
            }
        }
    }

    /// Tries to do without two parts at once.
    fn drop_pairs(&mut self) {
        let mut first = 0;
        while first < self.best.len() && self.best.len() <= MOST_IN_PAIRS && !self.is_over() {
            let pairs = (first + 1..self.best.len()).map(|second| Set::from([first, second]));
            let kept = pairs.into_iter().any(|pair| !self.is_over() && self.is_tried_without(&pair));
            first += usize::from(!kept);
        }
    }

    /// Tries something plainer in place of each part.
    fn simplify(&mut self) {
        for at in 0..self.best.len() {
            for plainer in self.best.plainer(at) {
                if self.is_over() || self.is_tried(plainer) {
                    break;
                }
            }
        }
    }

    fn is_tried_without(&mut self, parts: &Set) -> bool {
        !parts.is_empty() && self.best.without(parts).is_some_and(|candidate| self.is_tried(candidate))
    }

    /// Judges a candidate, each once, and keeps it where it shows what must stay.
    fn is_tried(&mut self, candidate: P) -> bool {
        if self.is_over() || !self.seen.insert(candidate.key()) {
            return false;
        }
        let shown = (self.shows)(&candidate);
        self.counts.tried += 1;
        if let Some(files) = &shown {
            self.counts.kept += 1;
            self.counts.now = candidate.size();
            self.best = candidate;
            if let Err(error) = self.watch.kept(files) {
                self.failed = Some(error);
            }
        }
        self.counts.took = self.began.elapsed();
        self.watch.tried(&self.counts);
        shown.is_some()
    }
}
