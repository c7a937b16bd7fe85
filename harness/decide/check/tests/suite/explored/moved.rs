//! Stores of the function itself into its save slots, as distinct from stores by made-up addresses:
//! slots that it overwrites by their place in the frame, addresses that a call pushes as data,
//! columns that its return refutes. Each is right in one form, and wrong in another.

use results::{Deny, Outcome};

use super::{all_reached, explored, explored_library, explored_on_aarch64, explored_on_s390x, wrong};

/// A body of `f` with CFI for WHERE that is right, and one that is not.
fn is_right_and_wrong(body: &str, [right, other]: [&str; 2]) {
    let outcome = |rows: &str| {
        let source = format!(
            ".globl f\n.type f, @function\nf: .cfi_startproc\n{}\nret\n.cfi_endproc",
            body.replace("WHERE", rows)
        );
        let report = explored_library(&source);
        (report.outcome(Deny::default()), wrong(&report))
    };
    let (of_right, found) = outcome(right);
    assert_eq!(of_right, Outcome::Clean, "{body}: {found:?}");
    assert_eq!(outcome(other).0, Outcome::Discrepancy, "{body}");
}

#[test]
fn a_slot_that_is_written_over_by_its_place_has_the_value_no_longer() {
    let moved = "mov (%rsp), %rcx
        .cfi_register rip, rcx
        movq $0, (%rsp)
        WHERE
        nop
        mov %rcx, (%rsp)
        .cfi_offset rip, -8";
    is_right_and_wrong(moved, ["", ".cfi_offset rip, -8"]);
    let exchanged = "push %rbx
        .cfi_adjust_cfa_offset 8
        xor %ebx, %ebx
        xchg %rbx, 8(%rsp)
        WHERE
        nop
        xchg %rbx, 8(%rsp)
        .cfi_offset rip, -8
        pop %rbx
        .cfi_adjust_cfa_offset -8";
    is_right_and_wrong(exchanged, [".cfi_register rip, rbx", ""]);
    let frame_pointer = "push %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_offset rbp, -16
        mov %rbp, %r11
        mov %rdi, (%rsp)
        WHERE
        nop
        add $8, %rsp
        .cfi_adjust_cfa_offset -8
        .cfi_same_value rbp";
    is_right_and_wrong(frame_pointer, [".cfi_same_value rbp", ""]);
    // The target of a store through a register that the caller set is unknown.
    let by_register = "push %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_offset rbp, WHERE
        movq $0, (%rdi)
        movq $0, 8(%rsi)
        pop %rbp
        .cfi_adjust_cfa_offset -8
        .cfi_same_value rbp";
    is_right_and_wrong(by_register, ["-16", "-24"]);
}

/// `call 1f; 1: pop %rax`, over what is never executed too.
#[test]
fn an_address_that_is_popped_where_it_was_pushed_is_data() {
    for filler in ["", "2: pause\njmp 2b"] {
        let body = format!("call 1f\n{filler}\n1: .cfi_adjust_cfa_offset 8\npop %rax\nWHERE\nnop");
        is_right_and_wrong(&body, [".cfi_adjust_cfa_offset -8", ""]);
    }
}

/// Another column than the ABI's is a convention of its own, unless the function returns by the
/// ABI's.
#[test]
fn a_return_refutes_another_column() {
    let report = |target: usize, ends: &str| {
        let source = |column: &str, returns: &str| {
            let end = if ends.is_empty() { returns } else { ends };
            format!(
                ".globl f\n.type f, %function\nf: .cfi_startproc\n.cfi_return_column {column}\nnop\n{end}\n.cfi_endproc"
            )
        };
        match target {
            0 => explored(&source("rbx", "ret")),
            1 => explored_on_aarch64(&source("x9", "ret"), &[]),
            _ => explored_on_s390x(&source("%r9", "br %r14")),
        }
    };
    for (target, own) in ["jmp *%rbx", "br x9", "br %r9"].into_iter().enumerate() {
        assert_eq!(report(target, "").outcome(Deny::default()), Outcome::Discrepancy, "{own}");
        assert_eq!(report(target, own).outcome(Deny::default()), Outcome::Undecided, "{own}");
    }
}

/// libarchive: the loop ends after two words, which exploration does not know, and goes on to the
/// slots of FP and return address.
#[test]
fn a_pointer_that_walks_through_an_array_moves_no_slot() {
    let report = explored(
        ".globl f
f:  .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    subq $32, %rsp
    .cfi_def_cfa_offset 48
    leaq 16(%rsp), %rbp
1:  call g
    movq %rax, (%rbp)
    addq $8, %rbp
    testq %rax, %rax
    jne 1b
    addq $32, %rsp
    .cfi_def_cfa_offset 16
    popq %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc",
    );
    assert_eq!((wrong(&report), report.summary.undecided), (Vec::new(), 0), "{report:?}");
    all_reached(&report);
}

/// The CFA is SP where the return address is in a register alone.
#[test]
fn code_after_a_pop_of_the_return_address_is_judged() {
    let source = "
.globl f
f:  .cfi_startproc
    popq %rcx
    .cfi_def_cfa_offset POPPED
    .cfi_register %rip, %rcx
    testl %edi, %edi
    je 1f
    pushq %rcx
    .cfi_def_cfa_offset 8
    .cfi_offset %rip, -8
    ret
1:  .cfi_def_cfa_offset 0
    .cfi_register %rip, %rcx
    subq $24, %rsp
    .cfi_def_cfa_offset LOWERED
    addq $24, %rsp
    .cfi_def_cfa_offset 0
    jmp *%rcx
    .cfi_endproc";
    for (popped, lowered, at) in
        [("0", "24", None), ("8", "24", Some(".text+0x1..0x6")), ("0", "16", Some(".text+0xb..0xf"))]
    {
        let report = explored(&source.replace("POPPED", popped).replace("LOWERED", lowered));
        assert_eq!(wrong(&report), Vec::from_iter(at.map(str::to_owned)), "{:?}", report.discrepancies);
        all_reached(&report);
    }
}
