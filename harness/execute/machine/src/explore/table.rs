//! Jump tables: the targets are found by executing the jump with every index that the preceding
//! bounds check allows. So the address computation needs no analysis.

use std::collections::BTreeSet;

use isa::flow::{self, Bound, Flow};

use super::graph::{Node, NodeId, Trust};
use super::guest::Guest;
use super::guest::run::Ran;
use super::survey::Located;
use super::walk::trace::Trace;
use crate::error::MachineError;

/// Maximum number of stretches before the jump to search for the comparison of the index.
const FARTHEST: usize = 12;
/// Maximum number of stretches before the jump to search for the table's load, if no bounds check
/// is found.
const UNBOUNDED: usize = 4;
/// Maximum number of entries of a table.
const MOST_ENTRIES: u64 = 2048;

/// Consecutive nodes of a path of which each but the last ends only because it changes a register.
struct Stretch {
    /// Index of the first and of the last one in the path.
    begin: usize,
    end: usize,
    node: Node,
}

/// The comparison of a jump's index with a bound.
struct Compared {
    stretch: Stretch,
    compare: Located,
    branch: Located,
    bound: Bound,
}

/// The targets of the indirect jump at the end of a node, and whether they are complete and
/// exact; empty if it uses no table. Changes the guest's state.
pub(super) fn table(trace: &Trace<'_>, guest: &mut Guest, jump: NodeId) -> Result<(Vec<u64>, Trust), MachineError> {
    let path = trace.graph.path(jump);
    for stretch in stretches(trace, &path).take(FARTHEST).skip_while(|stretch| stretch.end + 1 == path.len()) {
        let Some(compared) = compared(trace, stretch) else { continue };
        if let Some(targets) = targets(trace, guest, &path, &compared)? {
            return Ok((targets, Trust::Certain));
        }
    }
    Ok((unbounded(trace, guest, &path)?, Trust::Supposed))
}

/// The stretches of a path, the last one first.
fn stretches(trace: &Trace<'_>, path: &[NodeId]) -> impl Iterator<Item = Stretch> {
    let mut rest = path.len();
    std::iter::from_fn(move || {
        let end = rest.checked_sub(1)?;
        let (mut begin, mut node) = (end, *trace.graph.get(*path.get(end)?)?);
        while let Some(before) = begin.checked_sub(1).and_then(|at| trace.graph.get(*path.get(at)?)) {
            if !trace.parts.is_split(before) || before.part != node.part || before.last + 1 != node.first {
                break;
            }
            (begin, node) = (begin - 1, Node { last: node.last, ..*before });
        }
        rest = begin;
        Some(Stretch { begin, end, node })
    })
}

/// The jump's targets with 0, 1, 2 ... in the register that indexes the table, as long as each
/// is an instruction of the function: the table's length is unknown, since the index can have
/// every value of its type.
fn unbounded(trace: &Trace<'_>, guest: &mut Guest, path: &[NodeId]) -> Result<Vec<u64>, MachineError> {
    let mut targets = BTreeSet::new();
    let load = stretches(trace, path).take(UNBOUNDED).find_map(|stretch| {
        let indexed = |one: &Located| Some((*one, flow::index(trace.parts.abi, trace.parts.bytes(one.pc))?));
        let (one, reg) = trace.parts.instructions(&stretch.node).iter().rev().find_map(indexed)?;
        Some((stretch, one, reg))
    });
    let Some((Stretch { begin, end, node }, load, reg)) = load else { return Ok(Vec::new()) };
    let (Some(upto), Some(rest)) = (path.get(..=begin), path.get(end..)) else { return Ok(Vec::new()) };
    let instructions = trace.parts.instructions(&node);
    if !trace.retrace(guest, upto)? || guest.run(node.pc, load.pc, instructions) == Ran::Lost {
        return Ok(Vec::new());
    }
    let before = guest.save(node.tracked.sp)?;
    for index in 0..MOST_ENTRIES {
        guest.restore(&before)?;
        guest.set(reg, index)?;
        match jump_from(trace, guest, load.pc, &node, rest)? {
            // The end of the table is unknown: accepts only targets certainly in the function,
            // and no padding.
            Some(target) if trace.parts.survey.places.work.has(target) && trace.parts.is_same(target, load.pc) => {
                targets.insert(target)
            }
            _ => break,
        };
    }
    guest.recycle(before);
    Ok(targets.into_iter().collect())
}

/// Continues inside a node, and along the rest of the path, which begins with this node, to the
/// jump.
fn jump_from(
    trace: &Trace<'_>,
    guest: &mut Guest,
    pc: u64,
    node: &Node,
    rest: &[NodeId],
) -> Result<Option<u64>, MachineError> {
    let instructions = trace.parts.instructions(node);
    let Some(last) = instructions.last() else { return Ok(None) };
    if rest.len() < 2 {
        let lost = guest.run(pc, last.pc, instructions) == Ran::Lost;
        return Ok(if lost { None } else { jump(guest, last) });
    }
    let straight = if last.insn.flow == Flow::Next { last.end() } else { last.pc };
    if guest.run(pc, straight, instructions) == Ran::Lost {
        return Ok(None);
    }
    jump_with(trace, guest, rest.get(1..).unwrap_or_default())
}

fn compared(trace: &Trace<'_>, stretch: Stretch) -> Option<Compared> {
    let instructions = trace.parts.instructions(&stretch.node);
    let branch = *instructions.last().filter(|last| matches!(last.insn.flow, Flow::Branch(_)))?;
    let (compare, bound) = instructions.iter().rev().take(4).find_map(|one| {
        let bound = flow::bound(trace.parts.abi, trace.parts.bytes(one.pc), one.pc)?;
        (bound.limit < MOST_ENTRIES).then_some((*one, bound))
    })?;
    Some(Compared { stretch, compare, branch, bound })
}

/// The jump's targets with each index that passes the comparison; `None` if one is no
/// instruction of the function.
fn targets(
    trace: &Trace<'_>,
    guest: &mut Guest,
    path: &[NodeId],
    compared: &Compared,
) -> Result<Option<Vec<u64>>, MachineError> {
    let Stretch { begin, end, ref node } = compared.stretch;
    let (Some(upto), Some(rest)) = (path.get(..=begin), path.get(end + 1..)) else { return Ok(None) };
    let Some(first) = rest.first().and_then(|id| trace.graph.get(*id)) else { return Ok(None) };
    let instructions = trace.parts.instructions(node);
    if !trace.retrace(guest, upto)? || guest.run(node.pc, compared.compare.pc, instructions) == Ran::Lost {
        return Ok(None);
    }
    let before = guest.save(node.tracked.sp)?;
    let mut targets = BTreeSet::new();
    let (mut sound, mut passed) = (true, 0_u64);
    for index in 0..=compared.bound.limit.saturating_add(1) {
        guest.restore(&before)?;
        guest.set_operand(compared.bound.operand, index)?;
        if guest.run(compared.compare.pc, compared.branch.pc, instructions) == Ran::Lost {
            continue;
        }
        if guest.step(&compared.branch) != Some(first.pc) {
            // A table has a first entry: a comparison that rejects index 0 does not check this
            // index.
            if index == 0 {
                break;
            }
            continue;
        }
        passed += 1;
        match jump_with(trace, guest, rest)? {
            Some(target) if trace.parts.survey.places.begins.has(target) && trace.parts.is_own(target, first.pc) => {
                targets.insert(target);
            }
            _ => {
                sound = false;
                break;
            }
        }
    }
    guest.recycle(before);
    // If all targets are equal, another register indexes the table, or the register's value
    // before the comparison does.
    let depends = targets.len() > 1 || (passed == 1 && targets.len() == 1);
    Ok((sound && depends).then(|| targets.into_iter().collect()))
}

/// Executes the rest of the path and the jump.
fn jump_with(trace: &Trace<'_>, guest: &mut Guest, rest: &[NodeId]) -> Result<Option<u64>, MachineError> {
    for pair in rest.windows(2) {
        let [from, to] = pair else { continue };
        if !trace.again(guest, *from, *to)? {
            return Ok(None);
        }
    }
    let Some(node) = rest.last().and_then(|id| trace.graph.get(*id)).copied() else { return Ok(None) };
    if trace.execute(guest, &node)?.is_none() {
        return Ok(None);
    }
    Ok(trace.parts.instructions(&node).last().and_then(|last| jump(guest, last)))
}

/// Executes the jump. It is never its own target, but what follows its table can lead there: with
/// offsets from the next instruction, a -1 does.
fn jump(guest: &mut Guest, last: &Located) -> Option<u64> {
    guest.step(last).filter(|target| *target != last.pc)
}
