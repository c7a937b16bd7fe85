//! The documents, held against the program: every command in them is run, every key they must explain is there, every link leads somewhere.
//!
//! A command that no row of [`ROWS`] names fails the test, and so does a row that no document names any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use matrix::case::CaseFacts;
use matrix::known::Known;
use matrix::link::LinkCase;
use model::Key;
use serde::de::DeserializeOwned;
use toolchain::entry::Entry;
use toolchain::yaml;

use crate::support::{CLEAN_EXE, CLEAN_OBJECT, Folder, SHARED, WRONG_OBJECT, finish, frozen, program, run};

/// Documents whose commands are run.
const DOCUMENTS: [&str; 7] = [
    "README.md",
    "cases/README.md",
    "cases/c/README.md",
    "cases/found/README.md",
    "cases/link/README.md",
    "ci/README.md",
    "reports/known/README.md",
];

/// A trial that needs no tool, and has three findings (`reports/known`): that of [`WRONG_OBJECT`].
const TRIAL: &str = "gas@2.40::amd64::v1::objects::hand-o";
/// Another trial, with none.
const OTHER: &str = "gas@2.47.50::aarch64-le::v3::objects::gcc12-O0-o";

/// How a command of a document is run.
struct Row {
    /// The words behind the program's name.
    says: &'static str,
    /// Words that stand for something, and what they stand for here; `{...}` is a file that the test makes.
    put: &'static [(&'static str, &'static str)],
    /// More words: what keeps it short.
    more: &'static [&'static str],
    ends: Ends,
}

/// How it must end.
enum Ends {
    /// With this exit code, and a word of standard output.
    Exit(i32, &'static str),
    /// With 0, 1 or 2, which depends on the tools of the machine, and a word of standard output.
    Done(&'static str),
    /// Not run: its words are parsed (`--help` behind them), for the reason given.
    Parses(&'static str),
}

use Ends::{Done, Exit, Parses};

const fn row(
    says: &'static str,
    put: &'static [(&'static str, &'static str)],
    more: &'static [&'static str],
    ends: Ends,
) -> Row {
    Row { says, put, more, ends }
}

const ROWS: &[Row] = &[
    row("check ra-in-register", &[("ra-in-register", "{wrong}")], &[], Exit(1, "DISCREPANCY")),
    row("check FILE...", &[("FILE...", "{clean}")], &[], Exit(0, "CLEAN")),
    row("check --explore lib.so", &[("lib.so", "{shared}")], &[], Exit(0, "CLEAN")),
    row("check --format json FILE", &[("FILE", "{clean}")], &[], Exit(0, "\"verdict\":\"clean\"")),
    row(
        "check --static build/program build/lib.so",
        &[("build/program", "{clean}"), ("build/lib.so", "{shared}")],
        &[],
        Exit(0, "CLEAN"),
    ),
    row("dump FILE", &[("FILE", "{object}")], &[], Exit(0, "start_fre_off")),
    row("trace FILE", &[("FILE", "{clean}")], &[], Exit(0, "no caller")),
    row("explain row/", &[], &[], Exit(0, "row/cfa-matches-truth")),
    row("explain link/", &[], &[], Exit(0, "link/conserved")),
    row("producers", &[], &[], Exit(0, "assembler")),
    row("run", &[], &["--filter", TRIAL], Done("index.html")),
    row("run --filter s390x --jobs 2 --out DIR", &[("s390x", "s390x::v3::objects::hand-o")], &[], Done("page:")),
    row("run --filter TOPIC::NAME --out DIR", &[("TOPIC::NAME", "objects::hand-o")], &[], Done("page:")),
    row(
        "run --producers ../ci/sframe.yaml --filter gas@",
        &[("../ci/sframe.yaml", "{producers}"), ("gas@", "gas@absent::amd64::none::calls")],
        &[],
        Done("no as-new in ../build/gas"),
    ),
    row("report target/conformance --format github", &[], &[], Exit(0, "::notice")),
    row("report DIR", &[("DIR", "{results}")], &[], Exit(0, "known findings")),
    row("report --diff OLD NEW", &[("OLD", "{results}"), ("NEW", "{other}")], &[], Exit(1, OTHER)),
    row(
        "report --merge DIR/shard-1 DIR/shard-2 --out DIR/all",
        &[("DIR/shard-1", "{results}"), ("DIR/shard-2", "{other}")],
        &[],
        Exit(0, ""),
    ),
    row(
        "accept FINGERPRINT --entry NAME --title \"GNU as 2.44 does ...\" --reason \"bytes, clause, ...\" --link unfiled --expires DAY",
        &[
            ("FINGERPRINT", "{fingerprint}"),
            ("bytes, clause, ...", "A test of the document, and not the reason of anything."),
            ("DAY", "2999-12-31"),
        ],
        &[],
        Exit(0, "NAME.yaml: 1 findings"),
    ),
    row("generate --seed 1 --count 100 --out DIR", &[("100", "2")], &[], Exit(0, "2 programs in")),
    row("generate --check --count 10000", &[("10000", "2")], &[], Exit(0, "0 problems")),
    row("fuzz", &[], &[], Parses("test `fuzz` runs it on what this machine has")),
    row("fuzz --count 1000", &[], &[], Parses("as above")),
    row("fuzz --count 2000 --seed N --out DIR", &[("N", "7")], &[], Parses("as above")),
    row("score", &[], &[], Parses("minutes long; test `score` runs parts of it")),
    row("score --filter row- --most 2 --format json", &[], &[], Parses("as above")),
    row(
        "reduce TRIAL --finding FINGERPRINT",
        &[("TRIAL", TRIAL), ("FINGERPRINT", "{fingerprint}")],
        &[],
        Exit(0, "to 1 function"),
    ),
    row("reduce FILE", &[("FILE", "{wrong}")], &[], Exit(0, "repro.")),
    row("reduce FILE --assembler gas@2.44 --abi amd64", &[], &[], Parses("needs that assembler")),
    row("bundle TRIAL --out DIR", &[], &[], Parses("needs the assembler of a finding")),
    row("bundle FINGERPRINT --out DIR", &[], &[], Parses("needs the assembler of a finding")),
    row("bundle DIR/results.jsonl --most 3 --out DIR/bundles", &[], &[], Parses("as above")),
];

#[test]
fn every_command_in_the_documents_is_run() {
    let desk = Desk::new();
    let mut named = BTreeSet::new();
    for document in DOCUMENTS {
        for words in commands(&read(document)).iter().filter_map(|command| behind_the_program(command)) {
            let says = words.join(" ");
            let found = ROWS.iter().find(|row| split(row.says) == words);
            let row = found.unwrap_or_else(|| panic!("{document}: `{says}`: no row of this test says how to run it"));
            if named.insert(row.says) {
                desk.follow(document, row);
            }
        }
    }
    let merged = fs::read_to_string(desk.folder.path("made/DIR/all/results.jsonl")).expect("results put together");
    assert!(merged.contains(TRIAL) && merged.contains(OTHER), "{merged}");
    let stale: Vec<&str> = ROWS.iter().map(|row| row.says).filter(|says| !named.contains(says)).collect();
    assert!(stale.is_empty(), "no document has these any more: {stale:?}");
}

/// What stands in a block of commands is looked at by a test of this file: no line is passed over because it begins in a new way.
#[test]
fn every_line_of_a_block_of_commands_is_of_a_kind_that_is_checked() {
    let (mut blocks, mut lines) = (0, 0);
    for document in DOCUMENTS {
        for block in read(document).split("\n```").skip(1).step_by(2) {
            let (language, text) = block.split_once('\n').unwrap_or((block, ""));
            let session = text.starts_with("$ ");
            // A picture begins with a blank; what a session shows is output, but for its commands.
            if language == "yaml" || text.starts_with(' ') {
                continue;
            }
            assert!(language.is_empty(), "{document}: a block of {language}: say here how it is checked");
            blocks += 1;
            for line in text.lines().filter(|line| !session || line.starts_with("$ ")) {
                for command in commands(&format!("\n```\n{line}\n```\n")) {
                    let words: Vec<&str> = command.iter().map(String::as_str).collect();
                    let known = match words.as_slice() {
                        ["cargo", "run", "--release", "--", ..] | ["cargo", "test", ..] | ["jq", _] => true,
                        ["cargo", "bench", "-p", package] => *package == "sframe-conformance",
                        [first, ..] => *first == "sframe-conformance" || root().join(first).is_file(),
                        [] => false,
                    };
                    assert!(known, "{document}: nothing checks `{line}`");
                    lines += 1;
                }
            }
        }
    }
    assert!(blocks > 8 && lines > 30, "{blocks} blocks, {lines} lines");
}

#[test]
fn what_cargo_and_scripts_are_told_exists() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for command in commands(&read(document)) {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            if let Some(script) = words.first().filter(|word| word.starts_with("ci/")) {
                assert!(root().join(script).is_file(), "{document}: no {script}");
                seen += 1;
            }
            if let Some(at) = words.iter().position(|word| *word == "--test") {
                let target = words.get(at + 1).expect("a target");
                let tests = root().join("harness/runner/tests");
                let file = tests.join(format!("{target}.rs")).is_file() || tests.join(target).join("main.rs").is_file();
                assert!(file, "{document}: no test target {target}");
                seen += 1;
            }
            if let Some(at) = words.iter().position(|word| *word == "--exact") {
                let name = words.get(at + 1).expect("a trial");
                assert!(name.parse::<Key>().is_ok(), "{document}: {name} names no trial");
                let args = ["run", "--filter", name, "--out", &Folder::new().path("out")];
                assert!(matches!(run(&args).code, Some(0 | 1)), "{document}: there is no trial {name}");
            }
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn every_key_of_a_producer_is_explained() {
    let section = section(&read("README.md"), "## Adding a producer");
    let nested = ["version", "wanted", "sframe", "options", "needs", "with", "limits"];
    for key in keys::<Vec<Entry>>("- zzz: 1") {
        let alone = section.contains(&format!("`{key}`"));
        assert!(alone || nested.contains(&key.as_str()), "README.md does not say what `{key}` of a producer is");
    }
    for outer in nested {
        let map = if matches!(outer, "version" | "limits") { "{zzz: 1}" } else { "[{zzz: 1}]" };
        let inner = keys::<Vec<Entry>>(&format!("- {outer}: {map}"));
        assert!(!inner.is_empty());
        for key in inner {
            let name = format!("`{outer}.{key}`");
            assert!(section.contains(&name), "README.md does not say what {name} of a producer is");
        }
    }
    for step in keys::<Vec<Entry>>("- steps: {zzz: x}") {
        assert!(section.contains(&format!("`{step}`")), "README.md does not name the step {step}");
    }
    for (field, why) in [("kind", "kind"), ("flavour", "family")] {
        for name in keys::<Vec<Entry>>(&format!("- {field}: zzz")) {
            assert!(section.contains(&format!("`{name}`")), "README.md does not name the {why} {name}");
        }
    }
}

#[test]
fn every_key_of_a_case_is_explained() {
    let cases = section(&read("cases/README.md"), "## The YAML");
    for text in ["zzz: 1", "least: {zzz: 1}", "left_out: [{zzz: 1}]"] {
        for key in keys::<CaseFacts>(text) {
            let shown = cases.contains(&format!("{key}:"));
            assert!(shown, "cases/README.md does not show `{key}` of {text}");
        }
    }
    let recipes = section(&read("cases/link/README.md"), "## A recipe");
    for text in
        ["zzz: 1", "objects: {one: {zzz: 1}}", "steps: [{zzz: 1}]", "expect: {zzz: 1}", "expect: {runs: [{zzz: 1}]}"]
    {
        let folder = Folder::new();
        let file = folder.write("case.yaml", text.as_bytes());
        let error = LinkCase::read(Path::new(&file)).expect_err("zzz is no key").to_string();
        for key in expected(&error) {
            let shown = recipes.contains(&format!("{key}:"));
            assert!(shown, "cases/link/README.md does not show `{key}` of {text}");
        }
    }
}

#[test]
fn every_key_of_the_ledger_is_explained() {
    let section = section(&read("README.md"), "## Accepting a discrepancy");
    for text in ["zzz: 1", "findings: [{zzz: 1}]"] {
        for key in keys::<Known>(text) {
            assert!(section.contains(&format!("`{key}`")), "README.md does not say what `{key}` of an entry is");
        }
    }
}

#[test]
fn what_the_documents_show_in_yaml_is_read() {
    let folder = Folder::new();
    let file = folder.write("producers.yaml", shown_producers().as_bytes());
    let entries = yaml::read::<Vec<Entry>>(Path::new(&file)).expect("the producers of README.md");
    assert_eq!(entries.len(), 2);
    let case = fences(&section(&read("cases/README.md"), "## The YAML")).remove(0);
    let file = folder.write("case.yaml", case.as_bytes());
    let facts = yaml::read::<CaseFacts>(Path::new(&file)).expect("the case of cases/README.md");
    assert_eq!((facts.expect_exit, facts.left_out.len()), (40, 1));
}

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for document in documents(&root()) {
        let text = fs::read_to_string(&document).expect("a document");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            let folder = document.parent().expect("a folder");
            assert!(folder.join(path).exists(), "{}: {path} leads nowhere", document.display());
            links += 1;
        }
    }
    assert!(links > 10, "{links}");
}

#[test]
fn folders_of_cases_are_listed() {
    let text = read("cases/README.md");
    for entry in fs::read_dir(root().join("cases")).expect("cases").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            assert!(text.contains(&format!("| `{name}/` |")), "cases/README.md does not list {name}/");
        }
    }
}

/// What commands are run on: results of two small runs, and a checkout without ledger, so that `accept` writes there.
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
        for file in ["cases/objects/objects.yaml", "ci/producers.yaml"] {
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
        let mut words = split(row.says);
        let name = words[0].clone();
        for word in &mut words {
            match row.put.iter().find(|(says, _)| *says == word.as_str()) {
                Some((_, value)) => *word = self.value(value),
                None if word == "DIR" || word.starts_with("DIR/") => *word = self.folder.path(&format!("made/{word}")),
                None => {}
            }
        }
        words.extend(row.more.iter().map(|word| (*word).to_owned()));
        if let Parses(why) = row.ends {
            assert!(!why.is_empty());
            words.push("--help".to_owned());
        }
        let mut command = program();
        // Not a checkout: the program takes the one it was built from. `accept` gets one of its own.
        let place = if name == "accept" { self.folder.path("home") } else { self.folder.path(".") };
        command.args(&words).current_dir(place).env("NO_COLOR", "1");
        let ran = finish(command);
        let (sound, word) = match row.ends {
            Exit(code, word) => (ran.code == Some(code), word),
            Done(word) => (matches!(ran.code, Some(0..=2)), word),
            Parses(_) => (ran.code == Some(0), "Usage:"),
        };
        let printed: String = ran.stderr.chars().chain(ran.stdout.chars()).take(2000).collect();
        assert!(
            sound && ran.stdout.contains(word),
            "{document}: `{}` as {words:?}: exit {:?}, without '{word}':\n{printed}",
            row.says,
            ran.code
        );
    }

    fn value(&self, value: &str) -> String {
        match value {
            "{wrong}" => frozen(WRONG_OBJECT),
            "{clean}" => frozen(CLEAN_EXE),
            "{object}" => frozen(CLEAN_OBJECT),
            "{shared}" => frozen(SHARED),
            "{results}" => self.folder.path("results"),
            "{other}" => self.folder.path("other"),
            "{producers}" => self.folder.path("sframe.yaml"),
            "{fingerprint}" => self.fingerprint.clone(),
            _ => value.to_owned(),
        }
    }
}

/// The producers' file that README.md shows: its first block in YAML.
fn shown_producers() -> String {
    fences(&section(&read("README.md"), "## Adding a producer")).remove(0)
}

/// The commands of a document, as words: those of code blocks, line by line, parted at `&&`, `||` and `|`; and those in running text.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut outside = String::new();
    for (index, part) in text.split("\n```").enumerate() {
        if index % 2 == 0 {
            outside.push_str(part);
            continue;
        }
        for line in part.lines().skip(1) {
            let line = line.trim_start();
            let line = line.strip_prefix("- ").unwrap_or(line);
            let line = line.strip_prefix("run: ").or(line.strip_prefix("$ ")).unwrap_or(line);
            let line = line.split(" # ").next().unwrap_or_default();
            commands.extend(line.replace("&&", "|").split('|').map(split).filter(|words| !words.is_empty()));
        }
    }
    commands.extend(outside.split('`').skip(1).step_by(2).map(split).filter(|words| !words.is_empty()));
    commands
}

/// The words behind the program's name, where a command calls it with any.
fn behind_the_program(command: &[String]) -> Option<Vec<String>> {
    let cargo = ["cargo", "run", "--release", "--"];
    let begins = command.len() > cargo.len() && command.iter().zip(cargo).all(|(word, expected)| word == expected);
    let first = command.first()?;
    let by_name = first == "sframe-conformance" || first.ends_with("release/sframe-conformance");
    let rest = if begins { command.get(cargo.len()..)? } else { command.get(1..).filter(|_| by_name)? };
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// Words, as a shell parts them; of its quoting only `"`.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The keys or names that a reader lists when it meets one that it does not know.
fn keys<T: DeserializeOwned>(text: &str) -> Vec<String> {
    let folder = Folder::new();
    let file = folder.write("keys.yaml", text.as_bytes());
    match yaml::read::<T>(Path::new(&file)) {
        Ok(_) => panic!("{text}: zzz is taken for something"),
        Err(error) => expected(&error.to_string()),
    }
}

/// What stands in backticks behind "expected" in a message.
fn expected(message: &str) -> Vec<String> {
    let (_, list) = message.split_once("expected").unwrap_or_else(|| panic!("{message}"));
    let names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(!names.is_empty(), "{message}");
    names
}

/// A section of a document, from its heading to the next of the same level.
fn section(text: &str, heading: &str) -> String {
    let (_, rest) = text.split_once(&format!("{heading}\n")).unwrap_or_else(|| panic!("no '{heading}'"));
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// The contents of its code blocks in YAML.
fn fences(text: &str) -> Vec<String> {
    let parts = text.split("```yaml\n").skip(1);
    parts.filter_map(|part| part.split("\n```").next()).map(str::to_owned).collect()
}

/// Every document below a folder, without what is built or fetched.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && !path.is_symlink() {
            if name != "target" && name != ".git" {
                found.extend(documents(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
