//! The bundles of `reports/known`: every text is made completely from the data, without a tool;
//! nothing is stored twice.

use std::fs;
use std::process::Command;

use ledger::{Home, KNOWN_READERS, bundles};
use reports::bundle::{counts, files, list};
use results::bundle::{Bundle, Check, Filing};
use results::yaml;
use serde_json::Value;
use toolchain::producers::{Producers, SHIPPED};
use types::SframeVersion;

use testing::blessed::blessed;
use testing::{printed, root, scratch};

fn home() -> Home {
    Home { root: root() }
}

fn all() -> Vec<(String, Filing)> {
    let names = bundles::names(&home()).expect("a list");
    assert!(names.len() >= 61, "{} bundles", names.len());
    let read = |name: &String| bundles::read(&home(), name).unwrap_or_else(|error| panic!("{name}: {error}"));
    names.iter().map(|name| (name.clone(), read(name))).collect()
}

/// Bundles and the producers' file agree about a tool: where its reports go.
#[test]
fn a_culprit_is_a_tool_of_the_producers_file() {
    let root = root();
    let producers = Producers::read(&root.join(SHIPPED), &root).expect("the shipped one");
    for (name, filing) in all() {
        let culprit = &filing.bundle.culprit;
        let entry = producers.entries().find(|entry| entry.called() == culprit.name);
        let entry = entry.unwrap_or_else(|| panic!("{name}: {} is called so by no entry", culprit.name));
        assert_eq!(entry.bugzilla, culprit.bugzilla, "{name}");
    }
}

/// Bundles from before output was quoted, whose tool has not been run again since.
const NOT_QUOTED: [&str; 3] = ["wild-relocatable", "wild-sort-section", "wild-v2-starts"];

/// A maintainer gets the tool's output that shows the bug, not a paraphrase.
#[test]
fn a_bundle_quotes_the_output_that_shows_its_bug() {
    for (name, Filing { bundle, .. }) in all().into_iter().filter(|(name, _)| !NOT_QUOTED.contains(&name.as_str())) {
        let by_reader = bundle.printed.as_deref().unwrap_or_else(|| panic!("{name} quotes no output"));
        let has = |line: &str, cell: &str| line.split_whitespace().any(|word| word == cell);
        match &bundle.check {
            Check::Row { wrong, or, .. } => {
                let mut shown =
                    by_reader.lines().flat_map(|line| [wrong].into_iter().chain(or).map(move |cell| (line, cell)));
                assert!(wrong.is_empty() || shown.any(|(line, cell)| has(line, cell)), "{name}: {by_reader}");
            }
            Check::Lacks { line, .. } => assert!(!by_reader.contains(line), "{name}: {by_reader}"),
            Check::Printed { wrong, .. } => assert!(by_reader.contains(wrong), "{name}: {by_reader}"),
            Check::NoSegment => assert!(!by_reader.contains("GNU_SFRAME"), "{name}: {by_reader}"),
            Check::Failure { .. }
            | Check::StartsDescend
            | Check::Silence { .. }
            | Check::Exit { .. }
            | Check::Directive { .. }
            | Check::Relocations { .. }
            | Check::Rule { .. }
            | Check::File { .. }
            | Check::ByEye => {}
        }
    }
}

/// Keys whose values are for programs or for the list of all bundles: the texts express their
/// meaning in other words.
const SILENT: [&str; 12] =
    ["abi", "bugzilla", "by", "code_of", "column", "dump", "entry", "field", "function", "remark", "targets", "within"];

/// Every text in a value, with its path.
fn leaves(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members.iter().filter(|(key, _)| !SILENT.contains(&key.as_str())) {
                leaves(value, &format!("{path}/{key}"), found);
            }
        }
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(nth, value)| leaves(value, &format!("{path}/{nth}"), found));
        }
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns true for the variable of a command that no script has: one after a compiler's assembly.
fn is_unused(bundle: &Bundle, path: &str) -> bool {
    let further = path.starts_with("/commands/") && !path.starts_with("/commands/0/");
    further && path.ends_with("/variable") && matches!(bundle.check, Check::Directive { .. })
}

/// A command with the options passed to the assembler.
fn with_options(words: &str, version: &str, pcrel: &str) -> String {
    words.replace("{sframe-version}", version).replace("{sframe-pcrel}", pcrel)
}

/// Words separated by single blanks, without Markdown escapes.
fn plain(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace('\\', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn file<'a>(files: &'a [(String, String)], name: &str) -> &'a str {
    let found = files.iter().find(|(file, _)| file == name);
    found.map_or_else(|| panic!("no {name}"), |(_, text)| text.as_str())
}

/// Each value of the data is in the report or in the script; what a maintainer needs is in each
/// tracker's text.
#[test]
fn every_text_of_every_bundle_is_whole() {
    for (name, filing) in all() {
        let files = files(&filing);
        let (report, script) = (file(&files, "report.md"), file(&files, "run.sh"));
        let texts = plain(report) + &plain(script);
        let data = serde_json::to_value(&filing.bundle).expect("JSON");
        let mut values = Vec::new();
        leaves(&data, "", &mut values);
        assert!(values.len() > 15, "{name}: {values:?}");
        values.retain(|(path, _)| !is_unused(&filing.bundle, path));
        for (path, value) in &values {
            let value = with_options(value, "\"$version\"", "\"$pcrel\"");
            assert!(texts.contains(&plain(&value)), "{name}: {path} is in neither text: {value}");
        }
        let trackers: Vec<&(String, String)> = files
            .iter()
            .filter(|(file, _)| ["mail.txt", "github.md", "bugzilla.txt"].contains(&file.as_str()))
            .collect();
        assert!(trackers.len() >= 2, "{name}");
        for (tracker, text) in trackers {
            let text = plain(text);
            let needed =
                ["/title", "/note", "/clause", "/commands", "/printed", "/expected", "/others", "/check/wrong"];
            let values = values.iter().filter(|(path, _)| needed.iter().any(|needed| path.starts_with(needed)));
            // The variables are only in the script, and its search text only if no dump is quoted.
            let values = values.filter(|(path, _)| !path.ends_with("/variable"));
            // Trackers do not get the steps after a compiler's assembly output.
            let is_further = |path: &str| path.starts_with("/commands") && !path.starts_with("/commands/0/");
            let assembly_shows = matches!(filing.bundle.check, Check::Directive { .. });
            let values = values.filter(|(path, _)| !(assembly_shows && is_further(path)));
            for (path, value) in values.filter(|(path, _)| path != "/check/wrong" || filing.bundle.printed.is_none()) {
                // Trackers get the version that was measured.
                let value = with_options(value, "3", "1");
                assert!(text.contains(&plain(&value)), "{name}: {path} is not in {tracker}: {value}");
            }
            for source in filing.texts.iter().take(if assembly_shows { 1 } else { usize::MAX }) {
                assert!(text.contains(&plain(source)), "{name}: {tracker} lacks a source");
            }
        }
        let block = report.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
        for command in block.lines() {
            assert!(script.lines().any(|line| line.starts_with(command)), "{name}: {command}");
        }
    }
}

/// A clause may have another text in another version.
#[test]
fn clauses_are_those_of_the_version_at_hand() {
    let mut cited = 0;
    for (name, filing) in all() {
        let (Some(clause), Some(version)) = (&filing.bundle.clause, filing.bundle.sframe) else { continue };
        for part in clause.section.split("; ").filter(|part| part.starts_with("SFrame V")) {
            let text = part.split(',').next().unwrap_or_default();
            // The errata only state more clearly what version 2 requires.
            let fits = text == version.text() || (text, version) == ("SFrame V2 errata 1", SframeVersion::V2);
            assert!(fits, "{name}: {part} is not of {version}");
            cited += 1;
        }
    }
    assert!(cited >= 15, "{cited}");
}

/// Filed texts show the bug to people who do not know this project.
#[test]
fn no_bundle_needs_this_program() {
    for (name, filing) in all() {
        let files = files(&filing);
        assert!(!matches!(filing.bundle.check, Check::Rule { .. } | Check::File { .. } | Check::ByEye), "{name}");
        for file_name in ["run.sh", "mail.txt", "github.md"] {
            let text = file(&files, file_name);
            assert!(!text.contains("sframe-conformance"), "{name}: {file_name} names this program");
        }
    }
}

/// `sh -n` parses each script, and its sources are beside it.
#[test]
fn every_script_is_one_that_a_shell_reads() {
    let folder = scratch::folder();
    for (name, filing) in all() {
        let files = files(&filing);
        let script = folder.path().join(format!("{name}.sh"));
        fs::write(&script, file(&files, "run.sh")).expect("a file");
        let ran = Command::new("sh").arg("-n").arg(&script).output().expect("a shell");
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        for source in &filing.bundle.sources {
            assert!(file(&files, "run.sh").contains(&format!("\"$here\"/{} ", source.name)), "{name}: {}", source.name);
            assert_eq!(bundles::sha256(file(&files, &source.name).as_bytes()), source.sha256, "{name}");
        }
    }
}

/// No text is outdated after an edit: each value that can change is in a text.
#[test]
fn an_edit_of_the_data_changes_the_texts() {
    // One by a complaint, one by a row, one by rows of all three, one by readelf's output, one of a
    // link.
    for name in [
        "gas-remember-twice-error",
        "gas-ra-register-restore",
        "gcc-push-pop-constant",
        "gas-offset-in-cie",
        "lld-concatenates",
    ] {
        let filing = bundles::read(&home(), name).expect(name);
        let data = serde_json::to_value(&filing.bundle).expect("JSON");
        let mut values = Vec::new();
        leaves(&data, "", &mut values);
        // A word of the stack that several tables read is in a picture once.
        values.retain(|(path, _)| !path.ends_with("frame/ra") && !path.ends_with("frame/fp"));
        values.retain(|(path, _)| !is_unused(&filing.bundle, path));
        let mut edited = 0;
        for (path, value) in values {
            let mut other = data.clone();
            *other.pointer_mut(&path).expect("a value") = Value::String(format!("{value}7"));
            // A rule, a target or a size is one of a list.
            let Ok(bundle) = serde_json::from_value::<Bundle>(other) else { continue };
            edited += 1;
            let other = Filing { bundle, ..filing.clone() };
            assert!(files(&other) != files(&filing), "{name}: {path} is in no text");
        }
        assert!(edited > 12, "{name}: {edited}");
    }
}

/// The rows are parsed, so that pictures can be drawn of them.
#[test]
fn every_row_is_one_that_is_read() {
    let mut rows = 0;
    for (name, filing) in all() {
        let Some(shown) = &filing.bundle.finding else { continue };
        for reading in [&shown.truth, &shown.sframe, &shown.eh_frame].into_iter().flatten() {
            let values = reading.values(filing.bundle.abi);
            assert!(!matches!(values.row, types::Claim::Printed(_)), "{name}: {}", reading.row);
            rows += 1;
        }
    }
    assert!(rows >= 70, "{rows}");
}

/// A folder contains the data and the sources that are in no other place; the ledger has an entry
/// with its name.
#[test]
fn nothing_else_is_kept() {
    for entry in fs::read_dir(root().join("reports/known")).expect("a folder").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Bundles about readers have another format: see `readers`. Libraries have none.
        if entry.path().is_dir() && ![KNOWN_READERS, bundles::KNOWN_LIBRARIES].iter().any(|one| one.ends_with(&name)) {
            let filing = bundles::read(&home(), &name).unwrap_or_else(|error| panic!("{error}"));
            let own = filing.bundle.sources.iter().filter(|source| source.code_of.is_none());
            let mut known: Vec<String> = own.map(|source| source.name.clone()).collect();
            known.push(ledger::BUNDLE.to_owned());
            known.extend(filing.bundle.program.iter().map(|_| bundles::PROGRAM.to_owned()));
            known.sort();
            let files = fs::read_dir(entry.path()).expect("a folder").map(|file| file.expect("a file").file_name());
            let mut files: Vec<String> = files.map(|file| file.to_string_lossy().into_owned()).collect();
            files.sort();
            assert_eq!(files, known, "{name}");
            let entry = filing.bundle.entry.unwrap_or(name);
            assert!(root().join(format!("reports/known/{entry}.yaml")).is_file(), "there is no entry {entry}");
        }
    }
}

/// So that a person's edit and the program's differ only by the edit.
#[test]
fn data_is_written_as_the_program_writes_it() {
    for (name, filing) in all() {
        let text = yaml::print(&filing.bundle).expect("YAML");
        blessed(&bundles::folder(&home(), &name).join(ledger::BUNDLE), &text);
    }
}

#[test]
fn the_list_says_what_the_data_says() {
    for (path, bugs) in bundles::lists(&home()).expect("lists") {
        let text = fs::read_to_string(&path).expect("the list");
        let (before, _) = text.split_once("| Bug |").expect("a table");
        blessed(&path, &format!("{before}{}", list(&bugs)));
        // Trackers and mailing lists truncate longer ones.
        let long = bugs.iter().find(|bug| bug.title.chars().count() > 80);
        assert!(long.is_none(), "{long:?}");
    }
}

/// A source that changed since the measurement is not filed.
#[test]
fn a_source_that_changed_is_refused() {
    let folder = scratch::folder();
    let known = folder.path().join("reports/known/mine");
    let text = fs::read_to_string(root().join("reports/known/gcc-push-pop-constant/bundle.yaml")).expect("the data");
    fs::create_dir_all(&known).expect("a folder");
    fs::write(known.join("repro.c"), "int test(void) { return 3; }\n").expect("a file");
    let home = Home { root: folder.path().into() };
    let mut errors = Vec::new();
    let sum = bundles::sha256(b"int test(void) { return 3; }\n");
    for (what, from, to, sum) in [
        ("its source has changed", "", "", ""),
        ("name: ../repro.c", "name: repro.c", "name: ../repro.c", ""),
        ("code_of: /etc/passwd", "cases/c/start/start.amd64.s", "/etc/passwd", sum.as_str()),
        ("zzz: 1", "title: ", "zzz: 1\ntitle: ", ""),
    ] {
        let mut text = if from.is_empty() { text.clone() } else { text.replace(from, to) };
        if !sum.is_empty() {
            text = text.replace("d5e93f578148aa2872342b7cc491acf343ecbca92faa7da6534b6cfec48b9f83", sum);
        }
        fs::write(known.join("bundle.yaml"), text).expect("a file");
        let error = bundles::read(&home, "mine").expect_err(what).to_string();
        errors.push(format!("{what}:\n{error}\n").replace(&format!("{}/", folder.path().display()), ""));
    }
    printed!("bundle-refused.txt", &errors.join("\n"));
}

/// Written data is read back unchanged, and sources that are in the cases are referred to.
#[test]
fn what_is_kept_names_what_cases_have() {
    let folder = scratch::folder();
    let home_of_one = Home { root: folder.path().into() };
    let copy = folder.path().join("cases/c/start/start.amd64.s");
    fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
    fs::copy(root().join("cases/c/start/start.amd64.s"), &copy).expect("a source");
    // No ledger has the state of an upstream report.
    let filing = Filing { upstream: None, ..bundles::read(&home(), "gcc-push-pop-constant").expect("a bundle") };
    let mut whole = filing.clone();
    whole.bundle.sources.iter_mut().for_each(|source| source.code_of = None);
    let kept = folder.path().join("reports/known/mine/start.amd64.s");
    for _ in 0..2 {
        bundles::write(&home_of_one, "mine", &whole).expect("written");
        assert_eq!(bundles::read(&home_of_one, "mine").expect("a bundle"), filing);
        assert!(!kept.exists());
    }
    assert_eq!(bundles::names(&home_of_one).expect("a list"), ["mine"]);
    for name in ["", "..", "../..", "a/b", "/tmp", ".hidden"] {
        let error = bundles::write(&home_of_one, name, &whole).expect_err(name).to_string();
        assert!(error.contains("is outside the folder"), "{error}");
        assert_eq!(bundles::names(&home_of_one).expect("a list"), ["mine"], "and nothing is removed");
    }
    // Not the file that was measured: it is stored.
    fs::write(&copy, "nop\n").expect("a file");
    bundles::write(&home_of_one, "mine", &whole).expect("written");
    assert!(kept.is_file());
}

/// The README of the checkout has the counts of findings.
#[test]
fn the_counts_are_those_of_the_ledgers() {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).expect("the README");
    let (before, rest) = text.split_once("| Tool |").expect("a table");
    let (_, after) = rest.split_once("\n\n").expect("an end of the table");
    let [producers, readers] = bundles::counted(&home()).expect("counts");
    blessed(&path, &format!("{before}{}\n{after}", counts(&producers, &readers)));
}
