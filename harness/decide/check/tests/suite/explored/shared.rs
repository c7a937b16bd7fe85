//! Callees that move the caller's SP, and calls that only push their address.

use super::{all_reached, explored, explored_on_aarch64, explored_on_s390x, wrong};

/// In an object the field of such a call is 0, as is one that the linker fills in. The call of `g`
/// pops an argument that was pushed for it (`clang -Oz`).
const POPS: &str = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    call 1f
1:  .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset AFTER
    pushq $1
    .cfi_def_cfa_offset 24
    call g
    popq %rcx
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc";

#[test]
fn a_call_of_the_next_instruction_in_an_object_is_none() {
    let right = explored(&POPS.replace("AFTER", "16"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    all_reached(&right);
    let found = explored(&POPS.replace("AFTER", "24"));
    assert_eq!(wrong(&found), [".text+0x7..0x9"], "{:?}", found.discrepancies);
}

/// `clang -Oz` with `-homogeneous-prolog-epilog`: several functions call `h` in their prologues.
const AARCH64: &str = "
.globl f
f:  .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset w29, -16
    .cfi_offset w30, -8
    bl h
    .cfi_def_cfa_offset AFTER
    nop
    bl g
    ldp x19, x20, [sp], #16
    .cfi_def_cfa_offset 16
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore w29
    .cfi_restore w30
    ret
    .cfi_endproc
h:  stp x19, x20, [sp, #-16]!
    ret";

const S390X: &str = "
.globl f
f:  .cfi_startproc
    stmg %r11, %r15, 88(%r15)
    .cfi_offset %r11, -72
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    brasl %r14, h
    .cfi_def_cfa_offset AFTER
    nopr
    brasl %r14, g
    lmg %r11, %r15, 248(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r11
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
h:  aghi %r15, -160
    br %r14";

#[test]
fn a_callee_that_lowers_sp_is_executed() {
    let aarch64 = |after: &str| explored_on_aarch64(&AARCH64.replace("AFTER", after), &[]);
    let right = aarch64("32");
    assert_eq!((wrong(&right), right.summary.undecided), (Vec::new(), 0), "{right:?}");
    all_reached(&right);
    let found = aarch64("16");
    assert_eq!(wrong(&found), [".text+0x8..0x14"], "{found:?}");
    let s390x = |after: &str| explored_on_s390x(&S390X.replace("AFTER", after));
    let right = s390x("320");
    assert_eq!((wrong(&right), right.summary.undecided), (Vec::new(), 0), "{right:?}");
    all_reached(&right);
    let found = s390x("160");
    assert_eq!(wrong(&found), [".text+0xc..0x1a"], "{found:?}");
}

/// clang uses r14 for the address of a jump by table. `g` has a frame when it jumps.
const SWITCH: &str = "
.globl f
f:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    ltgr %r2, %r2
    je 3f
    brasl %r14, g
    nopr
3:  lmg %r14, %r15, 272(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
g:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    larl %r14, table
    sllg %r1, %r2, 2
    agf %r14, 0(%r1,%r14)
    br %r14
1:  nopr
2:  lmg %r14, %r15, 272(%r15)
    .cfi_def_cfa_offset 160
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
    .cfi_endproc
    .section .rodata
    .balign 4
table: .long 1b-table, 2b-table";

#[test]
fn a_jump_by_table_in_the_link_register_is_no_return_of_a_shared_part() {
    let right = explored_on_s390x(SWITCH);
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
}
