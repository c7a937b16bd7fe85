//! The stack of an execution: SP switches to another stack or back, and handlers and functions that
//! switched end.

use types::memo::Memo;
use witness::Switch;

use super::Session;
use crate::end::{End, Reason};
use crate::stacks::Found;

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
        if self.stacks.grows(sp, self.shadow.sp(), memory) {
            self.stack = self.stacks.now;
        } else if self.shadow.frames().is_empty() && !self.shadow.has_switched() {
            self.stacks.replace(window);
            self.stack = window;
        } else if self.away {
            let message = format!("SP moved to {sp:#x}, another region, at {pc:#x} while a handler was left");
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

    pub(super) fn set_switching(&mut self, switching: bool) {
        self.switching = switching;
        self.shadow.set_switching(switching);
        self.stacks.set_switching(switching);
    }

    /// Ends a stack switch: control was transferred while SP was on no stack in use, or not as by
    /// longjmp. Finds the stack that SP is on.
    #[cold]
    pub(super) fn end_switch(&mut self, pc: u64, sp: u64) -> Result<(), End> {
        match self.shadow.switch() {
            Some(Switch::UnderWay) | None => return Ok(()),
            Some(Switch::New) if self.stacks.begin_another(sp, &self.core.memory) => {}
            Some(Switch::Back(place)) => self.stacks.back_to(place),
            Some(Switch::Within) if self.enter_within(sp) => {}
            Some(Switch::New | Switch::Within | Switch::Lost) => {
                let message = format!("SP moved to {sp:#x}, another stack, before {pc:#x} while frames were live");
                return Err(End::undecided(Reason::StackSwitch, pc, message));
            }
        }
        self.set_switching(false);
        self.stack = self.stacks.now;
        if !self.stack.holds_sp(sp) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack at {sp:#x} is not where it was")));
        }
        Ok(())
    }

    /// Handles a call by a function that has switched to another stack.
    pub(super) fn enter_within(&mut self, sp: u64) -> bool {
        let live_from = self.sp_left.saturating_sub(self.facts.red_zone);
        let frames = self.shadow.frames().len() - 1;
        self.stacks.enter_within(sp, (self.sp_left, live_from), frames, &self.core.memory)
    }
}
