//! Messages of failures: their texts, and that the commands in them work.

use std::fs;
use std::path::Path;
use std::process::Command;

use results::Status;

use crate::command::report::{LEAF, results, trial};
use crate::command::support::{Elf, Folder, Ran, finish, objects, program, run, with_producers};
use crate::command::transcript::Transcript;
use crate::command::workshop::{ASSEMBLE, Fake, LINK, Workshop, transcript};

/// A workshop whose assembler writes a wrong CFA for `leaf`.
fn erring() -> Workshop {
    let workshop = Workshop::new();
    let body = format!("{ASSEMBLE} && wrong \"$out\"");
    workshop.producers(&[
        workshop.assembler(&Fake { name: "fake", body: &body, more: "" }),
        workshop.assembler(&Fake { name: "right", body: ASSEMBLE, more: "" }),
        workshop.linker(&Fake { name: "link", body: LINK, more: "" }),
    ]);
    // Findings of the machine's own assembler are accepted first: its `_start` has no undefined RA.
    workshop
}

/// The block of the output that begins with this text.
fn block<'a>(ran: &'a Ran, begins: &str) -> &'a str {
    let blocks = || ran.stdout.trim_start().split("\n\n");
    blocks().find(|block| block.starts_with(begins)).unwrap_or_else(|| panic!("no {begins}: {}", ran.stdout))
}

/// Words after a label of a block.
fn step<'a>(block: &'a str, label: &str) -> &'a str {
    let told = block.lines().find_map(|line| line.trim_start().strip_prefix(label));
    told.unwrap_or_else(|| panic!("no {label}: {block}")).trim()
}

#[test]
fn a_failing_run_says_what_where_and_what_to_call() {
    let workshop = erring();
    let (ran, lines) = workshop.run();
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let failed = block(&ran, "FAIL CFA ");
    let mut told = transcript(&lines);
    told.text(&format!("{failed}\n"));
    told.printed("failing.txt");

    // The commands in it can be pasted.
    for (label, code, says) in [("look", 1, "CFA is rsp+24, expected rsp+8"), ("explain", 0, "row/cfa-matches-truth")] {
        let called = Command::new("sh").args(["-c", step(failed, label)]).current_dir(workshop.path("")).output();
        let called = called.expect("a shell");
        let said = String::from_utf8_lossy(&called.stdout);
        assert_eq!(called.status.code(), Some(code), "{label}: {said}");
        assert!(said.contains(says), "{label}: {said}");
    }
    let (page, finding) = step(failed, "page").split_once("#finding=").expect("an anchor");
    assert!(workshop.read(page).contains(finding), "the page knows it");
    for (label, word) in [("reduce", "--finding"), ("bundle", "--out"), ("accept", "--expires")] {
        let words: Vec<&str> = step(failed, label).split(' ').skip(1).collect();
        let mut command = program();
        command.args(&words).arg("--help").current_dir(workshop.path(""));
        let help = finish(command);
        assert!(help.code == Some(0) && help.stdout.contains(word), "{label}: {}", help.stderr);
    }
}

/// If the ledger covers it for the tool under its own name, a build with another name gets that
/// message.
#[test]
fn what_is_known_under_another_name_is_told() {
    let workshop = erring();
    let (_, lines) = workshop.run();
    let all: Vec<&str> = lines[0]["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .filter_map(|one| one["fingerprint"].as_str())
        .collect();
    let reason = "A reason of a test, which is long enough to be one.";
    let mut words = vec!["accept", "--results", "out", "--entry", "cfa-of-leaf", "--title", "t", "--reason", reason];
    words.extend(["--link", "unfiled", "--expires", "2999-12-31"]);
    words.extend(&all);
    assert_eq!(workshop.call(&words).code, Some(0));
    let entry = workshop.read("reports/known/cfa-of-leaf.yaml");
    workshop.write(
        "reports/known/cfa-of-leaf.yaml",
        &entry.replace("project: fake", "project: gas").replace("fake", "gas"),
    );
    let mut told = transcript(&lines);
    told.text(&format!("{}\n", block(&workshop.run().0, "FAIL CFA ")));
    // For another case it only resembles it.
    let entry = workshop.read("reports/known/cfa-of-leaf.yaml");
    let other = |line: &str| {
        if line.trim_start().starts_with("- gas::") { "  - gas::amd64::v1::frames::other" } else { line }.to_owned()
    };
    let entry = entry.lines().map(other).collect::<Vec<_>>().join("\n") + "\n";
    workshop.write("reports/known/cfa-of-leaf.yaml", &entry);
    told.text(&format!("{}\n", block(&workshop.run().0, "FAIL CFA ")));
    told.printed("known-elsewhere.txt");
}

#[test]
fn files_of_failing_trials_are_kept_and_of_all_on_request() {
    let workshop = erring();
    let kept = |tool: &str| -> Vec<String> {
        let folder = workshop.path("out/kept");
        let mut files = Vec::new();
        let mut folders = vec![Path::new(&folder).to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                match entry.path() {
                    path if path.is_dir() => folders.push(path),
                    path if path.display().to_string().contains(&format!("/{tool}@")) => {
                        files.push(entry.file_name().to_string_lossy().into_owned());
                    }
                    _ => {}
                }
            }
        }
        files.sort();
        files
    };
    let stages = ["case", "case.r.o", "commands", "no-fp.amd64.o", "no-fp.amd64.s"];
    // The correct assembler may be wrong about `_start`: its finding is accepted first.
    let (_, lines) = workshop.run();
    assert_eq!(kept("fake"), stages);
    let right_fails = lines.iter().any(|line| {
        line["producer"].as_str().is_some_and(|name| name.starts_with("right@")) && line["status"] == "FAIL"
    });
    assert_eq!(kept("right").is_empty(), !right_fails);
    assert_eq!(
        workshop.call(&["run", "--out", "out", "--keep", "--filter", "right@"]).code.map(|code| code < 3),
        Some(true)
    );
    assert_eq!((kept("fake").len(), kept("right")), (0, stages.map(str::to_owned).to_vec()), "of this run, all of it");
}

/// A tool in the user's own file must be installed, or the run reports it missing; those of the
/// shipped file need not be.
#[test]
fn a_missing_tool_of_ones_own_file_is_an_error() {
    let workshop = Workshop::new();
    let link = workshop.linker(&Fake { name: "link", body: LINK, more: "" });
    let there = workshop.assembler(&Fake { name: "there", body: ASSEMBLE, more: "" });
    let gone = there.replace("name: there", "name: gone").replace("[/bin/sh]", "[no-such-as]");
    workshop.producers(&[there.clone(), gone.clone(), link.clone()]);
    assert!(workshop.call(&["run", "--out", "out"]).code.is_some_and(|code| code < 3), "the shipped file");
    workshop.write("own.yaml", &[there, gone, link].concat());
    let mut told = Transcript::new(&[]);
    let mut call = |more: &[&str], begins: &str| {
        let words = [&["run", "--out", "out"], more].concat();
        let mut ran = workshop.call(&words);
        let whole = ran.stdout.clone();
        ran.stdout = whole.split_inclusive('\n').filter(|line| line.starts_with(begins)).collect();
        ran.stderr = if ran.stdout.is_empty() { ran.stderr } else { String::new() };
        told.call(&format!("sframe-conformance {}", words.join(" ")), &ran);
        (ran.code, whole)
    };
    assert_eq!(call(&["--producers", "own.yaml"], "UNSUPPORTED"), (Some(3), String::new()));
    // A ledger for the shipped file expects nothing of the user's own.
    workshop.write(
        "reports/known/idle.yaml",
        "title: t\nproject: there\nversions: {first: '2', last: '3'}\nblame: assembler\nreason: r\nlink: unfiled\nadded: '2026-01-01'\n\
         expires: '2999-12-31'\nfindings:\n- rules: [row/outermost]\n  in: ['there::amd64::v1::frames::gone']\n  functions: [f]\n",
    );
    call(&[], "IDLE");
    let (code, whole) = call(&["--producers", "own.yaml", "--allow-missing"], "not tried");
    assert!(code.is_some_and(|code| code < 3) && !whole.contains("IDLE"), "{whole}");
    told.printed("missing.txt");
}

/// A user's own build replaces the tool that it identifies itself as, and only trials with it run.
#[test]
fn a_local_build_needs_no_file() {
    let found = ["x86_64-linux-gnu-as", "as"].into_iter().find_map(|name| {
        let path = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().ok()?;
        path.status.success().then(|| String::from_utf8_lossy(&path.stdout).trim().to_owned())
    });
    let list = |path: &str| {
        let mut command = with_producers();
        command.args(["run", "--list", "--as", path, "--filter", "::frames::no-fp"]);
        finish(command)
    };
    let ran = list(&found.expect("an assembler, as ci/setup installs it"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let versions: std::collections::BTreeSet<&str> =
        ran.stdout.lines().filter_map(|name| name.split("::").next()).collect();
    assert_eq!(versions.len(), 1, "one tool, one version: {versions:?}");
    assert!(
        ran.stdout.lines().all(|name| name.starts_with("gas@") && name.ends_with("::frames::no-fp")),
        "{}",
        ran.stdout
    );
    // A file that is not an assembler on any machine: this program.
    let own = env!("CARGO_BIN_EXE_sframe-conformance");
    let mut told = Transcript::new(&[(own, "own-as")]);
    for path in [own, "/nowhere/as"] {
        for command in ["run", "reduce", "bundle"] {
            let trial = (command != "run").then_some("gas@2::amd64::v1::frames::no-fp");
            let words: Vec<&str> =
                [command].into_iter().chain(trial).chain(["--as", path, "--out", "/nowhere"]).collect();
            let mut refused = if command == "run" { with_producers() } else { program() };
            refused.args(&words);
            let ran = finish(refused);
            assert_eq!(ran.code, Some(3), "{words:?}");
            told.call(&format!("sframe-conformance {}", words.join(" ")), &ran);
        }
    }
    told.printed("local.txt");
}

/// An object of the case with debug information, and with a wrong CFA in `leaf`.
fn spoilt_with_lines(workshop: &Workshop, object: &str) -> Elf {
    let source = workshop.path("cases/frames/no-fp.amd64.s");
    let script = format!("$(command -v x86_64-linux-gnu-as || command -v as) -g --gsframe -o {object} {source}");
    assert!(Command::new("sh").args(["-c", &script]).status().expect("a shell").success());
    let mut elf = Elf::new(fs::read(object).expect("the object"));
    let sframe = elf.section(".sframe");
    elf.bytes[sframe.offset + sframe.size - 1] = 24;
    elf
}

/// If the file has debug information, the source line is shown with the code.
#[test]
fn a_finding_names_the_line_of_its_source() {
    let workshop = Workshop::new();
    let source = workshop.path("cases/frames/no-fp.amd64.s");
    let text = fs::read_to_string(&source).expect("the case");
    let line = (1..).zip(text.lines()).skip_while(|(_, line)| !line.starts_with("leaf:"));
    let code = line.skip(1).find(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with(['.', '#']));
    let (number, _) = code.expect("an instruction of leaf");
    let object = workshop.path("leaf.o");
    fs::write(&object, &spoilt_with_lines(&workshop, &object).bytes).expect("a file");
    let ran = workshop.call(&["check", &object]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("no-fp.amd64.s:{number}\n")), "line {number}: {}", ran.stdout);
}

/// As in the workflow of ci/elsewhere.md: this project in a folder of the tested repository, with
/// that repository's producers' file.
#[test]
fn annotations_stand_at_the_users_own_file() {
    let workshop = erring();
    fs::create_dir(workshop.path("ci-of-theirs")).expect("a folder");
    let entries = workshop.read("ci/producers.yaml");
    let own = workshop.write("ci-of-theirs/sframe.yaml", &entries);
    let line = 1 + entries.lines().position(|line| line == "- name: fake").expect("an entry");
    assert_eq!(workshop.call(&["run", "--out", "out", "--producers", &own]).code, Some(1));
    let annotated = |workspace: &str| {
        let mut command = program();
        command.args(["report", "out", "--format", "github"]).current_dir(workshop.path(""));
        command.env("SFRAME_CONFORMANCE_HOME", workshop.path("")).env("GITHUB_WORKSPACE", workspace);
        finish(command).stdout
    };
    let printed = annotated(&workshop.path(""));
    let at =
        format!("::error file=ci-of-theirs/sframe.yaml,line={line},title=CFA is rsp+24%2C expected rsp+8%2C at leaf::");
    assert!(printed.contains(&at), "{at}: {printed}");
    let elsewhere = Folder::new();
    assert!(!annotated(&elsewhere.path(".")).contains("file="), "no file of that repository");
}

#[test]
fn a_finding_is_explained_by_its_fingerprint() {
    let folder = Folder::new();
    let mut failed = trial(LEAF, Status::Fail);
    failed.findings[0].standing.known = Some("leaf.yaml".to_owned());
    let fingerprint = failed.findings[0].fingerprint().to_owned();
    results(&folder, "out", &[failed]);
    let mut told = Transcript::new(&[]);
    for (fingerprint, code) in [(fingerprint.as_str(), 0), ("0123456789abcdef", 3)] {
        let mut command = program();
        command.args(["explain", fingerprint, "--results", "out"]).current_dir(folder.path(""));
        let ran = finish(command);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        told.call(&format!("sframe-conformance explain {fingerprint} --results out"), &ran);
    }
    told.printed("explained.txt");
    // Output of check, by file.
    let file = objects().join("x86_64/gas-2.47.50--v3--gcc12-O2--exe").display().to_string();
    let ran = run(&["explain", "fe19e2ca281fa2c5", "--results", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let of_rule =
        ran.stdout.contains("error: row/fp-matches-truth: ") && ran.stdout.contains("\nrow/fp-matches-truth\n");
    assert!(of_rule && ran.stdout.contains("=> realign_vla+0x67"), "{}", ran.stdout);
    // Only exploration shows this one.
    let file = objects().join("x86_64/gas-2.44--v2--gcc12-O2--so").display().to_string();
    let ran = run(&["explain", "972fc7df8d32f2d0", "--results", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("error: eh-frame/fp-matches-truth: "), "{}", ran.stdout);
}

/// Debug information is untrusted too: findings do not depend on it.
#[test]
fn damaged_debug_information_changes_no_finding() {
    let workshop = Workshop::new();
    let object = workshop.path("leaf.o");
    let elf = spoilt_with_lines(&workshop, &object);
    let check = |bytes: Vec<u8>| {
        let report = check::check("leaf.o", &bytes.into(), &check::Options::default()).report;
        let found = report.discrepancies.iter().map(|found| found.fingerprint().to_owned());
        (report.error, found.collect::<Vec<_>>())
    };
    let whole = check(elf.bytes.clone());
    assert!(whole.0.is_none() && !whole.1.is_empty());
    let mut damaged = 0;
    for name in [".debug_info", ".debug_abbrev", ".debug_line", ".debug_aranges"] {
        let Some(section) = elf.sections().get(name).copied() else { continue };
        for at in section.offset..section.offset + section.size {
            for value in [0x00, 0x7f, 0xff] {
                let mut bytes = elf.bytes.clone();
                bytes[at] = value;
                assert!(check(bytes) == whole, "{name} at {at:#x}: {value:#x}");
                damaged += 1;
            }
        }
    }
    assert!(damaged > 500, "{damaged}");
}
