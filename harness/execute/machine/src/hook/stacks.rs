//! The stack of an execution: SP switches to another stack or back, and handlers and functions that
//! switched end.

use isa::flow::{Flow, Insn, Marks};
use types::memo::Memo;
use types::{Event, Outermost};
use witness::Switch;

use super::Session;
use crate::end::{End, Reason};
use crate::stacks::Found;

/// Bytes of the longest instruction.
const LONGEST: usize = 15;
/// By so much a stack of which only the end is known grows at once: where SP is moved, and where it
/// is set to what was anywhere.
const MOVED: u64 = 64 << 10;
const SET: u64 = 512;

impl<M: Memo> Session<'_, M> {
    /// Drops the stacks whose frames have ended.
    #[cold]
    pub(super) fn go_back(&mut self) {
        self.stacks.go_back(self.shadow.stacks_left());
        (self.stack, self.away) = (self.stacks.now, false);
    }

    /// Updates the stacks after memory was unmapped, which may be that of a stack.
    #[cold]
    pub(super) fn refresh(&mut self, pc: u64) -> Result<(), End> {
        if self.epoch != self.core.memory.epoch() {
            self.epoch = self.core.memory.epoch();
            if !self.stacks.refresh(&self.core.memory) {
                return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack was unmapped before {pc:#x}")));
            }
            (self.stack, self.code) = (self.stacks.now, self.stacks.now);
        }
        Ok(())
    }

    /// Handles SP leaving its region.
    #[cold]
    pub(super) fn change_stack(&mut self, sp: u64, pc: u64) -> Result<(), End> {
        match self.stacks.find(sp) {
            Some(Found::Innermost) => {
                (self.stack, self.away) = (self.stacks.now, false);
                self.shadow.set_away(None);
                self.set_switching(false);
                return Ok(());
            }
            Some(Found::Left { around, .. }) if self.shadow.comes_back_from(around) => {
                self.shadow.set_away(None);
                self.set_switching(false);
                self.go_back();
                return Ok(());
            }
            Some(Found::Left { around, window }) => {
                (self.stack, self.away) = (window, true);
                self.shadow.set_away(Some(around));
                return Ok(());
            }
            None => {}
        }
        // Outside every region SP points to no stack: the next access ends the run, or SP returns.
        let memory = &self.core.memory;
        let Some(window) = memory.window(sp.wrapping_sub(1)).or_else(|| memory.window(sp)) else { return Ok(()) };
        if self.stacks.grows(sp, self.shadow.sp(), self.most_growth(), memory) {
            self.stack = self.stacks.now;
        } else if self.shadow.frames().is_empty() && self.shadow.outermost() == Outermost::Unfollowed {
            return self.lose_frames(sp, pc);
        } else if self.shadow.frames().is_empty() && !self.shadow.has_switched() {
            self.stacks.replace(window);
            self.stack = window;
        } else if self.away {
            let message = format!(
                "SP moved to {sp:#x}, another memory region, at {pc:#x} while a signal handler was left by a jump"
            );
            return Err(End::undecided(Reason::StackSwitch, pc, message));
        } else {
            self.stack = window;
            // The condition is false after the return of a handler that began meanwhile.
            if self.stacks.holds_sp(self.shadow.sp()) {
                self.sp_left = self.shadow.sp();
            }
            self.set_switching(true);
        }
        Ok(())
    }

    /// The most bytes by which the last instruction lets a stack grow of which only the end is
    /// known: where it takes SP from elsewhere, another stack may be that near.
    fn most_growth(&self) -> u64 {
        let before = self.shadow.pc();
        let code = (2..=LONGEST).rev().find_map(|len| self.core.memory.read(before, len)).unwrap_or_default();
        let moves =
            |insn: Insn| insn.marks.any(Marks::MOVES_SP) || matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall);
        if isa::flow::decode(self.abi, code, before).is_some_and(moves) { MOVED } else { SET }
    }

    /// Nothing is known any more of the frames of this thread, nor of stacks that it has left. What
    /// is called from now on is known.
    pub(super) fn lose_frames(&mut self, sp: u64, pc: u64) -> Result<(), End> {
        self.shadow.lose_frames();
        if !self.stacks.begin(sp, &self.core.memory) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack at {sp:#x} is not in memory")));
        }
        self.set_switching(false);
        (self.stack, self.away) = (self.stacks.now, false);
        self.lose_frames_of_others(sp);
        Ok(())
    }

    pub(super) fn set_switching(&mut self, switching: bool) {
        self.switching = switching;
        self.shadow.set_switching(switching);
        self.stacks.set_switching(switching);
    }

    /// Ends a stack switch: control was transferred while SP was on no stack in use, or not as by
    /// longjmp. Returns the event that it is.
    #[cold]
    pub(super) fn end_switch(&mut self, pc: u64, sp: u64, event: Event) -> Result<Event, End> {
        match self.shadow.switch() {
            Some(Switch::UnderWay) | None => return Ok(event),
            Some(Switch::New) if self.stacks.begin_another(sp, self.sp_left, &self.core.memory) => {}
            Some(Switch::Back(place)) => self.stacks.back_to(place, self.sp_left),
            Some(Switch::Within) if self.enter_within(sp) => {}
            Some(Switch::New | Switch::Within | Switch::Lost) => {
                self.lose_frames(sp, pc)?;
                return Ok(Event::Switched);
            }
        }
        self.lose_frames_of_others(sp);
        self.set_switching(false);
        self.stack = self.stacks.now;
        if !self.stack.holds_sp(sp) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack at {sp:#x} is not where it was")));
        }
        Ok(event)
    }

    /// Handles a call by a function that has switched to another stack.
    pub(super) fn enter_within(&mut self, sp: u64) -> bool {
        let live_from = self.sp_left.saturating_sub(self.facts.red_zone);
        let frames = self.shadow.frames().len() - 1;
        self.stacks.enter_within(sp, (self.sp_left, live_from), frames, &self.core.memory)
    }
}
