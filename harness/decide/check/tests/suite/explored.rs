//! Exploration: errors are found in states that only some inputs lead to, and apparent errors that
//! are due to made-up values are not charged. Each source is assembled by GNU as; each was first
//! seen in a library of a distribution.

mod control;
mod entered;
mod frames;
mod jump_tables;
mod moved;
mod room;
mod shapes;
mod shared;
mod thunks;

use std::fs;
use std::process::Command;

use check::Options;
use results::Report;
use testing::scratch;
use types::Bytes;

use crate::check;

/// Macros for a frame with FP on AMD64.
const FRAME: &str = "
.macro frame
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
.endm
";

/// Assembles AMD64 code and explores its functions.
fn explored(source: &str) -> Report {
    explored_as(source, &[])
}

/// Explores a program that the system enters at a symbol.
fn explored_program(source: &str, entry: &str) -> Report {
    explored_as(source, &["-e", entry])
}

/// Explores a shared library.
fn explored_library(source: &str) -> Report {
    explored_as(source, &["-shared"])
}

/// Explores AArch64 code; linked if there are options for that.
fn explored_on_aarch64(source: &str, linked: &[&str]) -> Report {
    explored_by(Command::new("aarch64-linux-gnu-as"), "aarch64-linux-gnu-ld", source, linked)
}

/// Explores a shared library of s390x.
fn explored_library_on_s390x(source: &str) -> Report {
    explored_by(Command::new("s390x-linux-gnu-as"), "s390x-linux-gnu-ld", source, &["-shared"])
}

/// Explores s390x code.
fn explored_on_s390x(source: &str) -> Report {
    explored_by(Command::new("s390x-linux-gnu-as"), "s390x-linux-gnu-ld", source, &[])
}

/// Explores code; linked if there are options for that.
fn explored_as(source: &str, linked: &[&str]) -> Report {
    let mut assembler = Command::new("as");
    assembler.arg("--64");
    explored_by(assembler, "ld", &format!("{FRAME}{source}"), linked)
}

fn explored_by(mut assembler: Command, linker: &str, source: &str, linked: &[&str]) -> Report {
    let folder = scratch::folder();
    let (text, object, program) = (folder.path().join("f.s"), folder.path().join("f.o"), folder.path().join("f"));
    fs::write(&text, format!(".text\n{source}\n")).expect("a file");
    let done = assembler.arg(&text).arg("-o").arg(&object).status().expect("GNU as");
    assert!(done.success(), "{source}");
    if !linked.is_empty() {
        let done = Command::new(linker).args(linked).arg("-o").arg(&program).arg(&object).status().expect("GNU ld");
        assert!(done.success(), "{source}");
    }
    let bytes = fs::read(if linked.is_empty() { object } else { program }).expect("an object");
    check("f.o", &Bytes::copy_from_slice(&bytes), &Options::exploring()).report
}

/// Positions at which `.eh_frame` is wrong, as offsets in `.text`.
fn wrong(report: &Report) -> Vec<String> {
    report.discrepancies.iter().flat_map(|found| found.shown.place.lines().map(str::to_owned)).collect()
}

fn all_reached(report: &Report) {
    let reach = report.summary.reach.expect("explored");
    assert!(reach.executed == reach.covered && reach.covered > 0, "{reach:?}");
}
