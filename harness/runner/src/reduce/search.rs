//! The search: cut, ask, keep what still shows it; coarse cuts first, single lines until none can go.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use super::cuts::{self, Cut, Language};

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Wall-clock time.
    pub time: Duration,
    /// Texts judged.
    pub tries: u64,
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Texts judged.
    pub tried: u64,
    /// Of them, those that were kept.
    pub kept: u64,
    /// Lines at the beginning.
    pub before: usize,
    /// Lines now.
    pub now: usize,
    /// Time since the beginning.
    pub took: Duration,
    /// A bound ended the search before it was through.
    pub cut_short: bool,
}

/// Who looks on.
pub trait Watch {
    /// After each text that was judged.
    fn tried(&mut self, counts: &Counts);

    /// A better text. It is on disk when this returns, so that an interruption loses nothing.
    ///
    /// # Errors
    /// When it cannot be written; the search ends.
    fn kept(&mut self, text: &str) -> io::Result<()>;
}

/// Pairs of lines are tried in texts of at most so many lines: their number grows with the square.
const MOST_LINES_IN_PAIRS: usize = 40;

/// A search under way.
pub struct Search<'a> {
    best: Vec<String>,
    shows: &'a dyn Fn(&str) -> bool,
    bounds: Bounds,
    watch: &'a mut dyn Watch,
    counts: Counts,
    began: Instant,
    seen: BTreeSet<String>,
    failed: Option<io::Error>,
}

impl<'a> Search<'a> {
    /// A search from a text that `shows`.
    pub fn new(text: &str, shows: &'a dyn Fn(&str) -> bool, bounds: Bounds, watch: &'a mut dyn Watch) -> Search<'a> {
        let best: Vec<String> = text.lines().map(str::to_owned).collect();
        let counts = Counts { before: best.len(), now: best.len(), ..Counts::default() };
        Search { best, shows, bounds, watch, counts, began: Instant::now(), seen: BTreeSet::new(), failed: None }
    }

    /// Cuts until nothing more can go, or a bound is reached.
    pub fn run(&mut self, language: Language) {
        if let Err(error) = self.watch.kept(&joined(&self.best)) {
            self.failed = Some(error);
        }
        self.try_text(language.without_comments(&self.best));
        loop {
            let kept = self.counts.kept;
            for cut in Cut::ORDER {
                self.drop_sets(|lines| language.sets(*cut, lines));
                if matches!(cut, Cut::Functions | Cut::Blocks) {
                    continue;
                }
                let mut size = self.best.len() / 2;
                while size > 0 && !self.is_over() {
                    self.drop_sets(|lines| cuts::runs(&language.sets(*cut, lines), size));
                    size /= 2;
                }
            }
            if self.counts.kept == kept {
                self.drop_pairs();
                self.simplify(language);
            }
            if self.counts.kept == kept || self.is_over() {
                break;
            }
        }
        self.counts.cut_short = self.is_over();
    }

    /// The least text and what it took.
    ///
    /// # Errors
    /// When a better text could not be kept.
    pub fn finish(self) -> io::Result<(String, Counts)> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok((joined(&self.best), self.counts)),
        }
    }

    fn is_over(&self) -> bool {
        self.failed.is_some() || self.counts.tried >= self.bounds.tries || self.began.elapsed() >= self.bounds.time
    }

    /// Tries to do without each set of lines, the last first: what stands behind needs what stands before.
    fn drop_sets(&mut self, sets: impl Fn(&[String]) -> Vec<BTreeSet<usize>>) {
        let mut all = sets(&self.best);
        let mut at = all.len();
        while at > 0 && !self.is_over() {
            at -= 1;
            let Some(set) = all.get(at) else { continue };
            if self.try_text(without(&self.best, set)) {
                all = sets(&self.best);
                at = at.min(all.len());
            }
        }
    }

    /// Tries to do without two lines at once: a directive and the one that undoes it.
    fn drop_pairs(&mut self) {
        let mut first = 0;
        while first < self.best.len() && self.best.len() <= MOST_LINES_IN_PAIRS && !self.is_over() {
            let pairs = (first + 1..self.best.len()).map(|second| BTreeSet::from([first, second]));
            let kept = pairs.into_iter().any(|pair| !self.is_over() && self.try_text(without(&self.best, &pair)));
            first += usize::from(!kept);
        }
    }

    /// Tries a plainer line in place of each.
    fn simplify(&mut self, language: Language) {
        for at in 0..self.best.len() {
            let plainer = self.best.get(at).map(|line| language.plainer(line)).unwrap_or_default();
            for line in plainer {
                let mut text = self.best.clone();
                if let Some(old) = text.get_mut(at) {
                    *old = line;
                }
                if self.is_over() || self.try_text(text) {
                    break;
                }
            }
        }
    }

    fn try_text(&mut self, candidate: Vec<String>) -> bool {
        let text = joined(&candidate);
        if candidate == self.best || self.is_over() || !self.seen.insert(text.clone()) {
            return false;
        }
        let shown = (self.shows)(&text);
        self.counts.tried += 1;
        if shown {
            self.best = candidate;
            self.counts.kept += 1;
            self.counts.now = self.best.len();
            if let Err(error) = self.watch.kept(&text) {
                self.failed = Some(error);
            }
        }
        self.counts.took = self.began.elapsed();
        self.watch.tried(&self.counts);
        shown
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn without(lines: &[String], set: &BTreeSet<usize>) -> Vec<String> {
    lines.iter().enumerate().filter(|(at, _)| !set.contains(at)).map(|(_, line)| line.clone()).collect()
}
