//! Scripts of bundles that are made of a program: with the tool they see the bug, without it none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testing::program::write_program;
use toolchain::producers::{Producers, SHIPPED};
use toolchain::tool::Tool;
use types::Abi;

use crate::command::document::root;
use crate::command::support::{Folder, finish, with_producers};

/// Exit code of a script with programs for its variables, and what it prints.
fn ended(script: &Path, programs: &BTreeMap<String, PathBuf>) -> (i32, String) {
    let ran = Command::new("sh").arg(script).envs(programs).output().expect("a shell");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    (ran.status.code().unwrap_or(-1), printed)
}

/// The bundle of an entry that keeps none is made of the program that proves its cause: the script
/// sees the bug in the compiler's own assembly, and no bug once the directive is there. Nothing of
/// this project takes part.
#[test]
fn an_entry_without_a_bundle_has_one_made() {
    let producers = Producers::read(&root().join(SHIPPED), &root()).expect("the shipped one");
    let tools = producers.tools("clang", Abi::Amd64).unwrap_or_default();
    let Some(clang) = tools.last() else { return };
    let folder = Folder::new();
    let mut command = with_producers();
    command.args(["bundle", "clang-lvi-return", "--out", &folder.path("bundle")]);
    // Not proven: every version here has the bug.
    let ran = finish(command);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let script = PathBuf::from(folder.path("bundle/run.sh"));
    let text = fs::read_to_string(&script).expect("a script");
    assert!(!text.contains("CHECK") && !text.contains("READELF"), "{text}");
    let report = fs::read_to_string(folder.path("bundle/report.md")).expect("a report");
    assert!(report.contains("There is no directive after the pop") && report.contains("popq %rcx"), "{report}");
    let wrapper = |edit: &str| {
        let path = PathBuf::from(folder.path("cc"));
        let program = clang.program.display();
        write_program(&path, &format!("#!/bin/sh\n{program} \"$@\" || exit\n{edit}\n"));
        BTreeMap::from([("CC".to_owned(), path)])
    };
    let (code, printed) = ended(&script, &wrapper(""));
    assert_eq!(code, 1, "{printed}");
    let (code, printed) = ended(&script, &wrapper("sed -i 's/popq.%rcx$/&\\n\t.cfi_adjust_cfa_offset -8/' repro.s"));
    assert_eq!(code, 0, "{printed}");
}

/// A wrong result is seen by executing the program, with an emulator of the user; compiler output
/// that GNU as refuses, by its complaint. A bug of another kind would be none for these scripts.
#[test]
fn a_program_as_a_whole_shows_a_bug() {
    let producers = Producers::read(&root().join(SHIPPED), &root()).expect("the shipped one");
    let newest =
        |name: &str| producers.tools(name, Abi::Amd64).ok().and_then(<[Tool]>::last).map(|tool| tool.program.clone());
    let (Some(clang), Some(gas), Some(linker)) = (newest("clang"), newest("gas"), newest("ld")) else { return };
    let folder = Folder::new();
    let made = |name: &str| {
        let mut command = with_producers();
        command.args(["bundle", name, "--out", &folder.path(name)]);
        let ran = finish(command);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        PathBuf::from(folder.path(&format!("{name}/run.sh")))
    };
    let programs = |more: &[(&str, &Path)]| {
        let tools = [("CC", clang.as_path()), ("AS", &gas), ("LD", &linker)];
        let all = tools.iter().chain(more).map(|(name, path)| ((*name).to_owned(), (*path).to_owned()));
        all.collect::<BTreeMap<_, _>>()
    };
    let script = made("clang-no-caller-saved");
    let report = fs::read_to_string(folder.path("clang-no-caller-saved/report.md")).expect("a report");
    assert!(report.contains("\nexit status 251\n") && report.contains("\nexit status 0\n"), "{report}");
    for (status, expected) in [(251, 1), (0, 0), (127, 77)] {
        let emulator = PathBuf::from(folder.path("emulator"));
        write_program(&emulator, &format!("#!/bin/sh\n[ -x \"$1\" ] && exit {status}\nexit 0\n"));
        assert_eq!(ended(&script, &programs(&[("RUN", &emulator)])).0, expected, "{status}");
    }
    let script = made("clang-vectorcall-plt");
    assert_eq!(ended(&script, &programs(&[])).0, 1);
    for (body, expected) in [("exit 0", 0), ("echo 'x.s:1: Error: no such instruction'; exit 1", 2)] {
        let assembler = PathBuf::from(folder.path("assembler"));
        write_program(&assembler, &format!("#!/bin/sh\n{body}\n"));
        assert_eq!(ended(&script, &programs(&[("AS", &assembler)])).0, expected, "{body}");
    }
}
