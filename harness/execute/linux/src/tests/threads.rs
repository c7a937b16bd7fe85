//! Tests of threads in the kernel: futexes, scheduling, and exit. Numbers from futex(2), clone(2)
//! and Linux.

use types::{RunEnd, ThreadId};

use super::*;
use crate::threads::Next;

const THREAD: u64 = 0x10f00;
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const WORD: u64 = PAGE_AT + 0x400;
const AGAIN: i64 = -11;
const TIMED_OUT: i64 = -110;
const NO_PROCESS: i64 = -3;

impl Guest {
    fn make(&mut self, flags: u64, child_at: u64) -> u64 {
        self.call(Call::Clone, &[THREAD | flags, PAGE_AT + 0x1000, 0, child_at, 0x1234]) as u64
    }

    fn waits(&mut self, call: Call, arguments: [u64; 6]) {
        let answer = self.kernel.serve(call, arguments, &mut self.registers, &mut self.memory);
        assert_eq!(answer, Err(Refusal::Waits));
    }

    fn next(&mut self) -> u32 {
        match self.kernel.next(0, 0x40).expect("a thread") {
            Next::Thread(thread) => thread.0,
            Next::Process(process) => panic!("process {process}"),
        }
    }
}

#[test]
fn a_thread_waits_until_another_wakes_it_or_its_time_is_over() {
    each(|mut guest| {
        assert_eq!(guest.make(0, 0), 2);
        assert_eq!(guest.call(Call::ThreadId, &[]), 1);
        assert_eq!(guest.call(Call::Futex, &[WORD, WAIT, 1, 0]), AGAIN, "the word is 0");
        let wait = [WORD, WAIT, 0, 0, 0, 0];
        guest.waits(Call::Futex, wait);
        assert_eq!(guest.next(), 2);
        assert_eq!(guest.call(Call::ThreadId, &[]), 2);
        assert_eq!((guest.call(Call::Futex, &[WORD, WAKE, 5]), guest.next()), (1, 1));
        assert!(guest.kernel.process.is_waiting());
        assert_eq!((guest.call(Call::Futex, &wait), guest.kernel.process.is_waiting()), (0, false));
        // The other thread waits for a second: nothing else happens, so the time passes.
        assert_eq!(guest.next(), 2);
        guest.put(PAGE_AT, &[1, 0]);
        let wait = [WORD, WAIT, 0, PAGE_AT, 0, 0];
        guest.waits(Call::Futex, wait);
        assert_eq!(guest.next(), 1);
        guest.waits(Call::Futex, [WORD, WAIT, 0, 0, 0, 0]);
        assert_eq!((guest.next(), guest.call(Call::Futex, &wait)), (2, TIMED_OUT));
        // Now each thread waits for the other.
        guest.waits(Call::Futex, [WORD, WAIT, 0, 0, 0, 0]);
        match guest.kernel.next(0, 0x40) {
            Err(RunEnd::Undecided { reason: StopReason::Deadlock, message, .. }) => {
                let both = format!("thread 1 for the futex at {WORD:#x}, thread 2 for the futex at {WORD:#x}");
                assert_eq!(message, format!("all 2 threads wait: {both}"));
            }
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn a_thread_that_ends_clears_its_number_and_gives_up_its_mutexes() {
    each(|mut guest| {
        let [cleared, mutex, list] = [WORD, WORD + 16, PAGE_AT + 0x200];
        guest.put(cleared, &[u64::MAX]);
        // CLONE_CHILD_CLEARTID.
        assert_eq!(guest.make(0x20_0000, cleared), 2);
        guest.waits(Call::Futex, [cleared, WAIT, 0xffff_ffff, 0, 0, 0]);
        assert_eq!(guest.next(), 2);
        // One mutex, owned by thread 2, with waiters: list, offset of the word, nothing pending.
        let held = guest.pair_of(0x8000_0002);
        guest.put(mutex, &[held]);
        guest.put(list, &[list + 64, (mutex - list - 64), 0]);
        guest.put(list + 64, &[list]);
        assert_eq!(guest.call(Call::SetRobustList, &[list, 24]), 0);
        let over = guest.kernel.serve(Call::ExitThread, [7; 6], &mut guest.registers, &mut guest.memory);
        assert_eq!(over, Err(Refusal::ThreadOver));
        assert_eq!(guest.word(mutex), guest.pair_of(0xc000_0000), "its owner died, and others wait");
        assert_eq!(guest.next(), 1);
        assert_eq!(guest.call(Call::Futex, &[cleared, WAIT, 0xffff_ffff, 0]), 0);
        assert_eq!(guest.call(Call::Tkill, &[2, 0]), NO_PROCESS);
        let over = guest.kernel.serve(Call::ExitThread, [7; 6], &mut guest.registers, &mut guest.memory);
        assert_eq!(over, Err(Refusal::Exit(7)));
    });
}

#[test]
fn a_signal_for_a_thread_is_handled_by_it_and_ends_its_wait() {
    each(|mut guest| {
        guest.put(PAGE_AT, &[0x40_0000, 0, 0, 0]);
        assert_eq!(guest.call(Call::Sigaction, &[10, PAGE_AT, 0, 8]), 0);
        assert_eq!(guest.make(0, 0), 2);
        guest.waits(Call::Pause, [0; 6]);
        assert_eq!(guest.next(), 2);
        assert_eq!(guest.call(Call::Tgkill, &[1, 1, 10]), 0);
        assert!(!guest.kernel.process.signals.has_due(), "it is for the other one");
        assert_eq!(guest.next(), 1);
        assert_eq!((guest.call(Call::Pause, &[]), guest.kernel.process.signals.has_due()), (-4, true));
    });
}

#[test]
fn a_pipe_is_waited_for_until_another_thread_writes() {
    each(|mut guest| {
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        assert_eq!(guest.make(0, 0), 2);
        guest.waits(Call::Read, [3, PAGE_AT, 8, 0, 0, 0]);
        assert_eq!(guest.next(), 2);
        assert_eq!(guest.call(Call::Write, &[4, PAGE_AT, 3]), 3);
        assert_eq!((guest.next(), guest.call(Call::Read, &[3, PAGE_AT, 8])), (1, 3));
    });
}

#[test]
fn a_thread_that_shares_less_is_not_followed() {
    each(|mut guest| {
        let mut ends = |flags: u64, stack| {
            let arguments = [flags, stack, 0, 0, 0, 0];
            guest.kernel.serve(Call::Clone, arguments, &mut guest.registers, &mut guest.memory)
        };
        assert!(matches!(ends(0x8000, 0), Err(Refusal::Ends(StopReason::NewProcess, _))), "of another parent");
        assert!(matches!(ends(THREAD, 0), Err(Refusal::Ends(StopReason::Thread, _))), "no stack");
        assert!(matches!(ends(THREAD & !0x400, 8), Err(Refusal::Ends(StopReason::Thread, _))), "its own files");
        let made = (0..300).take_while(|_| guest.make(0, 0) < 1000).count();
        assert_eq!(made, 255);
        assert!(guest.kernel.process.has_other_threads() && guest.kernel.process.threads.now == ThreadId::FIRST);
    });
}

impl Guest {
    /// A 32-bit word followed by zeroes, as a 64-bit word.
    fn pair_of(&self, word: u32) -> u64 {
        match self.abi.facts().order {
            ByteOrder::Little => word.into(),
            ByteOrder::Big => u64::from(word) << 32,
        }
    }
}
