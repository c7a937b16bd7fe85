//! Stack switches of a program: `swapcontext`, coroutines. A stack that is left keeps its frames;
//! control returns to it at the return of the call that left it, or at the return of an earlier
//! call. A new stack begins with a function as if called from its return address, without a call. A
//! function may also switch to another stack and call from there, as those that extend a split
//! stack: then the frames of the new stack follow those of the old one, until SP is back.

use types::{Event, Frame, LeftBy, Outermost};

use super::{Floor, Observation, Shadow};
use crate::branch::Branch;

/// Maximum number of stacks.
const MOST: usize = 4096;

/// A stack that was left, with the functions that are live on it.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    frames: Vec<Frame>,
    floors: Vec<Floor>,
    levels: Vec<u64>,
}

/// The state of a stack switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// SP has left all stacks in use; control was not transferred yet.
    UnderWay,
    /// A switch to a new stack; the old one is the last in the list of left stacks.
    New,
    /// A switch back to the stack at this index in the list of left stacks, which now has the old
    /// one.
    Back(usize),
    /// The function that left the stack calls from another stack: the frames follow.
    Within,
    /// The control flow is not understood.
    Lost,
}

impl Shadow {
    /// Records whether SP has left all stacks in use.
    pub fn set_switching(&mut self, switching: bool) {
        self.switch = switching.then_some(Switch::UnderWay);
    }

    /// Returns true if the program has used more than one stack.
    pub fn has_switched(&self) -> bool {
        !self.parked.is_empty()
    }

    /// SP at the last step.
    #[inline]
    pub fn sp(&self) -> u64 {
        self.sp
    }

    /// The state of a switch.
    #[inline]
    pub fn switch(&self) -> Option<Switch> {
        self.switch
    }

    /// Returns true if SP is on an outer stack with `left` stacks outside of it, and the function
    /// that left that stack is back and has no frames on the inner one.
    pub fn comes_back_from(&mut self, left: usize) -> bool {
        let own = Floor { frames: self.frames.len(), interrupted: false };
        let is_back = left + 1 == self.floors.len() && self.floors.last() == Some(&own);
        if is_back {
            self.floors.pop();
        }
        is_back
    }

    /// Control went on, on another stack, in a way that is not understood: nothing is known of the
    /// frames there, nor of any that were left.
    pub fn lose_frames(&mut self) {
        self.truncate(0);
        self.floors.clear();
        self.calls.exchange(None);
        self.forget_left();
        (self.switch, self.away, self.indirect_call) = (None, None, None);
        self.outermost = Outermost::Unfollowed;
    }

    /// Of the stacks that were left nothing is known any more: another thread may be on one.
    pub fn forget_left(&mut self) {
        self.parked.clear();
    }

    /// Returns true if a function begins that is not a part of another.
    pub(super) fn begins(&self, pc: u64) -> bool {
        self.function_at(pc).is_some_and(|(start, _)| start == pc) && self.parts.binary_search(&pc).is_err()
    }

    /// Handles a transfer of control while SP is on no stack in use.
    #[cold]
    pub(super) fn land(
        &mut self,
        at: &Observation,
        called: bool,
        top: Option<u64>,
        branch: impl FnOnce(u64) -> Branch,
    ) -> Event {
        if !called && branch(self.pc) == Branch::Relative {
            return Event::Jump;
        }
        self.switch = Some(Switch::Lost);
        if self.parked.len() + self.floors.len() >= MOST {
            return Event::Jump;
        }
        if called {
            self.floors.push(Floor { frames: self.frames.len(), interrupted: false });
            self.push(self.next, at.sp, at.fp);
            self.switch = Some(Switch::Within);
            return Event::Call;
        }
        let found = self
            .parked
            .iter()
            .enumerate()
            .rev()
            .find_map(|(place, parked)| Some((place, self.came_back_on(parked, at)?)));
        if let Some((place, level)) = found {
            self.exchange(place);
            self.truncate(level);
            self.calls.record(at.pc, at.sp);
            self.switch = Some(Switch::Back(place));
            return Event::Switched;
        }
        let ra = if self.link_register { Some(at.link) } else { top };
        let Some(ra) = ra.filter(|_| self.begins(at.pc)) else { return Event::Jump };
        self.changes += 1;
        let levels = self.calls.exchange(None);
        let (frames, floors) = (std::mem::take(&mut self.frames), std::mem::take(&mut self.floors));
        self.parked.push(Parked { frames, floors, levels });
        self.push(ra, at.sp, at.fp);
        // It was not called if nothing leads back to a caller.
        let is_first = ra == at.pc || self.function_at(ra).is_none();
        if let Some(frame) = self.frames.last_mut().filter(|_| is_first) {
            frame.left_by = LeftBy::Nothing;
        }
        self.switch = Some(Switch::New);
        Event::Switched
    }

    /// Number of frames outside of the function that continues on a stack that control returned to:
    /// after the call that left it, elsewhere in the function that made that call, or after an
    /// earlier call.
    fn came_back_on(&self, parked: &Parked, at: &Observation) -> Option<usize> {
        if let Some((frame, around)) = parked.frames.split_last() {
            let (sp, most) = (self.caller_sp(frame), around.last().map_or(u64::MAX, |frame| self.caller_sp(frame)));
            let returned = frame.ra.0 == at.pc && sp == at.sp;
            let caller = self.function_at(frame.ra.0.wrapping_sub(1));
            let within =
                caller.is_some_and(|(start, end)| start < at.pc && at.pc < end) && (sp..=most).contains(&at.sp);
            if returned || within {
                return Some(around.len());
            }
        }
        self.calls.level_among(&parked.levels, at.pc, at.sp)
    }

    fn exchange(&mut self, place: usize) {
        let Some(parked) = self.parked.get_mut(place) else { return };
        self.changes += 1;
        std::mem::swap(&mut self.frames, &mut parked.frames);
        std::mem::swap(&mut self.floors, &mut parked.floors);
        let levels = self.calls.exchange(Some(std::mem::take(&mut parked.levels)));
        parked.levels = levels;
    }
}
