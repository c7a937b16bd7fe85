//! Every command in the documents is run as written. One without a row in [`ROWS`] fails the test,
//! and so does a row that no document contains any more.

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
struct Row {
    /// Words after the program's name.
    says: &'static str,
    /// Placeholders and their values; `{...}` is a file that the test makes.
    put: &'static [(&'static str, &'static str)],
    /// Further arguments, which make it short.
    more: &'static [&'static str],
    ends: Ends,
}

/// Expected end of a command.
enum Ends {
    /// This exit code, and a word of standard output.
    Exit(i32, &'static str),
    /// Exit code 0, 1 or 2, depending on the machine's tools, and a word of standard output.
    Done(&'static str),
    /// Not run, only parsed (`--help` is appended), for this reason.
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
    row(
        "check cases/objects/x86_64/gas-2.47.50--v3--gcc12-O2--exe",
        &[("cases/objects/x86_64/gas-2.47.50--v3--gcc12-O2--exe", "{picture}")],
        &[],
        Exit(1, "FP is [rbp], expected same"),
    ),
    row("check FILE...", &[("FILE...", "{clean}")], &[], Exit(0, "CLEAN")),
    row("check --quiet FILE...", &[("FILE...", "{wrong}")], &[], Exit(1, "DISCREPANCY")),
    row(
        "check --quiet --known DIR --ignore cfi/ FILE...",
        &[("DIR", "target/sweep"), ("FILE...", "{wrong}"), ("cfi/", "row/")],
        &[],
        Exit(0, ""),
    ),
    row(
        "check --output --file README.md:/tmp/text --stdin README.md FILE -- sort /tmp/text",
        &[("README.md:/tmp/text", "/proc/version:/tmp/text"), ("README.md", "{clean}"), ("FILE", "{clean}")],
        &[],
        Exit(0, "CLEAN"),
    ),
    row("check --explore lib.so", &[("lib.so", "{shared}")], &[], Exit(0, "CLEAN")),
    row("check --format json FILE", &[("FILE", "{clean}")], &[], Exit(0, "\"verdict\":\"clean\"")),
    row(
        "check --static --require-sframe build/program build/lib.so",
        &[("build/program", "{clean}"), ("build/lib.so", "{shared}")],
        &[],
        Exit(0, "CLEAN"),
    ),
    row(
        "check --signal-at main+0x10:USR1 --signal-at random:1000:1 FILE",
        &[],
        &[],
        Parses("needs a program that handles signals"),
    ),
    row("check --format junit build/lib.so", &[("build/lib.so", "{wrong}")], &[], Exit(1, "<failure type=\"FAIL\"")),
    row("sweep --static --format sarif build", &[("build", "{wrong}")], &[], Exit(1, "\"ruleId\"")),
    row(
        "sweep --static --format ktap vmlinux lib/modules",
        &[("vmlinux", "{wrong}"), ("lib/modules", "{wrong}")],
        &[],
        Exit(1, "KTAP version 1\n1.."),
    ),
    row(
        "sweep --assemble --abi amd64 --cpp \"-Ibuild/include -DPIC\" crypto/x86_64",
        &[],
        &[],
        Parses("needs assembly of a library"),
    ),
    row("run --as ../old/gas/as-new --out old", &[], &[], Parses("needs a build of binutils")),
    row("report old --format dejagnu --out old.sum", &[("old", "{results}")], &[], Exit(0, "")),
    row("sweep /usr/lib", &[("/usr/lib", "{wrong}")], &[], Exit(1, "errors by cause")),
    row(
        "sweep --quiet --known target/sweep --out DIR /usr/lib",
        &[("/usr/lib", "{wrong}")],
        &[],
        Exit(0, "1 file: 1 clean; "),
    ),
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
    row("accuracy FILE", &[("FILE", "{clean}")], &["--samples", "100"], Exit(0, "code analysis")),
    row("accuracy --time --readers FILE", &[("FILE", "{clean}")], &["--samples", "100"], Exit(0, "own-eh-frame")),
    row("accuracy --report DIR FILE", &[("FILE", "{clean}")], &["--samples", "100"], Exit(0, "code analysis")),
    row(
        "core FILE --at main+0x4 --out CORE",
        &[("FILE", "{clean}"), ("CORE", "core"), ("main+0x4", "useptr")],
        &[],
        Exit(0, "true caller"),
    ),
    row("synthesise FILE --out COPY", &[("FILE", "{clean}"), ("COPY", "copy")], &[], Exit(0, "37 of 37 functions")),
    // All of it is six thousand files; `readers/tests/suite/vectors` looks at each.
    row("corpus --out DIR", &[("DIR", "corpus")], &["--filter", "v3-amd64"], Exit(0, "implementation-defined")),
    row("consumers --list", &[], &[], Exit(0, "this project's reader")),
    row(
        "consumers",
        &[],
        &["--consumer", "own", "--programs", "0", "--builds", "0", "--filter", "amd64/two-functions"],
        Exit(0, "right"),
    ),
    row("explain row/cfa-matches-truth", &[], &[], Exit(0, "row/cfa-matches-truth")),
    row("explain link/", &[], &[], Exit(0, "link/conserved")),
    row("producers", &[], &[], Exit(0, "assembler")),
    row("run", &[], &["--filter", TRIAL], Done("index.html")),
    row("run --filter s390x --jobs 2 --out DIR", &[("s390x", "s390x::v3::objects::hand-o")], &[], Done("\npage  ")),
    row("run --filter TOPIC::NAME --out DIR", &[("TOPIC::NAME", "objects::hand-o")], &[], Done("\npage  ")),
    row(
        "run --producers ../ci/sframe.yaml --filter gas@",
        &[("../ci/sframe.yaml", "{producers}"), ("gas@", "gas@absent::amd64::none::calls")],
        &[],
        Exit(3, ""),
    ),
    row("report target/conformance --format github", &[], &[], Exit(0, "::notice")),
    row("run --filter \"^gas@.*::c::\" --filter link:: --list", &[], &[], Exit(0, "::c::")),
    row("run --as ../build/gas/as-new --ld ../build/ld/ld-new", &[], &[], Parses("needs a build of binutils")),
    row("run --out target/before", &[], &["--filter", TRIAL], Done("\npage  ")),
    row("run --out target/after", &[], &["--filter", OTHER], Done("\npage  ")),
    row("report --diff target/before target/after", &[], &[], Exit(1, OTHER)),
    row("report DIR", &[("DIR", "{results}")], &[], Exit(0, "known bugs that recur")),
    row(
        "report --site public night-1 night-2",
        &[("night-1", "{results}"), ("night-2", "{other}")],
        &[],
        Exit(0, "site: public/index.html, 2 nights"),
    ),
    row("report --diff OLD NEW", &[("OLD", "{results}"), ("NEW", "{other}")], &[], Exit(1, OTHER)),
    row(
        "report --merge DIR/shard-1 DIR/shard-2 --out DIR/all",
        &[("DIR/shard-1", "{results}"), ("DIR/shard-2", "{other}")],
        &[],
        Exit(0, ""),
    ),
    row(
        "accept FINGERPRINT --entry NAME --title \"gas: ... (AMD64)\" --reason \"bytes, clause, ...\" --link unfiled --expires DAY",
        &[
            ("FINGERPRINT", "{fingerprint}"),
            ("bytes, clause, ...", "A test of the document, and not the reason of anything."),
            ("DAY", "2999-12-31"),
        ],
        &[],
        Exit(0, "NAME.yaml: 1 finding"),
    ),
    row("generate --seed 1 --count 100 --out DIR", &[("100", "2")], &[], Exit(0, "2 programs in")),
    row("generate --check --count 10000", &[("10000", "2")], &[], Exit(0, "0 problems")),
    row("fuzz", &[], &[], Parses("test `fuzz` runs it on what this machine has")),
    row("fuzz --count 1000", &[], &[], Parses("as above")),
    row("fuzz c --seconds 600", &[], &[], Parses("the programs of `selftest/tests/compiled.rs` are a part of it")),
    row("fuzz --count 2000 --seed N --out DIR", &[("N", "7")], &[], Parses("as above")),
    row("score", &[], &[], Parses("minutes long; test `score` runs parts of it")),
    row("score --blind --seed 7", &[], &[], Parses("test `blind` runs it on some files")),
    row(
        "score --blind --replay 1:12:frozen/aarch64/gas-2.40--v1--gcc12-O2--exe --out DIR",
        &[],
        &[],
        Parses("as above"),
    ),
    row(
        "score --rows cases/objects/x86_64/gas-2.44--v2--gcc12-O2--so --seed 7",
        &[("cases/objects/x86_64/gas-2.44--v2--gcc12-O2--so", "{shared}")],
        &[],
        Exit(0, "100.00 %"),
    ),
    row("score --filter row- --most 2 --format json", &[], &[], Parses("as above")),
    row(
        "reduce TRIAL --finding FINGERPRINT",
        &[("TRIAL", TRIAL), ("FINGERPRINT", "{fingerprint}")],
        &[],
        Exit(0, "to 1 function"),
    ),
    row(
        "reduce valid/v2e1-amd64/gap-before-functions --consumer readelf-newest",
        &[],
        &[],
        Parses("needs a readelf that is wrong"),
    ),
    row(
        "bundle valid/v2e1-amd64/gap-before-functions --consumer readelf-newest --out DIR",
        &[],
        &[],
        Parses("needs a readelf that is wrong"),
    ),
    row("reduce FILE", &[("FILE", "{wrong}")], &[], Exit(0, "repro.")),
    row("reduce FILE --assembler gas@2.44 --abi amd64", &[], &[], Parses("needs that assembler")),
    row("bundle TRIAL --out DIR --entry NAME", &[], &[], Parses("needs the assembler of a finding")),
    row("bundle FINGERPRINT --out DIR --entry NAME", &[], &[], Parses("as above")),
    row(
        "bundle NAME --out DIR",
        &[("NAME", "gcc-push-pop-constant")],
        &[],
        Exit(0, "GCC 12.2.0 to 16.2.0: no CFI for"),
    ),
    row("bundle FINGERPRINT --out DIR", &[], &[], Parses("needs the assembler of a finding")),
    row("bundle DIR/results.jsonl --most 3 --out DIR/bundles", &[], &[], Parses("as above")),
];

#[test]
fn every_command_in_the_documents_is_run() {
    let desk = Desk::new();
    let mut named = BTreeSet::new();
    for document in DOCUMENTS {
        for words in commands(&read(document)).iter().filter_map(|command| after_the_program(command)) {
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
        // The others are about trials that need no tool.
        let of_tools = words.iter().any(|word| ["producers", "--list"].contains(&word.as_str()));
        let mut command = if of_tools { with_producers() } else { program() };
        // Not a checkout: the program uses the one it was built from. `accept` gets its own.
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
            "{picture}" => frozen("x86_64/gas-2.47.50--v3--gcc12-O2--exe"),
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
