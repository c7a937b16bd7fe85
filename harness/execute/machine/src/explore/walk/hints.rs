//! Code that data refer to, and that no path reaches: how control comes there is not known, but it
//! comes from the same function, in one of the states that the function has been seen in. A state
//! that the code there brings to a good end is possible.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::trace::Trace;
use super::{Walk, Way};
use crate::error::MachineError;
use crate::explore::graph::{Entered, Node, NodeId, Trust};
use crate::explore::guest::Guest;

/// Maximum number of instructions of a function that are entered so, and of states of each.
const MOST_HINTS: usize = 256;
const MOST_STATES: usize = 8;

impl Walk<'_> {
    /// Keeps for later the instructions of the function that data refer to and that were not
    /// reached, each in the states of the function. Changes the guest's state.
    pub(super) fn postpone_hinted(&mut self, guest: &mut Guest) -> Result<(), MachineError> {
        let survey = self.trace.parts.survey;
        let home = self.trace.parts.all.first().map(|part| part.extent.clone()).unwrap_or_default();
        let hinted = survey.hinted(home).filter(|pc| !self.paths.states.contains_key(pc));
        let hinted: Vec<u64> = hinted.take(MOST_HINTS).collect();
        if hinted.is_empty() {
            return Ok(());
        }
        for (id, node) in self.trace.distinct(guest) {
            if !self.trace.retrace(guest, &self.trace.graph.path(id))? {
                continue;
            }
            let from = Rc::clone(&guest.save(guest.tracked().sp)?);
            for pc in &hinted {
                let way = Way {
                    pc: *pc,
                    parent: Some(id),
                    entered: Entered::ByHint,
                    held: node.held,
                    trust: Trust::Supposed,
                    doubt: Trust::Certain,
                    turning: false,
                    again: false,
                };
                self.postpone(guest, way, Some(&from))?;
            }
        }
        Ok(())
    }
}

impl Trace<'_> {
    /// The first nodes of the function's own states.
    fn distinct(&self, guest: &Guest) -> Vec<(NodeId, Node)> {
        let mut states = FxHashSet::default();
        let own = (0..).zip(&self.graph.nodes).filter(|(_, node)| node.part == 0 && !node.held.sp_is_made_up);
        let first = own.filter(|(_, node)| states.insert(self.state(0, node.tracked, node.held, guest)));
        first.map(|(id, node)| (id, *node)).take(MOST_STATES).collect()
    }
}
