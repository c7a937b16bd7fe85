//! Random selection of the steps to sample.

use std::collections::BTreeSet;

use types::Rng;

/// Numbers of the sampled steps of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Descending, so that the next one is at the end.
    left: Vec<u64>,
    /// True if every step is sampled.
    all: bool,
    first: u64,
}

impl Draw {
    /// Selects `count` steps of `first..=last`, each at most once, by a seed; all of them if there
    /// are no more.
    pub fn new(first: u64, last: u64, count: u64, seed: u64) -> Draw {
        let steps = (last + 1).saturating_sub(first);
        if steps <= count {
            return Draw { left: Vec::new(), all: true, first };
        }
        let mut rng = Rng::new(seed);
        let mut drawn = BTreeSet::new();
        while (drawn.len() as u64) < count {
            drawn.insert(first + rng.below(steps));
        }
        Draw { left: drawn.into_iter().rev().collect(), all: false, first }
    }

    /// Returns true if this step is sampled. Must be called in ascending order of steps.
    #[inline]
    pub(crate) fn takes(&mut self, step: u64) -> bool {
        if self.all {
            return step >= self.first;
        }
        let found = self.left.last() == Some(&step);
        if found {
            self.left.pop();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Draw;

    fn taken(mut draw: Draw) -> Vec<u64> {
        (1..=1000).filter(|step| draw.takes(*step)).collect()
    }

    #[test]
    fn as_many_as_asked_for_by_the_seed() {
        let of = |seed| taken(Draw::new(101, 1000, 50, seed));
        assert_eq!(of(1).len(), 50);
        assert!(of(1).first() > Some(&100));
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        // Both halves contain some.
        assert!((10..40).contains(&of(1).iter().filter(|step| **step < 550).count()));
    }

    #[test]
    fn all_where_there_are_no_more() {
        assert_eq!(taken(Draw::new(991, 1000, 10, 1)), (991..=1000).collect::<Vec<u64>>());
        assert_eq!(taken(Draw::new(1, 0, 10, 1)).len(), 1000, "an empty range is everything from there");
    }
}
