//! Invalid case files, and the error messages for them.

use std::fs;

use matrix::link::LinkCase;
use testing::scratch;
use toolchain::entry::Flavour;
use types::{Abi, SframeVersion};

const GOOD: &str = "
purpose: Two objects.
covers: [link/conserved]
objects: {a: {source: a}, b: {source: b}}
files: {script: all.ld}
steps:
  - {make: merged, by: relocatable, from: [a, b]}
  - {make: out, by: link, from: [merged], options: '-T {script}'}
expect:
  describes: {out: [f]}
";

/// The error of a case file; empty if it is valid.
fn printed(text: &str) -> String {
    let folder = scratch::folder();
    let path = folder.path().join("case.yaml");
    fs::write(&path, text).expect("a file");
    let printed = LinkCase::read(&path).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(printed.is_empty() || printed.contains("case.yaml"), "the file is named: {printed}");
    printed
}

#[test]
fn a_good_case_is_read() {
    assert_eq!(printed(GOOD), "");
}

#[test]
fn a_senseless_case_is_refused_with_what_is_wrong() {
    for (from, to, expected) in [
        ("purpose:", "porpoise:", "unknown field `porpoise`"),
        ("{source: a}", "{source: a, source2: b}", "unknown field `source2`"),
        (
            "{source: a}",
            "{source: a, sframe: false, version: v9}",
            "object 'a': unknown SFrame version `v9`: one of v1",
        ),
        (
            "{source: a}",
            "{source: a, version: v1}",
            "object 'a': the version is the assembler's, unless `sframe: false`",
        ),
        ("by: relocatable", "by: melting", "unknown variant `melting`"),
        ("describes:", "discribes:", "unknown field `discribes`"),
        ("from: [a, b]", "from: [a, c]", "step 'merged' is made from 'c', which is neither an object nor made before"),
        ("from: [a, b]", "from: [out]", "step 'merged' is made from 'out', which is neither"),
        ("from: [a, b]", "from: []", "step 'merged' is made from nothing"),
        ("from: [a, b]", "tool: x, from: [a, b]", "step 'merged' names a tool, which only strip and objcopy do"),
        ("by: link, from", "by: link, linker: other, from", "another linker makes relocatable objects only"),
        ("make: merged", "make: a", "'a' is made twice"),
        ("make: merged", "make: ../up", "'../up' names a file"),
        ("{script}", "{scrap}", "step 'out' names a file {scrap} that `files` does not have"),
        ("{out: [f]}", "{in: [f]}", "expect: 'in' is neither an object nor made by a step"),
        ("objects:", "abis: [vax]\nobjects:", "abis: unknown ABI `vax`: one of amd64"),
        ("objects:", "versions: [v9]\nobjects:", "versions: unknown SFrame version `v9`"),
        ("describes: {out: [f]}", "mixes: [out]", "expect: 'out' needs `describes`"),
        (
            "describes: {out: [f]}",
            "runs: [{file: out, least: {run: false}}]",
            "expect: 'out' is executed, but its `least` has `run: false`",
        ),
        ("describes: {out: [f]}", "overflows: [a]", "expect: 'a' needs `describes`, and a step that makes it"),
    ] {
        let text = GOOD.replace(from, to);
        assert_ne!(text, GOOD, "{from} is not there to be replaced");
        let printed = printed(&text);
        assert!(printed.contains(expected), "{to}: {printed}");
    }
}

/// Otherwise a trial in which nothing was linked would pass.
#[test]
fn a_recipe_is_for_linkers_that_can_do_something_of_it() {
    let folder = scratch::folder();
    let path = folder.path().join("case.yaml");
    let (head, _) = GOOD.split_once("steps:").expect("steps");
    let steps = "steps:
  - {make: merged, by: relocatable, from: [a], only: [bfd]}
  - {make: out, by: link, from: [merged], lacking: {bfd: cannot}}
expect: {}
";
    fs::write(&path, format!("{head}{steps}")).expect("a file");
    let recipe = LinkCase::read(&path).expect("a good case").recipe;
    assert_eq!([Flavour::Bfd, Flavour::Mold].map(|family| recipe.is_for(family)), [true, false]);
    let steps = "steps:
  - {make: one, by: relocatable, linker: other, from: [a], only: [gold]}
  - {make: direct, by: link, from: [a]}
  - {make: out, by: link, from: [one], lacking: {lld: cannot}}
expect: {}
";
    fs::write(&path, format!("{head}{steps}")).expect("a file");
    let recipe = LinkCase::read(&path).expect("a good case").recipe;
    assert!(recipe.has_other_linker() && recipe.suits(Flavour::Mold, Flavour::Gold));
    assert!(!recipe.suits(Flavour::Lld, Flavour::Gold), "this one lacks what it takes");
    assert!(!recipe.suits(Flavour::Mold, Flavour::Lld), "the other does");
}

#[test]
fn a_case_is_for_the_targets_and_versions_it_names_and_has_sources_for() {
    let folder = scratch::folder();
    let read = |text: &str| {
        let path = folder.path().join("case.yaml");
        fs::write(&path, text).expect("a file");
        LinkCase::read(&path).expect("a good case")
    };
    let source = |name: &str| fs::write(folder.path().join(name), "").expect("a file");
    source("a.amd64.s");
    source("b.amd64.s");
    source("a.aarch64.s");
    let all = read(GOOD);
    let fits = |case: &LinkCase| Abi::ALL.map(|abi| case.is_for(abi, SframeVersion::V3));
    assert_eq!(fits(&all), [true, false, false, false], "aarch64 lacks a source of b");
    source("b.aarch64.s");
    assert_eq!(fits(&all), [true, true, true, false]);
    let big = read(&GOOD.replace("objects:", "abis: [aarch64-be]\nobjects:"));
    assert_eq!(fits(&big), [false, false, true, false]);
    let old = read(&GOOD.replace("objects:", "versions: [v1, v2]\nobjects:"));
    assert_eq!(fits(&old), [false; 4]);
    assert!(old.is_for(Abi::Amd64, SframeVersion::V2));
}
