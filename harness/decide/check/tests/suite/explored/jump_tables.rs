//! Jump tables: which targets they have.

use super::{all_reached, explored, wrong};

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

/// The bound of a table may be in memory, addressed by two registers, and the comparison before it
/// may compare something else. The bytes after the table are not part of it: here 253 targets in
/// the middle of a function that has pushed a register.
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

/// The words after a table, relative to it, may lead to the function by chance. A comparison of a
/// variable bounds the table; if nothing does, padding is no target.
#[test]
fn words_after_a_table_are_not_its_entries() {
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    INDEX
    leaq table(%rip), %rdx
    movslq (%rdx,%rax,4), %rax
    addq %rdx, %rax
    jmp *%rax
1:  incl %edi
2:  incl %edi
3:  incl %edi
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp other
4:  UNREACHED
    .cfi_def_cfa_offset 16
5:  incl %edi
9:  popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .balign 4
table:
    .long 1b-table, 2b-table, 3b-table, 5b-table
    .long 4b-table
    .bss
    .balign 4
which:
    .zero 4";
    let bounded = "cmpl $3, which(%rip)\nja 9f\nmovl which(%rip), %eax";
    for (index, unreached) in [(bounded, "incl %esi"), ("movzbl (%rdi), %eax", "nop")] {
        let report = explored(&source.replace("INDEX", index).replace("UNREACHED", unreached));
        assert_eq!(wrong(&report), [""; 0], "{index}");
        let reach = report.summary.reach.expect("explored");
        assert_eq!(reach.covered - reach.executed, u64::from(unreached != "nop"), "{reach:?}");
    }
}

/// The register of a callee's result still holds the target of the table's jump, which is not what
/// the callee returns: the next jump is a tail call, and leads to no entry of that table.
#[test]
fn the_result_of_a_call_is_not_the_target_of_an_earlier_jump() {
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movl %edi, %ebx
    call get
    cmpl $1, %ebx
    ja 3f
    movl %ebx, %ebx
    leaq 9f(%rip), %rdx
    movslq (%rdx,%rbx,4), %rax
    addq %rdx, %rax
    jmp *%rax
1:  call get
    .cfi_def_cfa_offset AFTER
    nop
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp *%rax
    .cfi_def_cfa_offset 16
2:  call get
    popq %rbx
    .cfi_def_cfa_offset 8
    jmp *%rax
    .cfi_def_cfa_offset 16
3:  popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b";
    let right = explored(&source.replace("AFTER", "16"));
    assert_eq!(wrong(&right), [""; 0]);
    assert_eq!(right.undecided, []);
    all_reached(&right);
    let report = explored(&source.replace("AFTER", "24"));
    assert_eq!(report.summary.discrepancies, 1, "{:?}", report.discrepancies);
}

/// The emulator translates at most 512 instructions at a time, here up to the comparison. The block
/// must be translated again if execution is to stop before the comparison, to set the compared
/// value.
#[test]
fn a_table_is_found_after_a_stretch_of_two_blocks() {
    let report = explored(
        ".globl f
f:  .cfi_startproc
    .rept 511
    nop
    .endr
    cmpl $1, %edi
    nop
    ja 3f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    jmp *%rax
1:  incl %eax
    ret
2:  decl %eax
    ret
3:  ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 1b - 9b, 2b - 9b",
    );
    all_reached(&report);
}
