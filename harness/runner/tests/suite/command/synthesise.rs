//! `synthesise`: its output is judged clean by the rest of the project, compared with `.eh_frame`
//! and the execution.

use std::fs;

use crate::command::support::{Folder, bytes_of, check, frozen, run};

/// A clean program of each target, with its arguments.
fn programs() -> [(String, &'static [&'static str]); 4] {
    let hosted = format!("{}/tests/hosted/amd64/hosted", env!("CARGO_MANIFEST_DIR"));
    let of = |target: &str| (frozen(&format!("{target}/gas-2.47.50--v3--gcc12-O2--exe")), [].as_slice());
    [(hosted, &["--", "cat"]), of("aarch64"), of("aarch64_be"), of("s390x")]
}

const PROGRAM: &str = "x86_64/gas-2.47.50--v3--gcc12-O2--exe";

/// The copy runs like the file, and its table is right at every step: the writer and the reader
/// share no code.
#[test]
fn what_is_written_is_clean_when_it_is_executed() {
    let folder = Folder::new();
    for (path, arguments) in programs() {
        let (code, before) = check(&path, arguments);
        assert_eq!(code, 0, "{path}");
        for version in ["v2e1", "v3"] {
            let copy = folder.path("copy");
            let made = run(&["synthesise", "--sframe", version, &path, "--out", &copy]);
            assert_eq!(made.code, Some(0), "{path}: {}", made.stderr);
            let (code, json) = check(&copy, &[&["--require-sframe"], arguments].concat());
            assert_eq!(code, 0, "{path} {version}: {} {json}", made.stdout);
            assert_eq!(json["sframe_version"], version, "{path}");
            let steps = ["steps_executed", "steps_judged"].map(|key| &json["summary"][key]);
            assert_eq!(steps, ["steps_executed", "steps_judged"].map(|key| &before["summary"][key]), "{path}");
            assert!(steps[1].as_u64() > Some(40), "{path} {version}");
        }
    }
}

/// A changed row of the copy is detected: the copies are not clean by chance.
#[test]
fn a_wrong_byte_of_it_is_found() {
    let folder = Folder::new();
    let copy = folder.path("copy");
    assert_eq!(run(&["synthesise", &frozen(PROGRAM), "--out", &copy]).code, Some(0));
    let mut bytes = fs::read(&copy).expect("the copy");
    // The last word of the last row: offset of the saved FP, or of the CFA.
    let dump = run(&["dump", "--format", "json", &copy]).json();
    let row = dump["functions"][1]["rows"][1]["offset"].as_u64().expect("a row") as usize;
    let magic = [0xe2, 0xde, 3, 5];
    let section = bytes.windows(4).rposition(|four| four == magic).expect("the section");
    bytes[section + row + 2] ^= 8;
    fs::write(&copy, bytes).expect("written");
    let (code, json) = check(&copy, &[]);
    assert_eq!(code, 1, "{json}");
}

/// Hand-written CFI that rows cannot express: functions are omitted, each with its reason.
#[test]
fn what_cannot_be_said_is_listed() {
    let folder = Folder::new();
    let made = run(&["synthesise", &frozen("aarch64/gas-2.47.50--v3--hand--so"), "--out", &folder.path("copy")]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stdout.contains("  omitted: "), "{}", made.stdout);
}

#[test]
fn what_is_no_linked_file_is_refused() {
    let folder = Folder::new();
    let object = frozen("x86_64/gas-2.47.50--v3--gcc12-O2--o");
    let text = folder.write("text", b"text");
    let cut = folder.write("cut", &bytes_of(PROGRAM)[..100]);
    for bad in [object, text, cut, folder.path("missing")] {
        let ran = run(&["synthesise", &bad, "--out", &folder.path("copy")]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{bad}");
        assert!(!fs::exists(folder.path("copy")).expect("a folder"), "{bad}");
    }
    let own = folder.write("own", &bytes_of(PROGRAM));
    assert_eq!(run(&["synthesise", &own, "--out", &own]).code, Some(3), "a file is not replaced");
}
