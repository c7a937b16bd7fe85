//! A fast check for steps that leave all frames unchanged, which are most steps.

use types::Event;

use super::{DEPTH_LIMIT, Observation, Shadow};

impl Shadow {
    /// Returns true if one stack is in use, SP is on it, no stub was just called, and the kernel
    /// caused no event for the next step.
    #[inline]
    pub fn is_calm(&self) -> bool {
        let is_plain = self.switch.is_none() && self.made.is_none() && self.indirect_call.is_none();
        self.started && self.floors.is_empty() && self.away.is_none() && is_plain
    }

    /// The event of a step, if [`Shadow::observe`] would only record that it is sequential or a
    /// jump. `None` if that needs [`Shadow::observe`]. Requires [`Shadow::is_calm`].
    #[inline(always)]
    pub fn plain(&self, at: &Observation, top: impl FnOnce() -> Option<u64>) -> Option<Event> {
        if at.pc == self.next {
            let called = match self.link_register {
                true => at.link == at.pc,
                false => at.sp == self.sp.wrapping_sub(self.cfa_minus_sp) && top() == Some(at.pc),
            };
            return (!called).then_some(Event::Sequential);
        }
        let called = match self.link_register {
            true => at.link == self.next,
            false => at.sp != self.sp || top() == Some(self.next),
        };
        let stays = self.frames.last().is_none_or(|frame| self.caller_sp(frame) > at.sp && frame.ra.0 != at.pc);
        (!called && stays && at.pc != self.pc).then_some(Event::Jump)
    }

    /// Processes a step that is only a call, or a return of the innermost frame, as
    /// [`Shadow::observe`] would. `None` if nothing was done. Requires [`Shadow::is_calm`].
    ///
    /// `links` returns true if the previous instruction is known to be no branch that writes no
    /// link register.
    #[inline]
    pub fn edge(
        &mut self,
        at: &Observation,
        top: impl FnOnce() -> Option<u64>,
        links: impl FnOnce() -> bool,
    ) -> Option<Event> {
        let called = match self.link_register {
            true => at.link == self.next,
            false => at.sp == self.sp.wrapping_sub(self.cfa_minus_sp) && top() == Some(self.next),
        };
        let (innermost, around) = match self.frames.as_slice() {
            [.., around, innermost] => (Some(innermost), Some(around)),
            [innermost] => (Some(innermost), None),
            [] => (None, None),
        };
        let event = if at.pc == self.next {
            return None;
        } else if called {
            let stays = innermost.is_none_or(|frame| self.caller_sp(frame) >= self.sp);
            if !stays || (self.link_register && !links()) || self.frames.len() >= DEPTH_LIMIT {
                return None;
            }
            self.push(self.next, at.sp, at.fp);
            Event::Call
        } else {
            innermost.filter(|frame| frame.ra.0 == at.pc && self.caller_sp(frame) == at.sp)?;
            if around.is_some_and(|frame| self.caller_sp(frame) <= at.sp) {
                return None;
            }
            self.drop_to(self.frames.len() - 1);
            Event::Return
        };
        self.pass(at);
        Some(event)
    }

    /// Records a step for which [`Shadow::plain`] returned an event.
    #[inline(always)]
    pub fn pass(&mut self, at: &Observation) {
        self.pc = at.pc;
        self.sp = at.sp;
        self.next = at.pc.wrapping_add(at.size);
    }

    /// Records a sequential step with the same SP.
    #[inline(always)]
    pub fn go_on(&mut self, pc: u64, size: u64) {
        self.pc = pc;
        self.next = pc.wrapping_add(size);
    }

    /// PC of the last step.
    #[inline]
    pub fn pc(&self) -> u64 {
        self.pc
    }
}
