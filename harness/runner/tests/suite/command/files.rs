//! One file, several files: the verdict of each and the exit code of all.

use crate::command::support::{
    CLEAN_EXE, CLEAN_OBJECT, Elf, Folder, Ran, WRONG_EXE, WRONG_OBJECT, check, endless, frozen, run,
};

#[test]
fn a_clean_executable_runs_to_its_exit_and_is_judged_at_every_step() {
    let (code, json) = check(&frozen(CLEAN_EXE), &[]);
    assert_eq!((code, &json["verdict"]), (0, &"clean".into()));
    assert_eq!((&json["abi"], &json["sframe_version"]), (&"aarch64-le".into(), &"v3".into()));
    let summary = &json["summary"];
    assert_eq!(summary["functions"], 37);
    assert_eq!(summary["steps_executed"], 20_983);
    assert_eq!(summary["steps_judged"], 20_983, "every instruction of it has a row");
    assert_eq!(summary["max_depth"], 7);
    for count in ["discrepancies", "undecided", "missing"] {
        assert_eq!(summary[count], 0, "{count}");
    }
    assert!(json["error"].is_null());
    assert_eq!(json["tool_version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_wrong_row_is_a_discrepancy() {
    let (code, json) = check(&frozen(WRONG_EXE), &[]);
    assert_eq!((code, &json["verdict"]), (1, &"discrepancy".into()));
    let found = json["discrepancies"].as_array().expect("a list");
    let outermost = found.iter().find(|found| found["rule"] == "row/outermost").expect("_start claims a caller");
    assert_eq!((&outermost["function"], &outermost["executed"]), (&"_start".into(), &true.into()));
    assert_eq!(outermost["blame"], "assembler-or-linker");
    assert_eq!(json["summary"]["steps_executed"], 20_877);
}

#[test]
fn a_relocatable_object_is_judged_without_running_and_that_is_no_indecision() {
    let (code, json) = check(&frozen(CLEAN_OBJECT), &[]);
    assert_eq!((code, &json["summary"]["steps_executed"]), (0, &0.into()));
    assert!(json["summary"]["pcs_compared_static"].as_u64().is_some_and(|count| count > 100));
    let (code, json) = check(&frozen(WRONG_OBJECT), &[]);
    assert_eq!((code, &json["discrepancies"][0]["blame"]), (1, &"assembler".into()));
}

#[test]
fn a_program_that_loops_for_ever_is_undecided_at_the_step_limit() {
    let folder = Folder::new();
    let bytes = endless();
    let entry = Elf::new(bytes.clone()).entry();
    let (code, json) = check(&folder.write("endless", &bytes), &["--step-limit", "1000"]);
    assert_eq!((code, &json["verdict"]), (2, &"undecided".into()));
    assert_eq!(json["summary"]["steps_executed"], 1000);
    assert_eq!(json["undecided"][0]["reason"], "step-limit");
    assert_eq!(json["undecided"][0]["pc"], entry);
    assert_eq!(json["summary"]["discrepancies"], 0);
}

#[test]
fn a_file_without_sframe_is_judged_by_eh_frame_alone() {
    let folder = Folder::new();
    let mut elf = Elf::frozen(CLEAN_EXE);
    elf.hide(".sframe");
    let (code, json) = check(&folder.write("plain", &elf.bytes), &[]);
    assert_eq!((code, &json["verdict"], &json["sframe_version"]), (0, &"clean".into(), &().into()));
    assert_eq!((&json["summary"]["steps_judged"], &json["summary"]["functions"]), (&20_983.into(), &0.into()));
    let notes = json["notes"].as_array().expect("notes");
    assert!(notes.iter().any(|note| note.as_str().is_some_and(|note| note.contains("no .sframe"))), "{notes:?}");
}

#[test]
fn a_file_without_eh_frame_is_judged_by_sframe_alone() {
    let folder = Folder::new();
    let mut elf = Elf::frozen(CLEAN_EXE);
    elf.hide(".eh_frame");
    let (code, json) = check(&folder.write("plain", &elf.bytes), &[]);
    assert_eq!((code, &json["summary"]["steps_judged"]), (0, &20_983.into()));
    assert_eq!(json["summary"]["pcs_compared_static"], 0);
}

/// Worst first: 3 over 1 over 2 over 0, whatever the order of the files.
#[test]
fn several_files_exit_with_the_worst_and_print_in_the_order_given() {
    let folder = Folder::new();
    let undecided = folder.write("undecided", &endless());
    let error = folder.write("error", b"no ELF file");
    let (clean, wrong) = (frozen(CLEAN_OBJECT), frozen(WRONG_OBJECT));
    let (clean, wrong) = (clean.as_str(), wrong.as_str());
    let (undecided, error) = (undecided.as_str(), error.as_str());
    let orders: [(&[&str], i32); 6] = [
        (&[clean, clean], 0),
        (&[clean, undecided], 2),
        (&[undecided, clean], 2),
        (&[wrong, undecided, clean], 1),
        (&[undecided, clean, wrong], 1),
        (&[error, wrong, undecided, clean], 3),
    ];
    for (files, code) in orders {
        let ran = run(&[&["check", "--format", "json", "--step-limit", "1000"], files].concat());
        assert_eq!(ran.code, Some(code), "{files:?}");
        let names: Vec<String> =
            ran.json_lines().iter().map(|line| line["file"].as_str().unwrap_or("").to_owned()).collect();
        assert_eq!(names, files);
    }
}

#[test]
fn many_files_keep_their_order() {
    let files: Vec<String> = [WRONG_OBJECT, CLEAN_OBJECT].iter().cycle().take(24).map(|name| frozen(name)).collect();
    let arguments: Vec<&str> =
        ["check", "--format", "json"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let ran: Ran = run(&arguments);
    let verdicts: Vec<String> = ran.json_lines().iter().map(|line| line["verdict"].to_string()).collect();
    assert_eq!(verdicts, ["\"discrepancy\"", "\"clean\""].repeat(12));
    assert_eq!(ran.code, Some(1));
}
