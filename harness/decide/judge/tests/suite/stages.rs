//! Blame by stage: the first stage of a build that shows a finding determines the tool, and a
//! finding is reported once. Each line of `stages.txt` is a build.

use judge::stages::{Build, Directives, findings, is_from};
use results::{Blame, Finding, Report, Source, Stage, WrongRow};
use spec::{RuleId, Severity};
use types::{Aspect, Claim};

use crate::support::finding;

const RULES: [(&str, RuleId); 6] = [
    ("row", RuleId::RowCfaMatchesTruth),
    ("other-row", RuleId::RowRaMatchesTruth),
    ("structure", RuleId::FdeSortedClaim),
    ("other-structure", RuleId::HeaderMagic),
    ("target", RuleId::ElfRelocationTarget),
    ("in-code", RuleId::ElfFunctionInCode),
];

/// The finding of a text: rule, function, blame, and `warning` for one.
fn found(text: &str) -> Finding {
    let words: Vec<&str> = text.split(' ').collect();
    let [rule, function, blame, ref more @ ..] = words[..] else { panic!("{text}") };
    let (_, id) = RULES.into_iter().find(|(name, _)| *name == rule).expect("a rule");
    let blame = Blame::ALL.into_iter().find(|one| one.name() == blame).expect("a blame");
    let severity = if more == ["warning"] { Severity::Warning } else { Severity::Error };
    let mut found = finding(id, severity, function).blamed(blame);
    if !rule.ends_with("row") {
        found.evidence.field = Aspect::Structure;
    }
    found
}

/// What is reported for a build.
fn reported(build: &str) -> String {
    let (directives, stages) = build.split_once(' ').expect("directives");
    let directives = if directives == "true" { Directives::True } else { Directives::Compiled };
    let at = |stage: Stage| {
        let mut all = stages.split(" / ").filter_map(|one| one.trim().split_once(": "));
        let listed = all.find(|(name, _)| *name == stage.name()).map(|(_, list)| list.split(", ").map(found).collect());
        vec![Report { discrepancies: listed.unwrap_or_default(), ..Report::default() }]
    };
    let [objects, relocatable, linked, stripped] = Stage::ALL.map(at);
    let build =
        Build { objects: &objects, relocatable: &relocatable, linked: &linked, stripped: &stripped, directives };
    let line = |found: &Finding| {
        let same = Finding::new(found.rule(), found.blame(), found.function(), found.shape());
        assert_eq!(found.fingerprint(), same.fingerprint(), "a fingerprint is of the blame that is reported");
        let (rule, _) = RULES.into_iter().find(|(_, id)| *id == found.rule()).expect("a rule");
        format!("{} {} {rule} {}", found.stage.name(), found.blame(), found.function())
    };
    let got: Vec<String> = findings(&build).iter().map(line).collect();
    if got.is_empty() { "nothing".to_owned() } else { got.join(", ") }
}

#[test]
fn the_first_stage_that_shows_a_finding_has_the_blame() {
    for line in include_str!("stages.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (build, expected) = line.split_once(" -> ").expect("what is reported");
        assert_eq!(reported(build), expected, "{line}");
    }
}

/// A row that only the second file shows is kept.
#[test]
fn the_same_finding_in_two_linked_files_has_the_rows_of_both() {
    let with = |printed: &str| {
        let claim = Claim::Printed(printed.to_owned());
        let mut found = found("row f linker");
        found.evidence.rows = vec![WrongRow {
            ranges: Vec::new(),
            wrong: Source::Sframe,
            right: None,
            sframe: claim.clone(),
            eh_frame: claim,
            truth: None,
            before: None,
            after: None,
        }];
        found
    };
    let report = |row| Report { discrepancies: vec![with(row)], ..Report::default() };
    let files = [report("one"), report("two"), report("one")];
    for (linked, relocatable) in [(&files[..], &[][..]), (&[], &files)] {
        let build = Build { objects: &[], relocatable, linked, stripped: &[], directives: Directives::Compiled };
        let found = findings(&build);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].evidence.rows.iter().map(WrongRow::to_string).collect::<Vec<_>>(), ["one", "two"]);
    }
}

/// A finding about one function of an input does not clear the tool that makes another wrong. One
/// file is compared with its CFI, another with the machine; one names the section, another the
/// function. A warning before is no error before.
#[test]
fn a_finding_is_from_an_input_that_shows_the_same_bug() {
    for (one, before, expected) in [
        ("row f assembler", "row f assembler-or-linker", true),
        ("row f assembler", "row g assembler", false),
        ("row f assembler", "other-row f assembler", true),
        ("structure f assembler", "structure f assembler", true),
        ("structure .sframe assembler", "structure f assembler", true),
        ("structure f assembler", "structure g assembler", false),
        ("other-structure f assembler", "structure f assembler", false),
        ("row f assembler", "structure f assembler", false),
        ("structure f assembler", "row f assembler", false),
        ("row f assembler warning", "row f assembler", false),
        ("row f assembler", "row f assembler warning", true),
    ] {
        assert_eq!(is_from(&found(one), &found(before)), expected, "{one}; {before}");
    }
}
