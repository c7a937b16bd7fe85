//! Control flow after a node: branches, jumps, calls, throws and returns.

use isa::flow::{self, Flow, Marks};
use types::Reg;

use super::{MOST_TRIES, Table, Walk, Way};
use crate::error::MachineError;
use crate::explore::graph::{Held, Node, Trust};
use crate::explore::guest::{Guest, Tracked};
use crate::explore::survey::Located;
use crate::explore::territory::Pad;

impl Walk<'_> {
    /// Follows the control flow of a node's last instruction. Returns the path to execute next;
    /// other paths are kept for later.
    pub(super) fn leave(&mut self, guest: &mut Guest, node: &Node, way: Way) -> Result<Option<Way>, MachineError> {
        let Some(last) = self.instructions(node).last().copied() else { return Ok(None) };
        let next = last.end();
        let to = |pc| Some(Way { pc, ..way });
        match last.insn.flow {
            Flow::Next => Ok(to(next).filter(|_| !self.begins_another(node, &last))),
            Flow::Ends => {
                if last.insn.marks.any(Marks::RETURNS_FROM_INTERRUPT) && self.is_as_entered(guest) {
                    self.end_well(way, true);
                }
                Ok(None)
            }
            Flow::Jump(target) => Ok(self.jump(guest, node, way, target)),
            Flow::Branch(target) if self.depends_on_sp(node) => {
                let goes = guest.step(&last).filter(|goes| *goes == next || *goes == target);
                Ok(goes.map(|pc| Way { pc, turning: true, ..way }))
            }
            Flow::Branch(target) => {
                if let Some(taken) = self.jump(guest, node, way, target) {
                    self.later(guest, taken, None)?;
                }
                Ok(to(next))
            }
            Flow::Call(target) if self.pushes(&last, target) => {
                self.push(guest, next)?;
                Ok(to(target))
            }
            Flow::Call(target) => {
                let callee = (!self.is_open(&last)).then_some(target);
                self.call(guest, &last, way, callee)
            }
            Flow::IndirectCall => self.call(guest, &last, way, None),
            Flow::Return if self.jumps_by_stack(node) => {
                let sp = guest.tracked().sp;
                let target = guest.stack(sp, self.abi).read(sp).ok();
                self.pop(guest)?;
                if let Some(call) = self.called_through(guest, node) {
                    self.pop(guest)?;
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
                if let Some(target) = self.returns_within(guest, &last)? {
                    if !self.facts.link_register {
                        self.pop(guest)?;
                    }
                    return Ok(to(target));
                }
                self.end(guest, way);
                Ok(None)
            }
            Flow::ReturnOrNext => {
                self.end(guest, way);
                Ok(to(next))
            }
            Flow::IndirectJump if self.has_popped_ra(guest) => {
                if guest.step(&last) == Some(self.entry.ra) && guest.tracked().fp == self.entry.fp {
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
                Ok(to(next).filter(|_| self.survey.is_bound_late(last.pc, next)))
            }
        }
    }

    /// Returns true if another function begins after an instruction, and nothing falls through into
    /// it: it can be entered by itself, or a system call ends this function, as in `exit` and
    /// `rt_sigreturn`.
    fn begins_another(&self, node: &Node, last: &Located) -> bool {
        let next = last.end();
        let home = self.survey.extent_of(next);
        let ends = last.insn.marks.any(Marks::CALLS_SYSTEM);
        home.is_some_and(|home| !home.contains(&node.pc)) && (ends || self.survey.is_entry(next))
    }

    /// Returns true for a jump or call in an object file whose target only the linker knows.
    pub(super) fn is_open(&self, at: &Located) -> bool {
        self.survey.is_unresolved(at.pc..at.end())
    }

    /// Returns true for a call that makes no frame: a call of a thunk, or of the next instruction
    /// to push its address. The start of a function makes a frame.
    pub(super) fn pushes(&self, call: &Located, target: u64) -> bool {
        let begins = self.survey.extent_of(target).is_some_and(|extent| extent.start == target);
        let only_pushes = call.insn.marks.any(Marks::PUSHES) && !begins;
        let survey = self.survey;
        let is_data = only_pushes || survey.pops(call.pc, target) || survey.discards(target);
        (is_data || survey.is_retpoline(target)) && !self.is_open(call)
    }

    /// Returns true if the return at the end of a node is a jump to a value written over the return
    /// address: `mov %rax,(%rsp); ret`.
    pub(super) fn jumps_by_stack(&self, node: &Node) -> bool {
        self.instructions(node).iter().rev().take(3).any(|one| self.survey.returns_elsewhere(one.pc))
    }

    /// Follows a jump, to another part of the function or out of it.
    fn jump(&mut self, guest: &Guest, node: &Node, way: Way, target: u64) -> Option<Way> {
        let open = self.instructions(node).last().is_some_and(|last| self.is_open(last));
        let home = self.survey.extent_of(target).filter(|_| !open);
        let own = home.as_ref().is_some_and(|home| home.contains(&node.pc));
        let another = self.survey.is_entry(target);
        if !own && (home.is_none() || another) && self.is_as_entered(guest) {
            self.end_well(way, another);
            return None;
        }
        // A tail call of a function of another file.
        if self.survey.is_linkage(target) && self.is_as_entered(guest) {
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
        if self.facts.link_register {
            guest.set_link(next)?;
        }
        let mut held = way.held;
        if let Some(part) = callee.and_then(|callee| self.shared_part(callee)) {
            let Some(after) = self.execute_shared(guest, &part, held) else { return Ok(None) };
            held = after;
        }
        let pads: Vec<u64> =
            self.pads_of(call.pc).iter().filter(|pad| pad.site.contains(&call.pc)).map(|pad| pad.pad).collect();
        let sp = guest.tracked().sp;
        let landing = sp.wrapping_add(self.pushed_at(call.pc));
        for pad in pads {
            self.landings_differ |= *self.landings.entry(pad).or_insert(landing) != landing;
            let held = Held { landed: true, ..way.held };
            guest.set_sp(landing)?;
            self.later(guest, Way { pc: pad, trust: Trust::Certain, held, ..way }, None)?;
            guest.set_sp(sp)?;
        }
        if self.dropped_by(call) > 0 {
            guest.set_sp(sp.wrapping_add(self.dropped_by(call)))?;
        }
        let here = self.survey.extent_of(call.pc);
        if !here.is_some_and(|here| here.contains(&next)) {
            return Ok(None);
        }
        self.forget_target(guest)?;
        Ok(Some(Way { pc: next, trust: self.survey.comes_back(callee, next), held, ..way }))
    }

    /// Replaces the target of an earlier jump, which is not what a callee returns, in the register
    /// of its result. Other values may stay there: `__rust_probestack` keeps the size of the frame.
    pub(super) fn forget_target(&self, guest: &mut Guest) -> Result<(), MachineError> {
        if self.is_in_parts(guest.register(self.facts.result)) {
            guest.make_up_result()?;
        }
        Ok(())
    }

    /// Bytes of stack arguments at a call.
    pub(super) fn pushed_at(&self, pc: u64) -> u64 {
        let upto = self.pushed.partition_point(|(range, _)| range.start <= pc);
        let last = upto.checked_sub(1).and_then(|last| self.pushed.get(last));
        last.filter(|(range, _)| range.contains(&pc)).map_or(0, |(_, bytes)| *bytes)
    }

    /// The landing pads whose call sites contain an address.
    fn pads_of(&self, pc: u64) -> &[Pad] {
        let upto = self.pads.partition_point(|pad| pad.site.start <= pc);
        let from = self.pads.get(..upto).unwrap_or_default().iter().rposition(|pad| pad.site.end > pc);
        // Sites do not overlap; one site may have several pads.
        let Some(from) = from else { return &[] };
        let start = self.pads.get(from).map_or(0, |pad| pad.site.start);
        let first = self.pads.partition_point(|pad| pad.site.start < start);
        self.pads.get(first..=from).unwrap_or_default()
    }

    /// Executes a call that makes no frame: the return address is data.
    pub(super) fn push(&self, guest: &mut Guest, next: u64) -> Result<(), MachineError> {
        if self.facts.link_register {
            return guest.set_link(next);
        }
        let sp = guest.tracked().sp.wrapping_sub(8);
        guest.write(sp, &self.facts.order.bytes_of(next));
        guest.set_sp(sp)
    }

    /// Drops the word at the top of the stack.
    pub(super) fn pop(&self, guest: &mut Guest) -> Result<(), MachineError> {
        guest.set_sp(guest.tracked().sp.wrapping_add(8))
    }

    /// The call of the retpoline that ends with `node`, if it was called: its return address is at
    /// the top of the stack again.
    pub(super) fn called_through(&self, guest: &Guest, node: &Node) -> Option<Located> {
        let sp = guest.tracked().sp;
        let ra = guest.stack(sp, self.abi).read(sp).ok()?;
        self.retpoline_call(node, ra)
    }

    /// The call of the stub that `node` is, whose return address the link register holds.
    pub(super) fn called_stub(&self, guest: &Guest, node: &Node) -> Option<Located> {
        let call = self.retpoline_call(node, guest.tracked().link)?;
        (self.facts.link_register && call.insn.flow == Flow::Call(node.pc)).then_some(call)
    }

    /// The call before an address whose target is a retpoline within the node's function.
    pub(super) fn retpoline_call(&self, node: &Node, ra: u64) -> Option<Located> {
        let instructions = self.parts.get(node.part as usize)?.instructions.as_slice();
        let call = instructions.get(instructions.partition_point(|one| one.end() < ra))?;
        let leads = matches!(call.insn.flow, Flow::Call(target) if self.survey.is_retpoline(target));
        (call.end() == ra && leads).then_some(*call)
    }

    /// Follows a jump to an address in a register: by a table, to an address that the function
    /// computed, or to another function. `target`: where the jump leads in this state.
    fn indirect(&mut self, guest: &mut Guest, jump: u64, target: Option<u64>, way: Way) -> Result<(), MachineError> {
        let Some(id) = way.parent else { return Ok(()) };
        let sp = guest.tracked().sp;
        let here = guest.save(sp)?;
        let tried = self.tables.get(&jump).cloned();
        let tries = tried.as_ref().map_or(0, |table| table.tries);
        let Table { targets, trust, .. } = match tried {
            Some(table) if tries >= MOST_TRIES || !table.targets.is_empty() => table,
            _ => {
                let (targets, trust) = self.table(guest, id)?;
                guest.restore(&here)?;
                let table = Table { targets, trust, tries: tries + 1 };
                self.tables.insert(jump, table.clone());
                table
            }
        };
        let computed = target.filter(|target| targets.is_empty() && self.is_in_parts(*target));
        if targets.is_empty() && computed.is_none() && self.is_as_entered(guest) {
            // A part of a function that is jumped into has no stack of its own to give back.
            let is_lower = |node: &_| self.graph.get(*node).is_some_and(|node| node.tracked.sp < self.entry.sp);
            let gives_back = self.graph.path(id).iter().any(is_lower);
            self.end_well(way, gives_back);
        }
        for target in targets.into_iter().chain(computed) {
            self.later(guest, Way { pc: target, trust, ..way }, Some(&here))?;
        }
        Ok(())
    }

    /// Returns true for a jump to an address that the function computed, not by a table.
    pub(super) fn is_computed(&self, jump: u64) -> bool {
        self.tables.get(&jump).is_some_and(|table| table.targets.is_empty())
    }

    /// Returns true if an instruction of a function that this path is in begins at an address. Its
    /// first instruction does not count: made-up addresses are unlikely to be others.
    fn is_in_parts(&self, pc: u64) -> bool {
        self.survey.is_instruction(pc)
            && self.parts.iter().any(|part| part.extent.start != pc && part.extent.contains(&pc))
    }

    /// Follows a return.
    fn end(&mut self, guest: &Guest, way: Way) {
        if self.is_as_entered(guest) {
            self.end_well(way, true);
            return;
        }
        let but_for_fp = self.is_on_return(guest);
        if let Some(node) = way.parent.and_then(|id| self.graph.nodes.get_mut(id as usize)) {
            node.loses_fp |= but_for_fp;
            node.leaves_badly |= !but_for_fp;
        }
    }

    /// The label of the function that a return leads to: `push label; ret`, `ret x4`. By the link
    /// register it leads there only on paths that do not exist, after a call that never returns.
    pub(super) fn returns_within(&self, guest: &mut Guest, last: &Located) -> Result<Option<u64>, MachineError> {
        let Tracked { sp, link, .. } = guest.tracked();
        let target = match self.facts.link_register {
            true => self.target(guest, last)?.filter(|target| *target != link),
            // Not of RET with a number of bytes to drop.
            false => guest.stack(sp, self.abi).read(sp).ok().filter(|_| last.insn.length == 1),
        };
        Ok(target.filter(|target| self.is_in_parts(*target)))
    }

    /// The address that a jump leads to in this state.
    pub(super) fn target(&self, guest: &mut Guest, jump: &Located) -> Result<Option<u64>, MachineError> {
        // A jump that is executed out of line is executed at its own address.
        let bytes = self.survey.bytes(jump.pc).unwrap_or_default();
        let executed = flow::executed(self.abi, bytes, jump.pc);
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
        }
    }

    /// Returns true if SP, FP and return address are as at the entry.
    fn is_as_entered(&self, guest: &Guest) -> bool {
        guest.tracked().fp == self.entry.fp && self.is_on_return(guest)
    }

    /// Returns true if the return address was popped: SP is the CFA, and a register holds it.
    pub(super) fn has_popped_ra(&self, guest: &Guest) -> bool {
        let cfa = self.entry.call_sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry);
        let holds_ra = |reg| guest.register(Reg(reg)) == self.entry.ra;
        !self.facts.link_register && guest.tracked().sp == cfa && (0..self.facts.general_registers).any(holds_ra)
    }

    /// Returns true if SP and return address are as at the entry.
    fn is_on_return(&self, guest: &Guest) -> bool {
        let Tracked { sp, link, .. } = guest.tracked();
        let ra = match self.facts.link_register {
            // An authenticating return uses the signed address.
            true => link == self.entry.ra || self.is_signed(link),
            // It was moved, and something else stored in its place.
            false => guest.stack(sp, self.abi).read(sp) == Ok(self.entry.ra),
        };
        sp == self.entry.call_sp && ra
    }

    /// Returns true if a jump leads to the return address, which a register other than the link
    /// register holds, with SP and FP as at the entry: `ret x9`.
    fn returns_by_another(&self, guest: &mut Guest, jump: &Located) -> Result<bool, MachineError> {
        let Tracked { sp, fp, .. } = guest.tracked();
        let mut others = (0..self.facts.general_registers).map(Reg).filter(|reg| *reg != self.facts.ra);
        let is_held = self.facts.link_register && others.any(|reg| guest.register(reg) == self.entry.ra);
        if !is_held || (sp, fp) != (self.entry.sp, self.entry.fp) {
            return Ok(false);
        }
        Ok(self.target(guest, jump)? == Some(self.entry.ra))
    }

    fn is_signed(&self, link: u64) -> bool {
        link != self.entry.ra
            && self
                .graph
                .nodes
                .iter()
                .rev()
                .take(64)
                .any(|node| node.held.signed_by.is_some() && node.held.raw_ra == link)
    }

    /// Returns true if the branch at the end of a node depends on a comparison of SP: then only one
    /// way is possible.
    fn depends_on_sp(&self, node: &Node) -> bool {
        self.instructions(node).iter().rev().take(3).any(|one| one.insn.marks.any(Marks::COMPARES_SP))
    }
}
