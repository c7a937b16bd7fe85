//! The stack of an execution: SP switches to another stack or back, and handlers and functions that
//! switched end.

use isa::flow::{Flow, Insn, Marks};
use types::{Abi, Event, Outermost};
use witness::Switch;

use super::execution::Execution;
use crate::end::{End, Reason};
use crate::memory::Memory;
use crate::stacks::StackOfSp;

/// Bytes of the longest instruction.
const LONGEST: usize = 15;
/// By so much a stack of which only the end is known grows at once: where SP is moved, and where it
/// is set to what was anywhere.
const MOVED: u64 = 64 << 10;
const SET: u64 = 512;

impl Execution {
    /// Updates the stacks and the code if memory was unmapped, which may be that of a stack.
    #[inline]
    pub(super) fn refresh(&mut self, pc: u64) -> Result<(), End> {
        if self.followed.epoch == self.core.memory.epoch() {
            return Ok(());
        }
        self.followed.refresh(pc, &self.core.memory)?;
        self.code.window = self.followed.stack;
        Ok(())
    }

    /// Handles SP leaving its region.
    #[cold]
    pub(super) fn change_stack(&mut self, sp: u64, pc: u64) -> Result<(), End> {
        let followed = &mut self.followed;
        match followed.stacks.find(sp) {
            Some(StackOfSp::Innermost) => {
                followed.stay();
                followed.shadow.set_away(None);
                followed.set_switching(false);
                return Ok(());
            }
            Some(StackOfSp::Left { around, .. }) if followed.shadow.comes_back_from(around) => {
                followed.shadow.set_away(None);
                followed.set_switching(false);
                followed.go_back();
                return Ok(());
            }
            Some(StackOfSp::Left { around, window }) => {
                (followed.stack, followed.away) = (window, true);
                followed.shadow.set_away(Some(around));
                return Ok(());
            }
            None => {}
        }
        // Outside every region SP points to no stack: the next access ends the run, or SP returns.
        let memory = &self.core.memory;
        let Some(window) = memory.window(sp.wrapping_sub(1)).or_else(|| memory.window(sp)) else { return Ok(()) };
        let most = most_growth(followed.shadow.pc(), memory, self.fixed.abi);
        let has_no_frames = followed.shadow.frames().is_empty();
        if followed.stacks.grows(sp, followed.shadow.sp(), most, memory) {
            followed.stack = followed.stacks.now;
        } else if has_no_frames && followed.shadow.outermost() == Outermost::Unfollowed {
            return self.lose_frames(sp, pc);
        } else if has_no_frames && !followed.shadow.has_switched() {
            followed.stacks.replace(window);
            followed.stack = window;
        } else if followed.away {
            let message = format!(
                "SP moved to {sp:#x}, another memory region, at {pc:#x} while a signal handler was left by a jump"
            );
            return Err(End::undecided(Reason::StackSwitch, pc, message));
        } else {
            followed.stack = window;
            // The condition is false after the return of a handler that began meanwhile.
            if followed.stacks.holds_sp(followed.shadow.sp()) {
                followed.sp_left = followed.shadow.sp();
            }
            followed.set_switching(true);
        }
        Ok(())
    }

    /// Nothing is known any more of the frames of this thread: see [`Followed::lose_frames`].
    ///
    /// [`Followed::lose_frames`]: super::followed::Followed::lose_frames
    pub(super) fn lose_frames(&mut self, sp: u64, pc: u64) -> Result<(), End> {
        self.followed.lose_frames(sp, pc, &self.core.memory)?;
        self.threads.lose_stacks_at(sp);
        Ok(())
    }

    /// Ends a stack switch: control was transferred while SP was on no stack in use, or not as by
    /// longjmp. Returns the event that it is.
    #[cold]
    pub(super) fn end_switch(&mut self, pc: u64, sp: u64, event: Event) -> Result<Event, End> {
        let (followed, memory) = (&mut self.followed, &self.core.memory);
        match followed.shadow.switch() {
            Some(Switch::UnderWay) | None => return Ok(event),
            Some(Switch::New) if followed.stacks.begin_another(sp, followed.sp_left, memory) => {}
            Some(Switch::Back(place)) => followed.stacks.back_to(place, followed.sp_left),
            Some(Switch::Within) if followed.enter_within(sp, self.fixed.facts.red_zone, memory) => {}
            Some(Switch::New | Switch::Within | Switch::Lost) => {
                self.lose_frames(sp, pc)?;
                return Ok(Event::Switched);
            }
        }
        self.threads.lose_stacks_at(sp);
        followed.set_switching(false);
        followed.stack = followed.stacks.now;
        if !followed.stack.holds_sp(sp) {
            return Err(End::undecided(Reason::StackSwitch, pc, format!("a stack at {sp:#x} is not where it was")));
        }
        Ok(event)
    }
}

/// The most bytes by which the last instruction, at `before`, lets a stack grow of which only the
/// end is known: where it takes SP from elsewhere, another stack may be that near.
fn most_growth(before: u64, memory: &Memory, abi: Abi) -> u64 {
    let code = (2..=LONGEST).rev().find_map(|len| memory.read(before, len)).unwrap_or_default();
    let moves = |insn: Insn| insn.marks.any(Marks::MOVES_SP) || matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall);
    if isa::flow::decode(abi, code, before).is_some_and(moves) { MOVED } else { SET }
}
