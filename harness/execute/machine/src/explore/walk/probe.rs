//! Loops that probe the stack: they lower SP by pages, touch each, and end at an address or a count
//! that may be an input (`gcc -fstack-clash-protection`). Such a loop is left with the condition of
//! its end met, at once.

use isa::effects::Effect;
use isa::flow::{self, Flow, Marks, Registers};
use types::Reg;

use super::parts::Parts;
use super::trace::Trace;
use super::{Walk, Way};
use crate::error::MachineError;
use crate::explore::graph::{Entered, Held, Node};
use crate::explore::guest::Guest;
use crate::explore::survey::Located;

/// Maximum number of instructions of such a loop.
const LONGEST: usize = 12;
/// Minimum size of a page in bytes, on every target.
const PAGE: u64 = 4096;
/// Maximum number of instructions to search for the origin of a value.
const FARTHEST: usize = 128;

/// A loop that does nothing but probe the stack, as seen from the branch that can leave it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeLoop {
    /// The address after the loop.
    exit: u64,
    /// The address at which the branch stays in the loop.
    stay: u64,
    /// Bytes by which each iteration lowers SP.
    step: u64,
    limit: Limit,
}

/// What ends a loop.
#[derive(Clone, Copy, Debug)]
enum Limit {
    /// SP has reached the address in a register.
    Address(Reg),
    /// The counter in a register.
    Counter(Reg),
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From SP or FP and constants that instructions name.
    Exact,
    /// From something else: an input.
    MadeUp,
}

impl Trace<'_> {
    /// Repeats what [`Walk::leave_probes`] did between two nodes.
    pub(super) fn repeat_probes(&self, guest: &mut Guest, node: &Node, next: &Node) -> Result<(), MachineError> {
        if let Some(found) = self.probe_loop(node).filter(|found| found.exit == next.pc)
            && !matches!(found.limit, Limit::Counter(counter) if self.origin(node, counter) == Origin::Exact)
        {
            self.pass_probes(guest, node, found, next.held)?;
        }
        Ok(())
    }

    /// Sets SP and the limit of a loop to what they are after it.
    fn pass_probes(
        &self,
        guest: &mut Guest,
        node: &Node,
        ProbeLoop { step, limit, .. }: ProbeLoop,
        held: Held,
    ) -> Result<Held, MachineError> {
        let sp = guest.tracked().sp;
        if let Limit::Address(reg) = limit
            && self.origin(node, reg) == Origin::Exact
        {
            let rest = sp.saturating_sub(guest.register(reg)).div_ceil(step);
            guest.set_sp(sp.wrapping_sub(rest.saturating_mul(step)))?;
            return Ok(held);
        }
        let sp = guest.below(self.call.room_at(node));
        guest.set_sp(sp)?;
        match limit {
            Limit::Address(reg) => guest.set(reg, sp)?,
            // Less than a page is left.
            Limit::Counter(reg) => guest.set(reg, PAGE / 64)?,
        }
        Ok(Held { sp_is_made_up: true, ..held })
    }

    /// The loop that the branch at the end of a node can leave.
    fn probe_loop(&self, node: &Node) -> Option<ProbeLoop> {
        let branch = self.parts.instructions(node).last()?;
        let Flow::Branch(target) = branch.insn.flow else { return None };
        // A loop has a jump backwards: this one, or one soon after it.
        let is_backwards = (branch.pc.saturating_sub(16 * LONGEST as u64)..=branch.pc).contains(&target);
        if !is_backwards && !self.parts.depends_on_sp(node) {
            return None;
        }
        let known = self.probes.borrow().get(&branch.pc).copied();
        known.unwrap_or_else(|| {
            let of = |stay, exit| loop_from(&self.parts, node, branch, stay, exit);
            let found = of(target, branch.end()).or_else(|| of(branch.end(), target));
            self.probes.borrow_mut().insert(branch.pc, found);
            found
        })
    }

    /// Returns true if the branch at the end of a node compares SP with an input: both ways are
    /// possible.
    pub(super) fn compares_sp_with_input(&self, node: &Node) -> bool {
        let compares = |one: &&Located| one.insn.marks.any(Marks::COMPARES_SP);
        let compare = self.parts.instructions(node).iter().rev().take(3).find(compares);
        let register = compare.and_then(|one| flow::compared_with_sp(self.parts.abi, self.parts.bytes(one.pc), one.pc));
        register.is_some_and(|register| self.origin(node, register) == Origin::MadeUp)
    }

    /// Where the value of a register after the instructions of a node, except for the last, comes
    /// from.
    pub(super) fn origin(&self, node: &Node, register: Reg) -> Origin {
        let exact = [self.parts.facts.sp, self.parts.facts.fp];
        let mut open = vec![register];
        let (mut node, mut left) = (*node, FARTHEST);
        let mut is_first = true;
        loop {
            let instructions = self.parts.instructions(&node);
            let upto = instructions.len().saturating_sub(usize::from(is_first));
            for one in instructions.iter().take(upto).rev() {
                left -= 1;
                if left == 0 || !matches!(one.insn.flow, Flow::Next | Flow::Branch(_) | Flow::Jump(_)) {
                    return Origin::MadeUp;
                }
                let written = flow::written(self.parts.abi, self.parts.bytes(one.pc), one.pc).unwrap_or_default();
                if !open.iter().any(|reg| written.has(*reg)) {
                    continue;
                }
                let effects = self.parts.effects(one);
                let mut next: Vec<Reg> = open.iter().copied().filter(|reg| !written.has(*reg)).collect();
                for reg in open.iter().filter(|reg| written.has(**reg)) {
                    let from = effects.iter().find_map(|effect| match *effect {
                        Effect::Sets { to, base, .. } if to == *reg => Some(vec![base]),
                        Effect::Constant { to, .. } if to == *reg => Some(Vec::new()),
                        Effect::Inserts { to, .. } if to == *reg => Some(vec![to]),
                        Effect::Adds { to, base, by, .. } if to == *reg => Some(vec![base, by]),
                        _ => None,
                    });
                    let Some(from) = from else { return Origin::MadeUp };
                    next.extend(from);
                }
                next.retain(|reg| !exact.contains(reg));
                if next.is_empty() {
                    return Origin::Exact;
                }
                open = next;
            }
            is_first = false;
            match self.parent(&node) {
                Some(parent) => node = parent,
                None => return Origin::MadeUp,
            }
        }
    }

    /// The node that was executed before one.
    pub(super) fn parent(&self, node: &Node) -> Option<Node> {
        let (mut from, mut at) = (node.entered, node.parent);
        let mut parent = self.graph.get(at)?;
        // A node that was left without being executed had the values of the one before it.
        while from != Entered::Executed {
            (from, at) = (parent.entered, parent.parent);
            parent = self.graph.get(at).filter(|next| !std::ptr::eq(*next, parent))?;
        }
        (!(parent.pc == node.pc && parent.first == node.first)).then_some(*parent)
    }
}

impl Walk<'_> {
    /// Follows the branch at the end of a node out of a loop that probes the stack, and once more
    /// into it; `None` if it is in no such loop.
    pub(super) fn leave_probes(
        &mut self,
        guest: &mut Guest,
        node: &Node,
        way: Way,
    ) -> Result<Option<Option<Way>>, MachineError> {
        let Some(found) = self.trace.probe_loop(node) else { return Ok(None) };
        if matches!(found.limit, Limit::Counter(counter) if self.trace.origin(node, counter) == Origin::Exact) {
            // The number of iterations is exact too.
            let Some(last) = self.trace.parts.instructions(node).last().copied() else { return Ok(None) };
            let goes = guest.step(&last).filter(|goes| *goes == found.exit || *goes == found.stay);
            return Ok(Some(goes.map(|pc| Way { pc, turning: true, ..way })));
        }
        let before = guest.save(guest.tracked().sp)?;
        let held = self.trace.pass_probes(guest, node, found, way.held)?;
        let is_first = self.paths.states.get(&node.pc).is_none_or(|visits| visits.states <= 1);
        let exit = Way { pc: found.exit, held, ..way };
        if !is_first {
            guest.recycle(before);
            return Ok(Some(Some(exit)));
        }
        self.postpone(guest, exit, None)?;
        guest.restore(&before)?;
        guest.recycle(before);
        Ok(Some(Some(Way { pc: found.stay, turning: true, ..way })))
    }
}

/// The loop from a branch to `stay` and back, if all that it does is to probe the stack.
fn loop_from(parts: &Parts<'_>, node: &Node, branch: &Located, stay: u64, exit: u64) -> Option<ProbeLoop> {
    let sp = parts.facts.sp;
    let (mut pc, mut lowered, mut counter, mut limit) = (stay, 0_u64, None, None);
    let (mut others, mut loaded) = (Registers::NONE, Registers::NONE);
    for _ in 0..LONGEST {
        let one = parts.in_part(node.part, pc)?;
        if one.insn.marks.any(Marks::COMPARES_SP) {
            limit = Some(Limit::Address(flow::compared_with_sp(parts.abi, parts.bytes(pc), pc)?));
        }
        let mut written = flow::written(parts.abi, parts.bytes(pc), pc)?;
        for effect in parts.effects(&one) {
            match effect {
                // The comparison is with what SP is at the branch.
                Effect::Sets { to, base, offset } if to == sp && base == sp && offset < 0 && limit.is_none() => {
                    lowered = lowered.checked_add(offset.unsigned_abs())?;
                    written = written.without(Registers::one(sp));
                }
                Effect::Sets { to, base, .. } if to == base && to != sp && counter.is_none_or(|one| one == to) => {
                    counter = Some(to);
                    written = written.without(Registers::one(to));
                }
                // Without optimization the limit is loaded each time.
                Effect::Loads { to, .. } if to != sp => loaded = loaded.and(Registers::one(to)),
                _ => {}
            }
        }
        others = others.and(written);
        if one.insn.marks.any(Marks::SKIP) {
            return None;
        }
        if one.pc == branch.pc {
            let limit = limit.or(counter.map(Limit::Counter))?;
            let allowed = match limit {
                Limit::Address(reg) if loaded.has(reg) => Registers::one(reg),
                Limit::Address(_) | Limit::Counter(_) => Registers::NONE,
            };
            let does_no_more = others.without(allowed).is_empty();
            return (does_no_more && lowered >= PAGE).then_some(ProbeLoop { exit, stay, step: lowered, limit });
        }
        pc = match one.insn.flow {
            Flow::Next => one.end(),
            Flow::Jump(target) => target,
            _ => return None,
        };
    }
    None
}
