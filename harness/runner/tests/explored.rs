//! Functions executed without their inputs: what is wrong is found in states that only some inputs lead to, and what only looks wrong, since
//! nobody called the function and its values are made up, is not charged. Each source is assembled by GNU as; each was first seen in a
//! library of a distribution.

use std::fs;
use std::process::Command;

use matrix::check::{Options, check};
use model::{Bytes, Report};

/// Assembles AMD64 code and executes its functions.
fn explored(source: &str) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, object) = (folder.path().join("f.s"), folder.path().join("f.o"));
    fs::write(&text, format!(".text\n{source}\n")).expect("a file");
    let done = Command::new("as").arg("--64").arg(&text).arg("-o").arg(&object).status().expect("GNU as");
    assert!(done.success(), "{source}");
    let bytes = fs::read(&object).expect("an object");
    check("f.o", &Bytes::copy_from_slice(&bytes), &Options { explore: true, ..Options::default() }).report
}

/// Where `.eh_frame` is wrong, as offsets in `.text`.
fn wrong(report: &Report) -> Vec<String> {
    report.discrepancies.iter().flat_map(|found| found.place.lines().map(str::to_owned)).collect()
}

fn all_reached(report: &Report) {
    let reach = report.summary.reach.expect("explored");
    assert!(reach.executed == reach.covered && reach.covered > 0, "{reach:?}");
}

const HOISTED: &str = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    subq $16, %rsp
    .cfi_def_cfa_offset 32
    movq %rdi, %rbx
    call g
    addq $16, %rsp
    EARLY
    testq %rbx, %rbx
    je 1f
    LATE
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
1:  .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc";

#[test]
fn an_adjustment_that_comes_late_is_found_and_one_in_time_is_not() {
    // Clang 14 to 22: the end of two ways out is moved before the branch, its CFI is not.
    let late = explored(&HOISTED.replace("EARLY", "").replace("LATE", ".cfi_def_cfa_offset 16"));
    assert_eq!(wrong(&late), [".text+0x11..0x16"], "{:?}", late.discrepancies);
    all_reached(&late);
    let right = explored(&HOISTED.replace("EARLY", ".cfi_def_cfa_offset 16").replace("LATE", ""));
    assert_eq!(wrong(&right), Vec::<String>::new());
    all_reached(&right);
}

#[test]
fn a_call_that_does_not_come_back_leads_nowhere() {
    // The state after it is that of the jump to the label: 8 bytes less.
    let report = explored(
        ".globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 1f
    pushq %rax
    .cfi_def_cfa_offset 16
    call die
    .p2align 3
1:  .cfi_def_cfa_offset 8
    ret
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
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
fn a_table_goes_where_its_index_can_and_what_is_wrong_there_is_found() {
    let source = "
.globl f
f:  .cfi_startproc
    cmpl $2, %edi
    ja 4f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    jmp *%rax
1:  nop
    ret
2:  pushq %rbx
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
3:  subq $8, %rsp
    WHERE
    addq $8, %rsp
    .cfi_def_cfa_offset 8
4:  ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b, 3b - 9b";
    let right = explored(&source.replace("WHERE", ".cfi_def_cfa_offset 16"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    all_reached(&right);
    let report = explored(&source.replace("WHERE", ".cfi_def_cfa_offset 24"));
    assert_eq!(report.summary.discrepancies, 1, "{:?}", report.discrepancies);
}

#[test]
fn room_of_a_made_up_size_hides_nothing() {
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
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

#[test]
fn a_context_that_is_loaded_is_not_the_functions_frame() {
    // As longjmp ends: the registers are those of another frame, in memory that is made up here.
    let report = explored(
        ".globl f
f:  .cfi_startproc
    movq (%rdi), %rbp
    movq 8(%rdi), %rsp
    movq 16(%rdi), %rdx
    jmp *%rdx
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
}
