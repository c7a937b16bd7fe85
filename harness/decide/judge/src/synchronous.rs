//! Synchronous unwind tables (`-fno-asynchronous-unwind-tables`; LLVM's `uwtable(sync)`, the
//! default of Swift and of Rust's minsize functions on AArch64): right at calls, wrong only in
//! prologues and epilogues. They are reported as one finding per file, whether all functions of the
//! file have them or a group: objects or functions that were compiled so, linked with others.
//!
//! A wrong range is attributed to them if it contains no call, the table has the same row for all
//! of it, and the other table has that row too: in a prologue the row of the function's entry,
//! which is as a call leaves it and right there, up to where the row changes; in an epilogue the
//! row of the code before, up to the return or tail call, and after it where the function has no
//! frame. A function is one of theirs if it is right at its calls and has no row for an epilogue.
//! If the caller asks for such tables in a file, each such function is accepted; else several have
//! to show it. Other errors are reported as they are.

mod function;
mod group;

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use isa::flow::{self, Flow};
use results::{Blame, Finding, Shape, WrongRow, merge_ranges};
use spec::{RuleGroup, RuleId, Severity};
use types::{Aspect, CfaRule, Image, Pc, ValueRule, counted};
use unwind::FunctionRange;

use crate::blame::Table;
use crate::link::listed;
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

/// A file whose tables may be synchronous.
#[derive(Clone, Copy)]
struct Subject<'a> {
    image: &'a Image,
    tables: &'a Tables,
    memo: &'a Memo,
    /// The table that shows it: `.eh_frame` if there is one.
    table: Table,
}

/// The rules of a row without its addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Rules {
    cfa: CfaRule,
    ra: ValueRule,
    fp: ValueRule,
    signed: bool,
}

/// Replaces the findings that synchronous tables explain by one, if the tables of a file are
/// synchronous.
pub(super) fn fold(image: &Image, tables: &Tables, memo: &Memo, requested: Synchronous, findings: &mut Vec<Finding>) {
    let severity = match requested {
        Synchronous::Listed => return,
        Synchronous::Error => Severity::Error,
        Synchronous::Note => Severity::Info,
    };
    let table = if tables.cfi.is_some() { Table::EhFrame } else { Table::Sframe };
    let subject = Subject { image, tables, memo, table };
    let lags: Vec<Vec<Lag>> = findings.iter().map(|found| subject.lags(found)).collect();
    let ends_late = |(found, lags): (&Finding, &Vec<Lag>)| {
        let is_late = found.evidence.field == Aspect::Cfa && lags.contains(&Lag::Epilogue);
        Some(subject.home(found)?.start).filter(|_| is_late)
    };
    let late: BTreeSet<Pc> = findings.iter().zip(&lags).filter_map(ends_late).collect();
    let of_file = late.len() >= LEAST && late.len() * 2 >= subject.framed();
    let is_accepted = of_file || requested == Synchronous::Note;
    let group = if is_accepted { BTreeSet::new() } else { group::find(subject, findings, &lags) };
    let wrong = subject.wrong_ranges(findings);
    // The functions with findings, and whether synchronous tables explain those.
    let is_one = |(function, wrong): (&FunctionRange, &Vec<(u64, u64)>)| {
        (is_accepted || group.contains(&function.start)) && subject.is_synchronous(function, wrong)
    };
    let functions: BTreeSet<Pc> =
        wrong.iter().filter(|one| is_one((one.0, one.1))).map(|(function, _)| function.start).collect();
    let is_explained = |(found, lags): (&Finding, &Vec<Lag>)| {
        !lags.is_empty() && subject.home(found).is_some_and(|function| functions.contains(&function.start))
    };
    let explained: Vec<bool> = findings.iter().zip(&lags).map(is_explained).collect();
    let count = explained.iter().filter(|is| **is).count();
    if count == 0 {
        return;
    }
    let mut explains = explained.into_iter();
    let (mut causes, mut ranges, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
    findings.retain_mut(|found| {
        let is_explained = explains.next().unwrap_or(false);
        if is_explained {
            causes.push(mem::take(&mut found.evidence.causes));
            ranges.append(&mut found.evidence.ranges);
            names.insert(found.function().to_owned());
        }
        !is_explained
    });
    let section = table.section();
    let mut finding = Finding::new(RuleId::EhFrameSynchronous, Blame::Compiler, section, Shape::Rule);
    finding.severity = severity;
    section.clone_into(&mut finding.shown.section);
    finding.shown.message = format!(
        "synchronous unwind tables: right at calls only ({} in prologues and epilogues of {}: {})",
        counted(count as u64, "finding"),
        counted(names.len() as u64, "function"),
        listed(&names.iter().map(String::as_str).collect::<Vec<_>>())
    );
    finding.evidence.ranges = merge_ranges(ranges);
    finding.evidence.executed = true;
    // A ledger that lists them all lists this one, which then needs each of them.
    if causes.iter().all(|of_one| !of_one.is_empty()) {
        finding.evidence.causes = causes.into_iter().flatten().collect();
    }
    findings.push(finding);
}

impl Subject<'_> {
    /// Kind of each range of a finding; empty if one range is neither.
    fn lags(self, found: &Finding) -> Vec<Lag> {
        let of_row = !matches!(found.evidence.field, Aspect::Structure | Aspect::Coverage);
        let evidence = &found.evidence;
        let table = match found.rule().group() {
            RuleGroup::Row => Table::Sframe,
            RuleGroup::EhFrame => Table::EhFrame,
            _ => return Vec::new(),
        };
        if !found.is_error() || !of_row || !evidence.executed || evidence.depth > 0 {
            return Vec::new();
        }
        let lag = |(start, end): &(u64, u64)| self.lag(table, found, Pc(*start), Pc(*end));
        evidence.ranges.iter().map(lag).collect::<Option<_>>().unwrap_or_default()
    }

    fn lag(self, table: Table, found: &Finding, start: Pc, end: Pc) -> Option<Lag> {
        let function = self.tables.function_in(table, start)?;
        let here = self.rules(table, start)?;
        let at_entry = self.tables.rules(table, function.start)?.equations(self.image.abi);
        let has_no_frame = |pc: u64| {
            let of_pc = |wrong: &&WrongRow| wrong.ranges.iter().any(|(start, end)| (*start..*end).contains(&pc));
            let truth = found.evidence.rows.iter().find(of_pc).and_then(|wrong| wrong.truth.as_ref()?.equations());
            truth == Some(&at_entry)
        };
        // False after a return and at code without a frame, which LLVM places after returns.
        let (mut pc, mut in_frame) = (start.0, false);
        while pc < end.0 {
            if self.rules(table, Pc(pc))? != here
                || self.rules(table.other(), Pc(pc)).is_some_and(|other| other != here)
            {
                return None;
            }
            let insn = flow::decode(self.image.abi, self.image.bytes_at(pc)?, pc)?;
            if matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall) {
                return None;
            }
            in_frame = (in_frame || !has_no_frame(pc)) && !leaves(&function, insn.flow);
            pc = pc.checked_add(u64::from(insn.length.max(1)))?;
        }
        let entry = self.rules(table, function.start)?;
        if !in_frame && start > function.start && here != entry && self.rules(table, Pc(start.0 - 1)) == Some(here) {
            return Some(Lag::Epilogue);
        }
        let catches_up = end < function.end && self.rules(table, end).is_some_and(|next| next != here);
        (start > function.start && here == entry && catches_up).then_some(Lag::Prologue)
    }

    /// The wrong ranges of each function, in either table.
    fn wrong_ranges(self, findings: &[Finding]) -> BTreeMap<FunctionRange, Vec<(u64, u64)>> {
        let mut wrong: BTreeMap<FunctionRange, Vec<(u64, u64)>> = BTreeMap::new();
        for found in findings.iter().filter(|found| found.is_error()) {
            if let Some(function) = self.home(found) {
                wrong.entry(function).or_default().extend(&found.evidence.ranges);
            }
        }
        wrong
    }

    fn rules(self, table: Table, pc: Pc) -> Option<Rules> {
        self.tables.rules(table, pc).map(|row| Rules { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed })
    }

    /// Number of functions that have a row other than that of their entry, and of which a return
    /// was executed.
    fn framed(self) -> usize {
        let is_framed = |function: &FunctionRange| {
            let entry = self.rules(self.table, function.start);
            self.memo.executed(function.start, function.end)
                && self.tables.boundaries(self.table, function).any(|pc| self.rules(self.table, pc) != entry)
                && self.has_return(function, |start, end| self.memo.executed(start, end)).unwrap_or(false)
        };
        self.tables.functions(self.table).iter().filter(|function| is_framed(function)).count()
    }

    /// Returns true if a function has a return at a range of addresses with a property; `None` if
    /// an instruction before it cannot be decoded.
    fn has_return(self, function: &FunctionRange, is_so: impl Fn(Pc, Pc) -> bool) -> Option<bool> {
        let mut pc = function.start.0;
        while pc < function.end.0 {
            let insn = flow::decode(self.image.abi, self.image.bytes_at(pc)?, pc)?;
            let next = pc.saturating_add(u64::from(insn.length.max(1)));
            if matches!(insn.flow, Flow::Return | Flow::ReturnOrNext) && is_so(Pc(pc), Pc(next)) {
                return Some(true);
            }
            pc = next;
        }
        Some(false)
    }

    fn home(self, found: &Finding) -> Option<FunctionRange> {
        let pc = Pc(found.evidence.ranges.first()?.0);
        self.tables.function_in(Table::EhFrame, pc).or_else(|| self.tables.function_in(Table::Sframe, pc))
    }
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
