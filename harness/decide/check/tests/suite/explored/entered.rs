//! Entry of functions that nothing calls: by the ABI if other code can call them by name, they
//! return like a called function, and a row is right; otherwise undecided.

use std::process::Command;

use check::Options;
use results::{Deny, Outcome, Report};
use spec::RuleId;
use types::{Abi, AssumedEntry, UndecidedCause, UndecidedReason};

use super::{all_reached, explored, explored_by, explored_library, explored_on_aarch64, explored_on_s390x, wrong};
use crate::asm::program;
use crate::check;

/// A function whose first row is 16 bytes too high or right, and likewise its other rows, in each
/// of three instruction sets: reports for it as a global function, as a global symbol without a
/// type, and as a local function.
fn reports(first: i32, others: i32) -> [[Report; 3]; 3] {
    let amd64 = "
f:  .cfi_startproc
    .cfi_def_cfa_offset FIRST
    pushq %rbx
    .cfi_def_cfa_offset OTHERS
    .cfi_adjust_cfa_offset 8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc";
    let aarch64 = "
f:  .cfi_startproc
    .cfi_def_cfa_offset FIRST
    sub sp, sp, #16
    .cfi_def_cfa_offset OTHERS
    .cfi_adjust_cfa_offset 16
    add sp, sp, #16
    .cfi_adjust_cfa_offset -16
    ret
    .cfi_endproc";
    let s390x = "
f:  .cfi_startproc
    .cfi_def_cfa_offset FIRST
    aghi %r15, -16
    .cfi_def_cfa_offset OTHERS
    .cfi_adjust_cfa_offset 16
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    br %r14
    .cfi_endproc";
    let report = |source: &str, entry: i32, explored: &dyn Fn(&str) -> Report| {
        let offset = |of: i32| (entry + of).to_string();
        let source = source.replace("FIRST", &offset(first)).replace("OTHERS", &offset(others));
        [".globl f\n.type f, %function", ".globl f", ".type f, %function"]
            .map(|symbol| explored(&format!("{symbol}{source}")))
    };
    [
        report(amd64, 8, &explored),
        report(aarch64, 0, &|source| explored_on_aarch64(source, &[])),
        report(s390x, 160, &explored_on_s390x),
    ]
}

#[test]
fn a_wrong_first_row_is_an_error_where_others_call_and_else_undecided() {
    for report in reports(0, 0).iter().flatten() {
        assert_eq!(report.outcome(Deny::default()), Outcome::Clean, "{:?}", report.undecided);
    }
    for [named, without_type, local] in reports(16, 0) {
        assert_eq!(named.outcome(Deny::default()), Outcome::Discrepancy, "{:?}", named.undecided);
        assert_eq!(wrong(&named).len(), 1, "{:?}", wrong(&named));
        for report in [without_type, local] {
            assert_ne!(report.outcome(Deny::default()), Outcome::Clean);
        }
    }
    // Like the rows of GCC's `__morestack`, which skip its caller.
    for report in reports(16, 16).iter().flatten() {
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{:?}", report.discrepancies);
        let [one] = report.undecided_in.as_slice() else { panic!("{:?}", report.undecided_in) };
        assert_eq!(one.why, UndecidedCause::OwnConvention);
    }
}

/// A function that returns as after a call although its rows deny a caller, and one that does not
/// return.
#[test]
fn a_denied_caller_of_a_function_that_returns_is_undecided() {
    let function = |register: &str, code: &str| {
        format!(".globl f\n.type f, %function\nf: .cfi_startproc\n.cfi_undefined {register}\n{code}\n.cfi_endproc")
    };
    let reports = |amd64: &str, aarch64: &str, s390x: &str| {
        [
            explored(&function("rip", amd64)),
            explored_on_aarch64(&function("x30", aarch64), &[]),
            explored_on_s390x(&function("%r14", s390x)),
        ]
    };
    for report in reports("nop\nret", "add x0, x0, #1\nret", "aghi %r2, 1\nbr %r14") {
        let causes: Vec<_> = report.undecided_in.iter().map(|one| one.why).collect();
        assert_eq!(causes, [UndecidedCause::MayBegin], "{:?}", report.discrepancies);
    }
    for report in reports("1: jmp 1b", "1: b 1b", "1: j 1b") {
        assert!(report.undecided_in.is_empty(), "{:?}", report.undecided_in);
        let [one] = report.unreached.as_slice() else { panic!("{:?}", report.unreached) };
        assert_eq!((one.counts.instructions, one.counts.unconfirmed), (1, 1));
    }
}

/// A function that never returns, whose address is taken and that nothing calls, as libffi's
/// closures: its first row may describe an entry of its own.
#[test]
fn a_wrong_first_row_where_an_address_is_taken_is_undecided() {
    let source = "
.globl f
f:  .cfi_startproc
    leaq g(%rip), %rax
    ret
    .cfi_endproc
g:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset 24
    pushq %rbx
    .cfi_def_cfa_offset 16
1:  testl %edi, %edi
    jmp 1b
    .cfi_endproc";
    let report = explored(source);
    let open: Vec<_> = report.undecided_in.iter().map(|one| (one.why, one.pcs.as_slice())).collect();
    assert_eq!(open, [(UndecidedCause::OwnConvention, [0x10008].as_slice())], "{:?}", report.discrepancies);
}

/// A return by another register than the link register.
#[test]
fn a_return_by_another_register_is_a_return() {
    let source = "
.globl f
f:  .cfi_startproc
    mov x9, x30
    ROW
    mov x30, #0
    nop
    JUMP x9
    .cfi_endproc";
    for jump in ["ret", "br"] {
        let explored = |row| explored_on_aarch64(&source.replace("JUMP", jump).replace("ROW", row), &[]);
        all_reached(&explored(".cfi_register x30, x9"));
        assert_eq!(wrong(&explored(".cfi_register x30, x9")), Vec::<String>::new());
        assert_eq!(wrong(&explored("")), [".text+0x8..0x10"]);
    }
}

/// A function whose separate part, at a lower address, jumps back into it: one with a global name
/// that returns, and one whose address is in data that ends in an indirect tail call. The row is
/// not in the CIE: `.cfi_remember_state` keeps it out.
#[test]
fn a_wrong_first_row_is_found_where_a_part_jumps_back() {
    let amd64 = "
part: .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    jmp back
    .cfi_endproc
f:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset FIRST
    pushq %rbx
    .cfi_def_cfa_offset 16
    testl %edi, %edi
    je part
back: popq %rbx
    .cfi_def_cfa_offset 8
    END
    .cfi_endproc";
    let aarch64 = "
part: .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    b back
    .cfi_endproc
f:  .cfi_startproc
    .cfi_remember_state
    .cfi_def_cfa_offset FIRST
    sub sp, sp, #16
    .cfi_def_cfa_offset 16
    cbz x0, part
back: add sp, sp, #16
    .cfi_def_cfa_offset 0
    END
    .cfi_endproc";
    let named = ".globl f\n.type f, %function";
    let pointed = ".data\n.quad f\n.text";
    for (first, expected) in [(0, Outcome::Clean), (16, Outcome::Discrepancy)] {
        for (symbol, ends) in [(named, ["ret", "ret"]), (pointed, ["jmp *%rax", "br x9"])] {
            let source = |code: &str, entry: i32, end| {
                let first = (entry + first).to_string();
                format!("{symbol}{}", code.replace("FIRST", &first).replace("END", end))
            };
            let [of_amd64, of_aarch64] = ends;
            let reports =
                [explored(&source(amd64, 8, of_amd64)), explored_on_aarch64(&source(aarch64, 0, of_aarch64), &[])];
            for report in reports {
                assert_eq!(report.outcome(Deny::default()), expected, "{ends:?}: {:?}", report.undecided);
            }
        }
    }
}

/// A helper that is jumped to with two words on the stack, which it drops: glibc's
/// `_dl_runtime_resolve`. Its rows are wrong by these words, or right, and nothing shows what jumps
/// there.
#[test]
fn what_drops_words_that_no_call_leaves_is_undecided() {
    let amd64 = "
.globl f
.type f, @function
f:  .cfi_startproc
    .cfi_def_cfa_offset ENTRY
    movq (%rdi), %r11
    addq $16, %rsp
    .cfi_adjust_cfa_offset -16
    jmp *%r11
    .cfi_endproc";
    let aarch64 = "
.globl f
.type f, %function
f:  .cfi_startproc
    .cfi_def_cfa_offset ENTRY
    ldr x16, [x0]
    add sp, sp, #16
    .cfi_adjust_cfa_offset -16
    br x16
    .cfi_endproc";
    for entry in ["24", "8"] {
        let report = explored(&amd64.replace("ENTRY", entry));
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{entry}: {:?}", report.discrepancies);
    }
    for entry in ["16", "0"] {
        let report = explored_on_aarch64(&aarch64.replace("ENTRY", entry), &[]);
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{entry}: {:?}", report.discrepancies);
        let [one] = report.undecided_in.as_slice() else { panic!("{:?}", report.undecided_in) };
        assert_eq!(one.why, UndecidedCause::Lowered);
    }
}

/// A function that is called, one with a global name, one whose address is in data, and one that
/// nothing refers to.
#[test]
fn an_entry_that_no_call_shows_is_assumed_for_a_reason() {
    let amd64 = "
.type called, @function
called: .cfi_startproc
    ret
    .cfi_endproc
.globl named
.type named, @function
named: .cfi_startproc
    call called
    ret
    .cfi_endproc
.globl untyped
untyped: .cfi_startproc
    ret
    .cfi_endproc
.type pointed, @function
pointed: .cfi_startproc
    ret
    .cfi_endproc
.type unseen, @function
unseen: .cfi_startproc
    ret
    .cfi_endproc
.data
.quad pointed";
    let aarch64 = amd64
        .replace("@function", "%function")
        .replace("call called", "mov x9, x30\n.cfi_register x30, x9\nbl called\nmov x30, x9\n.cfi_restore x30");
    for report in [explored(amd64), explored_on_aarch64(&aarch64, &[])] {
        let reasons: Vec<(&str, AssumedEntry)> =
            report.assumed.iter().map(|one| (one.function.as_str(), one.why)).collect();
        let expected = [
            ("named", AssumedEntry::ByName),
            ("untyped", AssumedEntry::ByName),
            ("pointed", AssumedEntry::ByAddress),
            ("unseen", AssumedEntry::NoEvidence),
        ];
        assert_eq!(reasons, expected, "{:?}", report.undecided_in);
    }
}

/// A function with a global name that ends in a call from which nothing comes back, and one that
/// ends in a tail call of another file's function: the end shows that it is entered by a call.
#[test]
fn a_wrong_first_row_of_a_named_function_that_does_not_return_is_not_clean() {
    for (end, of_wrong) in [
        ("call exit@PLT", Outcome::Undecided),
        ("popq %rbx\n.cfi_def_cfa_offset 8\njmp exit@PLT", Outcome::Discrepancy),
    ] {
        for (first, expected) in [(8, Outcome::Clean), (16, of_wrong)] {
            let report = explored_library(&format!(
                ".globl f\n.type f, @function\nf: .cfi_startproc\n.cfi_def_cfa_offset {first}\npushq %rbx
                 .cfi_def_cfa_offset 16\n{end}\n.cfi_endproc"
            ));
            assert_eq!(report.outcome(Deny::default()), expected, "{end}: {:?}", report.discrepancies);
        }
    }
}

/// The code where a new thread begins, with words on the stack that the code before put there: no
/// call enters it, as its first row has it.
#[test]
fn a_thread_that_begins_with_words_on_its_stack_is_clean() {
    for (first, expected) in [(".cfi_undefined %rip", Outcome::Clean), ("", Outcome::Undecided)] {
        let report = explored(&format!(
            ".globl g\n.type g, @function\ng: .cfi_startproc\nret\n.cfi_endproc
             .cfi_startproc\n{first}\nxorl %ebp, %ebp\npopq %rax\npopq %rdi\ncall *%rax\nhlt\n.cfi_endproc"
        ));
        assert_eq!(report.outcome(Deny::default()), expected, "{first}: {:?}", report.undecided);
    }
}

/// A program whose `.sframe` claims a caller of the function where execution begins, against
/// `.eh_frame`: one bug, however FP changes there. The linker does not know the section's name.
#[test]
fn a_claimed_caller_of_the_first_function_is_no_wrong_fp() {
    let table = ".balign 4\n.short 0xdee2\n.byte 2, 5, 3, 0, -8, 0\n.long 1, 1, 3, 0, 20
        .long _start - ., end - _start, 0, 1\n.byte 0, 0, 0, 0\n.byte 0, 3, 8";
    let program = program(
        Abi::Amd64,
        "xorl %ebp, %ebp\ncall f",
        &format!("end:\nf: .cfi_startproc\nret\n.cfi_endproc\n.section .unread, \"a\"\n{table}"),
    );
    let mut bytes = program.to_vec();
    let at = bytes.windows(8).position(|name| name == b".unread\0").expect("its name");
    bytes[at..at + 8].copy_from_slice(b".sframe\0");
    let report = check("a.out", &bytes.into(), &Options::exploring()).report;
    let rules = report.discrepancies.iter().map(|found| found.rule().name());
    let of_rows: Vec<&str> = rules.filter(|name| !name.starts_with("elf/")).collect();
    assert_eq!(of_rows, ["row/outermost"], "{:?}", report.discrepancies);
}

/// GCC's `__morestack` is called by functions that were called themselves, and its CFI skips them:
/// its CIE describes the entry.
#[test]
fn a_function_whose_entry_is_no_call_is_not_judged_as_if_it_were() {
    let source = |entry: u32, inside: u32| {
        explored(&format!(
            ".globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset {entry}
    pushq %rbp
    .cfi_def_cfa_offset {inside}
    incl %eax
    popq %rbp
    .cfi_def_cfa_offset {entry}
    ret
    .cfi_endproc
.globl g
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc"
        ))
    };
    let own = source(16, 24);
    assert_eq!(wrong(&own), Vec::<String>::new(), "{:?}", own.discrepancies);
    assert_eq!(own.summary.undecided, 4, "its instructions, said by name");
    all_reached(&own);
    // If the CIE describes an ordinary call, wrong rows are errors.
    assert_eq!(wrong(&source(8, 24)).len(), 1);
}

/// Returns true if the report has that the entry of `f` is assumed to be as its first row
/// describes.
fn assumes_first_row(report: &Report) -> bool {
    report.assumed.iter().any(|one| one.function == "f" && one.why == AssumedEntry::FirstRow)
}

/// The cold part of a function, whose CIE describes the frame that the rest of it made, with FP's
/// slot: its first row is assumed to be right, and later ones are compared with it.
#[test]
fn a_part_whose_cie_has_fp_saved_is_assumed_to_be_entered_so() {
    let source = |later: &str| {
        explored(&format!(
            ".globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset 48
    .cfi_offset %rbp, -16
    incl %eax
    {later}
    incl %eax
    ud2
    .cfi_endproc
.globl g
g:  .cfi_startproc
    call f
    ret
    .cfi_endproc"
        ))
    };
    let right = source("");
    assert_eq!(wrong(&right), Vec::<String>::new(), "{:?}", right.discrepancies);
    let reasons: Vec<UndecidedReason> = right.undecided.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [UndecidedReason::Answers(UndecidedCause::OwnConvention)]);
    assert!(assumes_first_row(&right), "{:?}", right.assumed);
    assert_eq!(wrong(&source(".cfi_offset %rbp, -24")).len(), 1);
}

/// As in the resolver of AArch64's dynamic linker: the procedure linkage table stored the return
/// address, which is made up here. A row that refers to another location than the function loads it
/// from is wrong, and so is one if the function loads none.
#[test]
fn a_return_address_that_the_caller_stored_is_not_known_here() {
    let source = "
.globl f
f:  .cfi_startproc
    .cfi_offset x30, WHERE
    sub sp, sp, #32
    .cfi_def_cfa_offset 32
    str x0, [sp, #8]
    bl g
    add sp, sp, #32
    .cfi_def_cfa_offset 0
    LOADED
    br x17
    .cfi_endproc
s:  .cfi_startproc
    str x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x30, -16
    bl f
    ldr x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore x30
    ret
    .cfi_endproc";
    let with =
        |place: &str, loaded: &str| explored_on_aarch64(&source.replace("WHERE", place).replace("LOADED", loaded), &[]);
    let handed = with("8", "ldp x17, x30, [sp], #16\n.cfi_def_cfa_offset -16");
    assert_eq!(wrong(&handed), Vec::<String>::new(), "{:?}", handed.discrepancies);
    assert!(handed.summary.undecided > 0, "{:?}", handed.summary);
    assert!(assumes_first_row(&handed), "{:?}", handed.assumed);
    assert_ne!(wrong(&with("16", "ldp x17, x30, [sp], #16\n.cfi_def_cfa_offset -16")), Vec::<String>::new());
    assert_ne!(wrong(&with("8", "nop")), Vec::<String>::new());
}

/// Execution begins there, so there is no return, whatever is loaded from above SP.
#[test]
fn a_program_that_loads_its_link_register_begins_all_the_same() {
    let source = "
.globl f
f:  .cfi_startproc
    .cfi_undefined x30
    mov x29, #0
    ldr x30, [sp, #8]
    mov x0, #0
    mov x8, #93
    svc #0
1:  b 1b
    .cfi_endproc";
    let report = explored_on_aarch64(source, &["-e", "f"]);
    assert_eq!(wrong(&report), Vec::<String>::new(), "{:?}", report.discrepancies);
    all_reached(&report);
}

/// The processor pushes an error code below the address that it returns to: gcc's handlers, with
/// and without a call at their entry, and clang's, in which no row counts it.
#[test]
fn an_interrupt_handler_with_an_error_code_has_its_return_address_above_it() {
    let handler = |entry: &str, at_entry: &str, [pushed, popped, released]: [&str; 3]| {
        explored(&format!(
            ".globl f
f:  .cfi_startproc
    {entry}
    {at_entry}
    pushq %rax
    .cfi_def_cfa_offset {pushed}
    cld
    popq %rax
    .cfi_def_cfa_offset {popped}
    addq $8, %rsp
    .cfi_def_cfa_offset {released}
    iretq
    .cfi_endproc"
        ))
    };
    let gcc = handler("", ".cfi_def_cfa_offset 16", ["24", "16", "8"]);
    assert_eq!(wrong(&gcc), Vec::<String>::new(), "{:?}", gcc.discrepancies);
    all_reached(&gcc);
    let profiled = handler("call g", ".cfi_def_cfa_offset 16", ["24", "16", "8"]);
    assert_eq!(wrong(&profiled), [".text+0x0..0x5"], "{:?}", profiled.discrepancies);
    let clang = handler("", "", ["16", "8", "8"]);
    assert_eq!(wrong(&clang), [".text+0x0..0x7"], "{:?}", clang.discrepancies);
}

/// A first row that the machine confirms needs no convention; one that it contradicts is reported
/// by both.
#[test]
fn a_first_row_that_is_right_is_not_measured_by_the_entry_of_a_call() {
    let begins_late = |ends: &str| {
        let mut assembler = Command::new("as");
        assembler.args(["--64", "--gsframe"]);
        let source = format!(
            ".globl f
f:  .cfi_startproc
    .cfi_def_cfa_offset 16
    nop
    {ends}
    .cfi_endproc"
        );
        let report = explored_by(assembler, "ld", &source, &[]);
        report.discrepancies.iter().filter(|found| found.rule() == RuleId::RowEntryCfa).count()
    };
    assert_eq!(begins_late("addq $8, %rsp\n.cfi_def_cfa_offset 8\niretq"), 0);
    assert_eq!(begins_late("ret"), 1);
}
