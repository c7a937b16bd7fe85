//! The slots in which a function keeps its caller's values.

use isa::effects::{self, Effect};
use types::{Reg, RegisterSet, SavedAt};
use witness::{PacOp, on_link_register};

use super::call::Call;
use super::parts::Parts;
use crate::explore::graph::{Held, Node};
use crate::explore::guest::run::Ran;
use crate::explore::guest::{Guest, Tracked};
use crate::explore::survey::Located;

/// Executes the code of a callee that changes the caller's SP or FP. `None` if SP is unknown
/// afterwards.
pub(super) fn execute_shared(
    parts: &Parts<'_>,
    call: &Call,
    guest: &mut Guest,
    part: &[Located],
    mut held: Held,
) -> Option<Held> {
    let (first, last) = (part.first()?, part.last()?);
    let pushes = !parts.facts.link_register;
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
    let is_kept = held.frame_pointer == Some(fp) || part.iter().any(|one| sets_fp(parts, one));
    held.frame_pointer = Some(fp).filter(|_| is_kept);
    let kept = |slot: Option<u64>| slot.filter(|slot| *slot >= sp);
    held.fp_slot = kept(held.fp_slot).or_else(|| guest.find(sp, call.entered.fp));
    held.ra_slot = kept(held.ra_slot).or_else(|| guest.find(sp, held.raw_ra));
    held.sp_slot = kept(held.sp_slot).or_else(|| guest.find(sp, call.entered.sp));
    held.saved.intact = guest.intact();
    for (position, (reg, entered)) in guest.preserved().iter().enumerate() {
        let slot = kept(held.saved.slot(position, call.cfa()));
        held.saved.set_slot((position, *reg), call.cfa(), slot);
        if part.iter().any(|one| one.uses.stores) && slot.is_none() {
            let slot = guest.find(sp, *entered);
            take_slot(call, guest, *reg, slot.unwrap_or_default(), sp, &mut held);
        }
    }
    Some(held)
}

/// Records where the other registers that a call preserves are after a node: those that it
/// wrote may have changed, or have been restored, and those that it stored are saved.
pub(super) fn follow_saved(parts: &Parts<'_>, call: &Call, guest: &mut Guest, node: &Node, sp: u64, held: &mut Held) {
    let instructions = parts.instructions(node);
    let written = instructions.iter().fold(RegisterSet::NONE, |all, one| all.and(one.uses.written));
    let followed = held.saved.in_slots().and(written);
    let cfa = call.cfa();
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
            let kept = kept(parts, guest, node, sp, Some(slot), entered);
            if kept.is_none() {
                held.saved.set_slot((position, reg), cfa, None);
            }
        }
    }
    for one in instructions.iter().filter(|one| one.uses.stores) {
        for (from, place) in effects::all_saves(parts.abi, parts.bytes(one.pc), one.pc) {
            let SavedAt::Slot { base, offset } = place else { continue };
            let base = match base {
                base if base == parts.facts.sp => node.tracked.sp,
                base if base == parts.facts.fp => node.tracked.fp,
                base => guest.register(base),
            };
            take_slot(call, guest, from, base.wrapping_add_signed(offset), sp, held);
        }
    }
}

/// Records a slot of a register that a call preserves if it holds the caller's value.
pub(super) fn take_slot(call: &Call, guest: &Guest, reg: Reg, slot: u64, sp: u64, held: &mut Held) {
    let cfa = call.cfa();
    let position = guest.preserved().iter().position(|(one, _)| *one == reg);
    let Some(position) = position.filter(|position| held.saved.slot(*position, cfa).is_none()) else { return };
    let entered = guest.preserved().get(position).map(|(_, entered)| *entered);
    if slot >= sp && guest.stack(sp).read(slot).ok() == entered {
        held.saved.set_slot((position, reg), cfa, Some(slot));
    }
}

/// The caller's values stay in their slots, but for what the node itself puts there, and slots
/// that are free by now are forgotten.
pub(super) fn keep(parts: &Parts<'_>, call: &Call, guest: &mut Guest, node: &Node, sp: u64, held: &mut Held) {
    held.fp_slot = kept(parts, guest, node, sp, held.fp_slot, call.entered.fp);
    held.ra_slot = kept(parts, guest, node, sp, held.ra_slot, held.raw_ra);
    held.sp_slot = kept(parts, guest, node, sp, held.sp_slot, call.entered.sp);
}

/// A slot after a node, as long as it is not below SP and so free, and the node does not store
/// something else there by its place in the frame: any other store into it went by a made-up
/// address, and is undone.
pub(super) fn kept(
    parts: &Parts<'_>,
    guest: &mut Guest,
    node: &Node,
    sp: u64,
    slot: Option<u64>,
    value: u64,
) -> Option<u64> {
    let slot = slot.filter(|slot| *slot >= sp)?;
    if guest.stack(slot).read(slot) != Ok(value) {
        if stores_at(parts, guest, node, slot) {
            return None;
        }
        guest.write(slot, &parts.facts.order.bytes_of(value));
    }
    Some(slot)
}

/// Returns true if an instruction of a node stores a word at an address that it counts from SP,
/// or from FP where that was set from SP: otherwise it may be a pointer that walks through the
/// frame. Both stay what they were up to the last instruction.
pub(super) fn stores_at(parts: &Parts<'_>, guest: &Guest, node: &Node, slot: u64) -> bool {
    let Tracked { sp, fp, .. } = node.tracked;
    let fp = node.held.frame_pointer.filter(|frame| *frame == fp && guest.holds_sp(fp));
    parts.instructions(node).iter().any(|one| {
        parts.effects(one).into_iter().any(|effect| {
            let (Effect::Stores { base, offset, .. } | Effect::Overwrites { base, offset }) = effect else {
                return false;
            };
            let base = if base == parts.facts.sp { Some(sp) } else { fp.filter(|_| base == parts.facts.fp) };
            base.is_some_and(|base| base.wrapping_add_signed(offset) == slot)
        })
    })
}

/// Returns true if an instruction sets FP to SP and a constant.
pub(super) fn sets_fp(parts: &Parts<'_>, one: &Located) -> bool {
    let (sp, fp) = (parts.facts.sp, parts.facts.fp);
    let sets = |effect: &Effect| matches!(effect, Effect::Sets { to, base, .. } if (*to, *base) == (fp, sp));
    parts.effects(one).iter().any(sets)
}

/// The saved return address after an instruction that may have signed, authenticated or
/// stripped it. If the return address is saved on the stack, or another register holds the
/// value before a strip, the link register is only a copy, whose change has no effect.
pub(super) fn held_after(
    parts: &Parts<'_>,
    call: &Call,
    guest: &Guest,
    held: Held,
    before: u64,
    after: u64,
    pc: u64,
) -> Held {
    let word = |pc| Some(u32::from_le_bytes(*parts.bytes(pc).first_chunk::<4>()?));
    let op = word(pc)
        .filter(|_| parts.facts.pointer_authentication && held.ra_slot.is_none())
        .and_then(on_link_register)
        .map(|op| op.after(pc.checked_sub(4).and_then(word)));
    let others = || (0..parts.facts.general_registers).map(Reg).filter(|reg| *reg != parts.facts.ra);
    let is_copy = || others().any(|reg| guest.register(reg) == before);
    match op {
        Some(PacOp::Sign(key)) if before == call.entered.ra && before == held.raw_ra => {
            Held { raw_ra: after, signed_by: Some(key), ..held }
        }
        Some(PacOp::SignWithPc(key)) if before == call.entered.ra && before == held.raw_ra => {
            Held { raw_ra: after, signed_by: Some(key), signed_with_pc: true, ..held }
        }
        Some(PacOp::Strip) if is_copy() => held,
        Some(PacOp::Authenticate(_) | PacOp::Strip) if after == call.entered.ra => {
            Held { raw_ra: after, signed_by: None, signed_with_pc: false, ..held }
        }
        _ => held,
    }
}

/// Forgets the slot of a value that a callee wrote another value over.
pub(super) fn lose_slot(call: &Call, guest: &Guest, held: &mut Held, (slot, value): (u64, u64)) {
    let of_frame =
        [(&mut held.fp_slot, call.entered.fp), (&mut held.ra_slot, held.raw_ra), (&mut held.sp_slot, call.entered.sp)];
    for (place, kept) in of_frame {
        place.take_if(|place| *place == slot && kept != value);
    }
    let cfa = call.cfa();
    for (position, (reg, kept)) in guest.preserved().iter().enumerate() {
        if held.saved.slot(position, cfa) == Some(slot) && *kept != value {
            held.saved.set_slot((position, *reg), cfa, None);
        }
    }
}
