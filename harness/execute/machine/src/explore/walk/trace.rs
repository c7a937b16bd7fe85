//! A function as far as it was executed.

use std::cell::RefCell;

use isa::flow::{self, Flow};
use rustc_hash::{FxHashMap, FxHashSet};
use types::{EarlierCalls, Event, Frame, Frames, LeftBy, Pc, Preserved, Probe, Reg, RegFile, RegisterSet, Regs, Step};

use super::call::Call;
use super::calls::jump_target;
use super::parts::Parts;
use super::probe::ProbeLoop;
use super::{Seen, State, Table, Way};
use crate::error::MachineError;
use crate::explore::graph::{Entered, Graph, Held, Node, Trust};
use crate::explore::guest::run::Ran;
use crate::explore::guest::{Guest, Tracked};
use crate::explore::saved::Fates;
use crate::explore::survey::Located;

/// The function that is explored: its code, the graph of its states so far, and its call.
pub(in crate::explore) struct Trace<'a> {
    pub(in crate::explore) parts: Parts<'a>,
    pub(in crate::explore) graph: Graph,
    pub(in crate::explore) call: Call,
    /// Jump tables by the address of the jump; each is tried in two states at most.
    pub(super) tables: FxHashMap<u64, Table>,
    /// Loops that probe the stack by their branches, as far as asked for.
    pub(super) probes: RefCell<FxHashMap<u64, Option<ProbeLoop>>>,
    /// Instructions that ended a path: SP is unknown after them, or where they lead.
    pub(in crate::explore) stopped: Vec<u64>,
}

impl Trace<'_> {
    /// Targets of all jump tables; `None` if one is not completely known.
    pub(in crate::explore) fn by_tables(&self) -> Option<FxHashSet<u64>> {
        let instructions = self.parts.all.iter().flat_map(|part| part.instructions.iter());
        let jumps = instructions.filter(|one| one.insn.flow == Flow::IndirectJump || self.tables.contains_key(&one.pc));
        let tables = jumps.map(|jump| self.tables.get(&jump.pc).filter(|table| table.trust == Trust::Certain));
        let tables: Vec<&Table> = tables.collect::<Option<_>>()?;
        Some(tables.iter().flat_map(|table| &table.targets).copied().collect())
    }

    pub(super) fn state(&self, pc: u64, tracked: Tracked, held: Held, guest: &Guest) -> State {
        let exact = tracked.fp == self.call.entered.fp || guest.is_in_frame(tracked.fp, tracked.sp);
        State {
            pc,
            sp: tracked.sp,
            fp: if exact { tracked.fp } else { 0 },
            link_is_ra: tracked.link == held.raw_ra,
            held: held.of_frame(),
        }
    }

    /// Passes a node to `show` as a step. The guest is about to execute it. `intact`: the registers
    /// that a call preserves and that have the caller's values.
    pub(in crate::explore) fn with_step<T>(
        &self,
        guest: &Guest,
        node: &Node,
        tracked: Tracked,
        intact: RegisterSet,
        show: impl FnOnce(&Step<'_>, &Preserved<'_>) -> T,
    ) -> T {
        self.with_registers(&guest.registers(node.pc), guest, node, tracked, intact, show)
    }

    /// The same, with these registers in place of the guest's.
    pub(super) fn with_registers<T>(
        &self,
        registers: &dyn RegFile,
        guest: &Guest,
        node: &Node,
        Tracked { sp, fp, link }: Tracked,
        intact: RegisterSet,
        show: impl FnOnce(&Step<'_>, &Preserved<'_>) -> T,
    ) -> T {
        let frame = Frame {
            ra: Pc(self.call.entered.ra),
            raw_ra: node.held.raw_ra,
            signed_by: node.held.signed_by,
            signed_with_pc: node.held.signed_with_pc,
            cfa: self.call.cfa(),
            fp: self.call.entered.fp,
            left_by: LeftBy::Call,
            number: 0,
        };
        let ra = if self.parts.facts.link_register { link } else { node.pc };
        let frames = [frame];
        let earlier_calls: &dyn EarlierCalls = &();
        let step = Step {
            pc: Pc(node.pc),
            event: Event::Sequential,
            regs: Regs { abi: self.parts.abi, sp, fp, ra, others: registers },
            stack: guest.stack(sp),
            frames: Frames(&frames),
            changes: 0,
            thread: types::ThreadId::FIRST,
            outermost: types::Outermost::Begun,
            earlier_calls,
        };
        show(&step, &Preserved { entered: guest.preserved(), all: guest.all_preserved, intact })
    }

    /// The last instruction of a stretch up to which the tables are as right as at its start. The
    /// stretch is executed for that only if it has addresses that are watched.
    pub(super) fn last_alike(
        &self,
        guest: &mut Guest,
        probe: &mut dyn Probe,
        node: &Node,
    ) -> Result<u32, MachineError> {
        let instructions = self.parts.instructions(node);
        let watched =
            || (0..).zip(instructions).skip(1).filter(|(_, one)| self.parts.survey.places.watched.has(one.pc));
        if watched().next().is_none() {
            return Ok(node.last);
        }
        let before = guest.save(node.tracked.sp)?;
        let (mut last, mut at) = (node.last, node.pc);
        for (index, one) in watched() {
            if guest.run(at, one.pc, instructions) == Ran::Lost {
                break;
            }
            at = one.pc;
            let intact = node.held.saved.intact;
            let node_there = Node { pc: at, ..*node };
            let compared =
                self.with_step(guest, &node_there, node.tracked, intact, |step, saved| probe.compare(step, saved));
            if compared != node.compared {
                last = node.first + index - 1;
                break;
            }
        }
        guest.restore(&before)?;
        guest.recycle(before);
        Ok(last)
    }

    /// What became of the registers that a call preserves on a path to a state.
    pub(super) fn fates(&self, guest: &Guest, held: Held, seen: Option<&Seen>) -> Fates {
        let first = seen.and_then(|seen| self.graph.get(seen.first)).map_or(held.saved, |node| node.held.saved);
        held.saved.fates(guest.preserved(), guest.all_preserved, &first)
    }

    /// Changes what decides a branch so that it leads to an address. Code that follows may test the
    /// same value again: where it disagrees, it was executed speculatively, and destroys SP (`clang
    /// -mspeculative-load-hardening`, `gcc -mtrack-speculation`).
    pub(super) fn decide(&self, guest: &mut Guest, branch: &Located, to: u64) -> Result<(), MachineError> {
        let Some(decision) = flow::decision(self.parts.abi, self.parts.bytes(branch.pc)) else { return Ok(()) };
        let is_taken = branch.insn.flow == Flow::Branch(to);
        guest.decide(decision.by, if is_taken { decision.taken } else { decision.passed })
    }

    /// Returns true if a path goes through code that was entered because data refer to it.
    pub(super) fn is_guess(&self, way: Way) -> bool {
        let path = way.parent.map(|id| self.graph.path(id)).unwrap_or_default();
        path.iter().any(|id| self.graph.get(*id).is_some_and(|node| node.entered == Entered::ByHint))
    }

    /// Returns true if the link register holds an address that the function has computed: a return
    /// is a jump then, perhaps by a table.
    pub(super) fn jumps_by_link(&self, guest: &Guest, held: Held) -> bool {
        let Tracked { link, .. } = guest.tracked();
        self.parts.facts.link_register
            && !held.link_of_call
            && link != held.raw_ra
            && !self.call.is_on_return(guest, &self.graph)
    }

    /// Returns true for a jump by a table that was found.
    pub(super) fn has_table(&self, jump: u64) -> bool {
        self.tables.get(&jump).is_some_and(|table| !table.targets.is_empty())
    }

    /// Returns true for a jump to an address that the function computed, not by a table.
    pub(super) fn is_computed(&self, jump: u64) -> bool {
        self.tables.get(&jump).is_some_and(|table| table.targets.is_empty())
    }

    /// Returns true if a jump leads to the return address, which a register other than the link
    /// register holds, with SP and FP as at the entry: `ret x9`.
    pub(super) fn returns_by_another(&self, guest: &mut Guest, jump: &Located) -> Result<bool, MachineError> {
        let Tracked { sp, fp, .. } = guest.tracked();
        let mut others = (0..self.parts.facts.general_registers).map(Reg).filter(|reg| *reg != self.parts.facts.ra);
        let is_held = self.parts.facts.link_register && others.any(|reg| guest.register(reg) == self.call.entered.ra);
        if !is_held || (sp, fp) != (self.call.entered.sp, self.call.entered.fp) {
            return Ok(false);
        }
        Ok(jump_target(&self.parts, guest, jump)? == Some(self.call.entered.ra))
    }
}
