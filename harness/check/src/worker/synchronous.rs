//! Synchronous unwind tables (`-fno-asynchronous-unwind-tables`; LLVM's `uwtable(sync)`, the default
//! of Rust and Swift on AArch64): right at calls, wrong in prologues and epilogues alone, in every
//! function with a frame. They are one finding a file.
//!
//! A wrong stretch belongs to it where nothing is called in it and the table has one row all along:
//! in a prologue that of the function's entry, which changes at the stretch's end; in an epilogue
//! that of the code before, up to the return or tail call. What is wrong elsewhere stays as it is.

use std::collections::BTreeSet;

use isa::flow::{self, Flow};
use judge::memo::Memo;
use judge::tables::Tables;
use results::{Blame, Finding, Shape};
use spec::{RuleGroup, RuleId, Severity};
use types::{Aspect, CfaRule, CodePoint, Image, Pc, ValueRule, counted};
use unwind::{FunctionRange, RowId, Unwinder};

use crate::options::Synchronous;

/// Fewer functions without rows for their epilogues may be a bug of some of them.
const LEAST: usize = 3;

/// Where in a function a table is late.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lag {
    Prologue,
    Epilogue,
}

/// Replaces the findings that synchronous tables explain with one, if the tables of a file are
/// that.
pub(super) fn fold(image: &Image, tables: &Tables, memo: &Memo, wanted: Synchronous, findings: &mut Vec<Finding>) {
    let severity = match wanted {
        Synchronous::Listed => return,
        Synchronous::Error => Severity::Error,
        Synchronous::Note => Severity::Info,
    };
    let lags: Vec<Vec<Lag>> = findings.iter().map(|found| lags(image, tables, found)).collect();
    let ends_late = |(found, lags): (&Finding, &Vec<Lag>)| {
        let pc = Pc(found.evidence.ranges.first()?.0);
        let is_late = found.evidence.field == Aspect::Cfa && lags.contains(&Lag::Epilogue);
        Some(function_at(tables, pc)?.start).filter(|_| is_late)
    };
    let late: BTreeSet<Pc> = findings.iter().zip(&lags).filter_map(ends_late).collect();
    if late.len() < LEAST || late.len() * 2 < framed(image, tables, memo) {
        return;
    }
    let explained = lags.iter().filter(|lags| !lags.is_empty()).count();
    let mut explains = lags.iter().map(|lags| !lags.is_empty());
    findings.retain(|_| !explains.next().unwrap_or(false));
    let section = if tables.cfi.is_some() { ".eh_frame" } else { ".sframe" };
    let mut finding = Finding::new(RuleId::EhFrameSynchronous, Blame::Compiler, section, Shape::Rule);
    finding.severity = severity;
    section.clone_into(&mut finding.shown.section);
    finding.shown.message = format!(
        "synchronous unwind tables: right at calls only ({} in prologues and epilogues, {} without rows for the epilogue)",
        counted(explained, "finding"),
        counted(late.len(), "function")
    );
    finding.evidence.executed = true;
    findings.push(finding);
}

/// What each range of a finding is; nothing where one of them is neither.
fn lags(image: &Image, tables: &Tables, found: &Finding) -> Vec<Lag> {
    let group = found.rule().group();
    let of_row = !matches!(found.evidence.field, Aspect::Structure | Aspect::Coverage);
    let evidence = &found.evidence;
    if !found.is_error() || !of_row || !evidence.executed || evidence.depth > 0 {
        return Vec::new();
    }
    let lag = |(start, end): &(u64, u64)| match (group, &tables.sframe, &tables.cfi) {
        (RuleGroup::Row, Some(table), _) => lag(image, table, Pc(*start), Pc(*end)),
        (RuleGroup::EhFrame, _, Some(table)) => lag(image, table, Pc(*start), Pc(*end)),
        _ => None,
    };
    evidence.ranges.iter().map(lag).collect::<Option<_>>().unwrap_or_default()
}

fn lag(image: &Image, table: &impl Unwinder, start: Pc, end: Pc) -> Option<Lag> {
    let function = table.function_at(start)?;
    let row = |pc: Pc| Some(terms(table, table.row(CodePoint::Exact(pc)).ok()?, pc));
    let here = row(start)?;
    let (mut pc, mut last) = (start.0, None);
    while pc < end.0 {
        if row(Pc(pc))? != here {
            return None;
        }
        let insn = flow::decode(image.abi, image.bytes_at(pc)?, pc)?;
        if matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall) {
            return None;
        }
        last = Some(insn.flow);
        pc = pc.checked_add(u64::from(insn.length.max(1)))?;
    }
    let leaves = |target: u64| !(function.start.0..function.end.0).contains(&target);
    let returns = match last? {
        Flow::Return | Flow::ReturnOrNext | Flow::IndirectJump => true,
        Flow::Jump(target) | Flow::Branch(target) => leaves(target),
        Flow::Next | Flow::Call(_) | Flow::IndirectCall | Flow::Ends => false,
    };
    let entry = row(function.start)?;
    if returns && start > function.start && here != entry && row(Pc(start.0 - 1)) == Some(here) {
        return Some(Lag::Epilogue);
    }
    let catches_up = end < function.end && row(end).is_some_and(|next| next != here);
    (here == entry && catches_up).then_some(Lag::Prologue)
}

/// What a row says of the frame, without its place.
fn terms(table: &impl Unwinder, row: RowId, pc: Pc) -> (CfaRule, ValueRule, ValueRule, bool) {
    let row = table.rules(row, pc);
    (row.cfa, row.ra, row.fp, row.signed)
}

/// The functions with a row other than that of their entry of which a return was executed.
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

fn function_at(tables: &Tables, pc: Pc) -> Option<FunctionRange> {
    let cfi = tables.cfi.as_ref().and_then(|table| table.function_at(pc));
    cfi.or_else(|| tables.sframe.as_ref()?.function_at(pc))
}
