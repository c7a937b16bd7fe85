//! Paths that are kept for later, or end where a path was before.

use std::rc::Rc;

use super::super::guest::{Guest, Snapshot};
use super::super::saved::Fates;
use super::{MOST_AGAIN, MachineError, Pending, Seen, State, Walk, Way};

impl Seen {
    /// Returns true if a path with these fates need not be executed.
    pub(super) fn has(&self, fates: Fates) -> bool {
        fates.are_in(self.fates) || self.again >= MOST_AGAIN
    }
}

impl Walk<'_> {
    /// Keeps a path for later, unless its state is known.
    pub(super) fn postpone(
        &mut self,
        guest: &mut Guest,
        way: Way,
        from: Option<&Rc<Snapshot>>,
    ) -> Result<(), MachineError> {
        let tracked = guest.tracked();
        let state = self.trace.state(way.pc, tracked, way.held, guest);
        if !way.again && self.paths.seen.contains_key(&state) {
            return self.join(guest, way, state);
        }
        let from = match from {
            Some(from) => Rc::clone(from),
            None => guest.save(tracked.sp)?,
        };
        let pending = match way.again {
            true => Some(&mut self.paths.again),
            false => self.paths.pending.get_mut(way.doubt.max(way.trust) as usize),
        };
        pending.into_iter().for_each(|pending| pending.push(Pending { way, from: Rc::clone(&from) }));
        Ok(())
    }

    /// Connects the end of a path with a state that was executed. If the registers that a call
    /// preserves had other fates, the path is continued at the end of the exploration.
    pub(super) fn join(&mut self, guest: &mut Guest, way: Way, state: State) -> Result<(), MachineError> {
        let Some(seen) = self.paths.seen.get(&state).copied() else { return Ok(()) };
        if let Some(parent) = way.parent {
            self.trace.graph.connect(parent, seen.last, way.trust, way.held.saved.intact);
        }
        let fates = self.trace.fates(guest, way.held, Some(&seen));
        if way.again || fates.are_in(seen.kept) || seen.again >= MOST_AGAIN {
            return Ok(());
        }
        let from = guest.save(state.sp)?;
        self.paths.again.push(Pending { way: Way { again: true, ..way }, from });
        self.paths.seen.insert(state, Seen { kept: seen.kept.and(fates), ..seen });
        Ok(())
    }
}
