//! Bundles of `reports/known` as the command writes them, and their programs.

use std::fs;
use std::path::Path;

use ledger::{Home, bundles};
use reports::bundle::files;
use results::bundle::Bundle;
use serde_json::Value;

use crate::command::document::root;
use crate::command::support::{Folder, program, run};

/// With an empty PATH: no tool is run.
#[test]
fn a_bundle_is_written_again_without_any_tool() {
    let folder = Folder::new();
    let out = folder.path("out");
    let ran = program().env("PATH", "/nowhere").args(["bundle", "gcc-push-pop-constant", "--out", &out]).output();
    let ran = ran.expect("the program");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let filing = bundles::read(&Home { root: root() }, "gcc-push-pop-constant").expect("a bundle");
    for (name, text) in files(&filing) {
        assert_eq!(fs::read_to_string(Path::new(&out).join(&name)).expect(&name), text, "{name}");
    }
    let names = fs::read_dir(&out).expect("a folder").count();
    assert_eq!(names, files(&filing).len() + 4, "and the data, the program, its core file and what that has");
    let core = fs::read(Path::new(&out).join("core")).expect("a core file");
    assert_eq!((&core[..4], core[16]), (&b"\x7fELF"[..], 4), "ET_CORE");
    // The finding begins after the `pushq $1` of `test`, which `_start` calls.
    let has = fs::read_to_string(Path::new(&out).join("core.txt")).expect("what it has");
    let frames: Vec<&str> = has.lines().skip_while(|line| *line != "true frames:").skip(1).collect();
    assert_eq!(frames.len(), 2, "{has}");
    assert!(frames[0] == "0x401002 test+0x2" && frames[1].contains(" _start+0x7, SP 0x"), "{has}");
}

/// A bundle whose finding is one of a program keeps it; it shows the finding where the report has
/// it. Code of a shared library is executed too, but the library is not a program of a core file.
#[test]
fn a_kept_program_shows_the_finding_of_its_bundle() {
    let folder = Folder::new();
    let mut kept = 0;
    let home = Home { root: root() };
    for name in bundles::names(&home).expect("a list") {
        let filing = bundles::read(&home, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Bundle { commands, finding, .. } = &filing.bundle;
        let is_library = commands.last().is_some_and(|last| last.words.iter().any(|word| word == "-shared"));
        let is_program = filing.bundle.first_pc().is_some() && !is_library;
        assert_eq!(filing.program.is_some(), is_program, "{name}");
        let (Some(program), Some(shown)) = (&filing.program, finding) else { continue };
        assert!(program.len() < 16_384, "{name}: {} bytes", program.len());
        let path = folder.write(&name, program);
        let ran = run(&["check", "--format", "json", &path]);
        let report: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let is_it = |found: &&Value| found["rule"] == shown.rule.name() && found["function"] == shown.function.as_str();
        let found = report["discrepancies"].as_array().expect("findings").iter().find(is_it);
        let found = found.unwrap_or_else(|| panic!("{name}: {} in {}", shown.rule, ran.stdout));
        assert_eq!((&found["place"], &found["executed"]), (&shown.place.as_str().into(), &true.into()), "{name}");
        kept += 1;
    }
    assert!(kept >= 11, "{kept}");
}
