//! Control flow: calls that return or not, jumps through tables, split-off parts.

use results::{Deny, Outcome};

use super::{all_reached, explored, explored_library, explored_library_on_s390x, explored_program, wrong};

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

/// On s390x, the instructions that `exrl` executes are after a call that does not come back, at
/// the end of the function: control does not reach them, nor the function after them.
#[test]
fn an_instruction_that_is_executed_out_of_line_is_not_the_code_after_a_call() {
    let frame = "stmg %r6, %r15, 48(%r15)\n.cfi_offset 14, -48\nlay %r15, -184(%r15)\n.cfi_def_cfa_offset 344";
    let report = explored_library_on_s390x(&format!(
        ".globl f
.type f, @function
f:  .cfi_startproc
    {frame}
    exrl %r1, 1f
    brasl %r14, stop@PLT
1:  mvc 160(1, %r15), 0(%r2)
    .cfi_endproc
    .cfi_startproc
    {frame}
    brasl %r14, stop@PLT
    .cfi_endproc"
    ));
    assert_eq!(report.outcome(Deny::default()), Outcome::Clean, "{:?}", report.undecided);
}

/// `exit` and `rt_sigreturn` do not return: the code after them is not part of the function,
/// although no other code leads there.
#[test]
fn a_system_call_at_the_end_leads_nowhere() {
    let source = "
.globl f
f:  .cfi_startproc
    movl $60, %eax
    LAST
    .cfi_endproc
    .cfi_startproc simple
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 24
    .cfi_offset %rip, -8
    nop
1:  jmp 1b
    .cfi_endproc";
    let report = explored(&source.replace("LAST", "syscall"));
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    assert_eq!(wrong(&explored(&source.replace("LAST", "nop"))), [".text+0x6..0x9"]);
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

/// A table by which other code may jump to it.
const TABLE: &str = "
    .data
    .quad apart
    .text
";

/// A function with a split-off part, in which a row may be wrong.
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
    // The frame is ambiguous.
    for more in [STRAY, TABLE] {
        assert_eq!(with_part(32, more), Vec::<String>::new());
        assert_eq!(with_part(40, more), Vec::<String>::new());
    }
}

#[test]
fn a_way_into_another_function_shows_nothing_of_that() {
    // The frame if a table is read beyond its end: that of the code which jumped there.
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
    // A part that is a landing pad: padding, then another frame.
    let landing = "    nop\n    .cfi_def_cfa_offset 80\n    movl $1, %edi\n    ud2\n";
    assert_eq!(wrong(&explored(&local(landing))), Vec::<String>::new());
    // According to the table it is entered with another frame.
    let of_its_own = "    .cfi_def_cfa_offset 80\n    movl $1, %eax\n    ret\n";
    assert_eq!(wrong(&explored(&local(of_its_own))), Vec::<String>::new());
}

/// A program's `main` seldom returns: code after its calls counts, because neither jumps nor the
/// table lead there.
#[test]
fn what_is_after_a_call_is_reached_though_the_function_never_returns() {
    let report = explored(
        "
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    .cfi_offset %rbx, -16
1:  call next@PLT
    cmpl $2, %eax
    ja 9f
    movl %eax, %eax
    leaq table(%rip), %r10
    movslq (%r10,%rax,4), %rax
    addq %r10, %rax
    jmp *%rax
2:  movl $1, %ebx
    jmp 1b
3:  movl $2, %ebx
    jmp 1b
4:  pushq %rbx
    call put@PLT
    addq $8, %rsp
    jmp 1b
9:  movl %ebx, %edi
    call exit@PLT
    .cfi_endproc
    .size f, .-f
    .section .rodata
    .balign 4
table:
    .long 2b-table, 3b-table, 4b-table",
    );
    all_reached(&report);
    assert_eq!(wrong(&report), [".text+0x2c..0x35"]);
}

/// A loop begins after the call, and only the return of this call and the loop itself lead to it:
/// if the call did not return, no compiler would have left the loop there. The function has no end
/// that
#[test]
fn a_call_comes_back_where_nothing_else_leads_to_what_is_after_it() {
    let source = "
.globl f
f:  .cfi_startproc
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call prepare
1:  WHERE
    call next
2:  testl %eax, %eax
    je 1b
    call put
    jmp 2b
    .cfi_endproc";
    let right = explored(&source.replace("WHERE", "nop"));
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    all_reached(&right);
    let report = explored(&source.replace("WHERE", ".cfi_def_cfa_offset 24"));
    assert_eq!(report.summary.discrepancies, 1, "{:?}", report.discrepancies);
    // Another path leads there with another SP: nothing shows that `die` returns.
    let other = explored(
        "
.globl f
f:  .cfi_startproc
    testl %edi, %edi
    je 1f
    subq $8, %rsp
    .cfi_def_cfa_offset 16
    call die
1:  .cfi_def_cfa_offset 8
    call next
    jmp 1b
    .cfi_endproc",
    );
    assert_eq!(wrong(&other), Vec::<String>::new(), "{:?}", other.discrepancies);
}

/// As in LLVM's libraries for s390x: the compiler wrote no table, and the linker wrote one for the
/// code that it made.
#[test]
fn what_the_linker_made_is_entered_from_code_without_a_table() {
    // Linkers only add to existing tables: one function has one.
    let one = "one: .cfi_startproc\n    ret\n    .cfi_endproc\n.globl one\n";
    let report = explored_library(&format!("{one}f:  call g@PLT\n    call h@PLT\n    ret"));
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    all_reached(&report);
}

/// As in libgfortran: the emulator reports the failed store when it has already reached the jump.
/// If the jump were considered failed, the code after it would be executed, and its target not.
#[test]
fn a_store_that_fails_before_a_jump_fails_alone() {
    let report = explored(
        ".globl f
f:  .cfi_startproc
    xorl %esi, %esi
    fld1
    testl %edi, %edi
    je 1f
    fstpt (%rsi)
    jmp 2f
1:  ud2
2:  ret
    .cfi_endproc",
    );
    all_reached(&report);
}

/// As in `tred` of s390x: after a call that does not return there is an instruction that is
/// executed from elsewhere, followed by the program's entry, which no function falls into.
#[test]
fn where_the_program_begins_is_no_part_of_another_function() {
    let report = explored_program(
        "die: .cfi_startproc
    ud2
    .cfi_endproc
other: .cfi_startproc
    call f
    ret
    .cfi_endproc
f:  .cfi_startproc
    subq $24, %rsp
    .cfi_def_cfa_offset 32
    call die
    incl (%rcx)
    .cfi_endproc
.globl begin
begin: .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    call other
    ud2
    .cfi_endproc",
        "begin",
    );
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
}

/// As in libgo: other code continues after the same call, so it seems to return. Here that leads
/// into a loop with a lower SP in each iteration.
#[test]
fn a_place_with_two_sps_is_judged_as_its_row_says() {
    let looping = |row: u32| {
        let source = format!(
            ".globl begin
begin: .cfi_startproc
    .cfi_undefined rip
    ud2
    .cfi_endproc
typed: .cfi_startproc
    ret
    .cfi_endproc
die: .cfi_startproc
    ud2
    .cfi_endproc
.globl a
a:  .cfi_startproc
    call die
    ret
    .cfi_endproc
.globl b
b:  .cfi_startproc
    call die
    ret
    .cfi_endproc
.globl f
f:  .cfi_startproc
    pushq %rbx
    .cfi_def_cfa_offset 16
    testl %edi, %edi
    jne 2f
1:  subq $16, %rsp
    .cfi_def_cfa_offset 32
    call die
2:  .cfi_def_cfa_offset {row}
    incl %eax
    call typed
    jmp 1b
    .cfi_endproc"
        );
        // Only for a program all callers are known.
        explored_program(&source, "begin")
    };
    let right = looping(16);
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    // Wrong about both.
    assert_eq!(wrong(&looping(24)).len(), 1);
}

/// A callee that drops its arguments (`ret $16`), called by a function whose rows follow that and
/// by one whose rows do not.
#[test]
fn a_callee_that_drops_its_arguments_leaves_its_caller_judged() {
    let caller = |name: &str, after: &str| {
        format!(
            "
.globl {name}
{name}: .cfi_startproc
    pushq $1
    .cfi_adjust_cfa_offset 8
    pushq $2
    .cfi_adjust_cfa_offset 8
    call callee
    {after}
    nop
    ret
    .cfi_endproc"
        )
    };
    let callee = "callee: .cfi_startproc\nmovq 8(%rsp), %rax\nret $16\n.cfi_endproc";
    let right = explored(&[callee, &caller("f", ".cfi_adjust_cfa_offset -16")].concat());
    assert_eq!(right.outcome(Deny::default()), Outcome::Clean, "{:?}", right.discrepancies);
    all_reached(&right);
    let late = explored(&[callee, &caller("f", "")].concat());
    assert_eq!(wrong(&late).len(), 1, "{:?}", late.undecided_in);
}
