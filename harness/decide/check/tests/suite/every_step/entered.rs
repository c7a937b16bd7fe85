//! Functions that are entered by a jump, with less or other stack than their table describes, after
//! steps that the memo already knows.

use super::*;
use crate::asm::tools;

/// `shared` is called twice, and then jumped to by `stub`, which reserved 16 bytes of stack that no
/// row of `shared` accounts for: `shared` frees them. Its instructions are known by then.
const GIVEN_BACK: &str = "
.globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x5, #0
    bl shared
    bl shared
    mov x5, #1
    bl stub
    bl stub
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
stub: .cfi_startproc
    sub sp, sp, #16
    .cfi_adjust_cfa_offset 16
    b shared
    .cfi_endproc
    .type shared, %function
shared: .cfi_startproc
    cbz x5, 1f
    mov x2, #1
    add sp, sp, #16
1:  mov x3, #1
    mov x4, #1
    b callee
    .cfi_endproc
    .size shared, . - shared
    .skip 64
    .type callee, %function
callee: .cfi_startproc
    mov x3, #1
    ret
    .cfi_endproc
    .size callee, . - callee";

/// `f` jumps to instructions that no table describes, all alike.
const UNDESCRIBED: &str = "
.globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x19, #20
1:  bl f
    subs x19, x19, #1
    b.ne 1b
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
f:  .cfi_startproc
    mov x2, #1
    b bare
    .cfi_endproc
    .skip 64
bare:
    mov x2, #1
    mov x3, #1
    mov x4, #1
    mov x5, #1
    ret";

fn report(source: &str) -> Checked {
    let bytes = tools(Abi::Aarch64).link(source);
    both("entered", &bytes, &Options::default()).expect("a file that loads")
}

#[test]
fn stack_that_is_given_back_shows_a_wrong_row_at_known_instructions_too() {
    let report = report(GIVEN_BACK).report;
    let errors: Vec<_> = report.discrepancies.iter().filter(|one| one.severity == Severity::Error).collect();
    assert_eq!(errors.iter().map(|one| one.rule().name()).collect::<Vec<_>>(), ["eh-frame/cfa-matches-truth"]);
    assert_eq!(report.summary.undecided, 0);
}

#[test]
fn steps_that_no_table_describes_are_not_counted_as_judged() {
    let counts = report(UNDESCRIBED).report.summary;
    // Five of the ten instructions of each of 20 rounds; one step before them and three after.
    assert_eq!((counts.steps_executed - counts.steps_judged, counts.steps_executed), (100, 204));
}
