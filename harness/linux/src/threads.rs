//! The threads of a process: what each has of its own, what it waits for, and which one continues.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::futexes::Futexes;

/// The most threads that are live at once, and that are made in all.
const MOST_LIVE: usize = 256;
const MOST_MADE: u32 = 1 << 16;
/// Steps of a thread before the next one executes, without a seed.
const SLICE: u64 = 20_000;
/// With a seed: the most steps, as a power of two, less one.
const POWERS: u64 = 15;
/// Nanoseconds that pass in a step, where threads wait for time to pass.
const STEP: u64 = 10;

/// A thread that was made, and has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number.
    pub thread: ThreadId,
    /// SP.
    pub stack: u64,
    /// The thread pointer, where it has one of its own.
    pub(crate) pointer: Option<u64>,
}

/// What a thread that does not execute is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) on: WaitFor,
    /// When it began, and when it is over at last.
    pub(crate) since: u64,
    pub(crate) end: Option<u64>,
}

/// What ends a wait, besides its time and signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitFor {
    Nothing,
    /// One of these signals, which are blocked.
    Signals(u64),
    Futex {
        address: u64,
    },
    /// Something becomes of pipes and counters, of which so much had happened.
    Files {
        activity: u64,
    },
}

/// What each thread has of its own, besides registers and signals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own {
    /// Where its number is cleared when it is over (`set_tid_address`).
    pub(crate) clear_at: u64,
    /// The list of mutexes that it holds (`set_robust_list`).
    pub(crate) robust: u64,
    /// It is in a call, which is made again when this is over.
    pub(crate) wait: Option<Wait>,
}

/// All threads of a process.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The one that executes, and what it has.
    pub(crate) now: ThreadId,
    pub(crate) own: Own,
    /// It has ended.
    is_over: bool,
    others: BTreeMap<ThreadId, Own>,
    /// The last that was made.
    last: u32,
    pub(crate) futexes: Futexes,
    /// Number of changes of pipes and counters.
    pub(crate) activity: u64,
    /// Made, or gives way, in the call that is served.
    pub(crate) made: Option<Made>,
    pub(crate) yields: bool,
    /// What the first thread ended with.
    pub(crate) status: Option<i32>,
    /// State of the generator that selects the next thread.
    random: Option<u64>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            now: ThreadId::FIRST,
            own: Own::default(),
            is_over: false,
            others: BTreeMap::new(),
            last: ThreadId::FIRST.0,
            futexes: Futexes::default(),
            activity: 0,
            made: None,
            yields: false,
            status: None,
            random: None,
        }
    }
}

impl Threads {
    /// The threads take turns as follows from a seed.
    pub(crate) fn schedule(&mut self, seed: Option<u64>) {
        // A generator that is never 0.
        self.random = seed.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    }

    /// The highest number of one that was made.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// There is more than one.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// One that is live has this number.
    pub(crate) fn is_live(&self, thread: ThreadId) -> bool {
        thread == self.now || self.others.contains_key(&thread)
    }

    /// No more can be live.
    pub(crate) fn is_full(&self) -> bool {
        self.others.len() + 1 >= MOST_LIVE
    }

    /// The number of a new thread, which does not execute yet. `None`: there are too many already.
    pub(crate) fn add(&mut self, own: Own) -> Option<ThreadId> {
        self.last = self.last.checked_add(1).filter(|number| *number <= MOST_MADE)?;
        let thread = ThreadId(self.last);
        self.others.insert(thread, own);
        Some(thread)
    }

    /// The one that executes has ended.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// All that are live, beginning with the one after the one that executes, which is the last.
    pub(crate) fn in_turn(&self) -> Vec<(ThreadId, Own)> {
        let after = self.others.range(self.now..).chain(self.others.range(..self.now));
        let now = (!self.is_over).then_some((self.now, self.own));
        after.map(|(thread, own)| (*thread, *own)).chain(now).collect()
    }

    /// Another one executes, or the same one: the number of the one that did, where it is another
    /// one and has not ended.
    pub(crate) fn go_on(&mut self, thread: ThreadId) {
        if thread == self.now {
            return;
        }
        let Some(own) = self.others.remove(&thread) else { return };
        let before = std::mem::replace(&mut self.own, own);
        if !std::mem::take(&mut self.is_over) {
            self.others.insert(self.now, before);
        }
        self.now = thread;
    }

    /// Which of that many threads executes next: the first, or the one that the seed selects.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        match self.random() {
            Some(random) => ((random >> 16) as usize).checked_rem(count).unwrap_or(0),
            None => 0,
        }
    }

    /// Steps until others continue.
    pub(crate) fn slice(&mut self) -> u64 {
        // As often few as many.
        let drawn = self.random().map(|random| 1 + (random >> 16) % (1 << ((random >> 32) % POWERS)));
        drawn.unwrap_or(SLICE)
    }

    /// The time that that many steps take.
    pub(crate) fn time_of(steps: u64) -> u64 {
        steps.saturating_mul(STEP)
    }

    /// xorshift64 (Marsaglia 2003).
    fn random(&mut self) -> Option<u64> {
        let state = self.random.as_mut()?;
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        Some(*state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_turns_and_the_one_that_executes_is_the_last() {
        let mut threads = Threads::default();
        assert!(!threads.has_others());
        for number in 2..=3 {
            assert_eq!(threads.add(Own::default()), Some(ThreadId(number)));
        }
        let order = |threads: &Threads| threads.in_turn().iter().map(|(thread, _)| thread.0).collect::<Vec<u32>>();
        assert_eq!(order(&threads), [2, 3, 1]);
        threads.go_on(ThreadId(2));
        assert_eq!((threads.now, order(&threads)), (ThreadId(2), vec![3, 1, 2]));
        threads.end();
        assert_eq!(order(&threads), [3, 1]);
        threads.go_on(ThreadId(3));
        assert!(!threads.is_live(ThreadId(2)) && threads.is_live(ThreadId(1)));
    }

    #[test]
    fn a_seed_says_who_goes_on_and_for_how_long() {
        let drawn = |seed| {
            let mut threads = Threads::default();
            threads.schedule(seed);
            (0..50).map(|_| (threads.slice(), threads.pick(3))).collect::<Vec<_>>()
        };
        assert_eq!(drawn(None), [(SLICE, 0); 50]);
        assert_eq!(drawn(Some(7)), drawn(Some(7)));
        assert_ne!(drawn(Some(7)), drawn(Some(8)));
        assert!(drawn(Some(7)).iter().all(|(steps, of)| *steps >= 1 && *of < 3));
    }

    #[test]
    fn so_many_are_made_and_no_more() {
        let mut threads = Threads { last: MOST_MADE - 1, ..Threads::default() };
        assert_eq!(threads.add(Own::default()), Some(ThreadId(MOST_MADE)));
        assert_eq!(threads.add(Own::default()), None);
    }
}
