//! Stores and allocations whose address or size is made up.

use super::{all_reached, explored, wrong};

/// A made-up string is copied only if its length is positive: the made-up length gives an
/// allocation of no bytes, and exploration goes both ways.
#[test]
fn a_store_into_an_allocation_of_no_bytes_hits_no_save_slot() {
    let report = explored(
        ".globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movl %edi, %eax
    andl $0, %eax
    subq %rax, %rsp
    cmpl $20, %edi
    jle 1f
    movq $7, (%rsp)
    movq $7, 8(%rsp)
    nop
1:  leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    assert_eq!(report.undecided_in.len(), 0, "{:?}", report.undecided_in);
    all_reached(&report);
}

#[test]
fn a_made_up_store_does_not_reach_what_is_saved() {
    let report = explored(
        ".globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    xorl %ebp, %ebp
    leaq -8(%rsp), %rax
    movb %dil, 8(%rax,%rbp)
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    all_reached(&report);
}

#[test]
fn room_of_a_made_up_size_hides_nothing() {
    let source = "
.globl f
f:  .cfi_startproc
    frame
    movq (%rdi), %rax
    subq %rax, %rsp
    call g
    WHERE
    nop
    movl $1, %eax
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc";
    let right = explored(&source.replace("WHERE", ""));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    all_reached(&right);
    let report = explored(&source.replace("WHERE", ".cfi_def_cfa_offset 24"));
    assert_eq!(report.summary.discrepancies, 1, "{:?}", report.discrepancies);
}

/// Judging by the code after it, the call may not return; another path leads there, and SP below
/// the reserved space differs: exploration continues after the call.
#[test]
fn room_of_a_made_up_size_is_left_after_any_call() {
    let report = explored(
        "
.globl f
f:  .cfi_startproc
    frame
    testl %esi, %esi
    je 1f
    movq (%rdi), %rax
    subq %rax, %rsp
    call g
1:  cmpq %rbx, -8(%rbp)
    jne 2f
    leave
    .cfi_remember_state
    .cfi_def_cfa %rsp, 8
    ret
2:  .cfi_restore_state
    call fail
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    all_reached(&report);
}

#[test]
fn paths_below_room_of_a_made_up_size_join_the_others() {
    // After the join there is no other value below the reserved space: the wrong row is detected
    // with and without it.
    let source = "
.globl f
f:  .cfi_startproc
    frame
    testl %edi, %edi
    je 1f
    subq %rax, %rsp
1:  testl %esi, %esi
    je 2f
    subq %rax, %rsp
    movq %rsp, %rdi
    .cfi_remember_state
    .cfi_def_cfa %rsp, 8
    call g@PLT
    .cfi_restore_state
2:  leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
";
    let report = explored(source);
    all_reached(&report);
    assert_eq!(wrong(&report), [".text+0x15..0x1a"]);
}
