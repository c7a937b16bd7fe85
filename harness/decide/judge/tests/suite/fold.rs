//! Occurrences are merged into findings: one for each rule, blame and function, with every PC and
//! step counted.

use std::cell::Cell;

use judge::fold::{Evidence, Fold, Identity};
use results::{Blame, Finding, MOST_WRONG_ROWS, Shape, Source, Values, WrongRow};
use spec::{RuleId, Severity};
use types::{Abi, CfaRule, Claim, Equations, Location, Reg, ValueRule};

use crate::support::finding;

const CFA: RuleId = RuleId::RowCfaMatchesTruth;
const FP: RuleId = RuleId::RowFpMatchesTruth;

fn identity(rule: RuleId, blame: Blame, function: u64) -> Identity {
    Identity { rule, blame, function }
}

/// Instructions of four bytes.
fn finish(fold: Fold) -> Vec<Finding> {
    fold.finish(|pc| pc + 4)
}

#[test]
fn one_identity_is_one_finding_with_all_its_steps() {
    let mut fold = Fold::default();
    let described = Cell::new(0);
    for pc in [0x1008, 0x1000, 0x1004, 0x1000, 0x1020] {
        fold.add(
            identity(CFA, Blame::Assembler, 0x1000),
            Evidence::Step(pc),
            || None,
            || {
                described.set(described.get() + 1);
                finding(CFA, Severity::Error, &format!("first seen at {pc:#x}"))
            },
        );
    }
    let found = finish(fold);
    assert_eq!(found.len(), 1);
    assert_eq!(described.get(), 1, "only the first occurrence is described");
    assert_eq!(found[0].function(), "first seen at 0x1008");
    assert_eq!(found[0].evidence.steps, 5);
    assert_eq!(found[0].evidence.ranges, [(0x1000, 0x100c), (0x1020, 0x1024)]);
}

#[test]
fn rows_give_ranges_and_no_steps() {
    let mut fold = Fold::default();
    for (start, end) in [(0x1010, 0x1018), (0x1000, 0x1008), (0x1008, 0x1010)] {
        let rows = Evidence::Rows(start, end);
        fold.add(identity(CFA, Blame::Linker, 0x1000), rows, || None, || finding(CFA, Severity::Error, "f"));
    }
    let found = finish(fold);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].evidence.steps, found[0].evidence.ranges.as_slice()), (0, [(0x1000, 0x1018)].as_slice()));
}

#[test]
fn steps_and_rows_of_one_finding_share_its_ranges() {
    let mut fold = Fold::default();
    fold.add(
        identity(CFA, Blame::Linker, 0x1000),
        Evidence::Rows(0x1000, 0x1008),
        || None,
        || finding(CFA, Severity::Error, "f"),
    );
    fold.add(
        identity(CFA, Blame::Linker, 0x1000),
        Evidence::Step(0x1008),
        || None,
        || finding(CFA, Severity::Error, "f"),
    );
    let found = finish(fold);
    assert_eq!((found[0].evidence.steps, found[0].evidence.ranges.as_slice()), (1, [(0x1000, 0x100c)].as_slice()));
}

#[test]
fn another_rule_blame_or_function_is_another_finding() {
    let identities = [
        identity(CFA, Blame::Assembler, 0x1000),
        identity(FP, Blame::Assembler, 0x1000),
        identity(CFA, Blame::Compiler, 0x1000),
        identity(CFA, Blame::Assembler, 0x2000),
    ];
    let mut fold = Fold::default();
    for one in identities {
        fold.add(one, Evidence::Step(one.function), || None, || finding(one.rule, Severity::Error, "f"));
    }
    assert_eq!(finish(fold).len(), 4);
}

#[test]
fn the_order_of_findings_does_not_depend_on_the_order_of_occurrences() {
    let identities = [
        identity(FP, Blame::Assembler, 0x1000),
        identity(CFA, Blame::Linker, 0x2000),
        identity(CFA, Blame::Assembler, 0x3000),
        identity(CFA, Blame::Assembler, 0x1000),
    ];
    let names = |order: &[usize]| {
        let mut fold = Fold::default();
        for one in order.iter().map(|index| identities[*index]) {
            let name = format!("{} {} {:#x}", one.rule, one.blame, one.function);
            fold.add(one, Evidence::Step(one.function), || None, || finding(one.rule, Severity::Error, &name));
        }
        finish(fold).into_iter().map(|found| found.function().to_owned()).collect::<Vec<_>>()
    };
    let forwards = names(&[0, 1, 2, 3]);
    assert_eq!(forwards.len(), 4);
    for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        assert_eq!(names(&order), forwards);
    }
}

#[test]
fn what_another_has_collected_joins_its_finding() {
    let collected = |pcs: &[u64], name: &str| {
        let mut fold = Fold::default();
        for pc in pcs {
            fold.add(
                identity(CFA, Blame::Compiler, 0x1000),
                Evidence::Step(*pc),
                || None,
                || finding(CFA, Severity::Error, name),
            );
        }
        fold
    };
    let mut fold = collected(&[0x1000, 0x1004], "first");
    fold.absorb(collected(&[0x1004, 0x1010], "second"));
    let mut other = Fold::default();
    other.add(
        identity(FP, Blame::Compiler, 0x1000),
        Evidence::Rows(0, 4),
        || None,
        || finding(FP, Severity::Error, "alone"),
    );
    fold.absorb(other);
    let found = finish(fold);
    let seen: Vec<_> = found.iter().map(|found| (found.function(), found.evidence.steps)).collect();
    assert_eq!(seen, [("first", 4), ("alone", 0)]);
    assert_eq!(found[0].evidence.ranges, [(0x1000, 0x1008), (0x1010, 0x1014)]);
}

/// A row of `.sframe` with a wrong CFA: rsp plus `bytes`, 8 less than the right one.
fn wrong(bytes: i64) -> WrongRow {
    let row = |offset| {
        let cfa = CfaRule::Register { reg: Reg(7), offset };
        let (ra, fp) = (Location::Rule(ValueRule::AtCfa(-8)), Location::Rule(ValueRule::SameValue));
        Claim::Row(
            Equations { abi: Abi::Amd64, cfa, ra, fp, sp: None, signed_by: None, signed_with_pc: false, signal: false },
            None,
        )
    };
    WrongRow {
        ranges: Vec::new(),
        wrong: Source::Sframe,
        right: Some(Source::EhFrame),
        sframe: row(bytes),
        eh_frame: row(bytes + 8),
        truth: None,
        before: None,
        after: None,
    }
}

fn with_rows(rows: &[(u64, i64)]) -> Fold {
    let mut fold = Fold::default();
    for (pc, bytes) in rows {
        let row = || Some(wrong(*bytes));
        fold.add(identity(CFA, Blame::Compiler, 0x1000), Evidence::Step(*pc), row, || {
            let mut found = Finding::new(CFA, Blame::Compiler, "f", Shape::Rule);
            found.evidence.sframe = Some(Values::from_row(wrong(*bytes).sframe));
            found
        });
    }
    fold
}

fn rows_of(found: &[Finding]) -> Vec<(String, Vec<(u64, u64)>)> {
    found.iter().flat_map(|found| &found.evidence.rows).map(|row| (row.to_string(), row.ranges.clone())).collect()
}

/// Each wrong row is listed once, with its own addresses.
#[test]
fn every_wrong_row_is_kept() {
    let found = finish(with_rows(&[(0x1000, 8), (0x1004, 16), (0x1008, 8), (0x1000, 8), (0x100c, 16)]));
    let text = |wrong: i64| {
        let row = |offset| format!("cfa=rsp+{offset} ra=[cfa-8] fp=same");
        format!("{} where {}", row(wrong), row(wrong + 8))
    };
    assert_eq!(
        rows_of(&found),
        [(text(8), vec![(0x1000, 0x1004), (0x1008, 0x100c)]), (text(16), vec![(0x1004, 0x1008), (0x100c, 0x1010)])]
    );
    assert!(!found[0].evidence.rows_cut);
}

/// The finding does not depend on the order of its rows, or whether it has any; the fingerprint of
/// the rows does.
#[test]
fn the_fingerprint_does_not_know_the_rows() {
    let of = |rows| finish(with_rows(rows)).remove(0);
    let (one, both, turned) = (of(&[(0x1000, 8)]), of(&[(0x1000, 8), (0x1004, 16)]), of(&[(0x1004, 16), (0x1000, 8)]));
    assert_eq!(one.fingerprint(), both.fingerprint());
    assert_eq!(both.rows_fingerprint(), turned.rows_fingerprint());
    assert_ne!(one.rows_fingerprint(), both.rows_fingerprint());
}

#[test]
fn rows_that_waited_are_added() {
    let mut fold = with_rows(&[(0x1000, 8), (0x1004, 16)]);
    fold.absorb(with_rows(&[(0x1004, 16), (0x1008, 24), (0x100c, 8)]));
    let ranges: Vec<Vec<(u64, u64)>> = rows_of(&finish(fold)).into_iter().map(|(_, ranges)| ranges).collect();
    assert_eq!(ranges, [vec![(0x1000, 0x1004), (0x100c, 0x1010)], vec![(0x1004, 0x1008)], vec![(0x1008, 0x100c)]]);
}

/// A table that is wrong in very many ways needs limited memory, and the report has a note.
#[test]
fn more_rows_than_are_kept_are_told() {
    let many =
        |count: usize| finish(with_rows(&(0..count as i64).map(|n| (n as u64, n)).collect::<Vec<_>>())).remove(0);
    let (all, more) = (many(MOST_WRONG_ROWS), many(MOST_WRONG_ROWS + 1));
    assert_eq!((all.evidence.rows.len(), all.evidence.rows_cut), (MOST_WRONG_ROWS, false));
    assert_eq!((more.evidence.rows.len(), more.evidence.rows_cut), (MOST_WRONG_ROWS, true));
    assert_ne!(all.rows_fingerprint(), more.rows_fingerprint());
    assert_eq!(more.evidence.ranges, [(0, MOST_WRONG_ROWS as u64 + 4)], "its addresses are there all the same");
}
