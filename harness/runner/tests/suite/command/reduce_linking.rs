//! `reduce` and `bundle` of a link recipe with fake tools: a linker that crashes if the tables of
//! two certain sources meet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::support::{Folder, Ran, finish, program};
use testing::program::write_program;

/// An object is a copy of its source if `.sframe` is requested, otherwise empty.
const ASSEMBLER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
sframe= out= in=
while [ $# -gt 0 ]; do
  case "$1" in --gsframe) sframe=1 ;; --defsym) shift ;; -o) shift; out=$1 ;; *) in=$1 ;; esac
  shift
done
if [ -n "$sframe" ]; then cat "$in" >"$out"; else : >"$out"; fi
"#;

/// A file is the concatenation of its inputs. Crashes on `one_leaf:` and `two_leaf:` in an
/// executable.
const LINKER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
out= in= partial=
while [ $# -gt 0 ]; do
  case "$1" in -r) partial=1 ;; -o) shift; out=$1 ;; -*) ;; *) in="$in $1" ;; esac
  shift
done
cat $in >"$out"
one= two=
while read -r line; do
  case $line in one_leaf:*) one=1 ;; two_leaf:*) two=1 ;; esac
done <"$out"
if [ -z "$MENDED$partial" ] && [ -n "$one" ] && [ -n "$two" ]; then
  echo "ld: Assertion in the merging of .sframe failed" >&2; exit 1
fi
"#;

const PRODUCERS: &str = "
- name: fakeas
  kind: assembler
  about: copies
  search: ['FOLDER']
  program: {all: [as]}
  version: {pattern: 'fake ([0-9.]+)'}
  sframe: [{from: '1', versions: [v3]}]
  sframe_words: --gsframe
  steps: {assemble: '{program} {sframe} {options} -o {output} {inputs}'}
- name: fakeld
  kind: linker
  flavour: bfd
  about: joins
  search: ['FOLDER']
  program: {all: [ld]}
  version: {pattern: 'fake ([0-9.]+)'}
  sframe: [{from: '1', versions: [v3]}]
  steps:
    link: '{program} {options} -o {output} {inputs}'
    relocatable: '{program} -r {options} -o {output} {inputs}'
  with: [{name: fakeas}]
";

const TRIAL: &str = "fakeld@9.1::amd64::v3::link::relocatable+fakeas@9.1";

struct Fake(Folder);

impl Fake {
    fn new() -> Fake {
        let folder = Folder::new();
        for (name, text) in [("as", ASSEMBLER), ("ld", LINKER)] {
            write_program(folder.path(name), text);
        }
        let home = PathBuf::from(folder.path("as")).parent().expect("a folder").display().to_string();
        folder.write("producers.yaml", PRODUCERS.replace("FOLDER", &home).as_bytes());
        Fake(folder)
    }

    fn run(&self, verb: &str, out: &str) -> Ran {
        let mut command = program();
        command.env("SFRAME_CONFORMANCE_PRODUCERS", self.0.path("producers.yaml"));
        finish(command_of(command, &[verb, TRIAL, "--out", out]))
    }
}

fn command_of(mut command: Command, arguments: &[&str]) -> Command {
    command.args(arguments);
    command
}

fn text(folder: &str, name: &str) -> String {
    fs::read_to_string(Path::new(folder).join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Three steps with three sources are reduced to one step with the two symbols that trigger the
/// crash, each with an instruction, and commands that reproduce it.
#[test]
fn a_recipe_comes_down_to_the_inputs_and_lines_that_matter() {
    let fake = Fake::new();
    let out = fake.0.path("out");
    let ran = fake.run("reduce", &out);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("link/accepted, blame linker, refused"), "{}", ran.stdout);
    assert!(ran.stdout.contains(" to 1 step, 2 sources, 4 lines"), "{}", ran.stdout);
    assert_eq!(
        (text(&out, "one.amd64.s").as_str(), text(&out, "two.amd64.s").as_str()),
        ("one_leaf:\n\tnop\n", "two_leaf:\n\tnop\n")
    );
    let commands = text(&out, "commands");
    let commands: Vec<&str> = commands.lines().collect();
    assert_eq!((commands.len(), commands[0]), (4, "# fakeld@9.1, fakeas@9.1"), "{commands:?}");
    assert!(commands[3].starts_with("ld -o ") && commands[3].ends_with("one.o two.o"), "{commands:?}");
    let mut left: Vec<String> = fs::read_dir(&out)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["commands", "one.amd64.s", "two.amd64.s"], "what went is gone from the folder too");
}

/// All commands of the script, and its result with the linker as it is, fixed, and missing.
#[test]
fn a_bundle_of_linking_says_whether_the_fault_is_still_there() {
    let fake = Fake::new();
    let out = fake.0.path("bundle");
    let ran = fake.run("bundle", &out);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (assembler, linker) = (fake.0.path("as"), fake.0.path("ld"));
    let script = |variables: &[(&str, &str)]| {
        let mut command = Command::new("sh");
        command.arg(Path::new(&out).join("run.sh")).env("AS", &assembler).envs(variables.iter().copied());
        finish(command).code
    };
    assert_eq!(script(&[("LD", &linker)]), Some(1));
    assert_eq!(script(&[("LD", &linker), ("MENDED", "1")]), Some(0));
    assert_eq!(script(&[("LD", "/nowhere/ld")]), Some(77));
    let report = text(&out, "report.md");
    for part in [
        "# fakeld 9.1: ",
        "`one.amd64.s`:\n\n```asm\none_leaf:\n\tnop\n```",
        "`two.amd64.s`:",
        &format!("reduced from {TRIAL}"),
    ] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    assert!(!Path::new(&out).join("commands").exists(), "the script has them");
}
