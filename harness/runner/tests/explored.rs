//! Functions executed without their inputs: what is wrong is found in states that only some inputs lead to, and what only looks wrong, since
//! nobody called the function and its values are made up, is not charged. Each source is assembled by GNU as; each was first seen in a
//! library of a distribution.

use std::fs;
use std::process::Command;

use generators::blind::{ChangedRows, Target, change_rows};
use matrix::check::{Options, check};
use matrix::score::rows::rows;
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

#[test]
fn a_row_that_begins_inside_an_instruction_holds_from_the_next_on() {
    let source = "
.globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    .byte 0x66
    .cfi_def_cfa_offset 16
    .byte 0x90
    movq %rdi, %rax
    .cfi_def_cfa_offset 32
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
";
    assert_eq!(wrong(&explored(source)), [".text+0x6..0x9"]);
}

/// A branch into the part of another function that is never taken.
const STRAY: &str = "
.globl g
g:  .cfi_startproc
    cmpl $9, %edi
    ja apart
    ret
    .cfi_endproc
";

/// A table by which somebody may jump to it.
const TABLE: &str = "
    .data
    .quad apart
    .text
";

/// A function, and a part of it apart in which a row may be wrong.
fn with_part(row: u32, more: &str) -> Vec<String> {
    let source = format!(
        "
.globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    js apart
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
{more}
apart:
    .cfi_startproc
    .cfi_def_cfa_offset {row}
    movl $1, %edi
    ud2
    .cfi_endproc
"
    );
    wrong(&explored(&source))
}

#[test]
fn a_part_is_judged_in_the_frame_of_the_one_function_that_comes_into_it() {
    assert_eq!(with_part(32, ""), Vec::<String>::new());
    assert_eq!(with_part(40, ""), [".text+0xd..0x14"]);
    // Whose frame is it?
    for more in [STRAY, TABLE] {
        assert_eq!(with_part(32, more), Vec::<String>::new());
        assert_eq!(with_part(40, more), Vec::<String>::new());
    }
}

#[test]
fn a_way_into_another_function_shows_nothing_of_that() {
    // As where a table is read too far: the frame is that of whoever came in.
    let source = "
.globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    js inside
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
.globl g
g:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
inside:
    movl $1, %edi
    ud2
    .cfi_endproc
";
    let report = explored(source);
    assert_eq!(wrong(&report), Vec::<String>::new());
    all_reached(&report);
}

#[test]
fn a_function_that_nothing_calls_is_one_if_it_returns_and_a_table_agrees_somewhere() {
    let local = |rest: &str| format!("f:  .cfi_startproc\n{rest}    .cfi_endproc\n");
    let one_wrong = "    pushq %rbx\n    .cfi_def_cfa_offset 24\n    popq %rbx\n    .cfi_def_cfa_offset 8\n    ret\n";
    assert_eq!(wrong(&explored(&local(one_wrong))), [".text+0x1..0x2"]);
    // A part in which throws land: padding, and then the frame of another.
    let landing = "    nop\n    .cfi_def_cfa_offset 80\n    movl $1, %edi\n    ud2\n";
    assert_eq!(wrong(&explored(&local(landing))), Vec::<String>::new());
    // It is entered with another frame, for all that the table says.
    let of_its_own = "    .cfi_def_cfa_offset 80\n    movl $1, %eax\n    ret\n";
    assert_eq!(wrong(&explored(&local(of_its_own))), Vec::<String>::new());
}

#[test]
fn a_cfa_by_a_register_that_holds_something_else_is_wrong() {
    let source = "
.globl f
f:  .cfi_startproc
    movq %rsi, %rdx
    .cfi_def_cfa %rdx, 8
    addq $1, %rax
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
";
    assert_eq!(wrong(&explored(source)), [".text+0x3..0x7"]);
}

#[test]
fn a_function_that_is_handed_its_frame_is_not_judged_by_another() {
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq %rdi, %rbx
    .cfi_def_cfa %rbx, 16
    movq %rsi, %rax
    .cfi_def_cfa %rsp, 16
    popq %rbx
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
";
    assert_eq!(wrong(&explored(source)), Vec::<String>::new());
}

#[test]
fn paths_below_room_of_a_made_up_size_join_the_others() {
    // Behind the join nothing is below the room only: the wrong row is seen there with it and without it.
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
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

/// The rows that are changed are chosen, and where they are is decided, by readers that share nothing with the judge.
#[test]
fn a_row_changed_in_every_function_is_found() {
    let objects = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/objects");
    for target in ["x86_64/gas-2.44--v2", "aarch64/gas-2.40--v1", "s390x/gas-2.47.50--v3"] {
        let bytes = Bytes::from(fs::read(format!("{objects}/{target}--gcc12-O2--so")).expect("a frozen object"));
        for table in [Target::Sframe, Target::EhFrame] {
            let changed = change_rows(&bytes, table, 3).expect("a table");
            let undone = ChangedRows { bytes: bytes.to_vec(), ..changed.clone() };
            let score = rows(target, &bytes, table, changed).expect("it is judged");
            assert!(score.reached > 10, "{target}: {score:?}");
            assert_eq!(score.missed, [], "{target}: {table:?}");
            // What is not there is not found.
            let score = rows(target, &bytes, table, undone).expect("it is judged");
            assert!(score.found == 0 && !score.passes(), "{target}: {score:?}");
        }
    }
}

#[test]
fn a_frame_given_back_by_an_sp_that_was_kept_ends_well() {
    let source = "
.globl f
f:  .cfi_startproc
    movq %rsp, %rax
    .cfi_def_cfa_register %rax
    pushq %rbx
    .cfi_offset %rbx, -16
    subq $64, %rsp
    andq $-64, %rsp
    movq %rax, 24(%rsp)
    .cfi_escape 0x0f, 0x05, 0x77, 24, 0x06, 0x23, 0x08
    movq (%rdi), %rbx
    movq 24(%rsp), %rsi
    .cfi_def_cfa %rsi, 8
    movq -8(%rsi), %rbx
    leaq (%rsi), %rsp
    .cfi_def_cfa %rsp, 16
    ret
    .cfi_endproc
";
    let report = explored(source);
    all_reached(&report);
    assert_eq!(wrong(&report), [".text+0x20..0x21"]);
}

#[test]
fn a_function_that_does_not_keep_fp_is_judged_without_it() {
    let source = "
.globl g
g:  .cfi_startproc
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call f
    addq $8, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
f:  .cfi_startproc
    xorl %ebp, %ebp
    pushq %rbx
    .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
";
    let report = explored(source);
    assert_eq!(wrong(&report), [".text+0x11..0x12"]);
    // Behind the pop, FP alone would be wrong.
    assert!(report.notes.iter().any(|note| note.contains("; 2 of 3 stretches")), "{report:?}");
}

/// Both comparisons are of one register, so that nothing comes to 3 with FP in rcx; a compiler may write this for what it takes to be
/// unreachable.
#[test]
fn a_place_with_fp_in_two_is_judged_as_its_row_says() {
    let report = explored(
        "
.globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 3f
    movq %rbp, %rcx
    .cfi_register %rbp, %rcx
    movl $1, %ebp
    cmpl $5, %edx
    ja 3f
2:  addl %ebp, %eax
    movq %rcx, %rbp
    .cfi_restore %rbp
    ret
3:  cmpl $5, %edx
    jbe 2b
    xorl %eax, %eax
    ret
    .cfi_endproc",
    );
    assert_eq!(wrong(&report), [""; 0]);
    all_reached(&report);
}

/// The bound of a table may be in memory, at two registers, and the comparison before it be about something else. What is behind the table is
/// another's, here 253 ways into the middle of a function that has pushed a register.
#[test]
fn a_table_ends_where_a_comparison_in_memory_says() {
    let report = explored(
        "
.globl f
f:  .cfi_startproc
    cmpq $1, %rdx
    jle 9f
    movzbl (%rsi), %ecx
    cmpb $2, 16(%rdi,%rcx)
    ja 9f
    movzbl 16(%rdi,%rcx), %eax
    leaq table(%rip), %r10
    movslq (%r10,%rax,4), %rax
    addq %r10, %rax
    jmp *%rax
1:  movl $1, %eax
    ret
2:  movl $2, %eax
    ret
3:  movl $3, %eax
    ret
9:  xorl %eax, %eax
    ret
    .cfi_endproc
    .size f, .-f
h:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    movl %edi, %ebx
5:  addl $7, %ebx
    movl %ebx, %eax
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size h, .-h
    .section .rodata
    .balign 4
table:
    .long 1b-table, 2b-table, 3b-table
    .rept 253
    .long 5b-table
    .endr",
    );
    assert_eq!(wrong(&report), [""; 0]);
    all_reached(&report);
}
