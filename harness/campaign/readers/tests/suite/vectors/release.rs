//! What is released: every form for readers in one folder.

use std::collections::BTreeMap;
use std::process::Command;

use readers::corpus::{self, SEED, kit};

#[test]
fn a_release_has_each_form_and_its_example_counts_answers() {
    let vectors = corpus::all(SEED, "valid/v3-amd64/adjacent");
    let files = kit::files(kit::Form::Release, &vectors, SEED, "");
    let names: BTreeMap<&str, usize> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.len())).collect();
    assert_eq!(names.len(), files.len(), "no name twice");
    for name in
        ["README.md", "LICENSE", "CHANGELOG.md", "READERS.md", "index.json", "lines/vectors.txt", "rust/Cargo.toml"]
    {
        assert!(names.get(name).is_some_and(|bytes| *bytes > 0), "{name} of {names:?}");
    }
    assert!(["c/", "libfuzzer/"].iter().all(|form| names.keys().any(|name| name.starts_with(form))));
    let folder = testing::scratch::folder();
    corpus::write(folder.path(), &files).expect("files");
    // A reader without rows: right where nothing describes the address.
    let ran = Command::new("python3").arg(folder.path().join("examples/vectors.py")).args(["echo", "none;"]).output();
    let Ok(ran) = ran else { return };
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let decided: usize = vectors.iter().map(|vector| vector.answers.len()).sum();
    assert!(printed.ends_with(&format!("0 of {decided} answers right\n")), "{printed}");
    assert_eq!(ran.status.code(), Some(1));
}
