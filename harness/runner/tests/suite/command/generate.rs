//! `generate`: files of random programs.

use std::collections::BTreeMap;
use std::path::Path;

use testing::scratch;

/// The command writes three files per program, reproducibly, and exits with 3 if it cannot write.
#[test]
fn the_command_writes_files_or_says_why_not() {
    let generate = |folder: &Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
        command.args(["generate", "--seed", "5", "--count", "4", "--abi", "s390x", "--sframe-version", "v3", "--out"]);
        command.arg(folder).output().expect("the command runs")
    };
    let read = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        entries.map(|one| (one.file_name().display().to_string(), std::fs::read(one.path()).expect("a file"))).collect()
    };
    let (one, again) = (scratch::folder(), scratch::folder());
    assert_eq!(generate(one.path()).status.code(), Some(0));
    assert_eq!(generate(&again.path().join("new")).status.code(), Some(0));
    let files = read(one.path());
    assert_eq!(files.len(), 12);
    assert!(files.contains_key("000003-s390x-v3.json"), "{:?}", files.keys());
    assert_eq!(files, read(&again.path().join("new")));
    // There is a file in place of the folder.
    let refused = generate(&one.path().join("000003-s390x-v3.elf"));
    assert_eq!(refused.status.code(), Some(3), "{}", String::from_utf8_lossy(&refused.stderr));
}
