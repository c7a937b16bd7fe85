//! Fuzzing with assemblers of our own making: a crash is seen as one and shrunk to the line that causes it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use sframe_conformance::fuzz::{fuzz, tool};

/// A shell script that calls itself GNU as for AMD64.
fn assembler(folder: &Path, body: &str) -> String {
    let path = folder.join("x86_64-linux-gnu-as");
    let version = "GNU assembler (test) 2.47\\nThis assembler was configured for a target of `x86_64-linux-gnu'.\\n";
    let script = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then printf \"{version}\"; exit 0; fi\n{body}\n");
    fs::write(&path, script.replace('`', "\\`")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable script");
    path.display().to_string()
}

#[test]
fn a_crash_is_shrunk_to_the_directive_that_causes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = assembler(
        folder.path(),
        "if grep -q cfi_same_value t.s; then kill -SEGV $$; fi\necho 'Error: no 7' >&2\nexit 1",
    );
    let tools = tool::at(&program).expect("an assembler");
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0].name, "gas@2.47");
    let fuzzed = fuzz(&tools, 1, 60).expect("a run");
    let crashes: Vec<_> = fuzzed.found.iter().filter(|found| found.what == "crash" && !found.executed).collect();
    assert!(!crashes.is_empty(), "60 files hold a same_value");
    for found in crashes {
        assert_eq!(found.kinds.len(), 1, "{}", found.text);
        assert!(found.kinds[0].starts_with("same_value."), "{}", found.text);
        assert!(found.detail.starts_with("signal 11"), "{}", found.detail);
    }
    let refusals: Vec<_> = fuzzed.found.iter().filter(|found| found.what == "rejected: no ").collect();
    assert_eq!(refusals.len(), 2, "an empty file, once random and once true, is enough to be rejected: {refusals:?}");
}

#[test]
fn equal_seeds_give_equal_findings() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = assembler(folder.path(), "if grep -q 'cfi_restore ' t.s; then kill -ABRT $$; fi\nexit 1");
    let tools = tool::at(&program).expect("an assembler");
    let lines = || {
        let fuzzed = fuzz(&tools, 5, 20).expect("a run");
        fuzzed.found.iter().map(|found| serde_json::to_string(found).expect("JSON")).collect::<Vec<_>>()
    };
    assert_eq!(lines(), lines());
}

#[test]
fn what_is_no_assembler_is_refused() {
    assert!(tool::at("/bin/true").expect_err("no assembler").contains("neither GNU as nor clang"));
    assert!(tool::at("/nowhere/as").is_err());
}
