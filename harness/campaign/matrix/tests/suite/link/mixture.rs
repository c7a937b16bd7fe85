//! The assembler of objects in another SFrame version: the one that the producers' file wants,
//! whatever else is installed.

use std::path::Path;

use ledger::Home;
use matrix::trial::Subject;
use matrix::{Extent, Matrix};
use testing::program::write_program;
use testing::scratch;
use toolchain::producers::Producers;
use types::Abi;

/// The trial `foreign-version` of the linker with the objects of one assembler, with assemblers of
/// these versions installed: the version that makes the other objects, or why there is none.
fn other(folder: &Path, own: u32, here: &[u32]) -> Result<String, String> {
    let program = |name: &str, version: u32| {
        let path = folder.join(format!("{name}-{version}"));
        write_program(&path, &format!("#!/bin/sh\necho {version}.0\n"));
        path.display().to_string()
    };
    let programs: Vec<String> = here.iter().map(|version| program("as", *version)).collect();
    let text = format!(
        "- {{name: as, kind: assembler, about: a script, program: {{all: [{}]}}, version: {{pattern: '([0-9.]+)'}},\n   \
           sframe: [{{from: '3', versions: [v3]}}, {{from: '2', versions: [v2]}}, {{from: '1', versions: [v1]}}],\n   \
           wanted: [{{version: '1', from: get 1}}, {{version: '2', from: get 2}}, {{version: '3', from: get 3}}],\n   \
           steps: {{assemble: '{{program}} {{output}} {{inputs}}'}}}}\n\
         - {{name: ld, kind: linker, flavour: bfd, about: a script, program: {{all: [{}]}}, version: {{pattern: '([0-9.]+)'}},\n   \
           steps: {{link: '{{program}} {{output}} {{inputs}}'}}, with: [{{name: as}}]}}\n",
        programs.join(", "),
        program("ld", 9)
    );
    let producers = Producers::parse(&folder.join("producers.yaml"), &text, folder).expect("two entries");
    let matrix = Matrix::with(Home::checkout().expect("tests run in it"), producers);
    let trials = matrix.trials(Extent::Full).expect("the cases of the checkout");
    let name = format!("link::foreign-version+as@{own}.0");
    let trial = trials.into_iter().find(|trial| trial.key.abi == Abi::Amd64 && trial.key.to_string().ends_with(&name));
    match trial.expect("a trial of that name").subject {
        Subject::Linked { tools, .. } => Ok(tools.other.expect("a second assembler").version.to_string()),
        Subject::Absent { why, .. } => Err(why),
        subject @ (Subject::Frozen { .. } | Subject::Built { .. }) => panic!("{subject:?}"),
    }
}

#[test]
fn another_version_is_the_wanted_one_or_the_trial_is_absent() {
    let scratch = scratch::folder();
    let other = |own, here: &[u32]| other(scratch.path(), own, here);
    assert_eq!(other(1, &[1, 2, 3]).as_deref(), Ok("2.0"), "the first that is wanted and differs");
    assert_eq!(other(3, &[1, 2, 3]).as_deref(), Ok("1.0"));
    assert_eq!(other(1, &[3, 2, 1]).as_deref(), Ok("2.0"), "whatever is found first");
    let absent = Err("as 2, for objects of v2, was not found: get 2".to_owned());
    assert_eq!(other(1, &[1, 3]), absent, "objects of version 3 would make another trial of it");
    assert_eq!(other(1, &[1]), absent);
}
