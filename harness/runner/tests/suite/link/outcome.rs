//! What an outcome distinguishes, by tools that are made up: they copy frozen objects of real producers, and refuse what they are asked to.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use matrix::link::{Assembly, CommandOutcome, LinkCase, Linker, Outcome, StepKind, ToolError, Toolbox, Work, execute};
use model::{Abi, Severity, SframeVersion, Stage};
use toolchain::entry::Flavour;
use toolchain::process::Finished;

/// Objects and steps by name, each a file of `cases/objects/x86_64`.
struct Copier {
    files: Vec<(&'static str, &'static str)>,
    /// Files that cannot be made, of anything that has `.sframe`.
    refused: &'static [&'static str],
    /// Files that cannot be made at all.
    impossible: &'static [&'static str],
    /// What was asked for.
    log: RefCell<Vec<String>>,
}

fn copier(files: &[(&'static str, &'static str)]) -> Copier {
    Copier { files: files.to_vec(), refused: &[], impossible: &[], log: RefCell::default() }
}

impl Copier {
    fn make(&self, output: &Path) -> Result<CommandOutcome, ToolError> {
        let made = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.log.borrow_mut().push(made.clone());
        let name = made.trim_start_matches("control-").trim_end_matches(".o");
        let control = made.starts_with("control-");
        let finished = |success, stderr: &str| Finished {
            success,
            code: None,
            signal: None,
            stdout: String::new(),
            stderr: stderr.to_owned(),
        };
        let done = |finished| Ok(CommandOutcome { command: format!("make {}", output.display()), finished });
        if self.impossible.contains(&name) {
            return done(finished(false, "unknown option"));
        }
        if self.refused.contains(&name) && !control {
            return done(finished(false, "refers to a discarded section\nreferenced by b.o:(.sframe+0x1c)"));
        }
        let (_, source) = self.files.iter().find(|(known, _)| *known == name).expect("a file that the test names");
        let objects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/objects/x86_64");
        fs::copy(objects.join(source), output).expect("a frozen object");
        done(finished(true, ""))
    }
}

impl Toolbox for Copier {
    fn abi(&self) -> Abi {
        Abi::Amd64
    }

    fn version(&self) -> SframeVersion {
        SframeVersion::V3
    }

    fn flavour(&self, linker: Linker) -> Option<Flavour> {
        Some(match linker {
            Linker::Own => Flavour::Lld,
            Linker::Other => Flavour::Mold,
        })
    }

    fn assemble(&self, work: &Assembly<'_>) -> Result<CommandOutcome, ToolError> {
        assert!(work.source.is_absolute() && work.flags.contains(&"SFRAME_VERSION=3".to_owned()));
        self.make(work.output)
    }

    fn run(&self, work: &Work<'_>) -> Result<CommandOutcome, ToolError> {
        assert!(!work.inputs.is_empty() && work.kind != StepKind::Shared);
        self.make(work.output)
    }
}

const OBJECT: &str = "gas-2.47.50--v3--gcc12-O2--o";
const PROGRAM: &str = "gas-2.47.50--v3--gcc12-O2--exe";
const OTHER: &str = "gas-2.44--v2--gcc12-O2--exe";

/// Carries a recipe out; `steps` and `expect` as in a case file, with objects `a` and `b`.
fn outcome(steps: &str, expect: &str, tools: &Copier) -> Outcome {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("a.amd64.s", "");
    write("b.amd64.s", "");
    let text = format!(
        "purpose: A test.\ncovers: []\nobjects: {{a: {{source: a}}, b: {{source: b}}}}\nsteps:\n{steps}\nexpect: {expect}\n"
    );
    write("case.yaml", &text);
    let path: PathBuf = folder.path().join("case.yaml");
    execute(&LinkCase::read(&path).expect("a good case"), tools, folder.path())
}

fn rules(outcome: &Outcome) -> Vec<&str> {
    outcome.findings.iter().map(|found| found.rule().name()).collect()
}

const LINK: &str = "  - {make: out, by: link, from: [a, b]}";

#[test]
fn a_good_link_is_judged_and_run() {
    let tools = copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]);
    let outcome = outcome(LINK, "{runs: [{file: out, least: {steps: 1000, depth: 3}}], sizes: [out]}", &tools);
    assert_eq!(outcome.problems, [""; 0]);
    assert_eq!(rules(&outcome), [""; 0]);
    let stages: Vec<(&str, Stage)> = outcome.files.iter().map(|file| (file.name.as_str(), file.stage)).collect();
    assert_eq!(stages, [("a", Stage::Object), ("b", Stage::Object), ("out", Stage::Linked)]);
    assert_eq!(
        outcome.commands,
        ["make a.o", "make b.o", "make out"],
        "without the folder, which is another each time"
    );
    assert!(outcome.sizes[0].sframe > 0 && outcome.sizes[0].eh_frame > 0 && outcome.sizes[0].functions > 0);
}

#[test]
fn a_vacuous_or_wrong_run_is_a_problem() {
    let tools = copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]);
    let expect = "{runs: [{file: out, exit: 99, least: {steps: 100000000, depth: 3000, functions: [nobody]}}]}";
    let problems = outcome(LINK, expect, &tools).problems;
    let has = |part: &str| problems.iter().any(|problem| problem.starts_with("out: ") && problem.contains(part));
    assert!(
        has("expected 99") && has("steps judged") && has("callers") && has("never entered [\"nobody\"]"),
        "{problems:?}"
    );
}

#[test]
fn a_link_that_fails_for_its_sframe_alone_is_a_finding() {
    let tools = Copier { refused: &["out"], ..copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]) };
    let outcome = outcome(LINK, "{runs: [{file: out, least: {}}]}", &tools);
    assert_eq!(rules(&outcome), ["link/accepted"]);
    let said = "refers to a discarded section; referenced by b.o:(.sframe+0x1c)";
    assert!(outcome.findings[0].message.ends_with(said), "{}", outcome.findings[0].message);
    assert_eq!(outcome.problems, [""; 0], "what was not made is not run");
    assert!(tools.log.borrow().contains(&"control-out".to_owned()), "the control was made: {:?}", tools.log.borrow());
}

#[test]
fn a_link_that_fails_also_without_is_not_supported() {
    let tools = Copier { impossible: &["out"], ..copier(&[("a", OBJECT), ("b", OBJECT)]) };
    let outcome = outcome(LINK, "{runs: [{file: out, least: {}}]}", &tools);
    assert_eq!((rules(&outcome).len(), outcome.problems.len()), (0, 0));
    let reason = &outcome.unsupported[0].reason;
    assert!(reason.contains("fails also where no input has .sframe") && reason.contains("unknown option"), "{reason}");
}

#[test]
fn a_mixture_may_be_refused() {
    let tools = Copier { refused: &["out"], ..copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]) };
    let outcome = outcome(LINK, "{mixes: [out], describes: {out: [main]}}", &tools);
    assert_eq!((rules(&outcome).len(), outcome.unsupported.len()), (0, 0));
}

#[test]
fn what_a_linker_cannot_do_is_said_by_the_case() {
    let tools = copier(&[("a", OBJECT), ("b", OBJECT)]);
    let steps = "  - {make: one, by: link, from: [a], only: [bfd, mold]}\n  - {make: two, by: link, from: [a], lacking: {lld: has none}}\n  - {make: three, by: strip, from: [two]}";
    let outcome = outcome(steps, "{same-bytes: [[one, two]], keeps-bytes: [[two, three]]}", &tools);
    let reasons: Vec<&str> = outcome.unsupported.iter().map(|item| item.reason.as_str()).collect();
    assert_eq!(reasons, ["'one': not a matter of lld", "'two': lld has none", "'two': lld has none"]);
    assert_eq!(rules(&outcome), [""; 0]);
}

/// Another linker's mistakes are found in its own trials.
#[test]
fn what_another_linker_got_wrong_shows_nothing_of_this_one() {
    let recipe = |linker: &str| {
        let foreign = format!("  - {{make: foreign, by: relocatable, {linker}from: [a]}}");
        format!("{foreign}\n  - {{make: out, by: link, from: [foreign]}}")
    };
    let files = [("a", OBJECT), ("b", OBJECT), ("foreign", OBJECT), ("out", PROGRAM)];
    let refusing = || Copier { refused: &["foreign"], ..copier(&files) };
    assert_eq!(rules(&outcome(&recipe(""), "{}", &refusing())), ["link/accepted"]);
    let other = outcome(&recipe("linker: other, "), "{}", &refusing());
    assert_eq!(rules(&other), [""; 0]);
    assert!(other.notes[0].starts_with("foreign is wrong already, by another linker"), "{:?}", other.notes);
    assert!(other.files.iter().all(|file| file.name != "out"));
    // What is right is passed on, and this one's mistakes are found.
    let tools = Copier { refused: &["out"], ..copier(&files) };
    assert_eq!(rules(&outcome(&recipe("linker: other, "), "{}", &tools)), ["link/accepted"]);
}

#[test]
fn an_object_that_cannot_be_assembled_is_a_problem() {
    let tools = Copier { impossible: &["b"], ..copier(&[("a", OBJECT)]) };
    let outcome = outcome(LINK, "{}", &tools);
    assert_eq!(outcome.problems.len(), 1);
    assert!(outcome.problems[0].contains("unknown option"), "{:?}", outcome.problems);
    assert!(outcome.files.iter().all(|file| file.name != "out"));
}

#[test]
fn relations_between_files_are_judged() {
    let steps = "  - {make: out, by: link, from: [a]}\n  - {make: again, by: link, from: [a]}\n  - {make: bare, by: strip, from: [out]}";
    let files = [("a", OBJECT), ("b", OBJECT), ("out", PROGRAM), ("again", PROGRAM), ("bare", PROGRAM)];
    let expect = "{same-bytes: [[out, again]], keeps-bytes: [[out, bare]], any-order: [[out, again]], relinked: [[out, again]], collected: [[out, again]]}";
    assert_eq!(rules(&outcome(steps, expect, &copier(&files))), [""; 0]);
    let mut changed = files;
    changed[4].1 = OTHER;
    assert_eq!(rules(&outcome(steps, expect, &copier(&changed))), ["link/section-kept"]);
    changed[3].1 = OTHER;
    let all = outcome(steps, "{same-bytes: [[out, again]]}", &copier(&changed));
    assert_eq!(rules(&all).last(), Some(&"link/deterministic"), "{:?}", rules(&all));
}

#[test]
fn what_is_made_of_a_wrong_relocatable_is_not_judged() {
    // A program is no -r output: what the object describes is not described there under its relocations.
    let steps = "  - {make: merged, by: relocatable, from: [a]}\n  - {make: out, by: link, from: [merged]}";
    let lost = copier(&[("a", OBJECT), ("b", OBJECT), ("merged", "gas-2.47.50--v3--hand--o"), ("out", OTHER)]);
    let outcome = outcome(steps, "{describes: {merged: [main]}, runs: [{file: out, exit: 99, least: {}}]}", &lost);
    assert_eq!(rules(&outcome), ["link/relocatable-union"]);
    assert_eq!(outcome.findings[0].severity, Severity::Error);
    assert_eq!(outcome.notes, ["out is not judged: merged, which it is made of, is wrong already"]);
    assert_eq!(outcome.problems, [""; 0], "nor is it run");
}
