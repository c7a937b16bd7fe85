//! Results of recipes, tested with fake tools that copy frozen objects of real producers, and
//! refuse on request.

use std::fs;
use std::path::{Path, PathBuf};

use matrix::link::{LinkCase, LinkOutcome, LinkTools, SecondLinker, execute};
use results::{Blame, Stage};
use spec::Severity;
use testing::program::write_program;
use testing::scratch;
use toolchain::entry::Flavour;
use toolchain::producers::Producers;
use toolchain::tool::Tool;
use types::{Abi, SframeVersion};

/// Objects and steps by name, each a file of `cases/objects/x86_64`.
#[derive(Clone, Default)]
struct Copier {
    files: Vec<(&'static str, &'static str)>,
    /// Files that cannot be made if any input has `.sframe`.
    refused: &'static [&'static str],
    /// Printed for these, if not the usual reason.
    reason: Option<&'static str>,
    /// Files that cannot be made at all.
    impossible: &'static [&'static str],
}

fn copier(files: &[(&'static str, &'static str)]) -> Copier {
    Copier { files: files.to_vec(), ..Copier::default() }
}

impl Copier {
    /// A script that copies. Its output in the control is marked, and so are files made from that
    /// output.
    fn script(&self, log: &Path) -> String {
        let objects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cases/objects/x86_64");
        let copied = self
            .files
            .iter()
            .map(|(name, file)| format!("{name}) cp '{}' \"$out\" ;;\n", objects.join(file).display()));
        format!(
            "#!/bin/sh\n[ \"$1\" = version ] && echo 1 && exit\nout=$1 name=${{1%.o}} && shift\n\
             case \"$*\" in *CONTROL=1*) control=1 ;; esac\n\
             for file; do [ -f \"$file\" ] && [ \"$(head -c 7 \"$file\")\" = control ] && control=1; done\n\
             echo \"$name${{control:+ without}}\" >> '{}'\n\
             case ' {} ' in *\" $name \"*) echo 'unknown option' >&2; exit 1 ;; esac\n\
             [ \"$control\" ] && echo control > \"$out\" && exit\n\
             case ' {} ' in *\" $name \"*) printf '{}\\n' >&2; exit 1 ;; esac\n\
             case $name in\n{}esac\n",
            log.display(),
            self.impossible.join(" "),
            self.refused.join(" "),
            self.reason.unwrap_or("refers to a discarded section\\nreferenced by b.o:(.sframe+0x1c)"),
            copied.collect::<String>()
        )
    }

    /// Tools of that script, in a folder.
    fn tools(&self, folder: &Path) -> LinkTools {
        let tool = |name: &str, kind: &str, steps: &str| -> Tool {
            let program = folder.join(name);
            write_program(&program, &self.script(&folder.join("log")));
            let steps: String = steps
                .split(' ')
                .map(|step| format!("{step}: '{{program}} {{output}} {{options}} {{inputs}}', "))
                .collect();
            let entry = format!(
                "[{{name: {name}, kind: {kind}, about: a script, program: {{all: [{}]}}, version: {{pattern: '([0-9]+)', arguments: version}}, \
                 sframe: [{{from: '1', versions: [v3]}}], steps: {{{steps}}}}}]",
                program.display()
            );
            let producers = Producers::parse(&folder.join("producers.yaml"), &entry, folder).expect("an entry");
            producers.tools(name, Abi::Amd64).expect("a tool").first().expect("one").clone()
        };
        let linker = tool("ld", "linker", "link relocatable");
        LinkTools {
            second: Some(SecondLinker { tool: linker.clone(), flavour: Flavour::Mold }),
            linker,
            flavour: Flavour::Lld,
            assembler: tool("as", "assembler", "assemble"),
            version: SframeVersion::V3,
            other: None,
            strip: Some(tool("strip", "post-processor", "strip")),
            objcopy: None,
            others: [("patcher".to_owned(), tool("patcher", "post-processor", "copy"))].into(),
        }
    }
}

const OBJECT: &str = "gas-2.47.50--v3--gcc12-O2--o";
const PROGRAM: &str = "gas-2.47.50--v3--gcc12-O2--exe";
const OTHER: &str = "gas-2.44--v2--gcc12-O2--exe";

/// Executes a recipe; `steps` and `expect` as in a case file, with objects `a`, which requests the
/// version, and `b`.
fn outcome(steps: &str, expect: &str, tools: &Copier) -> LinkOutcome {
    with_log(steps, expect, tools).0
}

/// Executes a recipe, and returns also the requests to the tools, in order.
fn with_log(steps: &str, expect: &str, tools: &Copier) -> (LinkOutcome, Vec<String>) {
    let folder = scratch::folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("a.amd64.s", ".byte SFRAME_VERSION\n");
    write("b.amd64.s", "");
    let text = format!(
        "purpose: A test.\ncovers: []\nobjects: {{a: {{source: a}}, b: {{source: b}}}}\nsteps:\n{steps}\nexpect: {expect}\n"
    );
    write("case.yaml", &text);
    let path: PathBuf = folder.path().join("case.yaml");
    let outcome =
        execute(&LinkCase::read(&path).expect("a good case"), &tools.tools(folder.path())).expect("commands that end");
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    (outcome, log.lines().map(str::to_owned).collect())
}

fn rules(outcome: &LinkOutcome) -> Vec<&str> {
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
        ["as a.o --defsym SFRAME_VERSION=3 a.amd64.s", "as b.o b.amd64.s", "ld out a.o b.o"],
        "no folder, which is another each time; symbols where a source asks for them"
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
        has("expected 99") && has("steps judged") && has("callers") && has("never entered: nobody"),
        "{problems:?}"
    );
}

#[test]
fn a_link_that_fails_for_its_sframe_alone_is_a_finding() {
    let tools = Copier { refused: &["out"], ..copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]) };
    let (outcome, log) = with_log(LINK, "{runs: [{file: out, least: {}}]}", &tools);
    assert_eq!(rules(&outcome), ["link/accepted"]);
    let message = "refers to a discarded section; referenced by b.o:(.sframe+0x1c)";
    assert!(outcome.findings[0].shown.message.ends_with(message), "{}", outcome.findings[0].shown.message);
    assert_eq!(outcome.problems, [""; 0], "what was not made is not run");
    assert_eq!(log, ["a", "b", "out", "a without", "b without", "out without"], "the control was made");
}

#[test]
fn an_output_of_a_post_processor_that_cannot_be_loaded_is_a_finding() {
    let tools = copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM), ("stripped", "../../README.md")]);
    let steps = format!("{LINK}\n  - {{make: stripped, by: strip, from: [out]}}");
    let outcome = outcome(&steps, "{runs: [{file: stripped, least: {steps: 1}}]}", &tools);
    assert_eq!((rules(&outcome), outcome.problems.len()), (vec!["link/section-kept"], 0));
    assert_eq!((outcome.findings[0].blame(), outcome.findings[0].stage), (Blame::PostProcessor, Stage::Stripped));
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
fn a_mixture_is_refused_with_the_reason() {
    let refusing = Copier { refused: &["out"], ..copier(&[("a", OBJECT), ("b", OBJECT), ("out", PROGRAM)]) };
    let tools = Copier { reason: Some("final link failed: bad value"), ..refusing };
    let outcome = outcome(LINK, "{mixes: [out], describes: {out: [main]}}", &tools);
    assert_eq!(rules(&outcome), ["link/accepted"]);
}

#[test]
fn what_a_linker_cannot_do_is_said_by_the_case() {
    let tools = copier(&[("a", OBJECT), ("b", OBJECT)]);
    let steps = "  - {make: one, by: link, from: [a], only: [bfd, mold]}\n  - {make: two, by: link, from: [a], lacking: {lld: has none}}\n  - {make: three, by: strip, from: [two]}";
    let outcome = outcome(steps, "{same-bytes: [[one, two]], keeps-bytes: [[two, three]]}", &tools);
    let reasons: Vec<&str> = outcome.unsupported.iter().map(|item| item.reason.as_str()).collect();
    assert_eq!(reasons, ["'one': does not apply to lld", "'two': lld has none", "'two': lld has none"]);
    assert_eq!(rules(&outcome), [""; 0]);
}

/// Another linker's bugs are found in its own trials.
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
    assert!(
        other.notes[0].starts_with("foreign is already wrong, and was made by another linker"),
        "{:?}",
        other.notes
    );
    assert!(other.files.iter().all(|file| file.name != "out"));
    // A correct file is passed on, and this linker's bugs are found.
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
fn a_step_may_name_another_post_processor() {
    let steps = "  - {make: out, by: link, from: [a]}\n  - {make: moved, by: objcopy, tool: patcher, from: [out]}\n  - {make: other, by: strip, tool: absent, from: [out]}";
    let expect = "{keeps-bytes: [[out, moved], [out, other]]}";
    let files = [("a", OBJECT), ("b", OBJECT), ("out", PROGRAM), ("moved", OTHER)];
    let (outcome, log) = with_log(steps, expect, &copier(&files));
    assert_eq!(rules(&outcome), ["link/section-kept"]);
    assert_eq!(outcome.findings[0].blame(), Blame::PostProcessor);
    assert!(log.iter().any(|line| line.contains("moved")), "{log:?}");
    let reasons: Vec<&str> = outcome.unsupported.iter().map(|item| item.reason.as_str()).collect();
    assert_eq!(reasons, ["no absent beside ld@1"]);
}

#[test]
fn what_is_made_of_a_wrong_relocatable_is_not_judged() {
    // A program is not an `-r` output: its descriptors are not those that the object's relocations
    // define.
    let steps = "  - {make: merged, by: relocatable, from: [a]}\n  - {make: out, by: link, from: [merged]}";
    let lost = copier(&[("a", OBJECT), ("b", OBJECT), ("merged", "gas-2.47.50--v3--hand--o"), ("out", OTHER)]);
    let outcome = outcome(steps, "{describes: {merged: [main]}, runs: [{file: out, exit: 99, least: {}}]}", &lost);
    assert_eq!(rules(&outcome), ["link/relocatable-union"]);
    assert_eq!(outcome.findings[0].severity, Severity::Error);
    assert_eq!(outcome.notes, ["out is not judged: its input merged is already wrong"]);
    assert_eq!(outcome.problems, [""; 0], "nor is it run");
}
