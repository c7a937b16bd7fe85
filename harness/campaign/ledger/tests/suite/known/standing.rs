//! Comparison of findings with entries: by trial and version, rule, blame, function and row.

use std::path::Path;

use ledger::known::{Coverage, LedgerEntry, New, RecordedFinding, Within, resembling, standing};
use results::{Blame, Finding, Key, Repair, RepairAction, RepairEdit, Shape, ToolName, ToolVersion};
use spec::RuleId;
use toolchain::yaml;

use super::support::{CFA, entry, finding, recorded, row, versions, wrong};

const TODAY: &str = "2026-06-01";

fn at(version: &str, ledger: &[LedgerEntry], found: &[Finding]) -> Coverage {
    let key: Key = format!("gas@{version}::amd64::v2::cfi::x").parse().expect("a key");
    standing(ledger, (&key, &[]), found, TODAY)
}

/// A record of the row with offset 16, expected 24.
fn one_row() -> RecordedFinding {
    recorded(&[wrong(row(16), row(24))])
}

#[test]
fn a_finding_is_known_when_each_of_its_rows_is() {
    let ledger = [entry(vec![one_row()])];
    assert_eq!(at("2.40", &ledger, &[finding(&[16])]), Coverage { known: vec![(0, 0)], ..Coverage::default() });
    // A further wrong row of the same function is new, and named.
    let more = at("2.40", &ledger, &[finding(&[16, 32])]);
    assert_eq!(more.new, [New { finding: 0, unlisted: Some(1) }]);
    assert!(more.known.is_empty() && more.vanished.is_empty(), "{more:?}");
    // Two entries may together cover the rows of a finding.
    let both = [entry(vec![one_row()]), entry(vec![recorded(&[wrong(row(32), row(40))])])];
    assert_eq!(at("2.40", &both, &[finding(&[16, 32])]).known, [(0, 0)]);
    // Rows that were not kept are not covered.
    let mut cut = finding(&[16]);
    cut.evidence.rows_cut = true;
    assert_eq!(at("2.40", &ledger, &[cut]).new.len(), 1);
}

#[test]
fn nothing_else_is_covered() {
    let ledger = [entry(vec![one_row()])];
    let of = |rule, blame, function| {
        let mut found = Finding::new(rule, blame, function, Shape::Rule);
        found.evidence.rows = finding(&[16]).evidence.rows;
        found
    };
    assert_eq!(at("2.40", &ledger, &[of(CFA, Blame::Assembler, "f")]).new, []);
    for other in [
        of(RuleId::RowRaMatchesTruth, Blame::Assembler, "f"),
        of(CFA, Blame::Compiler, "f"),
        of(CFA, Blame::Assembler, "g"),
    ] {
        assert_eq!(at("2.40", &ledger, std::slice::from_ref(&other)).new.len(), 1, "{other:?}");
    }
    // A separate blame, for a file that does not show the tool.
    let linked = RecordedFinding { blame: Some(Blame::AssemblerOrLinker), ..one_row() };
    let found = of(CFA, Blame::AssemblerOrLinker, "f");
    assert_eq!(at("2.40", &[entry(vec![linked])], std::slice::from_ref(&found)).known.len(), 1);
    assert_eq!(at("2.40", &ledger, &[found]).new.len(), 1);
}

#[test]
fn a_finding_without_rows_is_known_by_its_words() {
    let refused = |words: &str| Finding::new(RuleId::BuildFails, Blame::Assembler, "", words);
    let record = RecordedFinding {
        rules: vec![RuleId::BuildFails],
        functions: vec![String::new()],
        words: vec!["Internal error in f".to_owned()],
        rows: Vec::new(),
        ..one_row()
    };
    let ledger = [entry(vec![record])];
    assert_eq!(at("2.40", &ledger, &[refused("Internal error in f")]).known.len(), 1);
    for other in ["Internal error in g", "", "Internal error in f2"] {
        assert_eq!(at("2.40", &ledger, &[refused(other)]).new, [New { finding: 0, unlisted: None }], "{other}");
    }
}

/// A row is recognised in another case, or with another name or version of its tool. Shapes in
/// words are not: different bugs have the same words.
#[test]
fn a_new_finding_is_known_elsewhere_by_its_rows() {
    let like =
        |key: &str, ledger: &[LedgerEntry], found: &Finding| resembling(ledger, &key.parse().expect("a key"), found);
    let of_one_case =
        |record: RecordedFinding| RecordedFinding { trials: vec!["gas::amd64::v2::cfi::x".to_owned()], ..record };
    let ledger = [entry(vec![recorded(&[wrong(row(40), row(48))])]), entry(vec![of_one_case(one_row())])];
    let found = finding(&[16]);
    for (key, same_case) in [
        ("gas@9.9::amd64::v3::cfi::x", true),
        ("mine@1::amd64::v2::cfi::x", true),
        ("gas@2.40::amd64::v2::frames::other", false),
    ] {
        assert_eq!(like(key, &ledger, &found), Some((1, same_case)), "{key}");
    }
    // Another tool may have a similar bug: its own entry is given.
    let other = LedgerEntry { project: "clang".to_owned(), ..entry(vec![of_one_case(one_row())]) };
    let both = [other, entry(vec![of_one_case(one_row())])];
    assert_eq!(like("gas@9.9::amd64::v3::cfi::x", &both, &found), Some((1, true)));
    assert_eq!(like("clang@9.9::amd64::v3::cfi::x", &both, &found), Some((0, false)));
    // All of a finding or nothing.
    assert_eq!(like("gas@9.9::amd64::v2::cfi::x", &ledger, &finding(&[16, 64])), None);
    let words = Finding::new(RuleId::BuildFails, Blame::Assembler, "", "Internal error in f");
    let record = RecordedFinding {
        rules: vec![RuleId::BuildFails],
        functions: vec![String::new()],
        words: vec!["Internal error in f".to_owned()],
        rows: Vec::new(),
        ..one_row()
    };
    let ledger = [entry(vec![of_one_case(record)])];
    assert_eq!(like("mine@1::amd64::v2::cfi::x", &ledger, &words), Some((0, true)));
    assert_eq!(like("gas@2.40::amd64::v2::frames::other", &ledger, &words), None);
}

/// A record without functions covers findings whose every edit is one of the entry's causes.
#[test]
fn a_record_covers_what_the_causes_of_its_entry_repair() {
    let record = RecordedFinding { functions: Vec::new(), rows: Vec::new(), ..one_row() };
    let cause = "{arch: amd64, repairs: [insert .cfi_restore FP after *], frames: [CFA by R*]}";
    let causes = vec![yaml::parse(Path::new("cause"), cause).expect("a cause")];
    let ledger = [LedgerEntry { causes, ..entry(vec![record]) }];
    let with = |edits: &[(&str, &str)]| {
        let edit = |(normal_form, frame): &(&str, &str)| RepairEdit {
            action: RepairAction::Insert,
            directive: String::new(),
            pc: 0,
            after: None,
            from: None,
            edit: String::new(),
            place: String::new(),
            normal_form: (*normal_form).to_owned(),
            frame: (*frame).to_owned(),
        };
        let mut found = finding(&[16]);
        found.evidence.repair = Some(Repair::Edits { edits: edits.iter().map(edit).collect(), rows: Vec::new() });
        found
    };
    let known = ("insert .cfi_restore FP after pop FP", "CFA by R, FP saved");
    assert_eq!(at("2.40", &ledger, &[with(&[known])]).known.len(), 1);
    for other in [&[][..], &[(known.0, "CFA by SP, FP saved")], &[known, ("delete .cfi_restore FP after ret", known.1)]]
    {
        assert_eq!(at("2.40", &ledger, &[with(other)]).new.len(), 1, "{other:?}");
    }
    assert_eq!(at("2.40", &ledger, &[finding(&[16])]).new.len(), 1);
    assert!(entry(ledger[0].findings.clone()).complaint().is_some(), "nothing restricts it");
}

/// Within its versions an entry must recur; after them it may, until a version is fixed; before
/// them and after that it covers nothing.
#[test]
fn versions_say_where_an_entry_is_due_and_where_it_covers() {
    let open = [entry(vec![one_row()])];
    let mut closed = entry(vec![one_row()]);
    closed.versions = versions("2.40", "2.44", Some("2.46"));
    let closed = [closed];
    for (version, ledger, due, covers) in [
        ("2.39", &open, false, false),
        ("2.40", &open, true, true),
        ("2.42.1", &open, true, true),
        ("2.44", &open, true, true),
        ("2.44.20261021", &open, true, true),
        ("2.45", &open, false, true),
        ("2.47.50.20261021", &open, false, true),
        ("2.45", &closed, false, true),
        ("2.46", &closed, false, false),
        ("2.47.50.20261021", &closed, false, false),
    ] {
        let standing = at(version, ledger, &[finding(&[16])]);
        assert_eq!((standing.known.len(), standing.new.len()), if covers { (1, 0) } else { (0, 1) }, "{version}");
        assert_eq!(at(version, ledger, &[]).vanished.len(), usize::from(due), "{version}");
    }
}

#[test]
fn a_version_stands_for_all_that_begin_with_it() {
    let range = versions("22", "23", None);
    for (version, within) in
        [("21.9", Within::Outside), ("22.1.8", Within::Due), ("23.1.4", Within::Due), ("24.0", Within::Later)]
    {
        assert_eq!(range.place(&ToolVersion::new(version)), within, "{version}");
    }
    let mut wider = versions("2.44", "2.44", Some("2.46"));
    wider.widen(&ToolVersion::new("2.40"));
    wider.widen(&ToolVersion::new("2.45"));
    assert_eq!(wider, versions("2.40", "2.45", Some("2.46")));
    wider.widen(&ToolVersion::new("2.47.50.20261021"));
    assert_eq!(wider, versions("2.40", "2.47.50", None), "what shows it is not right");
}

/// The version of a tool that is not in the trial's name: the linker of an assembler's trial.
#[test]
fn the_version_may_stand_beside_the_name() {
    let mut known = entry(vec![one_row()]);
    known.project = "ld".to_owned();
    let key: Key = "gas@2.47::amd64::v2::cfi::x".parse().expect("a key");
    let tool = |name: &str| -> ToolName { name.parse().expect("a tool") };
    for (linker, new, gone) in [("ld@2.40", 0, 1), ("ld@2.39", 1, 0), ("mold@3", 1, 0)] {
        let by = |found: &[Finding]| standing(std::slice::from_ref(&known), (&key, &[tool(linker)]), found, TODAY);
        assert_eq!(by(&[finding(&[16])]).new.len(), new, "{linker}");
        // A tool that took no part need not show its bug.
        assert_eq!(by(&[]).vanished.len(), gone, "{linker}");
    }
}

/// A trial that is an exception neither shows the bug nor may show it, whatever else the record
/// contains.
#[test]
fn an_exception_always_wins() {
    for name in ["gas::amd64::v2::cfi::x", "*::cfi::x", "*"] {
        let ledger = [entry(vec![RecordedFinding { except: vec![name.to_owned()], ..one_row() }])];
        for version in ["2.40", "2.45"] {
            let standing = at(version, &ledger, &[finding(&[16])]);
            assert_eq!((standing.new.len(), standing.vanished.len()), (1, 0), "{name} {version}");
        }
    }
}

/// Every rule, function and row of a record has to recur.
#[test]
fn what_did_not_recur_is_named() {
    let ledger = [entry(vec![RecordedFinding {
        rules: vec![CFA, RuleId::ChainMatchesTruth],
        ..recorded(&[wrong(row(16), row(24)), wrong(row(32), row(40))])
    }])];
    let mut chain = Finding::new(RuleId::ChainMatchesTruth, Blame::Assembler, "f", Shape::Rule);
    chain.evidence.rows = finding(&[16]).evidence.rows;
    assert_eq!(at("2.40", &ledger, &[finding(&[16, 32]), chain.clone()]).vanished, []);
    let vanished =
        |found: &[Finding]| at("2.40", &ledger, found).vanished.into_iter().map(|(_, what)| what).collect::<Vec<_>>();
    assert_eq!(vanished(&[finding(&[16, 32])]), ["chain/matches-truth"]);
    assert!(vanished(&[finding(&[16]), chain])[0].contains("cfa=rsp+32"), "the other row");
}

#[test]
fn what_has_expired_is_neither_known_nor_new() {
    let mut old = entry(vec![one_row()]);
    old.expires = TODAY.to_owned();
    assert_eq!(at("2.40", &[old.clone()], &[finding(&[16])]).expired, [(0, 0)]);
    // An entry that has not expired is preferred.
    assert_eq!(at("2.40", &[old, entry(vec![one_row()])], &[finding(&[16])]).known, [(0, 1)]);
}

#[test]
fn an_entry_that_nothing_narrows_is_refused() {
    let complaint = |record: RecordedFinding| entry(vec![record]).complaint();
    assert_eq!(complaint(one_row()), None);
    assert!(complaint(RecordedFinding { functions: Vec::new(), ..one_row() }).is_some());
    assert!(complaint(RecordedFinding { rules: Vec::new(), ..one_row() }).is_some());
    assert!(complaint(RecordedFinding { trials: Vec::new(), ..one_row() }).is_some());
    assert!(complaint(RecordedFinding { words: vec!["x".to_owned()], ..one_row() }).is_some());
    let turned = RecordedFinding { versions: Some(versions("2.44", "2.40", None)), ..one_row() };
    assert!(complaint(turned).expect("a complaint").contains("comes after"));
}

/// Gas 2.40 and 2.44 are recorded, 2.42 lies between them.
#[test]
fn a_version_between_two_recorded_ones_may_show_the_bug_of_the_later() {
    let since = |first: &str| LedgerEntry { versions: versions(first, "2.44", None), ..entry(vec![one_row()]) };
    let ledger = [since("2.44"), LedgerEntry { versions: versions("2.40", "2.40", Some("2.44")), ..entry(Vec::new()) }];
    let found = [finding(&[16])];
    assert_eq!(at("2.42", &ledger, &found).known, [(0, 0)]);
    assert!(at("2.42", &ledger, &[]).vanished.is_empty(), "it need not show it");
    assert_eq!(at("2.40", &ledger, &found).new.len(), 1, "2.40 was seen to be right");
    assert_eq!(at("2.39", &ledger, &found).new.len(), 1, "nothing older is recorded");
    assert_eq!(at("2.44", &ledger, &[]).vanished.len(), 1);
}
