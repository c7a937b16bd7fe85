//! The functions of a file whose tables are synchronous, among others whose tables are not.

use std::collections::{BTreeMap, BTreeSet};

use results::Finding;
use types::{Aspect, Pc};
use unwind::FunctionRange;

use super::{LEAST, Lag, Subject};

/// Minimum length of a run of neighbours, none of which has rows for its epilogues, if nothing else
/// shows that their tables are synchronous.
const LONG: usize = 8;

/// What a function's rows show about its table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Nothing: there is one row, or no instruction was executed.
    Nothing,
    /// One change, from the row of the entry to that of the body.
    Once,
    /// Several changes, none of which leads back to the row of the entry.
    Onwards,
    /// The row of the entry holds again after an epilogue.
    Back,
}

/// What the findings of a function show about its table.
#[derive(Clone, Copy)]
struct Lags {
    /// All of them are in prologues and epilogues.
    only: bool,
    /// The CFA is that of the entry in the prologue.
    begins_late: bool,
    /// The CFA is that of the body in the epilogue.
    ends_late: bool,
}

/// How far a function shows that its table is synchronous.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Its row changes once, after a prologue of several steps, and its epilogues have no rows.
    Synchronous,
    /// Its epilogues have no rows: it is synchronous if its neighbours are.
    Late,
    /// It is not synchronous.
    Asynchronous,
}

/// The starts of the functions whose tables are synchronous.
pub(super) fn find(subject: Subject<'_>, findings: &[Finding], lags: &[Vec<Lag>]) -> BTreeSet<Pc> {
    let mut wrong: BTreeMap<Pc, Lags> = BTreeMap::new();
    for (found, lags) in findings.iter().zip(lags).filter(|(found, _)| found.is_error()) {
        let Some(function) = subject.home(found) else { continue };
        let all = wrong.entry(function.start).or_insert(Lags { only: true, begins_late: false, ends_late: false });
        let is = |lag| found.evidence.field == Aspect::Cfa && lags.contains(&lag);
        all.only &= !lags.is_empty();
        all.begins_late |= is(Lag::Prologue);
        all.ends_late |= is(Lag::Epilogue);
    }
    let shown = shown(subject, &wrong);
    let certain = shown.iter().filter(|(_, shows)| *shows == Shows::Synchronous).count() >= LEAST;
    let mut group = BTreeSet::new();
    for run in shown.split(|(_, shows)| *shows == Shows::Asynchronous) {
        let has_witness = certain && run.iter().any(|(_, shows)| *shows == Shows::Synchronous);
        if has_witness || run.len() >= LONG {
            group.extend(run.iter().map(|(start, _)| *start));
        }
    }
    group
}

/// What each function shows, by address, without those that show nothing.
fn shown(subject: Subject<'_>, wrong: &BTreeMap<Pc, Lags>) -> Vec<(Pc, Shows)> {
    let one = |function: FunctionRange| {
        let lags = wrong.get(&function.start);
        let returns = || subject.has_return(&function, |_, _| true).unwrap_or(true);
        let shows = match (rows(subject, &function), lags) {
            (Rows::Back, _) => Shows::Asynchronous,
            (_, Some(lags)) if !lags.only => Shows::Asynchronous,
            (Rows::Once, Some(lags)) if lags.begins_late && (lags.ends_late || !returns()) => Shows::Synchronous,
            (Rows::Once | Rows::Onwards, Some(lags)) if lags.ends_late => Shows::Late,
            (Rows::Once | Rows::Onwards, Some(_)) => Shows::Asynchronous,
            (Rows::Nothing, _) | (_, None) => return None,
        };
        Some((function.start, shows))
    };
    subject.tables.functions(subject.table).into_iter().filter_map(one).collect()
}

fn rows(subject: Subject<'_>, function: &FunctionRange) -> Rows {
    if !subject.memo.executed(function.start, function.end) {
        return Rows::Nothing;
    }
    let entry = subject.rules(subject.table, function.start);
    let mut last = entry;
    let mut rows = Rows::Nothing;
    for pc in subject.tables.boundaries(subject.table, function) {
        let here = subject.rules(subject.table, pc);
        rows = match rows {
            _ if here == last => rows,
            Rows::Nothing => Rows::Once,
            _ if here == entry => return Rows::Back,
            _ => Rows::Onwards,
        };
        last = here;
    }
    rows
}
