//! The threads of a process: the state of each, what it waits for, and which one continues.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::futexes::Futexes;

/// Maximum number of live threads.
const MOST_LIVE: usize = 256;

/// A new thread that has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
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
    pub(crate) futexes: Futexes,
    pub(crate) children_ended: u64,
    /// Set by the current call: a thread was created, or the thread yields.
    pub(crate) made: Option<Made>,
    pub(crate) yields: bool,
    /// The exit status of the first thread.
    pub(crate) status: Option<i32>,
}

impl Threads {
    /// Creates the first thread of a process.
    pub(crate) fn new(first: ThreadId, own: Own) -> Threads {
        Threads {
            now: first,
            own,
            is_over: false,
            others: BTreeMap::new(),
            futexes: Futexes::default(),
            children_ended: 0,
            made: None,
            yields: false,
            status: None,
        }
    }

    /// Returns true if there are several threads.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    pub(crate) fn is_live(&self, thread: ThreadId) -> bool {
        thread == self.now || self.others.contains_key(&thread)
    }

    /// Returns true if no further thread may be created.
    pub(crate) fn is_full(&self) -> bool {
        self.others.len() + 1 >= MOST_LIVE
    }

    /// Adds a thread that does not execute yet.
    pub(crate) fn add(&mut self, thread: ThreadId, own: Own) {
        self.others.insert(thread, own);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_take_turns_and_the_one_that_executes_is_the_last() {
        let mut threads = Threads::new(ThreadId::FIRST, Own::default());
        assert!(!threads.has_others());
        [2, 3].into_iter().for_each(|number| threads.add(ThreadId(number), Own::default()));
        let order = |threads: &Threads| threads.in_turn().iter().map(|(thread, _)| thread.0).collect::<Vec<u32>>();
        assert_eq!(order(&threads), [2, 3, 1]);
        threads.go_on(ThreadId(2));
        assert_eq!((threads.now, order(&threads)), (ThreadId(2), vec![3, 1, 2]));
        threads.end();
        assert_eq!(order(&threads), [3, 1]);
        threads.go_on(ThreadId(3));
        assert!(!threads.is_live(ThreadId(2)) && threads.is_live(ThreadId(1)));
    }
}
