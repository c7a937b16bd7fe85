//! The scripts that `ci/producers` writes for the tools of a suite, as a compiler driver finds
//! them.

use std::path::PathBuf;
use std::process::Command;

use crate::command::support::Folder;

/// Folder of the suite, if it was fetched and has the scripts that `ci/producers` writes now: an
/// older one lacks the folder that collect2 searches.
fn suite() -> Option<PathBuf> {
    let suite = testing::root().join("target/producers/gnu-newest");
    let is_here = suite.join("bin/x86_64-linux-gnu-/ld").exists();
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    assert!(is_here || !strict, "{} is absent or has old scripts: ci/producers gnu-newest", suite.display());
    is_here.then_some(suite)
}

/// They write the section like the suite's newest assembler and linker: gcc's own on this machine
/// may write an older version or none.
#[test]
fn a_driver_takes_the_suites_tools_by_its_prefixes_and_through_a_link() {
    let Some(suite) = suite() else {
        return eprintln!("skipped: no gnu-newest with new scripts: ci/producers gnu-newest");
    };
    let folder = Folder::new();
    let source = folder.write("f.c", b"int f(int x) { return x + 1; }\n");
    let by_link = folder.path("link");
    std::fs::create_dir(&by_link).expect("a folder");
    for tool in ["as", "ld"] {
        std::os::unix::fs::symlink(suite.join("prefix").join(tool), format!("{by_link}/{tool}")).expect("a link");
    }
    let of_suite = suite.display();
    let linker = Command::new(suite.join("bin/x86_64-linux-gnu-ld")).arg("-v").output().expect("the suite's linker");
    let linker = String::from_utf8_lossy(&linker.stdout).into_owned();
    for prefix in [format!("{of_suite}/prefix/"), format!("{by_link}/"), format!("{of_suite}/bin/x86_64-linux-gnu-")] {
        let output = folder.path("f.so");
        // Called from another folder, with relative names.
        let gcc = Command::new("gcc")
            .args(["-B", &prefix, "-Wa,--gsframe", "-nostdlib", "-shared", "-fPIC", "-Wl,-v", &source, "-o", &output])
            .current_dir(folder.path(""))
            .output();
        let Ok(gcc) = gcc else { return eprintln!("skipped: no gcc") };
        assert!(gcc.status.success(), "{prefix}: {}", String::from_utf8_lossy(&gcc.stderr));
        let printed = String::from_utf8_lossy(&gcc.stdout);
        assert!(printed.contains(&linker), "{prefix}: {printed}, not {linker}");
        let bytes = std::fs::read(&output).expect("a shared object");
        // Magic and version (SFrame, "SFrame Preamble"): the tools of Debian 12 write version 1.
        let version = bytes.windows(3).find_map(|of| (of.starts_with(&[0xe2, 0xde])).then(|| of[2]));
        assert!(version > Some(1), "{prefix}: {version:?}");
    }
}
