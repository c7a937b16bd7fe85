//! Executes a node, also again in the second world, and records where the function saves values.

use isa::effects::{self, Effect};
use isa::flow::{Flow, Marks};
use types::{Past, Reg, RegisterSet, SavedAt};
use witness::{PacOp, on_link_register};

use super::Walk;
use super::probe::Origin;
use crate::error::MachineError;
use crate::explore::graph::{Entered, Held, Node, NodeId};
use crate::explore::guest::run::Ran;
use crate::explore::guest::{Guest, Tracked};
use crate::explore::survey::Located;

impl Walk<'_> {
    /// Executes the path from the entry to its last node, which is not executed. Returns false if
    /// the guest takes another path.
    pub(in crate::explore) fn retrace(&self, guest: &mut Guest, path: &[NodeId]) -> Result<bool, MachineError> {
        guest.enter(self.call.number, self.call.has_error_code)?;
        for pair in path.windows(2) {
            let [from, to] = pair else { continue };
            if !self.again(guest, *from, *to)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Executes a node and the transition to the next one. Returns false if the result differs.
    pub(in crate::explore) fn again(&self, guest: &mut Guest, from: NodeId, to: NodeId) -> Result<bool, MachineError> {
        let (Some(node), Some(next)) = (self.graph.get(from).copied(), self.graph.get(to).copied()) else {
            return Ok(false);
        };
        match next.entered {
            Entered::Executed => {}
            Entered::ByTable | Entered::ByHint => return Ok(self.is_alike(guest, &next)),
        }
        let Some(held) = self.execute(guest, &node)? else { return Ok(false) };
        if let Some(last) = self.parts.instructions(&node).last() {
            let by_hand = self.called_by_hand(guest, &node, last)?;
            let last = by_hand.as_ref().unwrap_or(last);
            match last.insn.flow {
                Flow::Branch(_) => {
                    self.repeat_probes(guest, &node, &next)?;
                    self.decide(guest, last, next.pc)?;
                }
                Flow::Call(target) if self.parts.pushes(last, target) => {
                    guest.push(last.end())?;
                }
                Flow::Return if self.parts.jumps_by_stack(&node) => {
                    let sp = guest.tracked().sp;
                    let target = guest.stack(sp).read(sp);
                    guest.pop()?;
                    if let Some(call) = self.called_through(guest, &node) {
                        guest.pop()?;
                        if next.pc == call.end() {
                            self.forget_result(guest, &call)?;
                        } else {
                            guest.set_sp(guest.tracked().sp.wrapping_add(self.parts.pushed_at(call.pc)))?;
                        }
                    } else if self.is_computed(last.pc) && target != Ok(next.pc) {
                        return Ok(false);
                    }
                }
                Flow::IndirectJump if self.called_stub(guest, &node).is_some() => {}
                // The address must not depend on made-up values.
                Flow::IndirectJump
                    if self.is_computed(last.pc)
                        && next.pc != last.end()
                        && self.target(guest, last)? != Some(next.pc) =>
                {
                    return Ok(false);
                }
                Flow::Return => {
                    if !self.has_table(last.pc) && self.returns_within(guest, last, held)? != Some(next.pc) {
                        return Ok(false);
                    }
                    if !self.parts.facts.link_register {
                        guest.pop()?;
                    }
                }
                Flow::Call(_) | Flow::IndirectCall => {
                    self.link(guest, last)?;
                    match self.parts.shared_part_called(last) {
                        Some(part) if self.execute_shared(guest, &part, node.held).is_none() => return Ok(false),
                        Some(_) => {}
                        None => self.overwrite(guest, last, &mut { node.held })?,
                    }
                    let lands = next.pc != last.end();
                    if lands {
                        self.land(guest, next.held)?;
                    }
                    let dropped = if lands { self.parts.pushed_at(last.pc) } else { self.parts.dropped_by(last) };
                    if dropped > 0 {
                        guest.set_sp(guest.tracked().sp.wrapping_add(dropped))?;
                    }
                    if !lands {
                        self.forget_result(guest, last)?;
                    }
                }
                _ => {}
            }
        }
        Ok(self.is_alike(guest, &next))
    }

    /// Returns true if the guest's SP and FP are those of a node.
    fn is_alike(&self, guest: &Guest, node: &Node) -> bool {
        let now = guest.tracked();
        let same_fp = self.state(0, now, node.held, guest).fp == self.state(0, node.tracked, node.held, guest).fp;
        // Below an allocation of made-up size SP differs between the worlds.
        (now.sp == node.tracked.sp || node.held.sp_is_made_up) && same_fp
    }

    /// Executes the instructions of a node up to its branch, call or return. `None` if SP is
    /// unknown afterwards.
    pub(in crate::explore) fn execute(&self, guest: &mut Guest, node: &Node) -> Result<Option<Held>, MachineError> {
        let instructions = self.parts.instructions(node);
        let straight = match instructions.last() {
            Some(last) if last.insn.flow != Flow::Next => last.pc,
            Some(last) => last.end(),
            None => return Ok(None),
        };
        let before = node.tracked.link;
        let mut from = node.pc;
        // A saved value must be in its slot when it is loaded: earlier stores by made-up addresses
        // in the same node are undone first.
        if let Some(last) = instructions.last().filter(|last| self.parts.may_restore(last) && last.pc != node.pc) {
            if guest.run(from, last.pc, instructions) == Ran::Lost {
                return Ok(None);
            }
            let mut held = node.held;
            self.keep(guest, node, node.tracked.sp, &mut held);
            from = last.pc;
        }
        if guest.run(from, straight, instructions) == Ran::Lost {
            return Ok(None);
        }
        let mut after = guest.tracked();
        let mut held = node.held;
        let slots = [held.fp_slot, held.ra_slot, held.sp_slot];
        let astray = !guest.holds_sp(after.sp)
            || self.is_lowered_by_input(guest, node, after.sp)
            || slots.into_iter().flatten().any(|slot| slot < after.sp);
        // No made-up value equals the entry's SP: SP was saved somewhere, and the frame is
        // released.
        let astray = astray || instructions.last().is_some_and(|last| self.parts.makes_no_room(last, node, after.sp));
        if astray
            && after.sp != self.call.entered.sp
            && instructions.last().is_some_and(|last| self.parts.makes_room(last))
        {
            held.on_other_stack |= guest.is_made_up(after.sp);
            after.sp = guest.below(self.call.room_at(node));
            guest.set_sp(after.sp)?;
            held.sp_is_made_up = true;
        } else if !astray && instructions.last().is_some_and(|last| self.parts.makes_room(last)) {
            held.on_other_stack = false;
        }
        if let Some(last) = instructions.last().filter(|last| last.insn.marks.any(Marks::WRITES_LINK)) {
            held = Held { link_of_call: false, ..self.held_after(guest, held, before, after.link, last.pc) };
            if last.insn.flow == Flow::Next && held.ra_slot.is_none() {
                self.call.handed_ra.set(self.call.handed_ra.get().or_else(|| guest.handed_at(after.link)));
            }
        }
        if let Some(last) = instructions.last().filter(|last| last.insn.marks.any(Marks::WRITES_FP)) {
            held.frame_pointer = Some(after.fp).filter(|_| !held.sp_is_made_up && self.sets_fp(last));
        }
        if instructions.iter().any(|one| one.insn.marks.any(Marks::CALLS_SYSTEM)) {
            held.past = Past::SystemCall;
        }
        if instructions.iter().any(|one| one.insn.marks.any(Marks::SAVES)) {
            held.fp_slot = held.fp_slot.or_else(|| guest.find(after.sp, self.call.entered.fp));
            held.ra_slot = held.ra_slot.or_else(|| guest.find(after.sp, held.raw_ra));
            if self.parts.facts.link_register {
                held.sp_slot = held.sp_slot.or_else(|| guest.find(after.sp, self.call.entered.sp));
            }
        }
        self.keep(guest, node, after.sp, &mut held);
        self.follow_saved(guest, node, after.sp, &mut held);
        Ok(Some(held))
    }

    /// Records where the other registers that a call preserves are after a node: those that it
    /// wrote may have changed, or have been restored, and those that it stored are saved.
    fn follow_saved(&self, guest: &mut Guest, node: &Node, sp: u64, held: &mut Held) {
        let instructions = self.parts.instructions(node);
        let written = instructions.iter().fold(RegisterSet::NONE, |all, one| all.and(one.uses.written));
        let followed = held.saved.in_slots().and(written);
        let cfa = self.call.cfa();
        for position in 0..guest.preserved().len() {
            let Some((reg, entered)) = guest.preserved().get(position).copied() else { break };
            if !followed.has(reg) {
                continue;
            }
            if written.has(reg) {
                held.saved.intact = match guest.register(reg) == entered {
                    true => held.saved.intact.and(RegisterSet::one(reg)),
                    false => held.saved.intact.without(RegisterSet::one(reg)),
                };
            }
            if let Some(slot) = held.saved.slot(position, cfa) {
                let kept = self.kept(guest, node, sp, Some(slot), entered);
                if kept.is_none() {
                    held.saved.set_slot((position, reg), cfa, None);
                }
            }
        }
        for one in instructions.iter().filter(|one| one.uses.stores) {
            for (from, place) in effects::all_saves(self.parts.abi, self.parts.bytes(one.pc), one.pc) {
                let SavedAt::Slot { base, offset } = place else { continue };
                let base = match base {
                    base if base == self.parts.facts.sp => node.tracked.sp,
                    base if base == self.parts.facts.fp => node.tracked.fp,
                    base => guest.register(base),
                };
                self.take_slot(guest, from, base.wrapping_add_signed(offset), sp, held);
            }
        }
    }

    /// Records a slot of a register that a call preserves if it holds the caller's value.
    fn take_slot(&self, guest: &Guest, reg: Reg, slot: u64, sp: u64, held: &mut Held) {
        let cfa = self.call.cfa();
        let position = guest.preserved().iter().position(|(one, _)| *one == reg);
        let Some(position) = position.filter(|position| held.saved.slot(*position, cfa).is_none()) else { return };
        let entered = guest.preserved().get(position).map(|(_, entered)| *entered);
        if slot >= sp && guest.stack(sp).read(slot).ok() == entered {
            held.saved.set_slot((position, reg), cfa, Some(slot));
        }
    }

    /// Gives the registers that an unwinder sets at a landing pad made-up values, if a call
    /// preserves them.
    pub(super) fn land(&self, guest: &mut Guest, held: Held) -> Result<(), MachineError> {
        for number in self.parts.facts.set_by_unwinder {
            if !held.saved.intact.has(Reg(*number)) {
                guest.make_up(Reg(*number))?;
            }
        }
        Ok(())
    }

    /// Returns true if the last instruction of a node lowers SP far, by a size that no instruction
    /// names.
    fn is_lowered_by_input(&self, guest: &Guest, node: &Node, sp: u64) -> bool {
        let last =
            self.parts.instructions(node).last().filter(|last| !guest.is_near(sp) && self.parts.makes_room(last));
        last.is_some_and(|last| {
            let effects = self.parts.effects(last);
            let from = effects.iter().find_map(|effect| match *effect {
                Effect::Sets { to, base, .. } if to == self.parts.facts.sp => Some(base),
                Effect::Adds { to, base, by, .. } if to == self.parts.facts.sp && base == to => Some(by),
                _ => None,
            });
            from.is_none_or(|from| self.origin(node, from) == Origin::MadeUp)
        })
    }

    /// Executes the code of a callee that changes the caller's SP or FP. `None` if SP is unknown
    /// afterwards.
    pub(super) fn execute_shared(&self, guest: &mut Guest, part: &[Located], mut held: Held) -> Option<Held> {
        let (first, last) = (part.first()?, part.last()?);
        let pushes = !self.parts.facts.link_register;
        if pushes {
            guest.set_sp(guest.tracked().sp.wrapping_sub(8)).ok()?;
        }
        if guest.run(first.pc, last.end(), part) == Ran::Lost {
            return None;
        }
        if pushes {
            guest.pop().ok()?;
        }
        let Tracked { sp, fp, .. } = guest.tracked();
        let is_kept = held.frame_pointer == Some(fp) || part.iter().any(|one| self.sets_fp(one));
        held.frame_pointer = Some(fp).filter(|_| is_kept);
        let kept = |slot: Option<u64>| slot.filter(|slot| *slot >= sp);
        held.fp_slot = kept(held.fp_slot).or_else(|| guest.find(sp, self.call.entered.fp));
        held.ra_slot = kept(held.ra_slot).or_else(|| guest.find(sp, held.raw_ra));
        held.sp_slot = kept(held.sp_slot).or_else(|| guest.find(sp, self.call.entered.sp));
        held.saved.intact = guest.intact();
        for (position, (reg, entered)) in guest.preserved().iter().enumerate() {
            let slot = kept(held.saved.slot(position, self.call.cfa()));
            held.saved.set_slot((position, *reg), self.call.cfa(), slot);
            if part.iter().any(|one| one.uses.stores) && slot.is_none() {
                let slot = guest.find(sp, *entered);
                self.take_slot(guest, *reg, slot.unwrap_or_default(), sp, &mut held);
            }
        }
        Some(held)
    }

    /// The caller's values stay in their slots, but for what the node itself puts there, and slots
    /// that are free by now are forgotten.
    fn keep(&self, guest: &mut Guest, node: &Node, sp: u64, held: &mut Held) {
        held.fp_slot = self.kept(guest, node, sp, held.fp_slot, self.call.entered.fp);
        held.ra_slot = self.kept(guest, node, sp, held.ra_slot, held.raw_ra);
        held.sp_slot = self.kept(guest, node, sp, held.sp_slot, self.call.entered.sp);
    }

    /// A slot after a node, as long as it is not below SP and so free, and the node does not store
    /// something else there by its place in the frame: any other store into it went by a made-up
    /// address, and is undone.
    fn kept(&self, guest: &mut Guest, node: &Node, sp: u64, slot: Option<u64>, value: u64) -> Option<u64> {
        let slot = slot.filter(|slot| *slot >= sp)?;
        if guest.stack(slot).read(slot) != Ok(value) {
            if self.stores_at(guest, node, slot) {
                return None;
            }
            guest.write(slot, &self.parts.facts.order.bytes_of(value));
        }
        Some(slot)
    }

    /// Returns true if an instruction of a node stores a word at an address that it counts from SP,
    /// or from FP where that was set from SP: otherwise it may be a pointer that walks through the
    /// frame. Both stay what they were up to the last instruction.
    fn stores_at(&self, guest: &Guest, node: &Node, slot: u64) -> bool {
        let Tracked { sp, fp, .. } = node.tracked;
        let fp = node.held.frame_pointer.filter(|frame| *frame == fp && guest.holds_sp(fp));
        self.parts.instructions(node).iter().any(|one| {
            self.parts.effects(one).into_iter().any(|effect| {
                let (Effect::Stores { base, offset, .. } | Effect::Overwrites { base, offset }) = effect else {
                    return false;
                };
                let base =
                    if base == self.parts.facts.sp { Some(sp) } else { fp.filter(|_| base == self.parts.facts.fp) };
                base.is_some_and(|base| base.wrapping_add_signed(offset) == slot)
            })
        })
    }

    /// Returns true if an instruction sets FP to SP and a constant.
    fn sets_fp(&self, one: &Located) -> bool {
        let (sp, fp) = (self.parts.facts.sp, self.parts.facts.fp);
        let sets = |effect: &Effect| matches!(effect, Effect::Sets { to, base, .. } if (*to, *base) == (fp, sp));
        self.parts.effects(one).iter().any(sets)
    }

    /// The saved return address after an instruction that may have signed, authenticated or
    /// stripped it. If the return address is saved on the stack, or another register holds the
    /// value before a strip, the link register is only a copy, whose change has no effect.
    fn held_after(&self, guest: &Guest, held: Held, before: u64, after: u64, pc: u64) -> Held {
        let word = |pc| Some(u32::from_le_bytes(*self.parts.bytes(pc).first_chunk::<4>()?));
        let op = word(pc)
            .filter(|_| self.parts.facts.pointer_authentication && held.ra_slot.is_none())
            .and_then(on_link_register)
            .map(|op| op.after(pc.checked_sub(4).and_then(word)));
        let others = || (0..self.parts.facts.general_registers).map(Reg).filter(|reg| *reg != self.parts.facts.ra);
        let is_copy = || others().any(|reg| guest.register(reg) == before);
        match op {
            Some(PacOp::Sign(key)) if before == self.call.entered.ra && before == held.raw_ra => {
                Held { raw_ra: after, signed_by: Some(key), ..held }
            }
            Some(PacOp::SignWithPc(key)) if before == self.call.entered.ra && before == held.raw_ra => {
                Held { raw_ra: after, signed_by: Some(key), signed_with_pc: true, ..held }
            }
            Some(PacOp::Strip) if is_copy() => held,
            Some(PacOp::Authenticate(_) | PacOp::Strip) if after == self.call.entered.ra => {
                Held { raw_ra: after, signed_by: None, signed_with_pc: false, ..held }
            }
            _ => held,
        }
    }
}
