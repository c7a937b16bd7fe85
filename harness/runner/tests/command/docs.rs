//! Whether the documents are true: every command in them is run, every key is explained, every link and path leads somewhere, and the
//! list of crates is that of the workspace.
//!
//! A command that no row of [`ROWS`] names fails the test, and so does a row that no document names any more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use matrix::case::CaseFacts;
use matrix::known::Known;
use matrix::link::LinkCase;
use model::Key;
use toolchain::entry::Entry;
use toolchain::yaml;

use crate::document::{
    behind_the_program, commands, documents, exists, expected, fences, is_path, keys, read, root, section, split,
};
use crate::support::{CLEAN_EXE, CLEAN_OBJECT, Folder, SHARED, WRONG_OBJECT, finish, frozen, program, run};

/// Documents whose commands are run.
const DOCUMENTS: [&str; 12] = [
    "README.md",
    ".github/CONTRIBUTING.md",
    "cases/README.md",
    "cases/c/README.md",
    "cases/found/README.md",
    "cases/link/README.md",
    "ci/README.md",
    "generators/README.md",
    "harness/README.md",
    "reports/README.md",
    "reports/known/README.md",
    "reports/schemas/README.md",
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
    row(
        "check --output --file README.md:/tmp/text --stdin README.md FILE -- sort /tmp/text",
        &[("README.md:/tmp/text", "/proc/version:/tmp/text"), ("README.md", "{clean}"), ("FILE", "{clean}")],
        &[],
        Exit(0, "CLEAN"),
    ),
    row("check --format json FILE", &[("FILE", "{clean}")], &[], Exit(0, "\"verdict\":\"clean\"")),
    row(
        "check --static build/program build/lib.so",
        &[("build/program", "{clean}"), ("build/lib.so", "{shared}")],
        &[],
        Exit(0, "CLEAN"),
    ),
    row("sweep /usr/lib", &[("/usr/lib", "{wrong}")], &[], Exit(1, "errors by cause")),
    row(
        "sweep --static --shard $PART/4 --out sweep-$PART rootfs",
        &[("$PART/4", "1/1"), ("sweep-$PART", "sweep-1"), ("rootfs", "{wrong}")],
        &[],
        Exit(1, "errors by cause"),
    ),
    row("report --merge sweep-* --out sweep", &[("sweep-*", "sweep-1")], &[], Exit(0, "")),
    row("report sweep", &[], &[], Exit(1, "errors by cause")),
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
    row("run --out target/before", &[], &["--filter", TRIAL], Done("page:")),
    row("run --out target/after", &[], &["--filter", OTHER], Done("page:")),
    row("report --diff target/before target/after", &[], &[], Exit(1, OTHER)),
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
    row("score --blind --seed 7", &[], &[], Parses("test `blind` runs it on some files")),
    row(
        "score --blind --replay 1:12:frozen/aarch64/gas-2.40--v1--gcc12-O2--exe --out DIR",
        &[],
        &[],
        Parses("as above"),
    ),
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
                        ["cargo", "run", "--release", "--", ..] | ["jq", _] => true,
                        ["jq", .., file] => file.ends_with("results.jsonl"),
                        // The sweep that it starts is that of the workflow above it.
                        ["parallel", ..] => words.contains(&"sframe-conformance"),
                        ["cargo", "test" | "nextest" | "clippy" | "fmt", ..] => true,
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
fn scripts_targets_and_trials_in_commands_exist() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for command in commands(&read(document)) {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            if let Some(script) = words.first().filter(|word| word.starts_with("ci/") || word.starts_with(".ci/")) {
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
            if let (Some("cargo"), Some(at)) = (words.first().copied(), words.iter().position(|word| *word == "-p")) {
                let package = words.get(at + 1).expect("a package");
                assert!(crates().iter().any(|one| one.package == *package), "{document}: no crate {package}");
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
    let section = section(&read("ci/README.md"), "## Adding a producer");
    let nested = ["version", "wanted", "sframe", "options", "needs", "with", "limits"];
    for key in keys::<Vec<Entry>>("- zzz: 1") {
        let alone = section.contains(&format!("`{key}`"));
        assert!(alone || nested.contains(&key.as_str()), "ci/README.md does not say what `{key}` of a producer is");
    }
    for outer in nested {
        let map = if matches!(outer, "version" | "limits") { "{zzz: 1}" } else { "[{zzz: 1}]" };
        let inner = keys::<Vec<Entry>>(&format!("- {outer}: {map}"));
        assert!(!inner.is_empty());
        for key in inner {
            let name = format!("`{outer}.{key}`");
            assert!(section.contains(&name), "ci/README.md does not say what {name} of a producer is");
        }
    }
    for step in keys::<Vec<Entry>>("- steps: {zzz: x}") {
        assert!(section.contains(&format!("`{step}`")), "ci/README.md does not name the step {step}");
    }
    for (field, why) in [("kind", "kind"), ("flavour", "family")] {
        for name in keys::<Vec<Entry>>(&format!("- {field}: zzz")) {
            assert!(section.contains(&format!("`{name}`")), "ci/README.md does not name the {why} {name}");
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
    let section = section(&read("reports/README.md"), "## Accepting a discrepancy");
    for text in ["zzz: 1", "findings: [{zzz: 1}]"] {
        for key in keys::<Known>(text) {
            assert!(
                section.contains(&format!("`{key}`")),
                "reports/README.md does not say what `{key}` of an entry is"
            );
        }
    }
}

#[test]
fn what_the_documents_show_in_yaml_is_read() {
    let folder = Folder::new();
    let file = folder.write("producers.yaml", shown_producers().as_bytes());
    let entries = yaml::read::<Vec<Entry>>(Path::new(&file)).expect("the producers of ci/README.md");
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

/// Files and folders that documents and scripts name: below the root or beside the document, or the beginning of names there.
#[test]
fn paths_lead_somewhere() {
    let (mut paths, mut nowhere) = (0, Vec::new());
    for document in DOCUMENTS {
        let text = read(document);
        let beside = root().join(document).parent().expect("a folder").to_path_buf();
        for span in text.split('`').skip(1).step_by(2).filter(|span| is_path(span)) {
            let first = span.split('/').next().unwrap_or_default();
            let mut homes = [root(), beside.clone()].into_iter().filter(|home| home.join(first).is_dir()).peekable();
            if homes.peek().is_some() {
                if !homes.any(|home| exists(&home.join(span))) {
                    nowhere.push(format!("{document}: {span}"));
                }
                paths += 1;
            }
        }
    }
    let scripts = [".ci/run", "ci/compare", "ci/nightly", "ci/producers", "ci/producers.yaml", "ci/setup"];
    let workflows = [".github/workflows/nightly.yml", ".github/workflows/push.yml"];
    for script in scripts.into_iter().chain(workflows) {
        let text = read(script);
        for word in text.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c))) {
            let word = word.trim_end_matches('.');
            if ["harness/", "generators/", "reports/", "cases/", "ci/"].iter().any(|folder| word.starts_with(folder)) {
                if !exists(&root().join(word)) {
                    nowhere.push(format!("{script}: {word}"));
                }
                paths += 1;
            }
        }
    }
    assert!(nowhere.is_empty(), "lead nowhere: {nowhere:#?}");
    assert!(paths > 80, "{paths}");
}

/// The list of crates in harness/README.md has every crate, and for each the crates that its `Cargo.toml` names.
#[test]
fn the_list_of_crates_is_that_of_the_workspace() {
    let section = section(&read("harness/README.md"), "## Crates");
    let cell = |text: &str| -> BTreeSet<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut listed = BTreeSet::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let [name, _, uses] = cells.as_slice() else { panic!("harness/README.md: three cells: {line}") };
        listed.insert((name.trim().trim_matches('`').to_owned(), cell(uses)));
    }
    let expected: BTreeSet<_> = crates().into_iter().map(|one| (one.folder, one.uses)).collect();
    let wrong: Vec<_> = listed.symmetric_difference(&expected).collect();
    assert!(wrong.is_empty(), "harness/README.md and Cargo.toml differ (both forms shown): {wrong:#?}");
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

/// The producers' file that ci/README.md shows: its first block in YAML.
fn shown_producers() -> String {
    fences(&section(&read("ci/README.md"), "## Adding a producer")).remove(0)
}

/// A crate of the workspace.
struct Crate {
    package: String,
    folder: String,
    /// Folders of the crates that it uses, those of its tests aside.
    uses: BTreeSet<String>,
}

fn crates() -> Vec<Crate> {
    let offline = ["--offline".to_owned()];
    let metadata = MetadataCommand::new().no_deps().other_options(offline).exec().expect("cargo metadata");
    let folder = |manifest: &Utf8Path| manifest.parent().and_then(Utf8Path::file_name).expect("a folder").to_owned();
    let folders: BTreeMap<&str, String> =
        metadata.packages.iter().map(|package| (package.name.as_str(), folder(&package.manifest_path))).collect();
    let uses = |package: &Package| {
        let used = package.dependencies.iter().filter(|used| used.kind == DependencyKind::Normal);
        used.filter_map(|used| folders.get(used.name.as_str()).cloned()).collect()
    };
    let one = |package: &Package| Crate {
        package: package.name.to_string(),
        folder: folders[package.name.as_str()].clone(),
        uses: uses(package),
    };
    metadata.packages.iter().map(one).collect()
}
