//! The threads of a process: the state of each, what it waits for, and which one continues.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::futexes::Futexes;

/// Maximum number of live threads, and of threads created in all.
const MOST_LIVE: usize = 256;
const MOST_MADE: u32 = 1 << 16;
/// Number of steps in a time slice, without a seed.
const SLICE: u64 = 20_000;
/// With a seed: bound of the exponent of the maximum number of steps in a time slice.
const POWERS: u64 = 15;
/// Nanoseconds of one step, in programs with several threads.
const STEP: u64 = 10;

/// A new thread that has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Thread ID.
    pub thread: ThreadId,
    /// Initial SP.
    pub stack: u64,
    /// The thread pointer, if the thread has one of its own.
    pub(crate) pointer: Option<u64>,
}

/// What executes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A thread of this process, which may be the current one.
    Thread(ThreadId),
    /// Another process: [`crate::Kernel::next`] returns its thread.
    Process(u32),
}

/// The wait of a thread that is not executing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) on: WaitFor,
    /// Start of the wait, and its time limit.
    pub(crate) since: u64,
    pub(crate) end: Option<u64>,
}

/// The event that ends a wait, besides its time and signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitFor {
    Nothing,
    /// One of these signals, which are blocked.
    Signals(u64),
    Futex {
        address: u64,
    },
    /// A change of pipes or counters; `activity` is the count of changes at the beginning of the
    /// wait.
    Files {
        activity: u64,
    },
    /// Bytes in a pipe.
    Bytes {
        pipe: u64,
    },
    /// Room for a number of bytes in a pipe.
    Room {
        pipe: u64,
        least: usize,
    },
    /// The end of a child; `ended` is their number at the beginning of the wait.
    Child {
        ended: u64,
    },
}

/// The state of a thread, besides registers and signals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own {
    /// Address that is cleared when the thread ends (`set_tid_address`).
    pub(crate) clear_at: u64,
    /// Address of the list of held mutexes (`set_robust_list`).
    pub(crate) robust: u64,
    /// The wait of the current call, which is repeated when the wait ends.
    pub(crate) wait: Option<Wait>,
    /// Bytes that the current call has written before it waited.
    pub(crate) written: usize,
}

/// All threads of a process.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The current thread, and its state.
    pub(crate) now: ThreadId,
    pub(crate) own: Own,
    /// The current thread has ended.
    is_over: bool,
    others: BTreeMap<ThreadId, Own>,
    /// The ID of the last created thread.
    last: u32,
    pub(crate) futexes: Futexes,
    /// Number of changes of pipes and counters.
    pub(crate) activity: u64,
    /// Number of children that have ended.
    pub(crate) children_ended: u64,
    /// Set by the current call: a thread was created, or the thread yields.
    pub(crate) made: Option<Made>,
    pub(crate) yields: bool,
    /// The exit status of the first thread.
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
            children_ended: 0,
            made: None,
            yields: false,
            status: None,
            random: None,
        }
    }
}

impl Threads {
    /// Selects random scheduling by a seed, or round robin without one.
    pub(crate) fn schedule(&mut self, seed: Option<u64>) {
        // The state of a generator that never becomes 0.
        self.random = seed.map(|seed| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    }

    /// The highest thread ID.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Returns true if there are several threads.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns true if a thread with this ID is live.
    pub(crate) fn is_live(&self, thread: ThreadId) -> bool {
        thread == self.now || self.others.contains_key(&thread)
    }

    /// Returns true if no further thread may be created.
    pub(crate) fn is_full(&self) -> bool {
        self.others.len() + 1 >= MOST_LIVE
    }

    /// Adds a thread that does not execute yet, and returns its ID; `None` if there were too many.
    pub(crate) fn add(&mut self, own: Own) -> Option<ThreadId> {
        let thread = self.number()?;
        self.others.insert(thread, own);
        Some(thread)
    }

    /// The number of a new process; its first thread has the same. `None`: there are too many.
    pub(crate) fn number(&mut self) -> Option<ThreadId> {
        self.last = self.last.checked_add(1).filter(|number| *number <= MOST_MADE)?;
        Some(ThreadId(self.last))
    }

    /// A child executes, with one thread: returns the threads of the process that made it.
    pub(crate) fn of_child(&mut self, child: ThreadId, own: Own) -> Threads {
        let (last, activity, random) = (self.last, self.activity, self.random);
        std::mem::replace(self, Threads { now: child, own, last, activity, random, ..Threads::default() })
    }

    /// Another process has executed: what it has used up is used up for all.
    pub(crate) fn make_up_for(&mut self, other: &Threads) {
        (self.last, self.activity, self.random) = (other.last, other.activity, other.random);
    }

    /// Ends the current thread.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// All live threads in order, beginning with the one after the current thread.
    pub(crate) fn in_turn(&self) -> Vec<(ThreadId, Own)> {
        let after = self.others.range(self.now..).chain(self.others.range(..self.now));
        let now = (!self.is_over).then_some((self.now, self.own));
        after.map(|(thread, own)| (*thread, *own)).chain(now).collect()
    }

    /// Switches to a thread, which may be the current one.
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

    /// Index of the next thread of `count`: the first, or a random one with a seed.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        match self.random() {
            Some(random) => ((random >> 16) as usize).checked_rem(count).unwrap_or(0),
            None => 0,
        }
    }

    /// Number of steps in the next time slice.
    pub(crate) fn slice(&mut self) -> u64 {
        // Small and large numbers are equally frequent.
        let drawn = self.random().map(|random| 1 + (random >> 16) % (1 << ((random >> 32) % POWERS)));
        drawn.unwrap_or(SLICE)
    }

    /// Nanoseconds of a number of steps.
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
