//! The parts of a nightly run: one list, in `ci/nightly`, which the workflow also uses.

use std::path::Path;
use std::process::Command;

/// Output of `ci/nightly`, by lines.
fn nightly(arguments: &[&str]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).to_owned();
    let output = Command::new(root.join("ci/nightly")).args(arguments).output().expect("bash");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn workflow() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows/nightly.yml");
    std::fs::read_to_string(path).expect("a workflow")
}

/// The words of a command line after this one.
fn after<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.split(word).skip(1).filter_map(|rest| rest.split_whitespace().next()).collect()
}

#[test]
fn the_workflow_executes_every_group_of_parts() {
    let (groups, text) = (nightly(&["--groups"]), workflow());
    assert!(groups.len() > 1, "{groups:?}");
    let mut listed = Vec::new();
    for group in &groups {
        let calls = [format!("--list {group})"), format!("--list --json {group})")];
        assert!(calls.iter().any(|call| text.contains(call)), "nightly.yml does not execute the group {group}");
        listed.extend(nightly(&["--list", group]));
    }
    assert_eq!(listed, nightly(&["--list"]), "a part in no group");
    assert!(listed.iter().any(|part| part == "every-step"), "{listed:?}");
}

#[test]
fn the_workflow_names_no_part_of_its_own() {
    let text = workflow();
    let parts = after(&text, "ci/nightly --part");
    assert!(parts.len() > 2, "{parts:?}");
    // A variable of the shell or of the workflow.
    assert!(parts.iter().all(|part| part.starts_with("\"$") || part.starts_with("${{")), "{parts:?}");
    // Its own part is merging results.
    let lines = || text.lines().map(str::trim);
    let direct: Vec<&str> =
        lines().filter_map(|line| line.strip_prefix("target/release/sframe-conformance ")).collect();
    assert!(!direct.is_empty() && direct.iter().all(|line| line.starts_with("report ")), "{direct:?}");
    let builds =
        |line: &&str| ["build", "test", "run", "bench"].iter().any(|word| line.contains(&format!("cargo {word} ")));
    assert_eq!(lines().find(builds), None);
}

/// The part that looks for a compiler that writes `.sframe` without any option, on stand-ins.
#[test]
fn a_compiler_that_writes_sframe_by_default_is_noticed() {
    let folder = testing::scratch::folder();
    let path = |name: &str| folder.path().join(name);
    for name in ["ci", "target/producers/gcc-12/bin", "target/producers/gnu-2.40/bin"] {
        std::fs::create_dir_all(path(name)).expect("a folder");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("ci/nightly");
    std::fs::copy(script, path("ci/nightly")).expect("the script");
    let compiler = path("target/producers/gcc-12/bin/x86_64-linux-gnu-gcc-12");
    testing::program::write_program(compiler, "#!/bin/sh\nexec gcc \"$@\"\n");
    let with = |words: &str| {
        let assembler = path("target/producers/gnu-2.40/bin/x86_64-linux-gnu-as");
        testing::program::write_program(assembler, &format!("#!/bin/sh\nexec as {words} \"$@\"\n"));
        let output = Command::new(path("ci/nightly")).args(["--part", "default"]).output().expect("bash");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(with(""), (Some(0), "x86_64-linux-gnu-gcc-12: no .sframe by default\n".to_owned()));
    assert_eq!(with("--gsframe"), (Some(1), "x86_64-linux-gnu-gcc-12: .sframe by default\n".to_owned()));
}
