//! The cases of `cases/link`: each can be read, applies to some target, and every linking rule has
//! a case.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use matrix::link::LinkCase;
use spec::{CATALOGUE, RuleGroup, RuleId};
use toolchain::yaml;
use types::{Abi, SframeVersion};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases/link")
}

fn cases() -> Vec<LinkCase> {
    let files = yaml::files(&folder()).expect("the folder can be listed");
    files.iter().map(|file| LinkCase::read(file).unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn every_case_is_for_some_target_and_covers_rules_that_exist() {
    for case in cases() {
        let fits = |abi| SframeVersion::ALL.into_iter().any(|version| case.is_for(abi, version));
        assert!(Abi::ALL.into_iter().any(fits), "{} is for no target", case.name);
        assert!(!case.recipe.covers.is_empty() && case.recipe.purpose.ends_with('.'), "{}", case.name);
        for covered in &case.recipe.covers {
            assert!(covered.parse::<RuleId>().is_ok(), "{} covers {covered}, which is no rule", case.name);
        }
        for file in case.recipe.files.values() {
            assert!(folder().join(file).is_file(), "{}: {file} is not there", case.name);
        }
    }
}

#[test]
fn every_rule_of_linking_has_a_case() {
    let covered: BTreeSet<String> = cases().into_iter().flat_map(|case| case.recipe.covers).collect();
    let rules = CATALOGUE.iter().filter(|rule| rule.group == RuleGroup::Link).map(|rule| rule.id.name());
    let without: Vec<&str> = rules.filter(|id| !covered.contains(*id)).collect();
    assert!(without.is_empty(), "no case covers {without:?}");
}

#[test]
fn every_source_is_used() {
    let mut used = BTreeSet::from(["far-tables.ld".to_owned(), "discard.ld".to_owned()]);
    for object in cases().iter().flat_map(|case| case.recipe.objects.values()) {
        let name = object.source.trim_start_matches("src/");
        used.extend(Abi::ALL.map(|abi| format!("{name}.{}.s", abi.facts().family)));
    }
    for entry in std::fs::read_dir(folder().join("src")).expect("the sources") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(used.contains(&name), "no case uses src/{name}");
    }
}
