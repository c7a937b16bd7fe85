//! The architecture of the workspace, checked with `cargo metadata`: the dependencies between
//! crates, and the only users of each external crate.

use std::collections::{BTreeSet, HashMap};

use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

/// Foreign crates that may be used in these crates only.
const HOMES: [(&str, &[&str]); 25] = [
    ("addr2line", &["unwind"]),
    ("unicorn-engine", &["machine"]),
    ("gimli", &["unwind"]),
    // The reader is in `elf`, the writer in one file of the generators.
    ("object", &["elf", "generators"]),
    ("serde_yaml", &["results"]),
    // Named by all through `types::Bytes`.
    ("bytes", &["sframe-types"]),
    ("capstone", &["isa"]),
    ("iced-x86", &["isa"]),
    ("clap", &["sframe-conformance"]),
    ("clap_complete", &["sframe-conformance"]),
    ("clap_mangen", &["sframe-conformance"]),
    ("rayon", &["check", "matrix", "readers", "reduce", "selftest", "sframe-conformance"]),
    (
        "libtest-mimic",
        &["check", "fuzzing", "machine", "remote", "selftest", "sframe-conformance", "reports", "testing", "unwind"],
    ),
    ("maud", &["reports"]),
    // In `matrix` for the selection of trials, in tests of `ledger` for the comparisons of other
    // projects.
    ("regex", &["ledger", "toolchain", "reduce", "matrix"]),
    ("rustix", &["check", "machine", "testing", "toolchain", "sframe-conformance"]),
    ("signal-hook", &["toolchain"]),
    ("anyhow", &["sframe-conformance"]),
    ("schemars", &["sframe-types", "sframe-spec", "results", "reports"]),
    // Tests only.
    ("boon", &["testing"]),
    ("zydis", &["isa"]),
    // Writers of test inputs use them too.
    ("flate2", &["elf", "fuzzing", "testing", "unpack", "sframe-conformance"]),
    ("ruzstd", &["elf", "fuzzing", "testing", "unpack"]),
    ("tar", &["fuzzing", "testing", "unpack", "sframe-conformance"]),
    ("xz4rust", &["unpack"]),
];

/// Paths that only some files of a crate may use, by the prefix of a `use` or a qualified name:
/// external crates, and in `check` each side by the other.
const FILES: [(&str, &str, &[&str]); 9] = [
    ("gimli::", "harness/read/unwind/src", &["harness/read/unwind/src/cfi"]),
    ("object::", "generators/src", &["generators/src/elf"]),
    ("serde_yaml::", "harness/facts/results/src", &["harness/facts/results/src/yaml.rs"]),
    ("signal_hook::", "harness/campaign/toolchain/src", &["harness/campaign/toolchain/src/interrupt.rs"]),
    // Only a worker loads, executes and judges.
    ("elf::load", "harness/decide/check/src", &["harness/decide/check/src/worker"]),
    ("machine::{", "harness/decide/check/src", &["harness/decide/check/src/worker"]),
    ("judge::Judge", "harness/decide/check/src", &["harness/decide/check/src/worker"]),
    ("worker::check", "harness/decide/check/src", &["harness/decide/check/src/lib.rs"]),
    ("client::check", "harness/decide/check/src", &["harness/decide/check/src/lib.rs"]),
];

fn metadata() -> Metadata {
    MetadataCommand::new().no_deps().other_options(["--offline".to_owned()]).exec().expect("cargo metadata")
}

fn dependencies(package: &Package) -> BTreeSet<String> {
    let lasting = package.dependencies.iter().filter(|used| used.kind != DependencyKind::Build);
    lasting.map(|used| used.name.to_string()).collect()
}

/// The floors of `harness/`, lowest first.
const FLOORS: [&str; 5] = ["facts", "read", "execute", "decide", "campaign"];

/// A crate on a floor uses crates of its floor and of lower ones. `generators` and `reports` stand
/// beside the floors above `facts` and use only that; `runner` uses all.
#[test]
fn no_arrow_runs_up() {
    let packages = metadata().packages;
    let floors: HashMap<&str, Option<usize>> = packages.iter().map(|one| (one.name.as_str(), floor(one))).collect();
    let mut arrows = 0;
    for package in &packages {
        let folder = package.manifest_path.parent().and_then(Utf8Path::file_name).unwrap_or_default();
        let top = match folder {
            "generators" | "reports" => Some(0),
            _ => floor(package),
        };
        let used = package.dependencies.iter().filter(|used| used.kind == DependencyKind::Normal);
        for used in used.filter(|used| used.path.is_some()) {
            let lower = floors[used.name.as_str()];
            assert!(top.is_none_or(|top| lower.is_none_or(|it| it <= top)), "{} uses {}", package.name, used.name);
            arrows += 1;
        }
    }
    assert!(arrows > 100, "{arrows} arrows");
}

/// Crates of the floor `campaign` return values and tell an observer; `runner` prints them with
/// `reports`. `fuzzing`, which nothing uses, fuzzes the printers too.
#[test]
fn no_campaign_prints() {
    let packages = metadata().packages;
    let campaign = FLOORS.len() - 1;
    let of_campaign = packages.iter().filter(|package| floor(package) == Some(campaign));
    let quiet: Vec<&Package> = of_campaign.filter(|package| package.name.as_str() != "fuzzing").collect();
    assert!(quiet.len() > 5, "{} crates", quiet.len());
    for package in quiet {
        let mut used = package.dependencies.iter().filter(|used| used.kind == DependencyKind::Normal);
        assert!(used.all(|used| used.name != "reports"), "{} prints", package.name);
    }
}

fn floor(package: &Package) -> Option<usize> {
    let floor = package.manifest_path.parent()?.parent()?.file_name()?;
    FLOORS.iter().position(|name| *name == floor)
}

#[test]
fn foreign_crates_stay_in_their_home() {
    for package in &metadata().packages {
        for (foreign, homes) in HOMES {
            if dependencies(package).contains(foreign) {
                assert!(homes.contains(&package.name.as_str()), "{foreign} has no business in {}", package.name);
            }
        }
    }
}

#[test]
fn what_has_a_home_is_used_there_only() {
    let root = metadata().workspace_root;
    for (path, folder, homes) in FILES {
        let mut users = 0;
        for file in sources(root.join(folder).as_std_path()) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            if !code.clone().any(|line| mentions(line, path)) {
                continue;
            }
            users += 1;
            let name = file.strip_prefix(root.as_std_path()).expect("below the root").display().to_string();
            assert!(homes.iter().any(|home| name.starts_with(home)), "{path} is used in {name}");
        }
        assert!(users > 0, "nothing below {folder} uses {path}: this test watches the wrong place");
    }
}

/// `unsafe` is used only in `machine`; the workspace lint denies it elsewhere, and no file may
/// allow it.
#[test]
fn only_the_machine_allows_unsafe_code() {
    let root = metadata().workspace_root;
    let mut machine = 0;
    for folder in ["harness", "generators", "reports"] {
        for file in sources(root.join(folder).as_std_path()) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            // Written in two parts, so that this file does not match itself.
            if text.contains(concat!("allow(unsafe", "_code")) {
                let name = file.strip_prefix(root.as_std_path()).expect("below the root").display().to_string();
                assert!(name.starts_with("harness/execute/machine/"), "{name} allows unsafe code");
                machine += 1;
            }
        }
    }
    assert!(machine > 0, "the machine allows no unsafe code: this test watches the wrong place");
}

/// Targets that are declared not to be tested contain no tests: examples in documentation, and
/// tests in source files.
#[test]
fn what_is_not_tested_has_no_tests() {
    for package in metadata().workspace_packages() {
        let code = package.targets.iter().find(|target| target.is_lib() || target.is_bin()).expect("code");
        let folder = code.src_path.parent().expect("a folder");
        let texts: Vec<String> =
            sources(folder.as_std_path()).iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
        let has = |mark: &str| texts.iter().any(|text| text.lines().any(|line| line.trim_start().starts_with(mark)));
        for target in &package.targets {
            let is_tried = target.doctest || !target.is_lib();
            assert!(is_tried || !texts.iter().any(|text| has_example(text)), "{}: an untried example", package.name);
            let is_code = target.is_lib() || (target.is_bin() && !package.targets.iter().any(|other| other.is_lib()));
            assert!(!is_code || target.test || !has("#[test]"), "{}: a test nobody runs", package.name);
        }
    }
}

/// Returns true if the documentation in a source has a block of code; one of `text` is not code.
fn has_example(source: &str) -> bool {
    let lines = source.lines().map(str::trim_start);
    let fences = lines.filter_map(|line| line.strip_prefix("/// ```").or(line.strip_prefix("//! ```")));
    fences.step_by(2).any(|language| !language.starts_with("text"))
}

/// Text reaches a terminal only through `reports/src/terminal.rs`, which escapes it. A worker's
/// output is read by the program that started it.
#[test]
fn nothing_prints_past_the_terminal() {
    const PRINTS: [&str; 6] = ["println!", "print!", "eprintln!", "eprint!", "io::stdout", "io::stderr"];
    const HOMES: [&str; 5] = [
        "reports/src/terminal.rs",
        // Queries the terminal, and prints nothing.
        "reports/src/screen.rs",
        "harness/runner/src/main.rs",
        "reports/src/progress.rs",
        "harness/decide/check/src/worker/serve.rs",
    ];
    let root = metadata().workspace_root;
    let mut homes: BTreeSet<&str> = BTreeSet::new();
    for file in ["harness", "generators", "reports"].iter().flat_map(|folder| sources(root.join(folder).as_std_path()))
    {
        let name = file.strip_prefix(root.as_std_path()).expect("below the root").display().to_string();
        let text = std::fs::read_to_string(&file).expect("a source file");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        if !name.contains("/src/") || !code.clone().any(|line| PRINTS.iter().any(|print| mentions(line, print))) {
            continue;
        }
        let home = HOMES.iter().find(|home| name.starts_with(**home));
        assert!(home.is_some(), "{name} prints by itself: reports::terminal is the way");
        homes.extend(home);
    }
    assert_eq!(homes.len(), HOMES.len(), "a home prints no more");
}

/// The path as a whole word: `object::` but not `an_object::` or `frozen::object::`.
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == ':'))
    })
}

fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
