//! Processes as the kernel sees them. Numbers from fork(2), wait4(2), waitid(2) and Linux.

use types::{RunEnd, ThreadId};

use super::*;
use crate::threads::Next;

const NO_CHILD: i64 = -10;
const STATUS: u64 = PAGE_AT + 0x400;

impl Guest {
    /// Makes a process, which executes now.
    pub(super) fn fork(&mut self) {
        self.make_process(Call::Fork);
    }

    fn make_process(&mut self, call: Call) {
        assert!(self.call(call, &[]) > 1);
        let forked = self.kernel.processes.forked.take().expect("a process");
        self.kernel.begin_child(&forked, &mut self.registers, &mut self.memory).expect("it begins");
    }

    /// A call that waits, and the process that executes then.
    fn waits_for(&mut self, call: Call, arguments: [u64; 6]) -> u32 {
        assert_eq!(self.refuses(call, arguments), Refusal::Waits);
        match self.kernel.next(0, 0x40).expect("another one") {
            Next::Process(process) => assert_eq!(process, self.kernel.process.number()),
            Next::Thread(thread) => assert_eq!(thread, ThreadId(self.kernel.process.number())),
        }
        self.kernel.process.number()
    }

    fn half(&self, at: u64) -> u32 {
        let word = self.word(at);
        (if self.abi.facts().order == ByteOrder::Little { word } else { word >> 32 }) as u32
    }

    fn refuses(&mut self, call: Call, arguments: [u64; 6]) -> Refusal {
        self.kernel.serve(call, arguments, &mut self.registers, &mut self.memory).expect_err("it ends")
    }
}

#[test]
fn a_child_has_descriptors_of_its_own_and_is_waited_for() {
    each(|mut guest| {
        assert_eq!((guest.call(Call::ProcessId, &[]), guest.call(Call::Parent, &[])), (1, 0));
        assert_eq!(guest.call(Call::Wait4, &[u64::MAX, 0, 0, 0]), NO_CHILD);
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        guest.fork();
        assert_eq!((guest.call(Call::ProcessId, &[]), guest.call(Call::Parent, &[])), (2, 1));
        assert_eq!(guest.call(Call::Wait4, &[u64::MAX, 0, 0, 0]), NO_CHILD);
        assert_eq!((guest.call(Call::Close, &[3]), guest.call(Call::Write, &[4, PAGE_AT, 5])), (0, 5));
        // Itself, its maker, and none.
        assert_eq!([2, 1, 3].map(|whom| guest.call(Call::Kill, &[whom, 0])), [0, 0, -3]);
        assert_eq!(guest.kernel.end_process(3), Some(1));
        // Only the end that its maker has is open.
        assert_eq!((guest.call(Call::Close, &[4]), guest.call(Call::Read, &[3, PAGE_AT, 9])), (0, 5));
        assert_eq!(guest.call(Call::Read, &[3, PAGE_AT, 9]), 0);
        assert_eq!(guest.call(Call::Wait4, &[3, STATUS, 0, 0]), NO_CHILD);
        assert_eq!((guest.call(Call::Wait4, &[2, STATUS, 0, 0]), guest.half(STATUS)), (2, 3 << 8));
        assert_eq!(guest.call(Call::Wait4, &[u64::MAX, 0, 0, 0]), NO_CHILD);
    });
}

#[test]
fn a_signal_ends_a_child_and_a_pipe_holds_what_it_writes() {
    const LEAVES: u64 = 0x100_0000;
    each(|mut guest| {
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        guest.fork();
        // More than a pipe of one process holds.
        for _ in 0..32 {
            assert_eq!(guest.call(Call::Write, &[4, PAGE_AT, 0xf00]), 0xf00);
        }
        assert_eq!(guest.refuses(Call::Kill, [2, 6, 0, 0, 0, 0]), Refusal::Exit(134));
        assert_eq!(guest.kernel.end_process(134), Some(1));
        assert_eq!(guest.call(Call::Waitid, &[0, 0, STATUS, 4 | LEAVES, 0]), 0);
        assert_eq!([0, 8, 16, 24].map(|at| guest.half(STATUS + at)), [17, 2, 2, 6]);
        assert_eq!((guest.call(Call::Wait4, &[0, STATUS, 0, 0]), guest.half(STATUS)), (2, 6));
        assert_eq!(guest.call(Call::Read, &[3, PAGE_AT, 0x800]), 0x800);
    });
}

#[test]
fn a_mapping_that_both_would_have_is_not_copied() {
    each(|mut guest| {
        guest.kernel.process.space.is_shared = true;
        assert!(matches!(guest.refuses(Call::Fork, [0; 6]), Refusal::Ends(StopReason::NewProcess, _)));
    });
}

#[test]
fn processes_wait_for_one_another_and_the_first_one_decides_the_status() {
    const NEVER_WAITS: u64 = 1;
    each(|mut guest| {
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        guest.fork();
        assert_eq!(guest.call(Call::Close, &[4]), 0);
        // A call that waits leaves its set of descriptors as it is.
        guest.put(PAGE_AT + 0x300, &[1 << 3]);
        assert_eq!(guest.waits_for(Call::Select, [4, PAGE_AT + 0x300, 0, 0, 0, 0]), 1);
        assert_eq!(guest.word(PAGE_AT + 0x300), 1 << 3);
        guest.kernel.change_process(2);
        guest.kernel.process.threads.own.wait = None;
        // Its maker writes what it reads, waits for it, and then it ends.
        let read = [3, PAGE_AT + 0x800, 9, 0, 0, 0];
        assert_eq!(guest.waits_for(Call::Read, read), 1);
        assert_eq!(guest.call(Call::Wait4, &[2, STATUS, NEVER_WAITS, 0]), 0);
        assert_eq!((guest.call(Call::Write, &[4, PAGE_AT, 5]), guest.call(Call::Close, &[4])), (5, 0));
        let wait = [u64::MAX, STATUS, 0, 0, 0, 0];
        assert_eq!(guest.waits_for(Call::Wait4, wait), 2);
        assert_eq!((guest.call(Call::Read, &read), guest.call(Call::Read, &read)), (5, 0));
        assert_eq!((guest.kernel.end_process(7), guest.kernel.process.is_waiting()), (Some(1), true));
        assert_eq!(guest.kernel.next(0, 0x40), Ok(Next::Thread(ThreadId::FIRST)));
        assert_eq!((guest.call(Call::Wait4, &wait), guest.half(STATUS)), (2, 7 << 8));
        // A child is killed, and another one outlives its maker.
        guest.fork();
        guest.put(PAGE_AT + 0x200, &[5, 0]);
        let sleep = [PAGE_AT + 0x200, 0, 0, 0, 0, 0];
        assert_eq!(guest.waits_for(Call::Nanosleep, sleep), 1);
        assert_eq!(guest.call(Call::Kill, &[3, 15]), 0);
        assert_eq!(guest.refuses(Call::Wait4, wait), Refusal::Waits);
        assert_eq!(guest.kernel.next(0, 0x40), Ok(Next::Process(3)));
        assert_eq!(guest.kernel.next(0, 0x40), Err(RunEnd::Exit(143)));
        assert_eq!(guest.kernel.end_process(143), Some(1));
        assert_eq!((guest.call(Call::Wait4, &wait), guest.half(STATUS)), (3, 15));
        guest.fork();
        assert_eq!(guest.waits_for(Call::Nanosleep, sleep), 1);
        assert_eq!((guest.kernel.end_process(9), guest.call(Call::Parent, &[])), (Some(4), 0));
        assert_eq!((guest.kernel.processes.status_of_run(0), guest.kernel.processes.has_others()), (9, false));
    });
}

#[test]
fn a_maker_that_lends_its_memory_waits_for_its_end_and_all_that_wait_are_named() {
    each(|mut guest| {
        assert_eq!(guest.call(Call::Pipe, &[PAGE_AT]), 0);
        guest.make_process(Call::Vfork);
        assert_eq!(guest.kernel.lender(), Some(1));
        assert_eq!(guest.refuses(Call::Read, [3, PAGE_AT, 9, 0, 0, 0]), Refusal::Waits);
        assert!(matches!(guest.kernel.next(0, 0x40), Err(RunEnd::Undecided { .. })));
        assert_eq!((guest.kernel.end_process(0), guest.kernel.lender()), (Some(1), None));
        guest.fork();
        assert_eq!(guest.waits_for(Call::Read, [3, PAGE_AT, 9, 0, 0, 0]), 1);
        assert_eq!(guest.refuses(Call::Wait4, [3, 0, 0, 0, 0, 0]), Refusal::Waits);
        match guest.kernel.next(0, 0x40) {
            Err(RunEnd::Undecided { reason: StopReason::Deadlock, message, .. }) => {
                let both = "thread 1 for a child, thread 3 for bytes in a pipe";
                assert_eq!(message, format!("all 2 threads wait: {both}"));
            }
            other => panic!("{other:?}"),
        }
    });
}
