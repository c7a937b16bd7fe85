//! `bundle` for a compiler's bug: a fake compiler, which omits the CFI of a push when optimising
//! for size, with GNU as and ld.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::support::{Folder, Ran, finish, program, with_producers};
use testing::program::write_program;

/// Writes a correct function, and with `-Oz` one whose CFA is 8 bytes too near at the pop; refuses
/// other C.
const COMPILER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
out= in= small=
while [ $# -gt 0 ]; do
  case "$1" in -o) shift; out=$1 ;; -Oz) small=1 ;; -*) ;; *) in=$1 ;; esac
  shift
done
grep -q 'int test' "$in" || { echo "no test" >&2; exit 1; }
{
  printf '\t.text\n\t.globl test\n\t.type test, @function\ntest:\n\t.cfi_startproc\n\tpushq $2\n'
  [ -n "$small" ] || printf '\t.cfi_adjust_cfa_offset 8\n'
  printf '\tpopq %%rax\n'
  [ -n "$small" ] || printf '\t.cfi_adjust_cfa_offset -8\n'
  printf '\tret\n\t.cfi_endproc\n\t.size test, .-test\n'
} >"$out"
"#;

const ASSEMBLER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
exec x86_64-linux-gnu-as "$@"
"#;

const LINKER: &str = r#"#!/bin/sh
case "$1" in --version) echo "fake 9.1"; exit 0 ;; esac
exec x86_64-linux-gnu-ld "$@"
"#;

const PRODUCERS: &str = "
- name: fakecc
  kind: compiler
  about: pushes
  search: ['FOLDER']
  program: {amd64: [cc]}
  version: {pattern: 'fake ([0-9.]+)'}
  abi_words: {amd64: -march=x86-64}
  steps: {compile: '{program} -S -w -fasynchronous-unwind-tables {abi} {options} -o {output} {inputs}'}
  options: [{name: Oz, words: '-Oz -Xclang -target-feature -Xclang -x'}]
  with: [{name: fakeas}]
- name: fakeas
  kind: assembler
  about: assembles
  search: ['FOLDER']
  program: {amd64: [as]}
  version: {pattern: 'fake ([0-9.]+)'}
  steps: {assemble: '{program} {options} -o {output} {inputs}'}
  with: [{name: fakeld}]
- name: fakeld
  kind: linker
  about: links
  search: ['FOLDER']
  program: {amd64: [ld]}
  version: {pattern: 'fake ([0-9.]+)'}
  steps: {link: '{program} {options} -o {output} {inputs}'}
";

const TRIAL: &str = "fakeas@9.1::amd64::none::c::recursion+fakecc@9.1+Oz";

fn bundle(folder: &Folder, more: &[&str]) -> Ran {
    for (name, text) in [("cc", COMPILER), ("as", ASSEMBLER), ("ld", LINKER)] {
        write_program(folder.path(name), text);
    }
    let cc = folder.path("cc");
    let home = Path::new(&cc).parent().expect("a folder").display().to_string();
    folder.write("producers.yaml", PRODUCERS.replace("FOLDER", &home).as_bytes());
    let mut command: Command = program();
    command.env("SFRAME_CONFORMANCE_PRODUCERS", folder.path("producers.yaml"));
    command.args(["bundle", TRIAL, "--out", &folder.path("out")]).args(more);
    finish(command)
}

/// The text is the one reduced by hand, and the command has no unnecessary argument. The compiler's
/// assembly shows the bug, so nothing is assembled or linked to check it.
#[test]
fn a_bundle_of_a_compiler_stands_by_itself() {
    let folder = Folder::new();
    folder.write("by-hand.c", b"int test(void) { return 2; }\n");
    let ran = bundle(&folder, &["--as-is", "--source", &folder.path("by-hand.c"), "--title", "-Oz forgets a push"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let text = |name: &str| fs::read_to_string(Path::new(&folder.path("out")).join(name)).expect("a file");
    assert_eq!(text("repro.c"), "int test(void) { return 2; }\n");
    assert!(!Path::new(&folder.path("out")).join("start.amd64.s").exists(), "no command reads it");
    let report = text("report.md");
    for part in [
        "# fakecc 9.1: -Oz forgets a push (x86-64)",
        "\"$CC\" -S -fasynchronous-unwind-tables -Oz -o repro.s repro.c\n",
        "(to 1 line), by hand",
        "blame compiler",
    ] {
        assert!(report.contains(part), "{part} in\n{report}");
    }
    // At the pop the CFA is 8 bytes too near: a debugger shows other callers than these.
    let frames = text("core.txt");
    assert!(frames.contains("true frames:\n0x") && frames.contains(" test+0x2\n"), "{frames}");
    assert!(frames.lines().last().is_some_and(|line| line.contains(" _start+0x")), "{frames}");
    let core = fs::read(Path::new(&folder.path("out")).join("core")).expect("a core file");
    assert_eq!(core.get(16), Some(&4), "ET_CORE");
    let (own, cc) = (env!("CARGO_BIN_EXE_sframe-conformance"), folder.path("cc"));
    let script = |compiler: &str| {
        let mut command = Command::new("sh");
        command.arg(Path::new(&folder.path("out")).join("run.sh"));
        command.env("CHECK", own).env("CC", compiler).env("AS", folder.path("as")).env("LD", folder.path("ld"));
        finish(command).code
    };
    assert_eq!(script(&cc), Some(1));
    let mended = folder.path("mended");
    write_program(&mended, &COMPILER.replace("-Oz) small=1", "-Oz)"));
    assert_eq!(script(&mended), Some(0));
}

/// GNU as restores the first row of `cold`; `push $1` overwrites the slot.
const MID_FRAME: &str = "\t.globl _start
_start:
\tcall f
\tmov $60, %eax
\tsyscall
f:
\t.cfi_startproc
\tpush %rbp
\t.cfi_def_cfa_offset 16
\t.cfi_offset %rbp, -16
\tjmp cold
\t.cfi_endproc
cold:
\t.cfi_startproc
\t.cfi_def_cfa_offset 16
\t.cfi_offset %rbp, -16
\tnop
\tpop %rbp
\t.cfi_def_cfa_offset 8
\t.cfi_restore %rbp
\tpush $1
\t.cfi_def_cfa_offset 16
\tpop %rcx
\t.cfi_def_cfa_offset 8
\tret
\t.cfi_endproc
";

/// A finding of execution has its truth in the bundle: the object is explored, not only read.
#[test]
fn what_execution_showed_is_in_the_bundle_with_the_truth() {
    let folder = Folder::new();
    let (source, out) = (folder.write("mid.s", MID_FRAME.as_bytes()), folder.path("out"));
    let mut command = with_producers();
    command.args(["bundle", &source, "--as-is", "--assembler", "gas", "--abi", "amd64", "--out", &out]);
    let ran = finish(command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let report = fs::read_to_string(Path::new(&out).join("report.md")).expect("a report");
    assert!(report.contains("\n  truth     cfa=rsp+16 ra=[cfa-8] fp=same\n"), "{report}");
}

/// A text that does not show the bug is refused, however short.
#[test]
fn a_text_cut_by_hand_must_show_it() {
    let folder = Folder::new();
    folder.write("by-hand.c", b"int other(void) { return 2; }\n");
    let ran = bundle(&folder, &["--as-is", "--source", &folder.path("by-hand.c")]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the finding does not recur from the source"), "{}", ran.stderr);
}
