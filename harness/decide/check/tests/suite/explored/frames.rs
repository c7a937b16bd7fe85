//! Frames: SP, FP, save slots and the row that describes them.

use types::UndecidedCause;

use super::{all_reached, explored, explored_on_aarch64, explored_on_s390x, wrong};

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
    // Clang 14 to 22: the end of two return paths is moved before the branch, its CFI is not.
    let late = explored(&HOISTED.replace("EARLY", "").replace("LATE", ".cfi_def_cfa_offset 16"));
    assert_eq!(wrong(&late), [".text+0x11..0x16"], "{:?}", late.discrepancies);
    all_reached(&late);
    let right = explored(&HOISTED.replace("EARLY", ".cfi_def_cfa_offset 16").replace("LATE", ""));
    assert_eq!(wrong(&right), Vec::<String>::new());
    all_reached(&right);
}

/// Functions whose CFA, return address or FP is in a general register, which is overwritten for one
/// instruction between two points at which the state of SP, FP or a row changes.
#[test]
fn a_register_that_a_row_reads_is_followed_instruction_by_instruction() {
    let function = |name: &str, holds: &str, row: &str, overwritten: &str| {
        format!(
            "
.globl {name}
{name}:
    .cfi_startproc
    {holds}
    {row}
    nop
    {overwritten}
    {holds}
    nop
    ret
    .cfi_endproc"
        )
    };
    let all = |overwritten: &str| {
        explored(
            &[
                function("f", "movq %rsp, %r10", ".cfi_def_cfa %r10, 8", overwritten),
                function("g", "movq (%rsp), %r10", ".cfi_register %rip, %r10", overwritten),
                function("h", "movq %rbp, %r10", ".cfi_register %rbp, %r10", overwritten),
            ]
            .concat(),
        )
    };
    let wrong_rows = wrong(&all("negq %r10"));
    assert_eq!(wrong_rows.len(), 3, "{wrong_rows:?}");
    assert_eq!(wrong(&all("negq %r11")), Vec::<String>::new());
}

#[test]
fn a_context_that_is_loaded_is_not_the_functions_frame() {
    // As in the end of longjmp: the registers are those of another frame, in memory that is made up
    // here.
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

/// As in libffi's `ffi_call_SYSV`: its caller's values are saved in the frame that it received, and
/// a row has to find them there. If nothing is saved in it, a row based on a register has a wrong
/// one.
#[test]
fn a_function_that_is_handed_its_frame_is_not_judged_by_another() {
    let source = "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq 8(%rsp), %rax
    SAVE
    movq %rdi, %rbx
    .cfi_def_cfa %rbx, 16
    movq %rsi, %rax
    .cfi_restore %rip
    .cfi_restore %rbp
    .cfi_def_cfa %rsp, 16
    popq %rbx
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
";
    let handed_by = source.replace("SAVE", "movq %rax, 8(%rdi)");
    let handed = explored(&handed_by);
    assert_eq!(wrong(&handed), Vec::<String>::new(), "{:?}", handed.discrepancies);
    let [one] = handed.undecided_in.as_slice() else { panic!("{:?}", handed.undecided_in) };
    assert_eq!((one.why, one.pcs.len(), one.answers), (UndecidedCause::HandedFrame, 1, 1));
    for rule in [".cfi_offset %rip, -16", ".cfi_undefined %rip", ".cfi_offset %rbp, -8"] {
        let wrong_row = handed_by.replace("movq %rsi", &format!("{rule}\n    movq %rsi"));
        assert_eq!(wrong(&explored(&wrong_row)), [".text+0xd..0x10"], "{rule}");
    }
    assert_eq!(wrong(&explored(&source.replace("SAVE", "movq %rax, 8(%rsp)"))), [".text+0xe..0x11"]);
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
    // After the pop, only FP would be wrong.
    assert!(report.notes.iter().any(|note| note.contains("a table is wrong in 3 ranges, of which 2")), "{report:?}");
}

/// Both comparisons are of the same register, so that no path reaches 3 with FP in rcx; a compiler
/// may write this for code that it considers unreachable.
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

/// Stack probing page by page, by rustc and clang. The row of the code after it is right only if
/// the loop has run all its iterations.
#[test]
fn a_loop_on_sp_makes_all_its_turns() {
    let looping = |turns: u32, row: u32| {
        explored(&format!(
            ".globl f
f:  .cfi_startproc
    leaq -{turns}*64(%rsp), %r11
    movq %rsp, %r10
    .cfi_def_cfa %r10, 8
1:  movl %edi, %eax
    .rept 9
    incl %eax
    .endr
    subq $64, %rsp
    cmpq %r11, %rsp
    jne 1b
    .cfi_def_cfa %rsp, {row}
    incl %eax
    movq %r10, %rsp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc"
        ))
    };
    for turns in [1, 2, 3, 40] {
        let right = looping(turns, turns * 64 + 8);
        assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
        all_reached(&right);
        assert_eq!(wrong(&looping(turns, turns * 64 + 16)).len(), 1);
    }
}

/// Code for `__builtin_return_address(0)` with `-mbranch-protection=pac-ret`: the frame keeps its
/// signed return address.
#[test]
fn what_becomes_of_a_copy_of_the_return_address_moves_nothing() {
    let source = "
.globl f
f:  .cfi_startproc
    paciasp
    .cfi_negate_ra_state
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, WHERE
    COPY
    mov x29, sp
    mov x0, x30
    ldp x29, x30, [sp], #16
    .cfi_restore 30
    .cfi_restore 29
    .cfi_def_cfa_offset 0
    autiasp
    .cfi_negate_ra_state
    ret
    .cfi_endproc";
    for copy in ["xpaclri", "xpaci x30", "autia x30, sp", "xpaclri; pacia x30, x1", "pacib x30, x1"] {
        let source = format!(".arch armv8.3-a\n{}", source.replace("COPY", copy));
        let right = explored_on_aarch64(&source.replace("WHERE", "-8"), &[]);
        assert_eq!(wrong(&right), Vec::<String>::new(), "{copy}: {:?}", right.discrepancies);
        all_reached(&right);
        let report = explored_on_aarch64(&source.replace("WHERE", "-16"), &[]);
        assert_eq!(report.summary.discrepancies, 1, "{copy}: {:?}", report.discrepancies);
    }
}

#[test]
fn the_slot_of_the_saved_sp_holds_no_return_address_that_was_handed_over() {
    let source = "
.globl f
f:  .cfi_startproc
    stmg %r13, %r15, 104(%r15)
    .cfi_offset 13, -56
    .cfi_offset 14, WHERE
    .cfi_offset 15, -40
    COPY
    aghi %r15, -168
    .cfi_def_cfa_offset 328
    lg %r4, 280(%r15)
    lmg %r13, %r15, 272(%r15)
    .cfi_restore 15
    .cfi_restore 14
    .cfi_restore 13
    .cfi_def_cfa_offset 160
    br %r4
    .cfi_endproc";
    for (copy, wrong_slot) in [("lgr %r14, %r15", "-40"), ("lgr %r14, %r13", "-56")] {
        let source = source.replace("COPY", copy);
        let right = explored_on_s390x(&source.replace("WHERE", "-48"));
        assert_eq!(wrong(&right), Vec::<String>::new(), "{copy}: {:?}", right.discrepancies);
        let report = explored_on_s390x(&source.replace("WHERE", wrong_slot));
        assert_eq!((report.summary.discrepancies, report.summary.undecided), (1, 0), "{copy}: {:?}", report.notes);
    }
}

/// A row that has a value in its slot before it is stored is wrong up to the store, not after it.
#[test]
fn a_row_that_comes_before_its_store_is_wrong_up_to_the_store() {
    let amd64 = explored(
        ".globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    .cfi_offset %rbp, -24
    movl $1, %eax
    movq %rbp, 8(%rsp)
    movl $2, %edx
    movl $3, %ebp
    movq 8(%rsp), %rbp
    .cfi_restore %rbp
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc",
    );
    assert_eq!(wrong(&amd64), [".text+0x4..0xe"], "{:?}", amd64.discrepancies);
    let aarch64 = explored_on_aarch64(
        ".globl f
f:  .cfi_startproc
    sub sp, sp, #32
    .cfi_def_cfa_offset 32
    .cfi_offset x30, -16
    mov x0, #1
    stp x9, x30, [sp, #8]
    mov x1, #2
    bl g
    ldr x30, [sp, #16]
    .cfi_restore x30
    add sp, sp, #32
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc",
        &[],
    );
    assert_eq!(wrong(&aarch64), [".text+0x4..0xc"], "{:?}", aarch64.discrepancies);
}

/// The slots of a frame over 64 KiB are next to SP. The return address there is still signed after
/// `xpaclri`, as gcc emits it before `_mcount`.
#[test]
fn a_large_frame_saves_its_registers_next_to_sp() {
    let source = ".globl f
f:  .cfi_startproc
    paciasp
    .cfi_negate_ra_state
    sub sp, sp, 32
    .cfi_def_cfa_offset 32
    sub sp, sp, 65536
    .cfi_def_cfa_offset 65568
    stp x29, x30, [sp]
    .cfi_offset 29, -65568
    .cfi_offset 30, -65560
    mov x29, sp
    xpaclri
    STRIPPED
    mov x0, x30
    bl _mcount
    STRIPPED
    ldp x29, x30, [sp]
    .cfi_restore 29
    .cfi_restore 30
    add sp, sp, 32
    .cfi_def_cfa_offset 65536
    add sp, sp, 65536
    .cfi_def_cfa_offset 0
    autiasp
    .cfi_negate_ra_state
    ret
    .cfi_endproc";
    let right = explored_on_aarch64(&source.replace("STRIPPED", ""), &[]);
    assert_eq!(wrong(&right), [""; 0], "{:?}", right.discrepancies);
    let stripped = explored_on_aarch64(&source.replace("STRIPPED", ".cfi_negate_ra_state"), &[]);
    assert_eq!(wrong(&stripped), [".text+0x18..0x20"]);
}
