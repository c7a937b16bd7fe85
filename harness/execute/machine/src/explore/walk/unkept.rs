//! Rows that read a register which a call need not preserve, after a call of a function of another
//! file: that function may keep the register (gcc's `-fipa-ra`, TLS descriptors), or not.

use std::cell::Cell;

use isa::flow;
use types::{AbiFacts, Probe, Reg, RegFile, RegisterSet};

use super::calls::calls_another_file;
use super::trace::Trace;
use crate::explore::graph::Node;
use crate::explore::guest::Guest;
use crate::explore::processor::Now;

/// Maximum number of instructions to search for such a call.
const FARTHEST: usize = 4096;

/// Registers of the guest, and which of them were read.
struct Reads<'a> {
    now: Now<'a>,
    read: Cell<RegisterSet>,
}

impl RegFile for Reads<'_> {
    fn read(&self, reg: Reg) -> Option<u64> {
        self.read.set(self.read.get().and(RegisterSet::one(reg)));
        self.now.read(reg)
    }
}

impl Trace<'_> {
    /// Returns true if a row at a node reads such a register. The guest is at the node.
    pub(super) fn reads_unkept(&self, guest: &Guest, probe: &mut dyn Probe, node: &Node) -> bool {
        let watched = &self.parts.survey.places.watched;
        if !self.parts.instructions(node).iter().any(|one| watched.has(one.pc)) {
            return false;
        }
        let reads = Reads { now: guest.registers(node.pc), read: Cell::new(RegisterSet::NONE) };
        let intact = node.held.saved.intact;
        self.with_registers(&reads, guest, node, node.tracked, intact, |step, saved| probe.compare(step, saved));
        self.are_unkept(node, reads.read.get().common(scratch(self.parts.facts)))
    }

    /// Returns true if nothing has set one of these registers since the last call of a function of
    /// another file.
    fn are_unkept(&self, node: &Node, registers: RegisterSet) -> bool {
        let (mut unset, mut left, mut at) = (registers, FARTHEST, *node);
        while let Some(parent) = self.parent(&at).filter(|_| !unset.is_empty()) {
            for one in self.parts.instructions(&parent).iter().rev() {
                if left == 0 || calls_another_file(&self.parts, one) {
                    return left > 0 && !unset.is_empty();
                }
                left -= 1;
                let written = flow::written(self.parts.abi, self.parts.bytes(one.pc), one.pc).unwrap_or_default();
                unset = unset.without(written.iter().collect());
            }
            at = parent;
        }
        false
    }
}

/// The general registers that a call need not preserve.
fn scratch(facts: &AbiFacts) -> RegisterSet {
    let all = (0..facts.general_registers).filter(|number| !facts.callee_saved.contains(number));
    all.map(Reg).filter(|reg| ![facts.sp, facts.fp, facts.ra].contains(reg)).collect()
}
