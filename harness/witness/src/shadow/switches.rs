//! Stacks that a program changes by itself: `swapcontext`, coroutines. A stack that is left keeps
//! its frames; control comes back to it where the call that left it returns, or where an earlier
//! call did. A stack that was not seen before begins with a function as if called from its
//! return address, without an actual call. A function may also go to another stack and call from
//! there, as those do that make a split stack longer: then the frames of the new stack follow those
//! of the old one, until SP is back.

use types::{Event, Frame, Outermost};

use super::{Floor, Observation, Shadow};
use crate::branch::Branch;

/// The most stacks.
const MOST: usize = 4096;

/// A stack that was left, with the functions that are live on it.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    frames: Vec<Frame>,
    floors: Vec<Floor>,
    levels: Vec<u64>,
}

/// The state of a switch of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// SP has left all stacks in use; control has not yet gone anywhere.
    UnderWay,
    /// To a stack not seen before; the other one is the last that was left.
    New,
    /// Back to the one that was left in this place of all, which now has the other one.
    Back(usize),
    /// The function that left it calls from another: frames follow.
    Within,
    /// Control went on in a way that is not understood.
    Lost,
}

impl Shadow {
    /// SP has left all stacks in use, or is back.
    pub fn set_switching(&mut self, switching: bool) {
        self.switch = switching.then_some(Switch::UnderWay);
    }

    /// The program has used more than one stack.
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

    /// Returns true if SP is on a stack that was left, with that many left around it, and the
    /// function that left it is back and has no frames on the other one any more.
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

    /// Returns true if a function begins that is no part of another.
    pub(super) fn begins(&self, pc: u64) -> bool {
        self.function_at(pc).is_some_and(|(start, _)| start == pc) && self.parts.binary_search(&pc).is_err()
    }

    /// Control was transferred while SP is on no stack in use.
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
        // Who was jumped to by a return address has none: nobody called it.
        if ra != at.pc {
            self.push(ra, at.sp, at.fp);
        }
        self.switch = Some(Switch::New);
        Event::Switched
    }

    /// Frames around the function of a stack that control came back to: after the call that left
    /// it, elsewhere in the function that made that call, or where an earlier call came back.
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
