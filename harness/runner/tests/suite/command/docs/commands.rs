//! Every command in the documents is run as written. One that `commands.txt` does not have fails
//! the test, and so does one there that no document contains any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::{DOCUMENTS, shown_producers};
use crate::command::document::{after_the_program, commands, read, root, split};
use crate::command::support::{
    CLEAN_EXE, CLEAN_OBJECT, Folder, SHARED, WRONG_OBJECT, finish, frozen, program, run, with_producers,
};

/// A trial that needs no tool, with three findings (`reports/known`): that of [`WRONG_OBJECT`].
const TRIAL: &str = "gas@2.40::amd64::v1::objects::hand-o";
/// Another trial, without findings.
const OTHER: &str = "gas@2.47.50::aarch64-le::v3::objects::gcc12-O0-o";

/// How a command of a document is run.
#[derive(Default)]
struct Row {
    /// Words after the program's name.
    command: String,
    /// Words of it, with their values.
    put: Vec<(String, String)>,
    more: Vec<String>,
    /// Possible exit codes; none if it is only parsed.
    codes: Vec<i32>,
    /// A part of standard output.
    word: String,
}

/// The rows of `commands.txt`.
fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in include_str!("commands.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let Some((kind, rest)) = line.strip_prefix("  ").map(|line| line.split_once(' ').unwrap_or((line, ""))) else {
            rows.push(Row { command: line.to_owned(), ..Row::default() });
            continue;
        };
        let row = rows.last_mut().expect("a command");
        match kind {
            "put" => {
                let (word, value) = rest.split_once(" = ").expect("a value");
                row.put.push((word.to_owned(), value.to_owned()));
            }
            "more" => row.more = split(rest),
            "exit" => {
                let (code, word) = rest.split_once(' ').unwrap_or((rest, ""));
                (row.codes, row.word) = (vec![code.parse().expect("an exit code")], word.replace("\\n", "\n"));
            }
            "any" => (row.codes, row.word) = (vec![0, 1, 2], rest.replace("\\n", "\n")),
            "parses:" => {
                assert!(!rest.is_empty(), "{line}: the reason");
                row.word = "Usage:".to_owned();
            }
            _ => panic!("commands.txt: {line}"),
        }
    }
    rows
}

#[test]
fn every_command_in_the_documents_is_run() {
    let (desk, rows) = (Desk::new(), rows());
    let mut named = BTreeSet::new();
    for document in DOCUMENTS {
        for words in commands(&read(document)).iter().filter_map(|command| after_the_program(command)) {
            let found = rows.iter().find(|row| split(&row.command) == words);
            let row = found.unwrap_or_else(|| panic!("{document}: `{}` is not in commands.txt", words.join(" ")));
            if named.insert(&row.command) {
                desk.follow(document, row);
            }
        }
    }
    let merged = fs::read_to_string(desk.folder.path("made/DIR/all/results.jsonl")).expect("results put together");
    assert!(merged.contains(TRIAL) && merged.contains(OTHER), "{merged}");
    let stale: Vec<&String> = rows.iter().map(|row| &row.command).filter(|command| !named.contains(command)).collect();
    assert!(stale.is_empty(), "no document has these any more: {stale:?}");
}

/// Inputs for the commands: results of two small runs, and a checkout without ledger, in which
/// `accept` writes.
struct Desk {
    folder: Folder,
    fingerprint: String,
}

impl Desk {
    fn new() -> Self {
        let folder = Folder::new();
        for (name, filter) in [("results", TRIAL), ("other", OTHER), ("target/conformance", TRIAL)] {
            let ran = run(&["run", "--filter", filter, "--out", &folder.path(name)]);
            assert!(matches!(ran.code, Some(0 | 1)), "{filter}: {}", ran.stderr);
        }
        for file in ["cases/objects/objects.yaml", "ci/producers.yaml", "ci/consumers.yaml"] {
            let copy = PathBuf::from(folder.path("home")).join(file);
            fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
            fs::copy(root().join(file), copy).expect("a copy");
        }
        fs::create_dir_all(folder.path("home/reports/known")).expect("a folder");
        fs::create_dir_all(folder.path("home/target/conformance")).expect("a folder");
        let results = fs::read_to_string(folder.path("results/results.jsonl")).expect("results");
        fs::write(folder.path("home/target/conformance/results.jsonl"), &results).expect("a copy");
        folder.write("sframe.yaml", shown_producers().as_bytes());
        let line: serde_json::Value = serde_json::from_str(results.lines().next().expect("a trial")).expect("JSON");
        let fingerprint = line["findings"][0]["fingerprint"].as_str().expect("a finding").to_owned();
        Desk { folder, fingerprint }
    }

    /// Runs a row's command.
    fn follow(&self, document: &str, row: &Row) {
        let mut words = split(&row.command);
        let name = words[0].clone();
        for word in &mut words {
            match row.put.iter().find(|(written, _)| written == word) {
                Some((_, value)) => *word = self.value(value),
                None if word == "DIR" || word.starts_with("DIR/") => *word = self.folder.path(&format!("made/{word}")),
                None => {}
            }
        }
        words.extend(row.more.iter().map(|word| self.value(word)));
        if row.codes.is_empty() {
            words.push("--help".to_owned());
        }
        // The others are about trials that need no tool.
        let mut command = if name == "producers" { with_producers() } else { program() };
        // Not a checkout: the program uses the one it was built from. `accept` gets its own.
        let place = if name == "accept" { self.folder.path("home") } else { self.folder.path(".") };
        command.args(&words).current_dir(place).env("NO_COLOR", "1");
        let ran = finish(command);
        let sound = ran.code.is_some_and(|code| row.codes.contains(&code) || row.codes.is_empty() && code == 0);
        let printed: String = ran.stderr.chars().chain(ran.stdout.chars()).take(2000).collect();
        assert!(
            sound && ran.stdout.contains(&self.value(&row.word)),
            "{document}: `{}` as {words:?}: exit {:?}, without '{}':\n{printed}",
            row.command,
            ran.code,
            row.word
        );
    }

    fn value(&self, value: &str) -> String {
        match value {
            "{wrong}" => frozen(WRONG_OBJECT),
            "{picture}" => frozen("x86_64/gas-2.47.50--v3--gcc12-O2--exe"),
            "{clean}" => frozen(CLEAN_EXE),
            "{object}" => frozen(CLEAN_OBJECT),
            "{shared}" => frozen(SHARED),
            "{ledger}" => format!("--known={}", root().join("reports/known/libraries").display()),
            "{results}" => self.folder.path("results"),
            "{other}" => self.folder.path("other"),
            "{producers}" => self.folder.path("sframe.yaml"),
            "{fingerprint}" => self.fingerprint.clone(),
            "{trial}" => TRIAL.to_owned(),
            "{other-trial}" => OTHER.to_owned(),
            _ => value.to_owned(),
        }
    }
}
