//! Executes a node, also again in the second world, and records where the function saves values.

use isa::effects::Effect;
use isa::flow::{Flow, Marks};
use types::Past;

use super::calls::{
    called_by_hand, called_stub, called_through, forget_result, jump_target, land, link, overwrite, returns_within,
};
use super::probe::Origin;
use super::slots::{execute_shared, follow_saved, held_after, keep, sets_fp};
use super::trace::Trace;
use crate::error::MachineError;
use crate::explore::graph::{Entered, Held, Node, NodeId};
use crate::explore::guest::Guest;
use crate::explore::guest::run::Ran;

impl Trace<'_> {
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
            let by_hand = called_by_hand(&self.parts, guest, &node, last)?;
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
                    if let Some(call) = called_through(&self.parts, guest, &node) {
                        guest.pop()?;
                        if next.pc == call.end() {
                            forget_result(&self.parts, guest, &call)?;
                        } else {
                            guest.set_sp(guest.tracked().sp.wrapping_add(self.parts.pushed_at(call.pc)))?;
                        }
                    } else if self.is_computed(last.pc) && target != Ok(next.pc) {
                        return Ok(false);
                    }
                }
                Flow::IndirectJump if called_stub(&self.parts, guest, &node).is_some() => {}
                // The address must not depend on made-up values.
                Flow::IndirectJump
                    if self.is_computed(last.pc)
                        && next.pc != last.end()
                        && jump_target(&self.parts, guest, last)? != Some(next.pc) =>
                {
                    return Ok(false);
                }
                Flow::Return => {
                    if !self.has_table(last.pc) && returns_within(&self.parts, guest, last, held)? != Some(next.pc) {
                        return Ok(false);
                    }
                    if !self.parts.facts.link_register {
                        guest.pop()?;
                    }
                }
                Flow::Call(_) | Flow::IndirectCall => {
                    link(&self.parts, guest, last)?;
                    match self.parts.shared_part_called(last) {
                        Some(part) if execute_shared(&self.parts, &self.call, guest, &part, node.held).is_none() => {
                            return Ok(false);
                        }
                        Some(_) => {}
                        None => overwrite(&self.parts, &self.call, guest, last, &mut { node.held })?,
                    }
                    let lands = next.pc != last.end();
                    if lands {
                        land(&self.parts, guest, next.held)?;
                    }
                    let dropped = if lands { self.parts.pushed_at(last.pc) } else { self.parts.dropped_by(last) };
                    if dropped > 0 {
                        guest.set_sp(guest.tracked().sp.wrapping_add(dropped))?;
                    }
                    if !lands {
                        forget_result(&self.parts, guest, last)?;
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
            keep(&self.parts, &self.call, guest, node, node.tracked.sp, &mut held);
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
            held = Held {
                link_of_call: false,
                ..held_after(&self.parts, &self.call, guest, held, before, after.link, last.pc)
            };
            if last.insn.flow == Flow::Next && held.ra_slot.is_none() {
                self.call.handed_ra.set(self.call.handed_ra.get().or_else(|| guest.handed_at(after.link)));
            }
        }
        if let Some(last) = instructions.last().filter(|last| last.insn.marks.any(Marks::WRITES_FP)) {
            held.frame_pointer = Some(after.fp).filter(|_| !held.sp_is_made_up && sets_fp(&self.parts, last));
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
        keep(&self.parts, &self.call, guest, node, after.sp, &mut held);
        follow_saved(&self.parts, &self.call, guest, node, after.sp, &mut held);
        Ok(Some(held))
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
}
