//! Processes as the kernel sees them. Numbers from fork(2), wait4(2), waitid(2) and Linux.

use super::*;
use crate::processes::Suspended;

const NO_CHILD: i64 = -10;
const STATUS: u64 = PAGE_AT + 0x400;

impl Guest {
    /// Makes a process, which executes now.
    pub(super) fn fork(&mut self) -> Suspended {
        assert!(self.call(Call::Fork, &[]) > 1);
        let forked = self.kernel.processes.forked.take().expect("a process");
        self.kernel.begin_child(&forked, &mut self.registers, &mut self.memory).expect("it begins")
    }

    fn half(&self, at: u64) -> u32 {
        self.kernel.half(at, &self.memory).expect("in memory")
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
        let maker = guest.fork();
        assert_eq!((guest.call(Call::ProcessId, &[]), guest.call(Call::Parent, &[])), (2, 1));
        assert_eq!(guest.call(Call::Wait4, &[u64::MAX, 0, 0, 0]), NO_CHILD);
        assert_eq!((guest.call(Call::Close, &[3]), guest.call(Call::Write, &[4, PAGE_AT, 5])), (0, 5));
        // Itself, and its maker, which does not execute.
        assert_eq!(guest.call(Call::Kill, &[2, 0]), 0);
        assert!(matches!(guest.refuses(Call::Kill, [1, 15, 0, 0, 0, 0]), Refusal::Ends(StopReason::NewProcess, _)));
        guest.kernel.end_child(3, maker);
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
        let maker = guest.fork();
        // More than a pipe holds whose reader executes.
        for _ in 0..32 {
            assert_eq!(guest.call(Call::Write, &[4, PAGE_AT, 0xf00]), 0xf00);
        }
        assert_eq!(guest.refuses(Call::Kill, [2, 6, 0, 0, 0, 0]), Refusal::Exit(134));
        guest.kernel.end_child(134, maker);
        assert_eq!(guest.call(Call::Waitid, &[0, 0, STATUS, 4 | LEAVES, 0]), 0);
        assert_eq!([0, 8, 16, 24].map(|at| guest.half(STATUS + at)), [17, 2, 2, 6]);
        assert_eq!((guest.call(Call::Wait4, &[0, STATUS, 0, 0]), guest.half(STATUS)), (2, 6));
        assert_eq!(guest.call(Call::Read, &[3, PAGE_AT, 0x800]), 0x800);
    });
}

#[test]
fn a_mapping_that_both_would_have_is_not_copied() {
    each(|mut guest| {
        guest.kernel.processes.shares_memory = true;
        assert!(matches!(guest.refuses(Call::Fork, [0; 6]), Refusal::Ends(StopReason::NewProcess, _)));
    });
}
