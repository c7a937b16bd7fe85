//! The numbers of threads and processes, and the choice of the one that executes next.

use types::{Rng, ThreadId};

/// Maximum number of threads and processes created in all.
const MOST_MADE: u32 = 1 << 16;
/// Number of steps in a time slice, without a seed.
const SLICE: u64 = 20_000;
/// With a seed: bound of the exponent of the maximum number of steps in a time slice.
const POWERS: u64 = 15;

/// The scheduling of all processes: round robin with equal time slices, or random by a seed.
#[derive(Debug)]
pub struct Scheduler {
    /// The number of the last thread or process.
    last: u32,
    random: Option<Rng>,
}

impl Default for Scheduler {
    fn default() -> Scheduler {
        Scheduler { last: ThreadId::FIRST.0, random: None }
    }
}

impl Scheduler {
    /// Selects random scheduling by a seed, or round robin without one.
    pub fn seed(&mut self, seed: Option<u64>) {
        self.random = seed.map(Rng::new);
    }

    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// The number of a new thread or process; `None` if there were too many.
    pub(crate) fn number(&mut self) -> Option<ThreadId> {
        self.last = self.last.checked_add(1).filter(|number| *number <= MOST_MADE)?;
        Some(ThreadId(self.last))
    }

    /// Index of the next one of `count`: the first, or a random one with a seed.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        self.random.as_mut().map_or(0, |random| random.below(count as u64) as usize)
    }

    /// Number of steps in the next time slice.
    pub fn slice(&mut self) -> u64 {
        // Small and large numbers are equally frequent.
        let Some(random) = &mut self.random else { return SLICE };
        let power = random.below(POWERS);
        1 + random.below(1 << power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_says_who_goes_on_and_for_how_long() {
        let drawn = |seed| {
            let mut scheduler = Scheduler::default();
            scheduler.seed(seed);
            (0..50).map(|_| (scheduler.slice(), scheduler.pick(3))).collect::<Vec<_>>()
        };
        assert_eq!(drawn(None), [(SLICE, 0); 50]);
        assert_eq!(drawn(Some(7)), drawn(Some(7)));
        assert_ne!(drawn(Some(7)), drawn(Some(8)));
        assert!(drawn(Some(7)).iter().all(|(steps, of)| *steps >= 1 && *of < 3));
    }

    #[test]
    fn so_many_are_made_and_no_more() {
        let mut scheduler = Scheduler { last: MOST_MADE - 1, random: None };
        assert_eq!(scheduler.number(), Some(ThreadId(MOST_MADE)));
        assert_eq!(scheduler.number(), None);
    }
}
