//! Effect of signals on the frames. The kernel pushes two frames: the interrupted function, which
//! is left before an instruction, not after a call; and the handler, as if the restorer had called
//! it. The restorer's system call ends both.
//!
//! A handler has a stack of its own: the alternate one, or the part below the interrupted
//! function's. SPs on this stack are comparable with each other, not with those of outer frames. A
//! handler that ends by a longjmp or a throw returns to an outer stack: frames end when control is
//! transferred there.

use types::{Event, Frame, LeftBy, Pc};

use super::{Floor, Observation, Shadow};
use crate::branch::Branch;

/// The start of a signal handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// Address of the instruction that is executed after the handler.
    pub pc: u64,
    /// SP of the interrupted program.
    pub sp: u64,
    /// FP of the interrupted program.
    pub fp: u64,
    /// Return address of the handler.
    pub restorer: u64,
    /// SP at the start of the handler.
    pub handler_sp: u64,
    /// FP at the start of the handler.
    pub handler_fp: u64,
}

impl Shadow {
    /// Handles the start of a signal handler.
    pub fn interrupt(&mut self, by: &Interruption) {
        let cfa = by.sp.wrapping_sub(self.caller_sp_minus_cfa);
        self.changes += 1;
        let interrupted =
            Frame { left_by: LeftBy::Signal, number: self.changes, ..Frame::called(Pc(by.pc), cfa, by.fp) };
        self.frames.push(interrupted);
        self.calls.push_level();
        self.floors.push(Floor { frames: self.frames.len(), interrupted: true });
        self.push(by.restorer, by.handler_sp, by.handler_fp);
        self.made(Event::Signal);
    }

    /// Handles the end of a signal handler, after which SP is `sp`. Returns false if no function
    /// was interrupted with that SP.
    pub fn resume(&mut self, sp: u64) -> bool {
        let left = |frame: &Frame| frame.left_by == LeftBy::Signal && self.caller_sp(frame) == sp;
        let Some(first) = self.frames.iter().rposition(left) else { return false };
        self.truncate(first);
        self.made(Event::Resumed);
        true
    }

    /// Control goes on where nothing was interrupted, or another thread uses a stack of this one:
    /// nothing is known of its frames.
    pub fn go_on_elsewhere(&mut self) {
        self.lose_frames();
        self.made(Event::Switched);
    }

    /// SP is on a stack that was left, with that many left around it; or is back on the innermost
    /// in use.
    pub fn set_away(&mut self, left: Option<usize>) {
        self.away = left;
    }

    /// Number of stacks in use outside of the innermost one.
    #[inline]
    pub fn stacks_left(&self) -> usize {
        self.floors.len()
    }

    /// Number of frames outside of the innermost stack.
    #[inline]
    pub(super) fn floor(&self) -> usize {
        self.floors.last().map_or(0, |floor| floor.frames)
    }

    fn made(&mut self, event: Event) {
        self.away = None;
        self.made = Some(event);
        // No instruction has this address, so that the next step is a transfer of control.
        self.next = u64::MAX;
    }

    pub(super) fn truncate(&mut self, first: usize) {
        self.changes += 1;
        self.frames.truncate(first);
        self.calls.truncate_levels(first);
        while self.floors.last().is_some_and(|floor| floor.frames > first) {
            self.floors.pop();
        }
    }

    /// Handles a transfer of control while SP is on an outer stack: the frames of the inner stacks
    /// have ended, unless this is a branch on the way there.
    #[cold]
    pub(super) fn come_back(
        &mut self,
        left: usize,
        at: &Observation,
        called: bool,
        branch: impl FnOnce(u64) -> Branch,
    ) -> Event {
        let kind = branch(self.pc);
        if kind == Branch::Relative && !called {
            return Event::Jump;
        }
        self.away = None;
        if let Some(Floor { frames, interrupted }) = self.floors.get(left) {
            self.truncate(frames.saturating_sub(usize::from(*interrupted)));
            self.floors.truncate(left);
        }
        if called {
            self.call(at);
            return Event::Call;
        }
        match self.arrive_or_jump(at, |_| kind) {
            Event::Jump | Event::Return => Event::Unwound,
            event => event,
        }
    }
}
