//! The frames and stacks of a thread.

use witness::{PacOp, Shadow};

use crate::end::{End, Reason};
use crate::interruptions::Interruptions;
use crate::memory::{Memory, Window};
use crate::stacks::Stacks;

/// What is followed of a thread.
pub(super) struct Followed {
    pub(super) shadow: Shadow,
    /// The stacks in use; SP is on the innermost one, unless a handler is being left.
    pub(super) stacks: Stacks,
    pub(super) stack: Window,
    /// SP is on a stack that was left.
    pub(super) away: bool,
    /// SP is on no stack in use.
    pub(super) switching: bool,
    /// SP before it left all stacks in use.
    pub(super) sp_left: u64,
    /// A pointer authentication instruction that is not executed yet, and LR before it.
    pub(super) pending: Option<(PacOp, u64)>,
    /// Epoch of the memory that contains `stack`.
    pub(super) epoch: u64,
    pub(super) interruptions: Interruptions,
}

impl Followed {
    /// Creates what is followed of a thread that is about to begin.
    pub(super) fn new(shadow: Shadow, stacks: Stacks, epoch: u64) -> Followed {
        Followed {
            shadow,
            stack: stacks.now,
            stacks,
            away: false,
            switching: false,
            sp_left: 0,
            pending: None,
            epoch,
            interruptions: Interruptions::default(),
        }
    }

    /// Returns what is followed of a thread that is as this one, in no signal handler.
    pub(super) fn copy(&self) -> Followed {
        Followed {
            shadow: self.shadow.clone(),
            stacks: self.stacks.clone(),
            interruptions: Interruptions::default(),
            ..*self
        }
    }

    /// Drops the stacks whose frames have ended.
    #[cold]
    pub(super) fn go_back(&mut self) {
        self.stacks.go_back(self.shadow.stacks_left());
        self.stay();
    }

    /// SP is on the innermost stack.
    pub(super) fn stay(&mut self) {
        (self.stack, self.away) = (self.stacks.now, false);
    }

    /// Updates the stacks after memory was unmapped, which may be that of a stack.
    #[cold]
    pub(super) fn refresh(&mut self, pc: u64, memory: &Memory) -> Result<(), End> {
        self.epoch = memory.epoch();
        if !self.stacks.refresh(memory) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack was unmapped before {pc:#x}")));
        }
        self.stack = self.stacks.now;
        Ok(())
    }

    pub(super) fn set_switching(&mut self, switching: bool) {
        self.switching = switching;
        self.shadow.set_switching(switching);
        self.stacks.set_switching(switching);
    }

    /// Nothing is known any more of the frames of this thread, nor of stacks that it has left. What
    /// is called from now on is known.
    pub(super) fn lose_frames(&mut self, sp: u64, pc: u64, memory: &Memory) -> Result<(), End> {
        self.shadow.lose_frames();
        if !self.stacks.begin(sp, memory) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack at {sp:#x} is not in memory")));
        }
        self.set_switching(false);
        self.stay();
        Ok(())
    }

    /// Another thread goes to a stack, with this SP: what this one has left there is not live any
    /// more.
    pub(super) fn lose_stack(&mut self, sp: u64) {
        if self.stacks.forget_parked(sp) {
            self.shadow.forget_left();
        }
        if self.stacks.left_one_of(sp) {
            self.shadow.go_on_elsewhere();
            self.stacks.forget_left();
            (self.away, self.switching) = (false, false);
        }
    }

    /// Handles a call by a function that has switched to another stack.
    pub(super) fn enter_within(&mut self, sp: u64, red_zone: u64, memory: &Memory) -> bool {
        let live_from = self.sp_left.saturating_sub(red_zone);
        let frames = self.shadow.frames().len() - 1;
        self.stacks.enter_within(sp, (self.sp_left, live_from), frames, memory)
    }
}
