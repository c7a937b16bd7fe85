//! Tables that cannot be evaluated over code that runs: never clean, and an error where the bytes say so.

use std::fs;
use std::process::Command;

use check::Options;
use results::{Deny, Outcome, Report};
use spec::RuleId;
use testing::scratch;
use types::{Bytes, UndecidedReason};

use crate::check;

/// A program whose `f` has these directives after its first instruction, executed; or explored.
fn report(directives: &str, explore: bool) -> Report {
    let source = format!(
        ".text\n.globl _start\n_start:\n .cfi_startproc\n .cfi_undefined rip\n call f\n mov $60,%eax\n xor %edi,%edi\n syscall\n \
         .cfi_endproc\n.type f,@function\nf:\n .cfi_startproc\n nop\n {directives}\n nop\n ret\n .cfi_endproc\n .size f,.-f\n"
    );
    let folder = scratch::folder();
    let (text, object, program) = (folder.path().join("f.s"), folder.path().join("f.o"), folder.path().join("f"));
    fs::write(&text, source).expect("a file");
    let made = |command: &mut Command| assert!(command.status().expect("GNU binutils").success(), "{directives}");
    made(Command::new("as").arg("--64").arg(&text).arg("-o").arg(&object));
    made(Command::new("ld").arg("-o").arg(&program).arg(&object));
    let bytes = fs::read(&program).expect("a program");
    check("f", &Bytes::copy_from_slice(&bytes), &Options { explore, ..Options::default() }).report
}

const DENIED: Deny = Deny { warnings: false, gaps: false, undecided: true };

/// `DW_CFA_def_cfa_expression` with one operation, `DW_OP_GNU_push_tls_address`: some reader may know it.
#[test]
fn rows_that_cannot_be_evaluated_are_undecided() {
    for (explore, counts) in [(false, (2, 7)), (true, (4, 14))] {
        let report = report(".cfi_escape 0x0f,1,0xe0", explore);
        let summary = report.summary;
        assert_eq!((summary.refused, summary.steps_judged), counts, "{:?}", report.undecided);
        assert_eq!(report.undecided.first().map(|one| one.reason), Some(UndecidedReason::Refused));
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
        assert_eq!(report.outcome(DENIED), Outcome::Discrepancy);
    }
}

/// Operations, registers and columns that mean nothing on the ABI are wrong, whatever became of the run.
#[test]
fn rows_that_mean_nothing_are_errors() {
    let nothing =
        [".cfi_escape 0x0f,1,0xdf", ".cfi_escape 0x0f,1,0xe5", ".cfi_escape 9,16,60", ".cfi_return_column 18"];
    for directives in nothing {
        let report = report(directives, false);
        let found: Vec<RuleId> = report.discrepancies.iter().map(|found| found.rule()).collect();
        assert_eq!(found, [RuleId::CfiRefused], "{directives}");
        assert!(report.summary.refused > 0, "{directives}");
        assert_eq!(report.outcome(Deny::default()), Outcome::Discrepancy, "{directives}");
    }
}

/// What can be evaluated draws nothing, and nothing is left to deny.
#[test]
fn rows_that_can_be_evaluated_are_clean() {
    let report = report(".cfi_escape 0x0f,4,0x77,0,0x38,0x22", false);
    assert_eq!((report.summary.refused, report.summary.undecided), (0, 0), "{:?}", report.notes);
    assert_eq!(report.outcome(DENIED), Outcome::Clean);
}
