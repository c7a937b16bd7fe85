//! FDEs of `.eh_frame` that end before their function does, whether or not it was executed.

use std::ops::Range;

use isa::flow::{self, Flow, Marks};
use results::{Blame, Finding};
use spec::RuleId;
use types::{Image, ImageKind, Pc};
use unwind::{CfiUnwinder, FunctionRange};

use super::{goes_on, of_fde, undescribed_code};
use crate::tables::Tables;

/// Maximum number of instructions after an FDE that are searched for a jump back.
const MOST: usize = 256;

/// Reports FDEs with code after their end that no table describes and that belongs to the function,
/// and those whose instructions advance past their end.
pub(super) fn findings(image: &Image, tables: &Tables, cfi: &CfiUnwinder, live: &[FunctionRange]) -> Vec<Finding> {
    // What follows an instruction that cannot be read need not be what its producer wrote.
    let is_read = |range: &&FunctionRange| cfi.broken().iter().all(|entry| entry.offset != range.offset);
    let one = |range: &FunctionRange| {
        let (rest, why) = match cfi.last_advance(range).filter(|last| *last > range.end) {
            Some(last) => (range.end.0..last.0, format!("its instructions advance to {}", image.place(last.0))),
            None => rest_of_function(image, tables, range)?,
        };
        let covered = image.span(range.start.0, range.end.0);
        let message = format!("the FDE at {:#x} covers {covered} only: {why}", range.offset);
        let shown = (rest.start, rest.end);
        Some(of_fde(image, RuleId::EhFrameRangeLost, Blame::EhFrame, range, shown, message))
    };
    live.iter().filter(is_read).filter_map(one).collect()
}

/// The code of a function after the end of its FDE, if no table describes it, and how control gets
/// there. Data may follow the code of a function, as part of its symbol too.
fn rest_of_function(image: &Image, tables: &Tables, range: &FunctionRange) -> Option<(Range<u64>, String)> {
    let rest = undescribed_code(image, tables, range.end)?;
    if !image.section_at(range.start.0)?.contains(rest.start) {
        return None;
    }
    let symbol = image.symbols_at(range.start).find(|symbol| symbol.function && symbol.size > 0);
    let end = symbol.map_or(rest.end, |symbol| symbol.address.saturating_add(symbol.size));
    let lost = rest.start..rest.end.min(end);
    // Assembly code may omit a part on purpose, as glibc's clone does, and continue after it.
    let is_omitted = goes_on(tables, range.end, Pc(end.saturating_add(u64::from(symbol.is_none()))));
    // After padding, or at a label, another function begins.
    let is_another = lost.start != range.end.0 || image.symbols_at(range.end).next().is_some();
    if is_omitted || lost.start >= end || (symbol.is_none() && is_another) {
        return None;
    }
    if range.start == range.end {
        // Directives around no code make an empty FDE, which GNU ld omits.
        let is_linked = image.kind != ImageKind::Relocatable;
        return symbol.filter(|_| is_linked).map(|symbol| (lost, format!("{} ends at {end:#x}", symbol.name)));
    }
    let why = continues(image, tables, range, &lost, symbol.is_some())?;
    Some((lost, why))
}

/// Returns true for a jump to an instruction that a linker moved away, which is followed by a jump
/// back (GNU ld's `--fix-cortex-a53-843419`). Its code is the linker's.
fn is_veneer(image: &Image, jump: Flow, back: u64) -> bool {
    let Flow::Jump(target) = jump else { return false };
    let at = |pc| flow::decode(image.abi, image.bytes_at(pc)?, pc);
    let moved = at(target);
    moved.is_some_and(|moved| {
        let after = target.saturating_add(u64::from(moved.length));
        moved.flow == Flow::Next && at(after).is_some_and(|jump| jump.flow == Flow::Jump(back))
    })
}

/// Returns true if code after the end of an FDE jumps into the function, but not to its start.
fn comes_back(image: &Image, range: &FunctionRange, rest: &Range<u64>) -> bool {
    let mut pc = rest.start;
    for _ in 0..MOST {
        let insn = image.bytes_at(pc).and_then(|bytes| flow::decode(image.abi, bytes, pc));
        let Some(insn) = insn.filter(|_| rest.contains(&pc)) else { return false };
        if let Flow::Jump(target) | Flow::Branch(target) = insn.flow
            && (range.start.0.saturating_add(1)..range.end.0).contains(&target)
        {
            return true;
        }
        pc = pc.saturating_add(u64::from(insn.length.max(1)));
    }
    false
}

/// How control gets from a function past the end of its FDE. `returns`: calls and system calls
/// return to the code after them, since that belongs to the function. Else a jump with the frame of
/// the entry is a tail call of a function that has no FDE.
fn continues(
    image: &Image,
    tables: &Tables,
    range: &FunctionRange,
    rest: &Range<u64>,
    returns: bool,
) -> Option<String> {
    let is_tail_call = |pc: u64, flow: Flow| {
        let is_jump = matches!(flow, Flow::Jump(_)) && !returns;
        is_jump && tables.looks_callable(image.abi, Pc(pc)) && !comes_back(image, range, rest)
    };
    let mut pc = range.start.0;
    let mut branch = None;
    // False after an instruction that does not continue, and in the no-ops after it.
    let mut arrives = true;
    while pc < range.end.0 {
        let insn = flow::decode(image.abi, image.bytes_at(pc)?, pc)?;
        let next = pc.checked_add(u64::from(insn.length.max(1)))?;
        arrives = match insn.flow {
            Flow::Next if insn.marks.any(Marks::CALLS_SYSTEM) => returns,
            Flow::Next => arrives || !insn.marks.any(Marks::NOP),
            Flow::Branch(_) | Flow::ReturnOrNext => true,
            Flow::Call(_) | Flow::IndirectCall => returns,
            Flow::Jump(_) | Flow::IndirectJump | Flow::Return | Flow::Ends => false,
        };
        if let Flow::Branch(target) | Flow::Jump(target) = insn.flow
            && rest.contains(&target)
            && !is_veneer(image, insn.flow, next)
            && !is_tail_call(pc, insn.flow)
        {
            branch.get_or_insert((pc, target));
        }
        if next > range.end.0 {
            return Some(format!("it ends inside the instruction at {}", image.place(pc)));
        }
        pc = next;
    }
    if arrives && rest.start == range.end.0 {
        return Some(format!("control continues at {}", image.place(range.end.0)));
    }
    branch.map(|(from, to)| format!("{} branches to {}", image.place(from), image.place(to)))
}
