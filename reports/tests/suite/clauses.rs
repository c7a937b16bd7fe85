//! Coverage of clauses by a trial: by naming a clause, or by a judged table with the clause's
//! features.

use Feature::{Amd64, Executed, Flex, FpSlot, Function, Functions, Linked, LittleEndian, Meaning, Pcmask, Row, Rows};
use SframeVersion::{V1, V2, V2Errata1, V3};
use reports::clauses::{count, print};
use results::{ClauseFacts, Exercised, JudgedTable, coverage};
use spec::{Feature, ShownBy, clauses};
use types::SframeVersion;

fn judged(version: SframeVersion, features: &[Feature]) -> Exercised {
    let table = JudgedTable { version, features: features.iter().copied().collect() };
    Exercised { covers: Vec::new(), tables: vec![table] }
}

fn naming(id: &str) -> Exercised {
    Exercised { covers: vec![id.to_owned()], tables: Vec::new() }
}

/// Number of trials that cover a clause.
fn trials_of(id: &str, trials: &[Exercised]) -> u64 {
    let facts = coverage(trials);
    let found: Vec<&ClauseFacts> = facts.iter().filter(|clause| clause.id == id).collect();
    assert_eq!(found.len(), 1, "{id}");
    found[0].trials
}

/// The output of `print` for producers and linkers.
fn text(trials: &[Exercised]) -> String {
    let mut out = Vec::new();
    print(&coverage(trials), &[ShownBy::Producer, ShownBy::Linker], &mut out).expect("a vector takes all");
    String::from_utf8(out).expect("text")
}

#[test]
fn without_trials_every_clause_is_listed_and_none_is_covered() {
    let facts = coverage(&[]);
    assert_eq!(facts.len(), clauses().count());
    assert!(facts.iter().all(|clause| clause.trials == 0));
    let magic = facts.iter().find(|clause| clause.id == "v2e1/preamble/magic").expect("a clause");
    assert_eq!(magic.section, "SFrame Preamble");
    assert_eq!(magic.shown_by, "producer");
    assert!(magic.demand.contains("0xDEE2"));
}

#[test]
fn what_every_section_has_is_shown_by_any_judged_table() {
    for version in SframeVersion::ALL {
        assert_eq!(trials_of("v2e1/preamble/magic", &[judged(version, &[])]), 1);
    }
}

#[test]
fn a_clause_about_pcmask_needs_a_table_that_has_it() {
    let without = judged(V2, &[Function, Functions, Row, Rows, Meaning]);
    let with = judged(V2, &[Function, Row, Pcmask]);
    assert_eq!(trials_of("v2e1/fde/rep-size", std::slice::from_ref(&without)), 0);
    assert_eq!(trials_of("v2e1/fde/rep-size", &[without, with.clone(), with]), 2);
}

#[test]
fn a_table_of_another_version_shows_nothing_about_a_clause() {
    // Version 1's FDE has no block size; version 3 has it in another place, under a clause of its
    // own.
    for version in [V1, V3] {
        assert_eq!(trials_of("v2e1/fde/rep-size", &[judged(version, &[Function, Pcmask])]), 0);
    }
    assert_eq!(trials_of("v3/fde-attribute/rep-size", &[judged(V3, &[Function, Pcmask])]), 1);
    assert_eq!(trials_of("v3/flex/pairs", &[judged(V2Errata1, &[Flex])]), 0);
    assert_eq!(trials_of("v3/flex/pairs", &[judged(V3, &[Flex])]), 1);
}

#[test]
fn what_a_clause_needs_has_to_be_in_one_table() {
    let fp = "v2e1/amd64/fp";
    let halves = Exercised {
        covers: Vec::new(),
        tables: [judged(V2, &[Amd64, Meaning]).tables, judged(V2, &[FpSlot]).tables].concat(),
    };
    assert_eq!(trials_of(fp, &[halves]), 0, "an AMD64 table without FP, another table with");
    assert_eq!(trials_of(fp, &[judged(V2, &[Amd64, FpSlot])]), 0, "nobody judged what the rows mean");
    assert_eq!(trials_of(fp, &[judged(V2, &[Amd64, FpSlot, Meaning])]), 1);
}

#[test]
fn a_trial_counts_once_however_many_of_its_tables_show_a_clause() {
    let mut trial = judged(V2, &[Function]);
    trial.tables.extend(judged(V2, &[Function, Linked]).tables);
    trial.covers.push("v2e1/header/num-fdes".to_owned());
    assert_eq!(trials_of("v2e1/header/num-fdes", &[trial]), 1);
}

#[test]
fn naming_a_clause_covers_it_and_naming_a_rule_does_not() {
    assert_eq!(trials_of("v3/changes/row-limit", &[naming("v3/changes/row-limit")]), 1);
    // The rule checks the clause, but there was no table.
    assert_eq!(trials_of("v2e1/fde/padding", &[naming("fde/padding")]), 0);
    assert!(coverage(&[naming("no/such-thing")]).iter().all(|clause| clause.trials == 0));
}

#[test]
fn no_table_shows_what_consumers_have_to_show_or_nobody_can() {
    let everything = judged(V3, &Feature::ALL);
    for clause in coverage(&[everything]) {
        if ["consumer", "nobody"].contains(&clause.shown_by.as_str()) {
            assert_eq!(clause.trials, 0, "{}", clause.id);
        }
    }
    let id = "v2e1/fde-type/lookup-pcmask";
    assert_eq!(trials_of(id, &[naming(id)]), 1);
}

#[test]
fn tables_with_everything_show_all_but_what_a_case_has_to_name() {
    let all = SframeVersion::ALL.map(|version| judged(version, &Feature::ALL));
    let facts = coverage(&all);
    let left: Vec<&str> = facts
        .iter()
        .filter(|clause| clause.trials == 0 && ["producer", "linker"].contains(&clause.shown_by.as_str()))
        .map(|clause| clause.id.as_str())
        .collect();
    // No rule checks a section's name, and input that an assembler refuses produces no table.
    assert_eq!(left, ["v2e1/overview/name", "v3/changes/row-limit"]);
    let (covered, of) = count(&facts, ShownBy::Linker);
    assert!(covered == of && of > 0);
    let (covered, of) = count(&facts, ShownBy::Consumer);
    assert!(covered == 0 && of > 0);
}

#[test]
fn the_text_counts_what_is_covered_and_names_the_rest_by_section() {
    let trials = [judged(V2Errata1, &[Function, Functions, Row, Rows, LittleEndian, Amd64, Linked, Meaning, Executed])];
    let text = text(&trials);
    let facts = coverage(&trials);
    let (producers, of_producers) = count(&facts, ShownBy::Producer);
    let first = text.lines().next().expect("a line");
    assert!(0 < producers && producers < of_producers);
    assert!(first.contains(&format!("{producers} of {of_producers} that producers show")), "{first}");
    // A clause that every table covers is not listed. Flex is listed once, below its section, with
    // the missing feature.
    assert!(!text.contains("v2e1/preamble/magic "), "{text}");
    let listed: Vec<&str> = text.lines().filter(|line| line.contains("v3/flex/pairs ")).collect();
    assert_eq!(listed.len(), 1, "{text}");
    assert!(listed[0].ends_with("(a table of v3 with flex)"), "{}", listed[0]);
    let section = text.find("not covered, Flexible FDE Type Interpretation:").expect("the section");
    assert!(section < text.find("v3/flex/pairs ").expect("the clause"), "{text}");
    // Each section is listed once, although both versions have one of that name.
    assert_eq!(text.matches("not covered, SFrame Flags:").count(), 1, "{text}");
    // A clause that no table can cover here is not required of producers.
    assert!(!text.contains("v2e1/fde-type/lookup-pcmask"), "{text}");
    assert!(text.contains("v3/changes/row-limit") && text.contains("(a case that names it)"), "{text}");
}

#[test]
fn consumers_clauses_are_listed_when_asked_for() {
    let mut out = Vec::new();
    print(&coverage(&[]), &[ShownBy::Consumer], &mut out).expect("a vector takes all");
    let text = String::from_utf8(out).expect("text");
    assert!(text.contains("v2e1/fde-type/lookup-pcmask"), "{text}");
    assert!(!text.contains("v2e1/preamble/magic "), "{text}");
}

/// Facts of another version of the harness are printed too.
#[test]
fn an_unknown_clause_is_printed_without_what_it_needs() {
    let old = ClauseFacts {
        id: "v2e1/gone/away".to_owned(),
        section: "SFrame Header".to_owned(),
        demand: "Something.".to_owned(),
        shown_by: "producer".to_owned(),
        trials: 0,
    };
    let mut out = Vec::new();
    print(&[old], &[ShownBy::Producer], &mut out).expect("a vector takes all");
    let text = String::from_utf8(out).expect("text");
    assert!(text.contains("0 of 1 that producers show"), "{text}");
    assert!(text.lines().any(|line| line.contains("v2e1/gone/away") && line.ends_with("Something.")), "{text}");
}
