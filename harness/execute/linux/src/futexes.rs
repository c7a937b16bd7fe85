//! Threads that wait for words in memory, in order of arrival.

use types::ThreadId;

/// A thread in `FUTEX_WAIT`.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    thread: ThreadId,
    address: u64,
    /// The bits that a wake must match (`FUTEX_WAIT_BITSET`).
    bits: u32,
    is_woken: bool,
}

/// All waiting threads of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Futexes(Vec<Waiter>);

/// Matches every wake (Linux `include/uapi/linux/futex.h`, `FUTEX_BITSET_MATCH_ANY`).
pub(crate) const ANY: u32 = u32::MAX;

impl Futexes {
    /// Adds a waiting thread.
    pub(crate) fn wait(&mut self, thread: ThreadId, address: u64, bits: u32) {
        self.0.push(Waiter { thread, address, bits, is_woken: false });
    }

    /// Returns true if the thread was woken.
    pub(crate) fn is_woken(&self, thread: ThreadId) -> bool {
        self.0.iter().any(|waiter| waiter.thread == thread && waiter.is_woken)
    }

    /// Removes a thread.
    pub(crate) fn leave(&mut self, thread: ThreadId) {
        self.0.retain(|waiter| waiter.thread != thread);
    }

    /// Wakes at most `most` of the threads that wait at an address; returns their number.
    pub(crate) fn wake(&mut self, address: u64, most: u64, bits: u32) -> u64 {
        let mut count = 0;
        for waiter in self.waiting(address).filter(|waiter| waiter.bits & bits != 0) {
            if count == most {
                break;
            }
            waiter.is_woken = true;
            count += 1;
        }
        count
    }

    /// Moves at most `most` of the threads that wait at an address to another futex; returns their
    /// number.
    pub(crate) fn requeue(&mut self, from: u64, to: u64, most: u64) -> u64 {
        let mut moved = Vec::new();
        self.0.retain(|waiter| {
            let is_moved = waiter.address == from && !waiter.is_woken && (moved.len() as u64) < most;
            if is_moved {
                moved.push(Waiter { address: to, ..*waiter });
            }
            !is_moved
        });
        let count = moved.len() as u64;
        self.0.append(&mut moved);
        count
    }

    fn waiting(&mut self, address: u64) -> impl Iterator<Item = &mut Waiter> {
        self.0.iter_mut().filter(move |waiter| waiter.address == address && !waiter.is_woken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_came_first_are_woken_first() {
        let mut futexes = Futexes::default();
        let threads = [1, 2, 3, 4].map(ThreadId);
        for thread in threads {
            futexes.wait(thread, 0x1000, if thread.0 == 2 { 2 } else { ANY });
        }
        assert_eq!(futexes.wake(0x2000, 9, ANY), 0);
        assert_eq!(futexes.wake(0x1000, 1, 4), 1);
        assert_eq!(futexes.wake(0x1000, 1, 4), 1, "thread 2 is not meant");
        assert_eq!(threads.map(|thread| futexes.is_woken(thread)), [true, false, true, false]);
        // One of the waiting threads is moved.
        assert_eq!((futexes.requeue(0x1000, 0x2000, 1), futexes.wake(0x2000, 9, ANY)), (1, 1));
        assert_eq!(threads.map(|thread| futexes.is_woken(thread)), [true, true, true, false]);
        futexes.leave(ThreadId(4));
        assert_eq!(futexes.wake(0x1000, 9, ANY), 0);
    }
}
