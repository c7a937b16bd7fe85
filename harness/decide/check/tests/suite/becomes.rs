//! A program that becomes another one by `execve`: both are judged, each with its own tables, also
//! at the same addresses.

use std::time::Duration;

use check::supplies::{Bytes, Supplies};
use check::{Inputs, Limits, Options};
use types::{Abi, StopReason, UndecidedReason};

use crate::asm::program;
use crate::check;

const EXECVE: &str = "lea path(%rip), %rdi\nxor %esi, %esi\nxor %edx, %edx\nmov $59, %eax\nsyscall\n.section .rodata\npath: .asciz \"/p\"\n.text";
/// Leaves the CFA one word wrong while `%rbx` is on the stack.
const WRONG: &str = "f: .cfi_startproc\npush %rbx\npop %rbx\nret\n.cfi_endproc";

#[test]
fn a_wrong_row_of_the_program_that_it_becomes_is_an_error_of_that_program() {
    let (main, other) = (program(Abi::Amd64, EXECVE, ""), program(Abi::Amd64, "call f", WRONG));
    let files = vec![("/p".to_owned(), Bytes(other.as_ref().into()))];
    let inputs = Inputs { supplies: Supplies { files, ..Supplies::default() }, ..Inputs::default() };
    let checked = check("main", &main, &Options { inputs, ..Options::default() });
    assert_eq!(checked.exit, Some((12, 0)), "{:#?}", checked.report);
    assert!(checked.report.discrepancies.is_empty() && checked.report.undecided.is_empty(), "{:#?}", checked.report);
    let [object] = checked.objects.as_slice() else { panic!("{:#?}", checked.objects) };
    let found: Vec<_> = object.discrepancies.iter().map(|one| (one.rule().name(), one.evidence.steps)).collect();
    assert_eq!((object.file.as_str(), found), ("/p", vec![("eh-frame/cfa-matches-truth", 1)]));
    assert!(!object.discrepancies[0].shown.message.contains("thread"), "{}", object.discrepancies[0].shown.message);
}

/// The first run only finds what is mapped: it takes a part of the time, the judged one the rest.
#[test]
fn a_program_that_does_not_end_is_judged_in_its_time() {
    let main = program(Abi::Amd64, "1: jmp 1b", "");
    let files = vec![("/p".to_owned(), Bytes(main.as_ref().into()))];
    let inputs = Inputs { supplies: Supplies { files, ..Supplies::default() }, ..Inputs::default() };
    let limits = Limits { time: Some(Duration::from_millis(400)), ..Limits::default() };
    let report = check("main", &main, &Options { inputs, limits, ..Options::default() }).report;
    let reasons: Vec<_> = report.undecided.iter().map(|undecided| undecided.reason).collect();
    assert_eq!(reasons, [UndecidedReason::Stopped(StopReason::TimeLimit)], "{report:#?}");
    assert!(report.summary.steps_judged > 0, "{:?}", report.summary);
}
