//! Thunks, retpolines and jumps to computed labels.

use results::{Deny, Outcome};

use super::{explored, explored_on_aarch64, explored_on_s390x, wrong};

/// gcc's code for `-mfunction-return=thunk-inline`: there is no row after the `lea`, which drops
/// the word that the call pushed.
#[test]
fn a_return_thunk_makes_no_frame_and_what_is_wrong_in_it_is_found() {
    let source = "
.globl f
f:  .cfi_startproc
    call 2f
1:  pause
    lfence
    jmp 1b
2:  .cfi_def_cfa_offset 16
    leaq 8(%rsp), %rsp
    WHERE
    ret
    .cfi_endproc";
    let right = explored(&source.replace("WHERE", ".cfi_def_cfa_offset 8"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    assert_eq!(wrong(&explored(&source.replace("WHERE", ""))), [".text+0x11..0x12"]);
}

/// An indirect call of gcc with `-mindirect-branch=thunk-inline`: the retpoline executes in the
/// frame of the function that contains it.
#[test]
fn a_called_retpoline_is_no_function_and_what_is_wrong_after_it_is_found() {
    let source = "
.globl f
f:  .cfi_startproc
    frame
    jmp 2f
1:  call 3f
4:  pause
    lfence
    jmp 4b
3:  movq %rax, (%rsp)
    ret
2:  call 1b
    WHERE
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc";
    let right = explored(&source.replace("WHERE", ""));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    assert_eq!(wrong(&explored(&source.replace("WHERE", ".cfi_def_cfa_offset 24"))), [".text+0x1c..0x1d"]);
}

/// An indirect call of gcc with `-mharden-sls=blr`: the stub executes in the frame of the function
/// that contains it, or is a function that it calls. Which of the two its rows describe depends on
/// the code before it.
#[test]
fn a_called_stub_is_no_function_and_what_is_wrong_in_and_after_it_is_found() {
    let source = "
.globl f
f:  .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    mov x29, sp
    .cfi_def_cfa_register 29
    bl 2f
    .cfi_remember_state
    AFTER
    ldp x29, x30, [sp], 16
    .cfi_restore 30
    .cfi_restore 29
    .cfi_def_cfa 31, 0
    ret
    .cfi_restore_state
2:  WITHIN
    mov x16, x1
    br x16
    dsb sy
    isb
    .cfi_endproc";
    let with =
        |after: &str, within: &str| explored_on_aarch64(&source.replace("AFTER", after).replace("WITHIN", within), &[]);
    let right = with("", "");
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    assert_eq!(wrong(&with(".cfi_def_cfa_offset 32", "")), [".text+0xc..0x10"]);
    assert_eq!(wrong(&with("", ".cfi_def_cfa_offset 32")), [".text+0x14..0x1c"]);
    let as_called = ".cfi_restore 30\n.cfi_restore 29\n.cfi_def_cfa 31, ";
    assert_eq!(wrong(&with("", &format!("{as_called} 0"))), Vec::<String>::new());
    assert_eq!(wrong(&with("", &format!("{as_called} 16"))), [".text+0x14..0x1c"]);
    // The same row elsewhere, where the link register holds the return address of that call.
    let after = wrong(&with(&format!(".cfi_remember_state\n{as_called} 0\nnop\n.cfi_restore_state"), ""));
    assert_eq!(after, [".text+0xc..0x10"]);
}

/// Linux's `srso_return_thunk`: its call makes no frame, and its word is dropped before the return.
#[test]
fn a_return_thunk_that_calls_executes_in_its_own_frame() {
    let source = "
.globl f
f:  .cfi_startproc
    jmp thunk
    .cfi_endproc
.globl thunk
thunk: .cfi_startproc
    call safe_ret
    ud2
    .cfi_endproc
safe_ret: .cfi_startproc
    .cfi_def_cfa_offset 16
    leaq 8(%rsp), %rsp
    .cfi_def_cfa_offset WHERE
    ret
    .cfi_endproc";
    let right = explored(&source.replace("WHERE", "8"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    assert_eq!(wrong(&explored(&source.replace("WHERE", "16"))), [".text+0xe..0xf"]);
}

#[test]
fn a_jump_through_a_thunk_keeps_the_frame_and_what_is_wrong_after_it_is_found() {
    let source = "
.globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    cmpl $1, %edi
    ja 4f
    movl %edi, %edi
    leaq 9f(%rip), %rax
    movslq (%rax,%rdi,4), %rdi
    addq %rdi, %rax
    call 2f
1:  pause
    lfence
    jmp 1b
2:  .cfi_def_cfa_offset 40
    movq %rax, (%rsp)
    ret
3:  .cfi_def_cfa_offset WHERE
    nop
4:  .cfi_def_cfa_offset 32
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .section .rodata
    .p2align 2
9:  .long 3b - 9b, 4b - 9b";
    let right = explored(&source.replace("WHERE", "32"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    assert_eq!(wrong(&explored(&source.replace("WHERE", "40"))), [".text+0x2a..0x2b"]);
}

/// A jump to a label whose address the function computes: in a register, and on AMD64 also through
/// a retpoline and by a return; out of line on s390x.
#[test]
fn a_jump_to_a_computed_label_is_followed() {
    let amd64 = |jump: &str, offset: u32| {
        format!(
            ".globl f\nf: .cfi_startproc\npushq %rbx\n.cfi_adjust_cfa_offset 8\nleaq 2f(%rip), %rax\n{jump}
            1: .cfi_adjust_cfa_offset 8\nmovq %rax, (%rsp)\nret
            2: .cfi_def_cfa_offset {offset}\npopq %rbx\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc"
        )
    };
    let s390x = |jump: &str, offset: u32| {
        format!(
            ".globl f\nf: .cfi_startproc\naghi %r15, -16\n.cfi_adjust_cfa_offset 16\nlarl %r1, 2f\n{jump}
            2: .cfi_def_cfa_offset {offset}\naghi %r15, 16\n.cfi_def_cfa_offset 160\nbr %r14\n.cfi_endproc"
        )
    };
    let aarch64 = |jump: &str, offset: u32| {
        format!(
            ".globl f\nf: .cfi_startproc\nsub sp, sp, #16\n.cfi_adjust_cfa_offset 16\nadr x1, 2f\n{jump} x1
            2: .cfi_def_cfa_offset {offset}\nadd sp, sp, #16\n.cfi_def_cfa_offset 0\nret\n.cfi_endproc"
        )
    };
    let reports = |more: u32| {
        [
            explored(&amd64("jmp *%rax", 16 + more)),
            explored(&amd64("call 1f\n3: pause\njmp 3b", 16 + more)),
            explored(&amd64("pushq %rax\n.cfi_adjust_cfa_offset 8\nret", 16 + more)),
            explored_on_aarch64(&aarch64("br", 16 + more), &[]),
            explored_on_aarch64(&aarch64("ret", 16 + more), &[]),
            explored_on_s390x(&s390x("br %r1", 176 + more)),
            explored_on_s390x(&s390x("exrl %r0, 3f\nj .\n3: br %r1", 176 + more)),
        ]
    };
    for report in reports(0) {
        assert_eq!(report.outcome(Deny::default()), Outcome::Clean, "{:?}", report.discrepancies);
    }
    for report in reports(8) {
        assert_eq!(wrong(&report).len(), 1, "{:?}", report.summary.reach);
    }
}
