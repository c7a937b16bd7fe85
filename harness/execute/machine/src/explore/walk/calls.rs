//! What a call, a jump to a function and a return do to the guest.

use isa::flow::{self, Flow, Insn};
use types::Reg;

use super::call::Call;
use super::parts::Parts;
use super::slots;
use crate::error::MachineError;
use crate::explore::graph::{Held, Node};
use crate::explore::guest::{Guest, Tracked};
use crate::explore::survey::{Located, Overwritten};

/// The target of a direct call, if it is known.
pub(super) fn callee(parts: &Parts<'_>, call: &Located) -> Option<u64> {
    let Flow::Call(target) = call.insn.flow else { return None };
    (!parts.is_open(call)).then_some(target)
}

/// The call that a jump to another function is: the code has set the return address itself, to
/// the address of the next instruction. Pops it, if it is on the stack.
pub(super) fn called_by_hand(
    parts: &Parts<'_>,
    guest: &mut Guest,
    node: &Node,
    jump: &Located,
) -> Result<Option<Located>, MachineError> {
    let (Tracked { sp, link, .. }, next) = (guest.tracked(), jump.end());
    let is_set = match parts.facts.link_register {
        true => link == next,
        false => guest.stack(sp).read(sp) == Ok(next),
    };
    let flow = match jump.insn.flow {
        Flow::Jump(target) if is_set => Flow::Call(target),
        Flow::IndirectJump if is_set && called_stub(parts, guest, node).is_none() => {
            jump_target(parts, guest, jump)?.map_or(Flow::IndirectCall, Flow::Call)
        }
        _ => return Ok(None),
    };
    let call = Located { insn: Insn { flow, ..jump.insn }, ..*jump };
    let home = parts.survey.functions.extent_of(jump.pc);
    let is_inside = |target| home.is_some_and(|home| home.start != target && home.contains(&target));
    if callee(parts, &call).is_some_and(is_inside) {
        return Ok(None);
    }
    if !parts.facts.link_register {
        guest.pop()?;
    }
    Ok(Some(call))
}

/// Overwrites what a call and its callee certainly do: the word below SP to which the return
/// address is pushed, registers, and the words in which the callee saves registers.
pub(super) fn overwrite(
    parts: &Parts<'_>,
    entered: &Call,
    guest: &mut Guest,
    call: &Located,
    held: &mut Held,
) -> Result<(), MachineError> {
    guest.write_pushed(call.end());
    let Overwritten { registers, words } = parts.overwritten_by(call);
    for register in registers.iter() {
        guest.make_up(register)?;
    }
    // The area that a caller has for its callee's registers (s390x ELF ABI 1.6, 1.2.2).
    let sp = guest.tracked().sp;
    for (from, word) in words.iter() {
        if (16..parts.facts.cfa_minus_sp_at_entry).contains(word) {
            let (slot, value) = (sp.wrapping_add_signed(*word), guest.register(*from));
            guest.write(slot, &parts.facts.order.bytes_of(value));
            slots::lose_slot(entered, guest, held, (slot, value));
        }
    }
    Ok(())
}

/// Replaces what a callee does not return in the registers of its result: the target of an
/// earlier jump, and, if the callee is in another file, an address on the stack, such as that
/// of an argument. Other values may stay: `__rust_probestack` keeps the size of the frame.
pub(super) fn forget_result(parts: &Parts<'_>, guest: &mut Guest, call: &Located) -> Result<(), MachineError> {
    let is_unknown = calls_another_file(parts, call);
    for reg in parts.facts.results.iter().map(|number| Reg(*number)) {
        let value = guest.register(reg);
        if parts.is_in_parts(value) || is_unknown && guest.holds_sp(value) {
            guest.make_up_result(reg)?;
        }
    }
    Ok(())
}

/// The call of the retpoline that ends with `node`, if it was called: its return address is at
/// the top of the stack again.
pub(super) fn called_through(parts: &Parts<'_>, guest: &Guest, node: &Node) -> Option<Located> {
    let sp = guest.tracked().sp;
    let ra = guest.stack(sp).read(sp).ok()?;
    parts.retpoline_call(node, ra)
}

/// The call of the stub that `node` is, whose return address the link register holds.
pub(super) fn called_stub(parts: &Parts<'_>, guest: &Guest, node: &Node) -> Option<Located> {
    let call = parts.retpoline_call(node, guest.tracked().link)?;
    (parts.facts.link_register && call.insn.flow == Flow::Call(node.pc)).then_some(call)
}

/// Sets the register to which a call writes its return address, and returns it; `None` if the
/// return address is pushed. On s390x it may be another than the link register.
pub(super) fn link(parts: &Parts<'_>, guest: &mut Guest, call: &Located) -> Result<Option<Reg>, MachineError> {
    if !parts.facts.link_register {
        return Ok(None);
    }
    let written = flow::written(parts.abi, parts.bytes(call.pc), call.pc).unwrap_or_default();
    let link = written.iter().next().unwrap_or(parts.facts.ra);
    guest.set(link, call.end())?;
    Ok(Some(link))
}

/// The label of the function that a return leads to: `push label; ret`, `ret x4`, `br %r14`.
/// With the return address of a call it leads there only on paths that do not exist, after a
/// call that never returns.
pub(super) fn returns_within(
    parts: &Parts<'_>,
    guest: &mut Guest,
    last: &Located,
    held: Held,
) -> Result<Option<u64>, MachineError> {
    let Tracked { sp, link, .. } = guest.tracked();
    let target = match parts.facts.link_register {
        true => jump_target(parts, guest, last)?.filter(|target| *target != link || !held.link_of_call),
        // Not of RET with a number of bytes to drop.
        false => guest.stack(sp).read(sp).ok().filter(|_| last.insn.length == 1),
    };
    Ok(target.filter(|target| parts.is_in_parts(*target)))
}

/// The address that a jump leads to in this state.
pub(super) fn jump_target(parts: &Parts<'_>, guest: &mut Guest, jump: &Located) -> Result<Option<u64>, MachineError> {
    // A jump that is executed out of line is executed at its own address.
    let executed = flow::executed(parts.abi, parts.bytes(jump.pc), jump.pc);
    let real = executed.map_or(*jump, |pc| Located { pc, simple: None, ..*jump });
    let here = guest.save(guest.tracked().sp)?;
    let target = guest.step(&real);
    guest.restore(&here)?;
    guest.recycle(here);
    Ok(target)
}

/// Gives the registers that an unwinder sets at a landing pad made-up values, if a call
/// preserves them.
pub(super) fn land(parts: &Parts<'_>, guest: &mut Guest, held: Held) -> Result<(), MachineError> {
    for number in parts.facts.set_by_unwinder {
        if !held.saved.intact.has(Reg(*number)) {
            guest.make_up(Reg(*number))?;
        }
    }
    Ok(())
}

/// Returns true for a call whose callee may be in another file.
pub(super) fn calls_another_file(parts: &Parts<'_>, one: &Located) -> bool {
    let functions = &parts.survey.functions;
    match one.insn.flow {
        Flow::IndirectCall => true,
        Flow::Call(target) if functions.is_retpoline(target) => true,
        Flow::Call(target) if parts.pushes(one, target) => false,
        Flow::Call(target) => {
            parts.is_open(one) || functions.is_linkage(target) || functions.extent_of(target).is_none()
        }
        _ => false,
    }
}
