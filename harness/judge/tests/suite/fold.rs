//! Occurrences fold into findings: one for each rule, blame and function, with every PC and step counted.

use std::cell::Cell;

use judge::fold::{Evidence, Fold, Identity};
use model::{Blame, Finding, RuleId, Severity};

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
        fold.add(identity(CFA, Blame::Assembler, 0x1000), Evidence::Step(pc), || {
            described.set(described.get() + 1);
            finding(CFA, Severity::Error, &format!("first seen at {pc:#x}"))
        });
    }
    let found = finish(fold);
    assert_eq!(found.len(), 1);
    assert_eq!(described.get(), 1, "only the first occurrence is described");
    assert_eq!(found[0].function(), "first seen at 0x1008");
    assert_eq!(found[0].steps, 5);
    assert_eq!(found[0].ranges, [(0x1000, 0x100c), (0x1020, 0x1024)]);
}

#[test]
fn rows_give_ranges_and_no_steps() {
    let mut fold = Fold::default();
    for (start, end) in [(0x1010, 0x1018), (0x1000, 0x1008), (0x1008, 0x1010)] {
        let rows = Evidence::Rows(start, end);
        fold.add(identity(CFA, Blame::Linker, 0x1000), rows, || finding(CFA, Severity::Error, "f"));
    }
    let found = finish(fold);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].steps, found[0].ranges.as_slice()), (0, [(0x1000, 0x1018)].as_slice()));
}

#[test]
fn steps_and_rows_of_one_finding_share_its_ranges() {
    let mut fold = Fold::default();
    fold.add(identity(CFA, Blame::Linker, 0x1000), Evidence::Rows(0x1000, 0x1008), || {
        finding(CFA, Severity::Error, "f")
    });
    fold.add(identity(CFA, Blame::Linker, 0x1000), Evidence::Step(0x1008), || finding(CFA, Severity::Error, "f"));
    let found = finish(fold);
    assert_eq!((found[0].steps, found[0].ranges.as_slice()), (1, [(0x1000, 0x100c)].as_slice()));
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
        fold.add(one, Evidence::Step(one.function), || finding(one.rule, Severity::Error, "f"));
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
            fold.add(one, Evidence::Step(one.function), || finding(one.rule, Severity::Error, &name));
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
            fold.add(identity(CFA, Blame::Compiler, 0x1000), Evidence::Step(*pc), || {
                finding(CFA, Severity::Error, name)
            });
        }
        fold
    };
    let mut fold = collected(&[0x1000, 0x1004], "first");
    fold.absorb(collected(&[0x1004, 0x1010], "second"));
    let mut other = Fold::default();
    other.add(identity(FP, Blame::Compiler, 0x1000), Evidence::Rows(0, 4), || finding(FP, Severity::Error, "alone"));
    fold.absorb(other);
    let found = finish(fold);
    let seen: Vec<_> = found.iter().map(|found| (found.function(), found.steps)).collect();
    assert_eq!(seen, [("first", 4), ("alone", 0)]);
    assert_eq!(found[0].ranges, [(0x1000, 0x1008), (0x1010, 0x1014)]);
}
