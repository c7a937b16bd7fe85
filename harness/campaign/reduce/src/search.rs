//! The search: cut, judge, keep candidates that still show the finding; coarse cuts first, then
//! single parts until none can be removed. It does not depend on the kind of parts.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use results::bundle::Size;

use super::parts::{Cut, Files, Parts, Set, runs};

/// Limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Maximum wall-clock time.
    pub time: Duration,
    /// Maximum number of candidates that are judged.
    pub tries: u64,
}

/// The progress so far.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Number of candidates judged.
    pub tried: u64,
    pub kept: u64,
    /// Size of the original.
    pub before: Size,
    /// Size of the best so far.
    pub now: Size,
    /// Time since the start.
    pub took: Duration,
    /// Why the search ended early, if it did.
    pub ended: Option<SearchEnd>,
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// A limit of [`Bounds`] was reached.
    Bound,
    /// [`Watch::is_interrupted`] returned true.
    Interrupted,
}

/// The observer of a reduction.
pub trait Watch {
    /// Called after each candidate that was judged.
    fn tried(&mut self, counts: &Counts);

    /// Called for a better candidate. Its files must be on disk when this returns, so that an
    /// interruption loses nothing.
    fn kept(&mut self, files: &Files) -> io::Result<()>;

    /// Returns true if the search is to end.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Judges a candidate: returns its files if it shows the finding.
pub type Shows<'a, P> = dyn Fn(&P) -> Option<Files> + 'a;

/// Maximum number of parts among which pairs are tried: the number of pairs grows with the square.
const MOST_IN_PAIRS: usize = 40;

/// A search in progress.
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
    /// A search from an original that `shows` the finding.
    pub fn new(whole: P, shows: &'a Shows<'a, P>, bounds: Bounds, watch: &'a mut dyn Watch) -> Search<'a, P> {
        let counts = Counts { before: whole.size(), now: whole.size(), ..Counts::default() };
        let seen = BTreeSet::from([whole.key()]);
        Search { best: whole, shows, bounds, watch, counts, began: Instant::now(), seen, failed: None }
    }

    /// Cuts until nothing more can be removed, or a limit is reached. `files` are those of the
    /// original.
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
                // Blocks nest: adjacent ones are unrelated.
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
            (true, _) => Some(SearchEnd::Interrupted),
            (false, true) => Some(SearchEnd::Bound),
            (false, false) => None,
        };
    }

    /// The smallest candidate, and the counts.
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

    /// Tries to remove each set of parts, the last first: later parts need earlier ones.
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

    /// Tries to remove two parts at once.
    fn drop_pairs(&mut self) {
        let mut first = 0;
        while first < self.best.len() && self.best.len() <= MOST_IN_PAIRS && !self.is_over() {
            let pairs = (first + 1..self.best.len()).map(|second| Set::from([first, second]));
            let kept = pairs.into_iter().any(|pair| !self.is_over() && self.is_tried_without(&pair));
            first += usize::from(!kept);
        }
    }

    /// Tries a simpler variant of each part.
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

    /// Judges a candidate, unless it was judged before, and keeps it if it shows the finding.
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
