//! Code of real programs that caused false alarms: cold parts after calls that do not return,
//! switches of the stack, shadow call stacks. Each is right here, and with a wrong slot it is not
//! clean.

use results::Report;

use super::{all_reached, explored, explored_library, explored_on_aarch64, explored_on_s390x, wrong};

/// Explores code for each target. `is` replaces WHERE.
fn on_all(sources: [&str; 3], is: [&str; 3]) -> [Report; 3] {
    let [amd64, aarch64, s390x] = sources;
    let with = |source: &str, is: &str| source.replace("WHERE", is);
    [
        explored(&with(amd64, is[0])),
        explored_on_aarch64(&with(aarch64, is[1]), &[]),
        explored_on_s390x(&with(s390x, is[2])),
    ]
}

/// A part that one jump enters, in the frame of the function before it. It follows a call that does
/// not return, in another frame.
const COLD: [&str; 3] = [
    "
.globl g
g:  .cfi_startproc
    subq $40, %rsp
    .cfi_def_cfa_offset 48
    testl %edi, %edi
    jne cold
    addq $40, %rsp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
.globl f
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    testl %edi, %edi
    jne 1f
    addq $24, %rsp
    .cfi_def_cfa_offset 8
    ret
1:  .cfi_def_cfa_offset 32
    call abort@PLT
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset WHERE
    movl $1, %edi
    call raise@PLT
    call abort@PLT
    .cfi_endproc",
    "
.globl g
g:  .cfi_startproc
    sub sp, sp, #48
    .cfi_def_cfa_offset 48
    str x30, [sp]
    .cfi_offset x30, -48
    cbnz w0, cold
    ldr x30, [sp]
    .cfi_restore x30
    add sp, sp, #48
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc
.globl f
f:  .cfi_startproc
    cbnz w0, 1f
    ret
1:  str x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x30, -16
    bl abort
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset WHERE
    .cfi_offset x30, -48
    mov w0, #1
    bl raise
    bl abort
    .cfi_endproc",
    "
.globl g
g:  .cfi_startproc
    stmg %r14, %r15, 112(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -160
    .cfi_def_cfa_offset 320
    ltr %r2, %r2
    jgne cold
    lmg %r14, %r15, 272(%r15)
    .cfi_restore 14
    .cfi_restore 15
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
.globl f
f:  .cfi_startproc
    ltr %r2, %r2
    jne 1f
    br %r14
1:  stmg %r14, %r15, 112(%r15)
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    aghi %r15, -240
    .cfi_def_cfa_offset 400
    brasl %r14, abort
    .cfi_endproc
cold: .cfi_startproc
    .cfi_def_cfa_offset WHERE
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    lghi %r2, 1
    brasl %r14, raise
    brasl %r14, abort
    .cfi_endproc",
];

#[test]
fn a_part_that_a_jump_enters_is_not_held_as_called() {
    for report in on_all(COLD, ["48", "48", "320"]) {
        assert_eq!((wrong(&report), report.summary.undecided), (Vec::new(), 0), "{:?}", report.discrepancies);
    }
    for report in on_all(COLD, ["40", "40", "312"]) {
        assert_eq!((report.summary.discrepancies, report.summary.undecided), (1, 0), "{:?}", report.notes);
    }
}

/// Shared libraries, in which the call before the part goes through the procedure linkage table:
/// the address after it is not a return address.
#[test]
fn a_part_after_a_call_through_the_plt_is_not_held_as_called() {
    for (is, errors) in [("48", 0), ("40", 1)] {
        let [amd64, aarch64, _] = COLD.map(|source| source.replace("WHERE", is));
        for report in [explored_library(&amd64), explored_on_aarch64(&aarch64, &["-shared"])] {
            assert_eq!((report.summary.discrepancies, report.summary.undecided), (errors, 0), "{:?}", report.notes);
        }
    }
}

/// As in OCaml 5's `caml_start_program`, which switches to another stack and back.
const SWITCH: [&str; 3] = [
    "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
    movq %rdi, %rbx
    movq %rsp, 8(%rbx)
    movq (%rbx), %rsp
    call g
    movq 8(%rbx), %rsp
    .cfi_def_cfa_offset WHERE
    nop
    .cfi_def_cfa_offset 16
    popq %rbx
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc",
    "
.globl f
f:  .cfi_startproc
    stp x19, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x19, -16
    .cfi_offset x30, -8
    mov x19, x0
    mov x1, sp
    str x1, [x19, #8]
    ldr x1, [x19]
    mov sp, x1
    bl g
    ldr x1, [x19, #8]
    mov sp, x1
    .cfi_def_cfa_offset WHERE
    nop
    .cfi_def_cfa_offset 16
    ldp x19, x30, [sp], #16
    .cfi_restore x19
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ret
    .cfi_endproc",
    "
.globl f
f:  .cfi_startproc
    stmg %r12, %r15, 96(%r15)
    .cfi_offset 12, -64
    .cfi_offset 14, -48
    .cfi_offset 15, -40
    lgr %r12, %r2
    stg %r15, 8(%r12)
    lg %r15, 0(%r12)
    brasl %r14, g
    lg %r15, 8(%r12)
    .cfi_def_cfa_offset WHERE
    lghi %r2, 0
    .cfi_def_cfa_offset 160
    lmg %r12, %r14, 96(%r15)
    .cfi_restore 14
    .cfi_restore 12
    br %r14
    .cfi_endproc",
];

#[test]
fn a_stack_of_a_made_up_address_accuses_nobody_and_hides_nothing_behind_it() {
    for report in on_all(SWITCH, ["16", "16", "160"]) {
        assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    }
    for report in on_all(SWITCH, ["24", "24", "168"]) {
        assert!(report.summary.discrepancies + report.summary.undecided > 0, "{:?}", report.notes);
    }
}

/// clang's `-fsanitize=shadow-call-stack`: no code sets x18.
#[test]
fn a_shadow_call_stack_is_no_save_slot() {
    let source = "
.globl f
f:  .cfi_startproc
    str x30, [x18], #8
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, WHERE
    mov x29, sp
    bl g
    ldp x29, x30, [sp], #16
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    ldr x30, [x18, #-8]!
    ret
    .cfi_endproc";
    let right = explored_on_aarch64(&source.replace("WHERE", "-8"), &[]);
    assert_eq!((wrong(&right), right.summary.undecided), (Vec::new(), 0), "{:?}", right.discrepancies);
    let report = explored_on_aarch64(&source.replace("WHERE", "-16"), &[]);
    assert_eq!((report.summary.discrepancies, report.summary.undecided), (1, 0), "{:?}", report.discrepancies);
}

/// A frame of 8 MB, as GCC 14 describes it on AArch64 where its stack is probed: 64 bytes too low.
#[test]
fn a_large_frame_is_explored() {
    let explored = |frame: u32| {
        explored_on_aarch64(
            &format!(
                ".globl f\nf: .cfi_startproc\nstp x29, x30, [sp, #-64]!\n.cfi_def_cfa_offset 64
                 .cfi_offset x29, -64\n.cfi_offset x30, -56\nsub sp, sp, #0x800, lsl #12
                 .cfi_def_cfa_offset {frame}\nnop\nadd sp, sp, #0x800, lsl #12\n.cfi_def_cfa_offset 64
                 ldp x29, x30, [sp], #64\n.cfi_def_cfa_offset 0\n.cfi_restore x29\n.cfi_restore x30
                 ret\n.cfi_endproc"
            ),
            &[],
        )
    };
    let right = explored(0x80_0000 + 64);
    assert_eq!(wrong(&right), Vec::<String>::new());
    all_reached(&right);
    assert_eq!(wrong(&explored(0x80_0000)), [".text+0x8..0x10"]);
}
