//! Control flow after a node: branches, jumps, calls, throws and returns.

use isa::flow::{self, Flow, Insn, Marks};
use types::Reg;

use super::{MOST_TRIES, Table, Walk, Way};
use crate::error::MachineError;
use crate::explore::graph::{Entered, Held, Node, NodeId, Trust};
use crate::explore::guest::{Guest, Tracked};
use crate::explore::survey::{Located, Overwritten};
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
        let Some(last) = self.parts.instructions(node).last().copied() else { return Ok(None) };
        let next = last.end();
        let to = |pc| Some(Way { pc, ..way });
        if let Flow::Branch(_) = last.insn.flow
            && let Some(next) = self.leave_probes(guest, node, way)?
        {
            return Ok(next);
        }
        if let Some(call) = self.called_by_hand(guest, node, &last)? {
            return self.call(guest, &call, way, self.callee(&call));
        }
        match last.insn.flow {
            Flow::Next => {
                let falls_out = self.parts.falls_out_of_nothing(node, &last);
                let trust = if falls_out { Trust::Supposed } else { way.trust };
                Ok(Some(Way { pc: next, trust, ..way }).filter(|_| !self.parts.begins_another(node, &last)))
            }
            Flow::Ends => {
                if last.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT) && self.call.is_as_entered(guest, &self.graph) {
                    self.end_well(way, true);
                }
                Ok(None)
            }
            Flow::Jump(target) => Ok(self.jump(guest, node, way, target)),
            Flow::Branch(target)
                if self.parts.depends_on_sp(node) && (way.turning || !self.compares_sp_with_input(node)) =>
            {
                let goes = guest.step(&last).filter(|goes| *goes == next || *goes == target);
                Ok(goes.map(|pc| Way { pc, turning: true, ..way }))
            }
            Flow::Branch(target) => {
                self.decide(guest, &last, target)?;
                if let Some(taken) = self.jump(guest, node, way, target) {
                    self.postpone(guest, taken, None)?;
                }
                self.decide(guest, &last, next)?;
                Ok(to(next))
            }
            Flow::Call(target) if self.parts.pushes(&last, target) => {
                guest.push(next)?;
                Ok(to(target))
            }
            Flow::Call(_) => self.call(guest, &last, way, self.callee(&last)),
            Flow::IndirectCall => self.call(guest, &last, way, None),
            Flow::Return if self.parts.jumps_by_stack(node) => {
                let sp = guest.tracked().sp;
                let target = guest.stack(sp).read(sp).ok();
                guest.pop()?;
                if let Some(call) = self.called_through(guest, node) {
                    guest.pop()?;
                    return self.call(guest, &call, way, None);
                }
                self.indirect(guest, last.pc, target, way)?;
                Ok(None)
            }
            Flow::Return | Flow::IndirectJump if self.returns_by_another(guest, &last)? => {
                self.end_well(way, true);
                Ok(None)
            }
            Flow::Return => {
                if let Some(target) = self.returns_within(guest, &last, way.held)? {
                    if !self.parts.facts.link_register {
                        guest.pop()?;
                    }
                    return Ok(to(target));
                }
                if self.jumps_by_link(guest, way.held) {
                    if self.indirect(guest, last.pc, None, way)? == Targets::Found {
                        return Ok(None);
                    }
                    // A return, and so none of the jumps whose targets are unknown.
                    self.paths.tables.remove(&last.pc);
                }
                self.end(guest, way);
                Ok(None)
            }
            Flow::ReturnOrNext => {
                self.end(guest, way);
                Ok(to(next))
            }
            Flow::IndirectJump if self.call.has_popped_ra(guest) => {
                if guest.step(&last) == Some(self.call.entered.ra) && guest.tracked().fp == self.call.entered.fp {
                    self.end_well(way, true);
                }
                Ok(None)
            }
            Flow::IndirectJump => {
                if let Some(call) = self.called_stub(guest, node) {
                    return self.call(guest, &call, way, None);
                }
                let target = self.target(guest, &last)?;
                self.indirect(guest, last.pc, target, way)?;
                Ok(to(next).filter(|_| self.parts.survey.is_bound_late(last.pc, next)))
            }
        }
    }

    /// Follows the ways that a kernel's table gives control from a node, in place of executing it.
    pub(super) fn leave_by_tables(&mut self, guest: &mut Guest, id: NodeId, way: Way) -> Result<(), MachineError> {
        let survey = self.parts.survey;
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

    /// Changes what decides a branch so that it leads to an address. Code that follows may test the
    /// same value again: where it disagrees, it was executed speculatively, and destroys SP (`clang
    /// -mspeculative-load-hardening`, `gcc -mtrack-speculation`).
    pub(super) fn decide(&self, guest: &mut Guest, branch: &Located, to: u64) -> Result<(), MachineError> {
        let Some(decision) = flow::decision(self.parts.abi, self.parts.bytes(branch.pc)) else { return Ok(()) };
        let is_taken = branch.insn.flow == Flow::Branch(to);
        guest.decide(decision.by, if is_taken { decision.taken } else { decision.passed })
    }

    /// Follows a jump, to another part of the function or out of it.
    fn jump(&mut self, guest: &Guest, node: &Node, way: Way, target: u64) -> Option<Way> {
        let open = self.parts.instructions(node).last().is_some_and(|last| self.parts.is_open(last));
        let home = self.parts.survey.functions.extent_of(target).filter(|_| !open);
        let own = home.as_ref().is_some_and(|home| home.contains(&node.pc));
        let another = self.parts.survey.is_entry(target);
        // In a state that is a guess, a jump out of the file ends nothing well: it may be another
        // computed goto, by a thunk there.
        if open && self.is_guess(way) {
            return None;
        }
        if !own && (home.is_none() || another) && self.call.is_as_entered(guest, &self.graph) {
            self.end_well(way, another);
            return None;
        }
        // A tail call of a function of another file.
        if self.parts.survey.functions.is_linkage(target) && self.call.is_as_entered(guest, &self.graph) {
            self.end_well(way, true);
        }
        home?;
        let trust = if another && !own { Trust::Supposed } else { way.trust };
        Some(Way { pc: target, trust, ..way })
    }

    /// Returns true if a path goes through code that was entered because data refer to it.
    fn is_guess(&self, way: Way) -> bool {
        let path = way.parent.map(|id| self.graph.path(id)).unwrap_or_default();
        path.iter().any(|id| self.graph.get(*id).is_some_and(|node| node.entered == Entered::ByHint))
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
        let link = self.link(guest, call)?;
        let mut held = Held { link_of_call: way.held.link_of_call || link == Some(self.parts.facts.ra), ..way.held };
        match callee.and_then(|callee| self.parts.shared_part(callee)) {
            Some(part) => {
                let Some(after) = self.execute_shared(guest, &part, held) else { return Ok(None) };
                held = after;
            }
            None => self.overwrite(guest, call, &mut held)?,
        }
        let pads: Vec<u64> =
            self.parts.pads_of(call.pc).iter().filter(|pad| pad.site.contains(&call.pc)).map(|pad| pad.pad).collect();
        let sp = guest.tracked().sp;
        let landing = sp.wrapping_add(self.parts.pushed_at(call.pc));
        let set_by_unwinder = self.parts.facts.set_by_unwinder.iter().map(|number| Reg(*number));
        let before: Vec<(Reg, u64)> = set_by_unwinder.map(|reg| (reg, guest.register(reg))).collect();
        for pad in pads {
            self.call.landings_differ |= *self.call.landings.entry(pad).or_insert(landing) != landing;
            let mut held = Held { landed: true, ..way.held };
            held.saved.intact = held.saved.intact.without(before.iter().map(|(reg, _)| *reg).collect());
            self.land(guest, held)?;
            guest.set_sp(landing)?;
            self.postpone(guest, Way { pc: pad, trust: Trust::Certain, held, ..way }, None)?;
            guest.set_sp(sp)?;
            before.iter().try_for_each(|(reg, value)| guest.set(*reg, *value))?;
        }
        if self.parts.dropped_by(call) > 0 {
            guest.set_sp(sp.wrapping_add(self.parts.dropped_by(call)))?;
        }
        let here = self.parts.survey.functions.extent_of(call.pc);
        if !here.is_some_and(|here| here.contains(&next)) {
            return Ok(None);
        }
        self.forget_result(guest, call)?;
        Ok(Some(Way { pc: next, trust: self.parts.survey.comes_back(callee, next), held, ..way }))
    }

    /// The target of a direct call, if it is known.
    fn callee(&self, call: &Located) -> Option<u64> {
        let Flow::Call(target) = call.insn.flow else { return None };
        (!self.parts.is_open(call)).then_some(target)
    }

    /// The call that a jump to another function is: the code has set the return address itself, to
    /// the address of the next instruction. Pops it, if it is on the stack.
    pub(super) fn called_by_hand(
        &self,
        guest: &mut Guest,
        node: &Node,
        jump: &Located,
    ) -> Result<Option<Located>, MachineError> {
        let (Tracked { sp, link, .. }, next) = (guest.tracked(), jump.end());
        let is_set = match self.parts.facts.link_register {
            true => link == next,
            false => guest.stack(sp).read(sp) == Ok(next),
        };
        let flow = match jump.insn.flow {
            Flow::Jump(target) if is_set => Flow::Call(target),
            Flow::IndirectJump if is_set && self.called_stub(guest, node).is_none() => {
                self.target(guest, jump)?.map_or(Flow::IndirectCall, Flow::Call)
            }
            _ => return Ok(None),
        };
        let call = Located { insn: Insn { flow, ..jump.insn }, ..*jump };
        let home = self.parts.survey.functions.extent_of(jump.pc);
        let is_inside = |target| home.is_some_and(|home| home.start != target && home.contains(&target));
        if self.callee(&call).is_some_and(is_inside) {
            return Ok(None);
        }
        if !self.parts.facts.link_register {
            guest.pop()?;
        }
        Ok(Some(call))
    }

    /// Overwrites what a call and its callee certainly do: the word below SP to which the return
    /// address is pushed, registers, and the words in which the callee saves registers.
    pub(super) fn overwrite(&self, guest: &mut Guest, call: &Located, held: &mut Held) -> Result<(), MachineError> {
        guest.write_pushed(call.end());
        let Overwritten { registers, words } = self.parts.overwritten_by(call);
        for register in registers.iter() {
            guest.make_up(register)?;
        }
        // The area that a caller has for its callee's registers (s390x ELF ABI 1.6, 1.2.2).
        let sp = guest.tracked().sp;
        for (from, word) in words.iter() {
            if (16..self.parts.facts.cfa_minus_sp_at_entry).contains(word) {
                let (slot, value) = (sp.wrapping_add_signed(*word), guest.register(*from));
                guest.write(slot, &self.parts.facts.order.bytes_of(value));
                self.lose_slot(guest, held, (slot, value));
            }
        }
        Ok(())
    }

    /// Forgets the slot of a value that a callee wrote another value over.
    fn lose_slot(&self, guest: &Guest, held: &mut Held, (slot, value): (u64, u64)) {
        let of_frame = [
            (&mut held.fp_slot, self.call.entered.fp),
            (&mut held.ra_slot, held.raw_ra),
            (&mut held.sp_slot, self.call.entered.sp),
        ];
        for (place, kept) in of_frame {
            place.take_if(|place| *place == slot && kept != value);
        }
        let cfa = self.call.cfa();
        for (position, (reg, kept)) in guest.preserved().iter().enumerate() {
            if held.saved.slot(position, cfa) == Some(slot) && *kept != value {
                held.saved.set_slot((position, *reg), cfa, None);
            }
        }
    }

    /// Replaces what a callee does not return in the registers of its result: the target of an
    /// earlier jump, and, if the callee is in another file, an address on the stack, such as that
    /// of an argument. Other values may stay: `__rust_probestack` keeps the size of the frame.
    pub(super) fn forget_result(&self, guest: &mut Guest, call: &Located) -> Result<(), MachineError> {
        let is_unknown = self.calls_another_file(call);
        for reg in self.parts.facts.results.iter().map(|number| Reg(*number)) {
            let value = guest.register(reg);
            if self.parts.is_in_parts(value) || is_unknown && guest.holds_sp(value) {
                guest.make_up_result(reg)?;
            }
        }
        Ok(())
    }

    /// The call of the retpoline that ends with `node`, if it was called: its return address is at
    /// the top of the stack again.
    pub(super) fn called_through(&self, guest: &Guest, node: &Node) -> Option<Located> {
        let sp = guest.tracked().sp;
        let ra = guest.stack(sp).read(sp).ok()?;
        self.parts.retpoline_call(node, ra)
    }

    /// The call of the stub that `node` is, whose return address the link register holds.
    pub(super) fn called_stub(&self, guest: &Guest, node: &Node) -> Option<Located> {
        let call = self.parts.retpoline_call(node, guest.tracked().link)?;
        (self.parts.facts.link_register && call.insn.flow == Flow::Call(node.pc)).then_some(call)
    }

    /// Sets the register to which a call writes its return address, and returns it; `None` if the
    /// return address is pushed. On s390x it may be another than the link register.
    pub(super) fn link(&self, guest: &mut Guest, call: &Located) -> Result<Option<Reg>, MachineError> {
        if !self.parts.facts.link_register {
            return Ok(None);
        }
        let written = flow::written(self.parts.abi, self.parts.bytes(call.pc), call.pc).unwrap_or_default();
        let link = written.iter().next().unwrap_or(self.parts.facts.ra);
        guest.set(link, call.end())?;
        Ok(Some(link))
    }

    /// Returns true if the link register holds an address that the function has computed: a return
    /// is a jump then, perhaps by a table.
    fn jumps_by_link(&self, guest: &Guest, held: Held) -> bool {
        let Tracked { link, .. } = guest.tracked();
        self.parts.facts.link_register
            && !held.link_of_call
            && link != held.raw_ra
            && !self.call.is_on_return(guest, &self.graph)
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
        let tried = self.paths.tables.get(&jump).cloned();
        let tries = tried.as_ref().map_or(0, |table| table.tries);
        let Table { targets, trust, .. } = match tried {
            Some(table) if way.again || tries >= MOST_TRIES || !table.targets.is_empty() => table,
            _ => {
                let (mut targets, trust) = table(self, guest, id)?;
                guest.restore(&here)?;
                let is_known = target.is_some_and(|target| self.parts.is_in_parts(target));
                if targets.is_empty() && !is_known && !self.call.is_as_entered(guest, &self.graph) {
                    // Threaded code: the addresses come from a program in memory.
                    targets = self.parts.survey.labels(jump);
                }
                let table = Table { targets, trust, tries: tries + 1 };
                self.paths.tables.insert(jump, table.clone());
                table
            }
        };
        let computed = target.filter(|target| targets.is_empty() && self.parts.is_in_parts(*target));
        if targets.is_empty() && computed.is_none() && self.call.is_as_entered(guest, &self.graph) {
            // A part of a function that is jumped into has no stack of its own to give back.
            let is_lower = |node: &_| self.graph.get(*node).is_some_and(|node| node.tracked.sp < self.call.entered.sp);
            let gives_back = self.graph.path(id).iter().any(is_lower);
            self.end_well(way, gives_back);
        }
        let mut found = Targets::None;
        for target in targets.into_iter().chain(computed) {
            found = Targets::Found;
            self.postpone(guest, Way { pc: target, trust, ..way }, Some(&here))?;
        }
        // The head of a PLT jumps to the dynamic linker.
        let is_end = self.parts.survey.functions.is_linkage(jump) || self.call.is_as_entered(guest, &self.graph);
        if found == Targets::None && !is_end {
            self.stopped.push(jump);
        }
        Ok(found)
    }

    /// Returns true for a jump by a table that was found.
    pub(super) fn has_table(&self, jump: u64) -> bool {
        self.paths.tables.get(&jump).is_some_and(|table| !table.targets.is_empty())
    }

    /// Returns true for a jump to an address that the function computed, not by a table.
    pub(super) fn is_computed(&self, jump: u64) -> bool {
        self.paths.tables.get(&jump).is_some_and(|table| table.targets.is_empty())
    }

    /// Follows a return.
    fn end(&mut self, guest: &Guest, way: Way) {
        if self.call.is_as_entered(guest, &self.graph) {
            self.end_well(way, true);
            return;
        }
        let but_for_fp = self.call.is_on_return(guest, &self.graph);
        if let Some(node) = way.parent.and_then(|id| self.graph.nodes.get_mut(id as usize)) {
            node.loses_fp |= but_for_fp;
            node.leaves_badly |= !but_for_fp;
        }
    }

    /// The label of the function that a return leads to: `push label; ret`, `ret x4`, `br %r14`.
    /// With the return address of a call it leads there only on paths that do not exist, after a
    /// call that never returns.
    pub(super) fn returns_within(
        &self,
        guest: &mut Guest,
        last: &Located,
        held: Held,
    ) -> Result<Option<u64>, MachineError> {
        let Tracked { sp, link, .. } = guest.tracked();
        let target = match self.parts.facts.link_register {
            true => self.target(guest, last)?.filter(|target| *target != link || !held.link_of_call),
            // Not of RET with a number of bytes to drop.
            false => guest.stack(sp).read(sp).ok().filter(|_| last.insn.length == 1),
        };
        Ok(target.filter(|target| self.parts.is_in_parts(*target)))
    }

    /// The address that a jump leads to in this state.
    pub(super) fn target(&self, guest: &mut Guest, jump: &Located) -> Result<Option<u64>, MachineError> {
        // A jump that is executed out of line is executed at its own address.
        let executed = flow::executed(self.parts.abi, self.parts.bytes(jump.pc), jump.pc);
        let real = executed.map_or(*jump, |pc| Located { pc, simple: None, ..*jump });
        let here = guest.save(guest.tracked().sp)?;
        let target = guest.step(&real);
        guest.restore(&here)?;
        guest.recycle(here);
        Ok(target)
    }

    /// Marks a good end: all values are as at the entry, at a return or the tail call of another
    /// function (`returns`), or at another jump.
    fn end_well(&mut self, way: Way, returns: bool) {
        let node = way.parent.and_then(|id| self.graph.nodes.get_mut(id as usize));
        if let Some(node) = node {
            node.leaves_well = true;
            node.returns |= returns;
            node.restored = way.held.saved.intact;
        }
    }

    /// Returns true if a jump leads to the return address, which a register other than the link
    /// register holds, with SP and FP as at the entry: `ret x9`.
    fn returns_by_another(&self, guest: &mut Guest, jump: &Located) -> Result<bool, MachineError> {
        let Tracked { sp, fp, .. } = guest.tracked();
        let mut others = (0..self.parts.facts.general_registers).map(Reg).filter(|reg| *reg != self.parts.facts.ra);
        let is_held = self.parts.facts.link_register && others.any(|reg| guest.register(reg) == self.call.entered.ra);
        if !is_held || (sp, fp) != (self.call.entered.sp, self.call.entered.fp) {
            return Ok(false);
        }
        Ok(self.target(guest, jump)? == Some(self.call.entered.ra))
    }
}
