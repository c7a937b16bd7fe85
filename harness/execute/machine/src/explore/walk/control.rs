//! Control flow after a node: branches, jumps, calls, throws and returns.

use isa::flow::{Flow, Marks};
use types::Reg;

use super::{MOST_TRIES, Table, Walk, Way, calls, slots};
use crate::error::MachineError;
use crate::explore::graph::{Entered, Held, Node, NodeId, Trust};
use crate::explore::guest::Guest;
use crate::explore::survey::Located;
use crate::explore::table::table;

/// The result of a search for the targets of a jump to a computed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Targets {
    Found,
    None,
}

impl Walk<'_> {
    /// Follows the control flow of a node's last instruction. Returns the path to execute next;
    /// other paths are kept for later.
    pub(super) fn leave(&mut self, guest: &mut Guest, node: &Node, way: Way) -> Result<Option<Way>, MachineError> {
        let Some(last) = self.trace.parts.instructions(node).last().copied() else { return Ok(None) };
        let next = last.end();
        let to = |pc| Some(Way { pc, ..way });
        if let Flow::Branch(_) = last.insn.flow
            && let Some(next) = self.leave_probes(guest, node, way)?
        {
            return Ok(next);
        }
        if let Some(call) = calls::called_by_hand(&self.trace.parts, guest, node, &last)? {
            return self.call(guest, &call, way, calls::callee(&self.trace.parts, &call));
        }
        match last.insn.flow {
            Flow::Next => {
                let falls_out = self.trace.parts.falls_out_of_nothing(node, &last);
                let trust = if falls_out { Trust::Supposed } else { way.trust };
                Ok(Some(Way { pc: next, trust, ..way }).filter(|_| !self.trace.parts.begins_another(node, &last)))
            }
            Flow::Ends => {
                if last.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT)
                    && self.trace.call.is_as_entered(guest, &self.trace.graph)
                {
                    self.end_well(way, true);
                }
                Ok(None)
            }
            Flow::Jump(target) => Ok(self.jump(guest, node, way, target)),
            Flow::Branch(target)
                if self.trace.parts.depends_on_sp(node)
                    && (way.turning || !self.trace.compares_sp_with_input(node)) =>
            {
                let goes = guest.step(&last).filter(|goes| *goes == next || *goes == target);
                Ok(goes.map(|pc| Way { pc, turning: true, ..way }))
            }
            Flow::Branch(target) => {
                self.trace.decide(guest, &last, target)?;
                if let Some(taken) = self.jump(guest, node, way, target) {
                    self.postpone(guest, taken, None)?;
                }
                self.trace.decide(guest, &last, next)?;
                Ok(to(next))
            }
            Flow::Call(target) if self.trace.parts.pushes(&last, target) => {
                guest.push(next)?;
                Ok(to(target))
            }
            Flow::Call(_) => self.call(guest, &last, way, calls::callee(&self.trace.parts, &last)),
            Flow::IndirectCall => self.call(guest, &last, way, None),
            Flow::Return if self.trace.parts.jumps_by_stack(node) => {
                let sp = guest.tracked().sp;
                let target = guest.stack(sp).read(sp).ok();
                guest.pop()?;
                if let Some(call) = calls::called_through(&self.trace.parts, guest, node) {
                    guest.pop()?;
                    return self.call(guest, &call, way, None);
                }
                self.indirect(guest, last.pc, target, way)?;
                Ok(None)
            }
            Flow::Return | Flow::IndirectJump if self.trace.returns_by_another(guest, &last)? => {
                self.end_well(way, true);
                Ok(None)
            }
            Flow::Return => {
                if let Some(target) = calls::returns_within(&self.trace.parts, guest, &last, way.held)? {
                    if !self.trace.parts.facts.link_register {
                        guest.pop()?;
                    }
                    return Ok(to(target));
                }
                if self.trace.jumps_by_link(guest, way.held) {
                    if self.indirect(guest, last.pc, None, way)? == Targets::Found {
                        return Ok(None);
                    }
                    // A return, and so none of the jumps whose targets are unknown.
                    self.trace.tables.remove(&last.pc);
                }
                self.end(guest, way);
                Ok(None)
            }
            Flow::ReturnOrNext => {
                self.end(guest, way);
                Ok(to(next))
            }
            Flow::IndirectJump if self.trace.call.has_popped_ra(guest) => {
                if guest.step(&last) == Some(self.trace.call.entered.ra)
                    && guest.tracked().fp == self.trace.call.entered.fp
                {
                    self.end_well(way, true);
                }
                Ok(None)
            }
            Flow::IndirectJump => {
                if let Some(call) = calls::called_stub(&self.trace.parts, guest, node) {
                    return self.call(guest, &call, way, None);
                }
                let target = calls::jump_target(&self.trace.parts, guest, &last)?;
                self.indirect(guest, last.pc, target, way)?;
                Ok(to(next).filter(|_| self.trace.parts.survey.is_bound_late(last.pc, next)))
            }
        }
    }

    /// Follows the ways that a kernel's table gives control from a node, in place of executing it.
    pub(super) fn leave_by_tables(&mut self, guest: &mut Guest, id: NodeId, way: Way) -> Result<(), MachineError> {
        let survey = self.trace.parts.survey;
        for target in survey.ways_by_table(way.pc) {
            let Some(home) = survey.functions.extent_of(*target) else { continue };
            let is_another = survey.is_entry(*target) && !home.contains(&way.pc);
            let trust = if is_another { Trust::Supposed } else { Trust::Certain };
            let doubt = way.doubt.max(way.trust);
            let out = Way { pc: *target, parent: Some(id), entered: Entered::ByTable, trust, doubt, ..way };
            self.postpone(guest, out, None)?;
        }
        Ok(())
    }

    /// Follows a jump, to another part of the function or out of it.
    fn jump(&mut self, guest: &Guest, node: &Node, way: Way, target: u64) -> Option<Way> {
        let open = self.trace.parts.instructions(node).last().is_some_and(|last| self.trace.parts.is_open(last));
        let home = self.trace.parts.survey.functions.extent_of(target).filter(|_| !open);
        let own = home.as_ref().is_some_and(|home| home.contains(&node.pc));
        let another = self.trace.parts.survey.is_entry(target);
        // In a state that is a guess, a jump out of the file ends nothing well: it may be another
        // computed goto, by a thunk there.
        if open && self.trace.is_guess(way) {
            return None;
        }
        if !own && (home.is_none() || another) && self.trace.call.is_as_entered(guest, &self.trace.graph) {
            self.end_well(way, another);
            return None;
        }
        // A tail call of a function of another file.
        if self.trace.parts.survey.functions.is_linkage(target)
            && self.trace.call.is_as_entered(guest, &self.trace.graph)
        {
            self.end_well(way, true);
        }
        home?;
        let trust = if another && !own { Trust::Supposed } else { way.trust };
        Some(Way { pc: target, trust, ..way })
    }

    /// Steps over a call: SP, FP and saved values are unchanged after it, unless the callee is a
    /// shared part of prologues or epilogues, which is executed, or drops its arguments.
    fn call(
        &mut self,
        guest: &mut Guest,
        call: &Located,
        way: Way,
        callee: Option<u64>,
    ) -> Result<Option<Way>, MachineError> {
        let next = call.end();
        let link = calls::link(&self.trace.parts, guest, call)?;
        let mut held =
            Held { link_of_call: way.held.link_of_call || link == Some(self.trace.parts.facts.ra), ..way.held };
        match callee.and_then(|callee| self.trace.parts.shared_part(callee)) {
            Some(part) => {
                let Some(after) = slots::execute_shared(&self.trace.parts, &self.trace.call, guest, &part, held) else {
                    return Ok(None);
                };
                held = after;
            }
            None => calls::overwrite(&self.trace.parts, &self.trace.call, guest, call, &mut held)?,
        }
        let pads: Vec<u64> = self
            .trace
            .parts
            .pads_of(call.pc)
            .iter()
            .filter(|pad| pad.site.contains(&call.pc))
            .map(|pad| pad.pad)
            .collect();
        let sp = guest.tracked().sp;
        let landing = sp.wrapping_add(self.trace.parts.pushed_at(call.pc));
        let set_by_unwinder = self.trace.parts.facts.set_by_unwinder.iter().map(|number| Reg(*number));
        let before: Vec<(Reg, u64)> = set_by_unwinder.map(|reg| (reg, guest.register(reg))).collect();
        for pad in pads {
            self.trace.call.landings_differ |= *self.trace.call.landings.entry(pad).or_insert(landing) != landing;
            let mut held = Held { landed: true, ..way.held };
            held.saved.intact = held.saved.intact.without(before.iter().map(|(reg, _)| *reg).collect());
            calls::land(&self.trace.parts, guest, held)?;
            guest.set_sp(landing)?;
            self.postpone(guest, Way { pc: pad, trust: Trust::Certain, held, ..way }, None)?;
            guest.set_sp(sp)?;
            before.iter().try_for_each(|(reg, value)| guest.set(*reg, *value))?;
        }
        if self.trace.parts.dropped_by(call) > 0 {
            guest.set_sp(sp.wrapping_add(self.trace.parts.dropped_by(call)))?;
        }
        let here = self.trace.parts.survey.functions.extent_of(call.pc);
        if !here.is_some_and(|here| here.contains(&next)) {
            return Ok(None);
        }
        calls::forget_result(&self.trace.parts, guest, call)?;
        Ok(Some(Way { pc: next, trust: self.trace.parts.survey.comes_back(callee, next), held, ..way }))
    }

    /// Follows a jump to an address in a register: by a table, to an address that the function
    /// computed, or to another function. `target`: where the jump leads in this state.
    fn indirect(
        &mut self,
        guest: &mut Guest,
        jump: u64,
        target: Option<u64>,
        way: Way,
    ) -> Result<Targets, MachineError> {
        let Some(id) = way.parent else { return Ok(Targets::None) };
        let sp = guest.tracked().sp;
        let here = guest.save(sp)?;
        let tried = self.trace.tables.get(&jump).cloned();
        let tries = tried.as_ref().map_or(0, |table| table.tries);
        let Table { targets, trust, .. } = match tried {
            Some(table) if way.again || tries >= MOST_TRIES || !table.targets.is_empty() => table,
            _ => {
                let (mut targets, trust) = table(&self.trace, guest, id)?;
                guest.restore(&here)?;
                let is_known = target.is_some_and(|target| self.trace.parts.is_in_parts(target));
                if targets.is_empty() && !is_known && !self.trace.call.is_as_entered(guest, &self.trace.graph) {
                    // Threaded code: the addresses come from a program in memory.
                    targets = self.trace.parts.survey.labels(jump);
                }
                let table = Table { targets, trust, tries: tries + 1 };
                self.trace.tables.insert(jump, table.clone());
                table
            }
        };
        let computed = target.filter(|target| targets.is_empty() && self.trace.parts.is_in_parts(*target));
        if targets.is_empty() && computed.is_none() && self.trace.call.is_as_entered(guest, &self.trace.graph) {
            // A part of a function that is jumped into has no stack of its own to give back.
            let is_lower =
                |node: &_| self.trace.graph.get(*node).is_some_and(|node| node.tracked.sp < self.trace.call.entered.sp);
            let gives_back = self.trace.graph.path(id).iter().any(is_lower);
            self.end_well(way, gives_back);
        }
        let mut found = Targets::None;
        for target in targets.into_iter().chain(computed) {
            found = Targets::Found;
            self.postpone(guest, Way { pc: target, trust, ..way }, Some(&here))?;
        }
        // The head of a PLT jumps to the dynamic linker.
        let is_end = self.trace.parts.survey.functions.is_linkage(jump)
            || self.trace.call.is_as_entered(guest, &self.trace.graph);
        if found == Targets::None && !is_end {
            self.trace.stopped.push(jump);
        }
        Ok(found)
    }

    /// Follows a return.
    fn end(&mut self, guest: &Guest, way: Way) {
        if self.trace.call.is_as_entered(guest, &self.trace.graph) {
            self.end_well(way, true);
            return;
        }
        let but_for_fp = self.trace.call.is_on_return(guest, &self.trace.graph);
        if let Some(node) = way.parent.and_then(|id| self.trace.graph.nodes.get_mut(id as usize)) {
            node.loses_fp |= but_for_fp;
            node.leaves_badly |= !but_for_fp;
        }
    }

    /// Marks a good end: all values are as at the entry, at a return or the tail call of another
    /// function (`returns`), or at another jump.
    fn end_well(&mut self, way: Way, returns: bool) {
        let node = way.parent.and_then(|id| self.trace.graph.nodes.get_mut(id as usize));
        if let Some(node) = node {
            node.leaves_well = true;
            node.returns |= returns;
            node.restored = way.held.saved.intact;
        }
    }
}
