//! A baseline's file: which files its items are about.

use std::collections::BTreeSet;
use std::fs;

use ledger::{Baseline, Counting, Known};
use results::{Blame, Finding, Report, Shape};
use spec::RuleId;

/// Findings that are gone, of a report with this path and build id.
fn gone(item: &str, file: &str, build_id: Option<&str>) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("known.yaml");
    let cause = "  causes: [{cause: '0123456789abcdef', rule: row/missing, functions: 1, example: e}]\n";
    fs::write(&path, format!("- {item}\n{cause}")).expect("a file");
    let shipped = Known::Shipped(|| Ok(Vec::new()), Counting::Counted);
    let baseline = Baseline::new(&shipped, Some(&path), BTreeSet::new()).expect("a baseline");
    let mut report =
        Report { file: file.to_owned(), build_id: build_id.map(str::to_owned), static_only: true, ..Report::default() };
    baseline.apply(&mut report).expect("no entries");
    report.gone.len()
}

#[test]
fn a_file_is_known_by_its_path_or_its_build_id() {
    assert_eq!(gone("file: lib/a.so", "lib/a.so", None), 1);
    assert_eq!(gone("file: lib/a.so", "lib/b.so", Some("ab")), 0);
    assert_eq!(gone("file: lib/a.so\n  build_id: ab", "lib/b.so", Some("ab")), 1);
    assert_eq!(gone("file: lib/a.so\n  build_id: ab", "lib/b.so", Some("cd")), 0);
    // Files that a pattern names need not all show a cause; one known by its build id does.
    assert_eq!(gone("file: lib/*", "lib/a.so", None), 0);
    assert_eq!(gone("file: lib/*\n  build_id: ab", "lib/a.so", Some("ab")), 1);
    assert_eq!(gone("file: lib/a.so\n  executed: true", "lib/a.so", None), 0);
}

#[test]
fn findings_of_a_program_outside_its_checkout_are_not_marked() {
    let mut report = Report::default();
    report.discrepancies.push(Finding::new(RuleId::RowMissing, Blame::Assembler, "f", Shape::Rule));
    let shipped = |counting| Known::Shipped(|| Err("outside of a checkout".into()), counting);
    let baseline = |counting| Baseline::new(&shipped(counting), None, BTreeSet::new()).expect("a baseline");
    baseline(Counting::Counted).apply(&mut report).expect("a report without marks");
    assert_eq!(report.notes, ["known findings are not marked: outside of a checkout"]);
    assert!(baseline(Counting::Ignored).apply(&mut report).is_err());
}
