//! Synchronous unwind tables (`-fno-asynchronous-unwind-tables`; LLVM's `uwtable(sync)`, the
//! default of Swift and of Rust's minsize functions on AArch64): right at calls, wrong only in
//! prologues and epilogues. They are reported as one finding per file, whether all functions of the
//! file have them or a group: objects or functions that were compiled so, linked with others.
//!
//! A wrong range is attributed to them if it contains no call and the table has the same row for
//! all of it: in a prologue the row of the function's entry, up to where the row changes; in an
//! epilogue the row of the code before, up to the return or tail call, and after it where the
//! function has no frame. Other errors are reported as they are.

mod group;

use std::collections::BTreeSet;
use std::mem;

use isa::flow::{self, Flow};
use results::{Blame, Finding, Shape, WrongRow};
use spec::{RuleGroup, RuleId, Severity};
use types::{Aspect, CfaRule, CodePoint, Image, Pc, ValueRule, counted};
use unwind::{FunctionRange, RowId, Unwinder};

use crate::memo::Memo;
use crate::options::Synchronous;
use crate::tables::Tables;

/// Minimum number of functions that show that tables are synchronous; fewer may be bugs in single
/// functions.
const LEAST: usize = 3;

/// Where in a function the table lags.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lag {
    Prologue,
    Epilogue,
}

/// Replaces the findings that synchronous tables explain by one, if the tables of a file are
/// synchronous.
pub(super) fn fold(image: &Image, tables: &Tables, memo: &Memo, wanted: Synchronous, findings: &mut Vec<Finding>) {
    let severity = match wanted {
        Synchronous::Listed => return,
        Synchronous::Error => Severity::Error,
        Synchronous::Note => Severity::Info,
    };
    let lags: Vec<Vec<Lag>> = findings.iter().map(|found| lags(image, tables, found)).collect();
    let ends_late = |(found, lags): (&Finding, &Vec<Lag>)| {
        let is_late = found.evidence.field == Aspect::Cfa && lags.contains(&Lag::Epilogue);
        Some(home(tables, found)?.start).filter(|_| is_late)
    };
    let late: BTreeSet<Pc> = findings.iter().zip(&lags).filter_map(ends_late).collect();
    let of_file = late.len() >= LEAST && late.len() * 2 >= framed(image, tables, memo);
    let group = if of_file { BTreeSet::new() } else { group::find((image, tables, memo), findings, &lags) };
    if !of_file && group.is_empty() {
        return;
    }
    let is_explained = |(found, lags): (&Finding, &Vec<Lag>)| {
        !lags.is_empty() && (of_file || home(tables, found).is_some_and(|function| group.contains(&function.start)))
    };
    let explained: Vec<bool> = findings.iter().zip(&lags).map(is_explained).collect();
    let count = counted(explained.iter().filter(|is| **is).count() as u64, "finding");
    let mut explains = explained.into_iter();
    let mut causes = Vec::new();
    findings.retain_mut(|found| {
        let is_explained = explains.next().unwrap_or(false);
        if is_explained {
            causes.push(mem::take(&mut found.evidence.causes));
        }
        !is_explained
    });
    let section = if tables.cfi.is_some() { ".eh_frame" } else { ".sframe" };
    let mut finding = Finding::new(RuleId::EhFrameSynchronous, Blame::Compiler, section, Shape::Rule);
    finding.severity = severity;
    section.clone_into(&mut finding.shown.section);
    finding.shown.message = match of_file {
        true => format!(
            "synchronous unwind tables: right at calls only ({count} in prologues and epilogues, {} without rows for the epilogue)",
            counted(late.len() as u64, "function")
        ),
        false => format!(
            "synchronous unwind tables in {} of this file: right at calls only ({count} in prologues and epilogues)",
            counted(group.len() as u64, "function")
        ),
    };
    finding.evidence.executed = true;
    // A ledger that lists them all lists this one, which then needs each of them.
    if causes.iter().all(|of_one| !of_one.is_empty()) {
        finding.evidence.causes = causes.into_iter().flatten().collect();
    }
    findings.push(finding);
}

/// Kind of each range of a finding; empty if one range is neither.
fn lags(image: &Image, tables: &Tables, found: &Finding) -> Vec<Lag> {
    let group = found.rule().group();
    let of_row = !matches!(found.evidence.field, Aspect::Structure | Aspect::Coverage);
    let evidence = &found.evidence;
    if !found.is_error() || !of_row || !evidence.executed || evidence.depth > 0 {
        return Vec::new();
    }
    let lag = |(start, end): &(u64, u64)| match (group, &tables.sframe, &tables.cfi) {
        (RuleGroup::Row, Some(table), _) => lag(image, table, found, Pc(*start), Pc(*end)),
        (RuleGroup::EhFrame, _, Some(table)) => lag(image, table, found, Pc(*start), Pc(*end)),
        _ => None,
    };
    evidence.ranges.iter().map(lag).collect::<Option<_>>().unwrap_or_default()
}

fn lag(image: &Image, table: &impl Unwinder, found: &Finding, start: Pc, end: Pc) -> Option<Lag> {
    let function = table.function_at(start)?;
    let row = |pc: Pc| Some(terms(table, table.row(CodePoint::Exact(pc)).ok()?, pc));
    let here = row(start)?;
    let at_entry = table.rules(table.row(CodePoint::Exact(function.start)).ok()?, function.start).equations(image.abi);
    let has_no_frame = |pc: u64| {
        let of_pc = |wrong: &&WrongRow| wrong.ranges.iter().any(|(start, end)| (*start..*end).contains(&pc));
        let truth = found.evidence.rows.iter().find(of_pc).and_then(|wrong| wrong.truth.as_ref()?.equations());
        truth == Some(&at_entry)
    };
    // False after a return and at code without a frame, which LLVM places after returns.
    let (mut pc, mut in_frame) = (start.0, false);
    while pc < end.0 {
        if row(Pc(pc))? != here {
            return None;
        }
        let insn = flow::decode(image.abi, image.bytes_at(pc)?, pc)?;
        if matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall) {
            return None;
        }
        in_frame = (in_frame || !has_no_frame(pc)) && !leaves(&function, insn.flow);
        pc = pc.checked_add(u64::from(insn.length.max(1)))?;
    }
    let entry = row(function.start)?;
    if !in_frame && start > function.start && here != entry && row(Pc(start.0 - 1)) == Some(here) {
        return Some(Lag::Epilogue);
    }
    let catches_up = end < function.end && row(end).is_some_and(|next| next != here);
    (here == entry && catches_up).then_some(Lag::Prologue)
}

/// Returns true if a function ends there: a return, a tail call, or a trap after the return, which
/// a check before the prologue jumps to.
fn leaves(function: &FunctionRange, flow: Flow) -> bool {
    match flow {
        Flow::Return | Flow::ReturnOrNext | Flow::IndirectJump | Flow::Ends => true,
        Flow::Jump(target) | Flow::Branch(target) => !(function.start.0..function.end.0).contains(&target),
        Flow::Next | Flow::Call(_) | Flow::IndirectCall => false,
    }
}

/// The rules of a row without its addresses.
fn terms(table: &impl Unwinder, row: RowId, pc: Pc) -> (CfaRule, ValueRule, ValueRule, bool) {
    let row = table.rules(row, pc);
    (row.cfa, row.ra, row.fp, row.signed)
}

/// Number of functions that have a row other than that of their entry, and of which a return was
/// executed.
fn framed(image: &Image, tables: &Tables, memo: &Memo) -> usize {
    match (&tables.cfi, &tables.sframe) {
        (Some(table), _) => framed_in(image, table, memo),
        (None, Some(table)) => framed_in(image, table, memo),
        (None, None) => 0,
    }
}

fn framed_in(image: &Image, table: &impl Unwinder, memo: &Memo) -> usize {
    let is_framed = |function: &FunctionRange| {
        let row = |pc: Pc| Some(terms(table, table.row(CodePoint::Exact(pc)).ok()?, pc));
        let entry = row(function.start);
        memo.executed(function.start, function.end)
            && table.boundaries(function.start, function.end).any(|pc| row(pc) != entry)
            && returned(image, function, memo)
    };
    table.functions().filter(is_framed).count()
}

fn returned(image: &Image, function: &FunctionRange, memo: &Memo) -> bool {
    let mut pc = function.start.0;
    while pc < function.end.0 {
        let Some(insn) = image.bytes_at(pc).and_then(|bytes| flow::decode(image.abi, bytes, pc)) else { return false };
        let next = pc.saturating_add(u64::from(insn.length.max(1)));
        if matches!(insn.flow, Flow::Return | Flow::ReturnOrNext) && memo.executed(Pc(pc), Pc(next)) {
            return true;
        }
        pc = next;
    }
    false
}

/// The function that a finding is in.
fn home(tables: &Tables, found: &Finding) -> Option<FunctionRange> {
    function_at(tables, Pc(found.evidence.ranges.first()?.0))
}

fn function_at(tables: &Tables, pc: Pc) -> Option<FunctionRange> {
    let cfi = tables.cfi.as_ref().and_then(|table| table.function_at(pc));
    cfi.or_else(|| tables.sframe.as_ref()?.function_at(pc))
}
