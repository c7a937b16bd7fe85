//! Every key of a YAML file is explained, and YAML in the documents is valid.

use std::path::Path;

use ledger::KnownFault;
use ledger::known::LedgerEntry;
use matrix::case::CaseFacts;
use matrix::link::LinkCase;
use results::ReaderVerdict;
use toolchain::consumer::{self, Consumer};
use toolchain::entry::ProducerEntry;
use toolchain::yaml;

use crate::command::document::{expected, fences, keys, read, section};
use crate::command::support::Folder;

#[test]
fn every_key_of_a_producer_is_explained() {
    let section = section(&read("ci/producers.md"), "## Adding a producer");
    let nested = ["bugzilla", "version", "wanted", "sframe", "options", "needs", "with", "limits"];
    for key in keys::<Vec<ProducerEntry>>("- zzz: 1") {
        let alone = section.contains(&format!("`{key}`"));
        assert!(alone || nested.contains(&key.as_str()), "ci/producers.md does not say what `{key}` of a producer is");
    }
    for outer in nested {
        let map = if matches!(outer, "bugzilla" | "version" | "limits") { "{zzz: 1}" } else { "[{zzz: 1}]" };
        let inner = keys::<Vec<ProducerEntry>>(&format!("- {outer}: {map}"));
        assert!(!inner.is_empty());
        for key in inner {
            let name = format!("`{outer}.{key}`");
            assert!(section.contains(&name), "ci/producers.md does not say what {name} of a producer is");
        }
    }
    for step in keys::<Vec<ProducerEntry>>("- steps: {zzz: x}") {
        assert!(section.contains(&format!("`{step}`")), "ci/producers.md does not name the step {step}");
    }
    for (field, why) in [("kind", "kind"), ("flavour", "family")] {
        for name in keys::<Vec<ProducerEntry>>(&format!("- {field}: zzz")) {
            assert!(section.contains(&format!("`{name}`")), "ci/producers.md does not name the {why} {name}");
        }
    }
}

/// The example is read, has every key and name, and marks the keys that every entry has.
#[test]
fn the_example_of_a_reader_has_every_key() {
    let example = fences(&section(&read("ci/readers.md"), "## Readers under test")).remove(0);
    let folder = Folder::new();
    let read_as = |text: &str| {
        let path = folder.write("readers.yaml", text.as_bytes());
        consumer::read(Path::new(&path))
    };
    assert_eq!(read_as(&example).expect("it is read").len(), 1);
    let shown = |name: &str| assert!(example.contains(name), "ci/readers.md does not show {name}");
    for text in ["- zzz: 1", "- reads: [{zzz: 1}]", "- limits: {zzz: 1}"] {
        keys::<Vec<Consumer>>(text).iter().for_each(|key| shown(&format!("{key}:")));
    }
    for list in ["except", "tells"] {
        keys::<Vec<Consumer>>(&format!("- {list}: [zzz]")).iter().for_each(|name| shown(name));
    }
    let marked = example.lines().filter(|line| line.contains("# * "));
    let marked: Vec<&str> = marked.filter_map(|line| line.trim_start_matches(['-', ' ']).split(':').next()).collect();
    let lacking = read_as("- {zzz: 1}\n").expect_err("nothing is there").to_string();
    assert!(lacking.contains(&format!("lacks the keys {} (", marked.join(", "))), "{lacking}: {marked:?}");
    let lacking = read_as(&example.replace("  from: ", "  # ")).expect_err("one is missing").to_string();
    assert!(lacking.contains("mine: lacks the key from"), "{lacking}");
}

#[test]
fn every_verdict_on_a_reader_is_explained() {
    let section = section(&read("ci/readers.md"), "## Readers under test");
    for verdict in ReaderVerdict::ALL {
        assert!(
            section.contains(&format!("`{}`", verdict.name())),
            "ci/readers.md does not explain {}",
            verdict.name()
        );
    }
}

#[test]
fn every_key_of_a_case_is_explained() {
    let cases = section(&read("cases/README.md"), "## The YAML");
    for text in ["zzz: 1", "least: {zzz: 1}", "left_out: [{zzz: 1}]"] {
        for key in keys::<CaseFacts>(text) {
            let shown = cases.contains(&format!("{key}:"));
            assert!(shown, "cases/README.md does not show `{key}` of {text}");
        }
    }
    let recipes = section(&read("cases/link/README.md"), "## A recipe");
    for text in
        ["zzz: 1", "objects: {one: {zzz: 1}}", "steps: [{zzz: 1}]", "expect: {zzz: 1}", "expect: {runs: [{zzz: 1}]}"]
    {
        let folder = Folder::new();
        let file = folder.write("case.yaml", text.as_bytes());
        let error = LinkCase::read(Path::new(&file)).expect_err("zzz is no key").to_string();
        for key in expected(&error) {
            let shown = recipes.contains(&format!("{key}:"));
            assert!(shown, "cases/link/README.md does not show `{key}` of {text}");
        }
    }
}

#[test]
fn every_key_of_the_ledger_is_explained() {
    let section = section(&read("reports/ledger.md"), "## Adding a ledger entry");
    for text in ["zzz: 1", "findings: [{zzz: 1}]"] {
        for key in keys::<LedgerEntry>(text) {
            assert!(
                section.contains(&format!("`{key}`")),
                "reports/ledger.md does not say what `{key}` of an entry is"
            );
        }
    }
}

#[test]
fn every_key_of_the_ledger_of_readers_is_explained() {
    let section = section(&read("reports/ledger.md"), "## Adding a ledger entry");
    for text in ["zzz: 1", "shows: [{zzz: 1}]"] {
        for key in keys::<KnownFault>(text) {
            let is_told = section.contains(&format!("`{key}`"));
            assert!(is_told, "reports/ledger.md does not say what `{key}` of a reader's entry is");
        }
    }
}

#[test]
fn what_the_documents_show_in_yaml_is_read() {
    let folder = Folder::new();
    let shown = fences(&section(&read("ci/producers.md"), "## Adding a producer"));
    let [text] = shown.as_slice() else { panic!("one example: {shown:?}") };
    let file = folder.write("producers.yaml", text.as_bytes());
    let entries = yaml::read::<Vec<ProducerEntry>>(Path::new(&file)).expect("the producers of ci/producers.md");
    assert_eq!(entries.len(), 2);
    let case = fences(&section(&read("cases/README.md"), "## The YAML")).remove(0);
    let file = folder.write("case.yaml", case.as_bytes());
    let facts = yaml::read::<CaseFacts>(Path::new(&file)).expect("the case of cases/README.md");
    assert_eq!((facts.expect_exit, facts.left_out.len()), (40, 1));
}
