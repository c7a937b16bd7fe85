//! Data files that a new ABI or version needs and that no compiler checks: tools, frozen objects,
//! cases and scripts. Each has to cover all ABIs and versions.

use std::collections::BTreeSet;
use std::fs;

use matrix::case::Case;
use matrix::frozen::FrozenObject;
use matrix::link::LinkCase;
use testing::root;
use toolchain::entry::{Kind, Language, ProducerEntry};
use toolchain::yaml;
use types::{Abi, SframeVersion};

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn producers() -> Vec<ProducerEntry> {
    yaml::read(&root().join("ci/producers.yaml")).expect("the shipped producers")
}

fn triplets() -> BTreeSet<&'static str> {
    Abi::ALL.into_iter().map(|abi| abi.facts().gnu_triplet).collect()
}

#[test]
fn every_target_has_tools_of_each_kind() {
    for kind in [Kind::Compiler, Kind::Assembler, Kind::Linker, Kind::PostProcessor] {
        for abi in Abi::ALL {
            let serves = |entry: &ProducerEntry| entry.kind == kind && entry.program.get(abi).is_some();
            assert!(producers().iter().any(serves), "{abi}: no {}", kind.name());
        }
    }
}

/// A program for all targets generates code for its host unless a target is given.
#[test]
fn a_tool_that_is_given_its_target_is_given_each() {
    for entry in producers() {
        let served = || Abi::ALL.into_iter().filter(|abi| entry.program.get(*abi).is_some());
        let given = |abi: &Abi| entry.abi_words.get(*abi).is_some();
        let alone = |abi: &Abi| {
            let programs = entry.program.get(*abi);
            Abi::ALL
                .into_iter()
                .all(|other| other.facts().family == abi.facts().family || entry.program.get(other) != programs)
        };
        if served().any(|abi| given(&abi)) {
            for abi in served().filter(|abi| !alone(abi)) {
                assert!(given(&abi), "{} is not told to serve {abi}", entry.name);
            }
        }
    }
}

/// A case in a language that no producer reads would be no trial, without a message.
#[test]
fn every_language_has_cases_and_a_compiler() {
    let mut topics: Vec<_> =
        fs::read_dir(root().join("cases")).expect("cases").map(|entry| entry.expect("one")).collect();
    topics
        .retain(|topic| topic.path().is_dir() && !["link", "objects"].iter().any(|name| topic.path().ends_with(name)));
    let files = topics.iter().flat_map(|topic| yaml::files(&topic.path()).expect("files"));
    let cases: Vec<Case> = files.filter_map(|file| Case::read(&file).ok()).collect();
    let written: BTreeSet<_> = cases.iter().map(|case| case.facts.language).collect();
    let entries = producers();
    let read: BTreeSet<_> =
        entries.iter().filter(|entry| entry.kind == Kind::Compiler).map(|entry| entry.language).collect();
    assert_eq!(written, read);
    // Only cases that name such a set are built with it.
    for entry in &entries {
        for set in entry.options.iter().filter(|set| set.named) {
            let names = |case: &Case| case.facts.language == entry.language && case.facts.options.contains(&set.name);
            assert!(cases.iter().any(names), "{}: no case names {}", entry.name, set.name);
        }
    }
    for case in cases.iter().filter(|case| case.facts.language != Language::C) {
        assert!(Abi::ALL.iter().any(|abi| case.is_compiled(*abi)), "{}::{}", case.topic, case.name);
    }
}

#[test]
fn every_version_is_written_by_an_assembler() {
    let entries = producers();
    let written: BTreeSet<&str> = entries
        .iter()
        .filter(|entry| entry.kind == Kind::Assembler)
        .flat_map(|entry| entry.sframe.iter().flat_map(|writes| writes.versions.iter().map(String::as_str)))
        .collect();
    let missing: Vec<_> = SframeVersion::ALL.into_iter().filter(|version| !written.contains(version.name())).collect();
    assert!(missing.is_empty(), "{missing:?}: written by none");
}

#[test]
fn scripts_install_the_tools_of_every_target() {
    let producers = read("ci/producers");
    let line = producers.lines().find_map(|line| line.strip_prefix("triplets=(")).expect("a list of triplets");
    let listed: BTreeSet<&str> = line.trim_end_matches(')').split_whitespace().collect();
    assert_eq!(listed, triplets(), "ci/producers");
    let setup = read("ci/setup");
    let looked_for = |triplet: &&str| setup.contains(&format!("command -v {triplet}-as "));
    assert_eq!(triplets().into_iter().filter(looked_for).collect::<BTreeSet<_>>(), triplets(), "ci/setup");
}

#[test]
fn frozen_objects_are_of_every_target_and_version() {
    let objects = FrozenObject::read_all(&root().join("cases/objects")).expect("the frozen objects");
    for abi in Abi::ALL {
        assert!(objects.iter().any(|object| object.abi == abi), "none of {abi}");
    }
    for version in SframeVersion::ALL {
        assert!(objects.iter().any(|object| object.sframe == version.name()), "none of {version}");
    }
    for object in &objects {
        assert!(SframeVersion::named(&object.sframe).is_some(), "{}: '{}' is no version", object.case, object.sframe);
    }
}

#[test]
fn cases_are_for_every_target_and_name_versions_that_there_are() {
    for topic in ["c", "calls", "cfi", "frames"] {
        let files = yaml::files(&root().join("cases").join(topic)).expect("a folder of cases");
        let cases: Vec<Case> = files.iter().map(|file| Case::read(file).expect("a good case")).collect();
        for abi in Abi::ALL {
            assert!(cases.iter().any(|case| !case.sources(abi).is_empty()), "{topic}: none for {abi}");
        }
        for case in &cases {
            let versions = case.facts.left_out.iter().flat_map(|item| &item.versions);
            for version in versions.filter(|name| *name != "none") {
                assert!(SframeVersion::named(version).is_some(), "{topic}/{}: '{version}' is no version", case.name);
            }
        }
    }
    let files = yaml::files(&root().join("cases/link")).expect("the cases of linking");
    let cases: Vec<LinkCase> = files.iter().map(|file| LinkCase::read(file).expect("a good case")).collect();
    for abi in Abi::ALL {
        for version in SframeVersion::ALL.into_iter().filter(|version| abi.facts().first_sframe <= *version) {
            assert!(cases.iter().any(|case| case.is_for(abi, version)), "link: none for {abi} in {version}");
        }
        let start = format!("cases/c/start/start.{}.s", abi.facts().family);
        assert!(root().join(&start).is_file(), "{start} is missing");
    }
}

/// Sources with hand-written tables have a part for each layout: `.if SFRAME_VERSION == 3`.
#[test]
fn sources_that_look_at_the_version_know_the_newest() {
    let folder = root().join("cases/link/src");
    let mut looking = BTreeSet::new();
    for entry in fs::read_dir(&folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("text");
        let compared: BTreeSet<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix(".if SFRAME_VERSION == ")).collect();
        if !compared.is_empty() {
            let newest = SframeVersion::LATEST.number().to_string();
            assert!(compared.contains(newest.as_str()), "{}: {compared:?}", path.display());
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            looking.insert(name.split('.').nth(1).expect("a target").to_owned());
        }
    }
    assert_eq!(looking.iter().map(String::as_str).collect::<BTreeSet<_>>(), families());
}

fn families() -> BTreeSet<&'static str> {
    Abi::ALL.into_iter().map(|abi| abi.facts().family).collect()
}
