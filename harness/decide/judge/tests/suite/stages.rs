//! Blame by stage: the first stage of a build that shows a finding determines the tool, and a
//! finding is reported once.
//!
//! Each case is a build with findings at some of its stages, and the expected report.

use judge::stages::{Build, Directives, findings, is_from};
use results::{Blame, Finding, Report, Source, Stage, WrongRow};
use spec::{RuleId, Severity};
use types::{Aspect, Claim};

use crate::support::finding;

const ROW: RuleId = RuleId::RowCfaMatchesTruth;
const OTHER_ROW: RuleId = RuleId::RowRaMatchesTruth;
const STRUCTURE: RuleId = RuleId::FdeSortedClaim;
const OTHER_STRUCTURE: RuleId = RuleId::HeaderMagic;

/// A finding about a wrong row of a function, blamed as by the file's check.
fn row(function: &str, blame: Blame) -> Finding {
    finding(ROW, Severity::Error, function).blamed(blame)
}

/// A finding about a broken part of the file.
fn structure(id: RuleId, function: &str, blame: Blame) -> Finding {
    let mut found = finding(id, Severity::Error, function).blamed(blame);
    found.evidence.field = Aspect::Structure;
    found
}

fn reports(found: &[Finding]) -> Vec<Report> {
    vec![Report { discrepancies: found.to_vec(), ..Report::default() }]
}

/// Findings reported for a build with these findings in its object, after `-r`, linked and
/// stripped: stage, blame, rule, function.
fn reported(stages: [&[Finding]; 4], directives: Directives) -> Vec<(Stage, Blame, RuleId, String)> {
    let [objects, relocatable, linked, stripped] = stages.map(reports);
    let build =
        Build { objects: &objects, relocatable: &relocatable, linked: &linked, stripped: &stripped, directives };
    let got = findings(&build);
    for found in &got {
        let expected = Finding::new(found.rule(), found.blame(), found.function(), found.shape());
        assert_eq!(
            found.fingerprint(),
            expected.fingerprint(),
            "at {:?}: a fingerprint is of the blame that is reported",
            found.stage
        );
    }
    got.iter().map(|found| (found.stage, found.blame(), found.rule(), found.function().to_owned())).collect()
}

#[test]
fn a_row_that_is_wrong_from_the_object_on_is_the_assemblers() {
    let object = row("f", Blame::Assembler);
    let linked = row("f", Blame::AssemblerOrLinker);
    let after = row("f", Blame::AssemblerOrLinker);
    let got =
        reported([&[object], std::slice::from_ref(&after), &[linked], std::slice::from_ref(&after)], Directives::True);
    assert_eq!(got, [(Stage::Object, Blame::Assembler, ROW, "f".to_owned())]);
}

/// The size is wrong from the object on; the rules about it have different names in objects and
/// linked files.
#[test]
fn a_function_that_passes_the_end_of_code_is_the_assemblers_if_its_object_shows_it() {
    let object = structure(RuleId::ElfRelocationTarget, ".sframe", Blame::Assembler);
    let linked = structure(RuleId::ElfFunctionInCode, "f", Blame::AssemblerOrLinker);
    let one = |stage, blame| vec![(stage, blame, linked.rule(), linked.function().to_owned())];
    let linked = std::slice::from_ref(&linked);
    assert_eq!(reported([&[object], &[], linked, &[]], Directives::True), one(Stage::Object, Blame::Assembler));
    assert_eq!(reported([&[], &[], linked, &[]], Directives::True), one(Stage::Linked, Blame::Linker));
}

#[test]
fn a_row_that_is_wrong_in_the_object_alone_is_reported_all_the_same() {
    let got = reported([&[row("f", Blame::Assembler)], &[], &[], &[]], Directives::True);
    assert_eq!(got, [(Stage::Object, Blame::Assembler, ROW, "f".to_owned())]);
}

#[test]
fn a_row_that_is_right_in_the_object_and_wrong_when_linked_is_the_linkers() {
    let other = row("g", Blame::Assembler);
    let got = reported([&[other], &[], &[row("f", Blame::AssemblerOrLinker)], &[]], Directives::True);
    assert_eq!(
        got,
        [(Stage::Object, Blame::Assembler, ROW, "g".to_owned()), (Stage::Linked, Blame::Linker, ROW, "f".to_owned()),],
        "what is wrong about another function does not excuse the linker"
    );
}

#[test]
fn what_only_the_relocatable_file_shows_is_the_linkers_at_that_stage() {
    for found in [row("f", Blame::Assembler), structure(STRUCTURE, ".sframe", Blame::Assembler)] {
        let got = reported([&[], std::slice::from_ref(&found), &[], &[]], Directives::True);
        assert_eq!(got, [(Stage::Relocatable, Blame::Linker, found.rule(), found.function().to_owned())]);
    }
}

#[test]
fn what_only_the_stripped_file_shows_is_the_post_processors() {
    for found in [row("f", Blame::AssemblerOrLinker), structure(STRUCTURE, ".sframe", Blame::AssemblerOrLinker)] {
        let got = reported([&[], &[], &[], std::slice::from_ref(&found)], Directives::True);
        assert_eq!(got, [(Stage::Stripped, Blame::PostProcessor, found.rule(), found.function().to_owned())]);
    }
}

/// In a stripped file a function has another name, so the rule alone identifies new findings.
#[test]
fn a_stripped_file_is_not_charged_with_what_was_linked_wrong() {
    let linked = row("f", Blame::AssemblerOrLinker);
    let stripped = row("0x401000", Blame::AssemblerOrLinker);
    let new = structure(STRUCTURE, ".sframe", Blame::AssemblerOrLinker);
    let got = reported([&[], &[], &[linked], &[stripped, new]], Directives::True);
    let got: Vec<_> = got.into_iter().map(|(stage, blame, rule, _)| (stage, blame, rule)).collect();
    assert_eq!(got, [(Stage::Linked, Blame::Linker, ROW), (Stage::Stripped, Blame::PostProcessor, STRUCTURE)]);
}

/// Both tables have the same wrong value: blame the author of the directives, or if those are
/// correct, the tool that read them.
#[test]
fn what_both_tables_say_is_the_compilers_or_where_directives_are_true_the_assemblers() {
    let found = row("f", Blame::Compiler);
    for (directives, blame) in [(Directives::Compiled, Blame::Compiler), (Directives::True, Blame::Assembler)] {
        for (object, linked) in [(true, true), (false, true), (true, false)] {
            let at = |here: bool| if here { std::slice::from_ref(&found) } else { &[] };
            let got = reported([at(object), &[], at(linked), &[]], directives);
            assert_eq!(
                got,
                [(Stage::Object, blame, ROW, "f".to_owned())],
                "object {object}, linked {linked}, {directives:?}"
            );
        }
    }
}

#[test]
fn code_that_the_linker_made_is_its_own_at_the_linked_file() {
    let got = reported([&[row("f", Blame::Assembler)], &[], &[row(".plt", Blame::Linker)], &[]], Directives::Compiled);
    assert_eq!(
        got,
        [
            (Stage::Object, Blame::Assembler, ROW, "f".to_owned()),
            (Stage::Linked, Blame::Linker, ROW, ".plt".to_owned()),
        ]
    );
}

/// If the values do not show the tool, neither does the stage; the stage is still the first that
/// shows the finding.
#[test]
fn undetermined_blame_stays_and_has_its_first_stage() {
    for (object, stage) in [(true, Stage::Object), (false, Stage::Linked)] {
        let found = row("f", Blame::Undetermined);
        let before = [row("f", Blame::Assembler)];
        let objects: &[Finding] = if object { &before } else { &[] };
        let got = reported([objects, &[], &[found], &[]], Directives::Compiled);
        assert_eq!(got, [(stage, Blame::Undetermined, ROW, "f".to_owned())]);
    }
}

/// A broken part has another name at each stage (the section of one file, a function of another),
/// but is one finding.
#[test]
fn one_structural_rule_at_several_stages_is_reported_once() {
    let at = |function: &str, blame| [structure(STRUCTURE, function, blame)];
    let (object, linked) = (at(".sframe", Blame::Assembler), at("f", Blame::AssemblerOrLinker));
    let of = |stages| reported(stages, Directives::True);
    assert_eq!(
        of([&object, &object, &linked, &linked]),
        [(Stage::Object, Blame::Assembler, STRUCTURE, "f".to_owned())]
    );
    assert_eq!(of([&object, &linked, &[], &[]]), [(Stage::Object, Blame::Assembler, STRUCTURE, ".sframe".to_owned())]);
    let relocatable = at("f", Blame::Assembler);
    assert_eq!(of([&[], &relocatable, &linked, &[]]), [(Stage::Linked, Blame::Linker, STRUCTURE, "f".to_owned())]);
    let both = [structure(STRUCTURE, "f", Blame::Assembler), structure(OTHER_STRUCTURE, "f", Blame::Assembler)];
    assert_eq!(of([&object, &both, &[], &[]]).len(), 2, "another rule is another finding");
}

/// A finding about rows does not hide one about structure, and vice versa.
#[test]
fn a_wrong_row_in_the_object_does_not_excuse_a_broken_structure_when_linked() {
    let linked = structure(STRUCTURE, "f", Blame::AssemblerOrLinker);
    let got = reported([&[row("f", Blame::Assembler)], &[], &[linked], &[]], Directives::True);
    assert_eq!(
        got,
        [
            (Stage::Object, Blame::Assembler, ROW, "f".to_owned()),
            (Stage::Linked, Blame::Linker, STRUCTURE, "f".to_owned()),
        ]
    );
}

/// After `ld -r` a broken part is reported once for the section, however many functions it is
/// about.
#[test]
fn a_broken_part_of_the_relocatable_file_is_reported_once_for_all_functions() {
    let broken = ["f", "g", "h"].map(|function| structure(STRUCTURE, function, Blame::Assembler));
    let got = reported([&[], &broken, &[], &[]], Directives::True);
    assert_eq!(got, [(Stage::Relocatable, Blame::Linker, STRUCTURE, ".sframe".to_owned())]);
}

#[test]
fn warnings_are_no_findings_of_a_build() {
    let warning = finding(ROW, Severity::Warning, "f");
    let at = std::slice::from_ref(&warning);
    assert_eq!(reported([at, at, at, at], Directives::True), []);
}

/// A warning about the object does not blame the assembler for the linked file's error.
#[test]
fn a_warning_about_the_object_does_not_excuse_the_linker() {
    let warning = finding(OTHER_ROW, Severity::Warning, "f");
    let got = reported([&[warning], &[], &[row("f", Blame::AssemblerOrLinker)], &[]], Directives::True);
    assert_eq!(got, [(Stage::Linked, Blame::Linker, ROW, "f".to_owned())]);
}

#[test]
fn the_same_finding_in_two_linked_files_is_reported_once() {
    let linked = [reports(&[row("f", Blame::Linker)]), reports(&[row("f", Blame::Linker)])].concat();
    let build =
        Build { objects: &[], relocatable: &[], linked: &linked, stripped: &[], directives: Directives::Compiled };
    assert_eq!(findings(&build).len(), 1);
}

/// A row that only the second file shows is kept.
#[test]
fn the_same_finding_in_two_linked_files_has_the_rows_of_both() {
    let with = |said: &str| {
        let claim = Claim::Printed(said.to_owned());
        let mut found = row("f", Blame::Linker);
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
    let files = [reports(&[with("one")]), reports(&[with("two")]), reports(&[with("one")])].concat();
    for (linked, relocatable) in [(&files[..], &[][..]), (&[], &files)] {
        let build = Build { objects: &[], relocatable, linked, stripped: &[], directives: Directives::Compiled };
        let found = findings(&build);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].evidence.rows.iter().map(WrongRow::to_string).collect::<Vec<_>>(), ["one", "two"]);
    }
}

/// A finding about one function of an input does not clear the tool that makes another wrong.
#[test]
fn a_finding_is_from_an_input_that_shows_the_same_bug() {
    let (f, g) = (row("f", Blame::Assembler), row("g", Blame::Assembler));
    assert!(is_from(&f, &row("f", Blame::AssemblerOrLinker)) && !is_from(&f, &g));
    let executed = finding(OTHER_ROW, Severity::Error, "f");
    assert!(is_from(&f, &executed), "an object is compared with its CFI, an executable with the machine");
    let broken = |id, function| structure(id, function, Blame::Assembler);
    assert!(is_from(&broken(STRUCTURE, "f"), &broken(STRUCTURE, "f")));
    assert!(is_from(&broken(STRUCTURE, ".sframe"), &broken(STRUCTURE, "f")), "one names the section");
    assert!(!is_from(&broken(STRUCTURE, "f"), &broken(STRUCTURE, "g")));
    assert!(!is_from(&broken(OTHER_STRUCTURE, "f"), &broken(STRUCTURE, "f")));
    assert!(!is_from(&f, &broken(STRUCTURE, "f")) && !is_from(&broken(STRUCTURE, "f"), &f));
    assert!(!is_from(&finding(ROW, Severity::Warning, "f"), &f), "a warning before is no error before");
    assert!(is_from(&f, &finding(ROW, Severity::Warning, "f")));
}
