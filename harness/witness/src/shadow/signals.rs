//! What a signal does to the frames. The kernel pushes two: the interrupted function is left before
//! an instruction, not after a call, and the handler is as if the restorer had called it. The
//! restorer's system call ends both.
//!
//! A handler executes on a stack of its own: the alternate one, or what is below the interrupted
//! function. There SPs compare; with frames around it they do not. A handler that is left by a
//! longjmp or a throw goes back to an outer stack: frames end when control arrives there.

use types::{Event, Frame, LeftBy, Pc};

use super::{Floor, Observation, Shadow};
use crate::branch::Branch;

/// A signal's handler as it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// The instruction that executes next when the handler is over.
    pub pc: u64,
    /// SP there.
    pub sp: u64,
    /// FP there.
    pub fp: u64,
    /// Where the handler returns to.
    pub restorer: u64,
    /// SP when it begins.
    pub handler_sp: u64,
    /// FP when it begins.
    pub handler_fp: u64,
}

impl Shadow {
    /// The kernel began a handler.
    pub fn interrupt(&mut self, by: &Interruption) {
        let cfa = by.sp.wrapping_sub(self.caller_sp_minus_cfa);
        let interrupted = Frame {
            ra: Pc(by.pc),
            raw_ra: by.pc,
            signed_by: None,
            signed_with_pc: false,
            cfa,
            fp: by.fp,
            left_by: LeftBy::Signal,
        };
        self.frames.push(interrupted);
        self.changes += 1;
        self.calls.push_level();
        self.floors.push(Floor { frames: self.frames.len(), interrupted: true });
        self.push(by.restorer, by.handler_sp, by.handler_fp);
        self.made(Event::Signal);
    }

    /// The kernel ended a handler: control is at `pc` with `sp`. False if no function was
    /// interrupted with that SP.
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

    /// Number of stacks that were left for others and are still in use.
    #[inline]
    pub fn stacks_left(&self) -> usize {
        self.floors.len()
    }

    /// Frames around the innermost stack in use.
    #[inline]
    pub(super) fn floor(&self) -> usize {
        self.floors.last().map_or(0, |floor| floor.frames)
    }

    fn made(&mut self, event: Event) {
        self.away = None;
        self.made = Some(event);
        // No instruction is there, so that the next one is a transfer.
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

    /// Control was transferred while SP is on an outer stack: the frames of the stacks inside it
    /// are over, unless this is a branch on the way there.
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
