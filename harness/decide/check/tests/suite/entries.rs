//! Programs with functions that are not entered by a call: with words that a stub pushed. An error
//! in them is one finding, shown by execution.

use check::Options;
use results::Report;
use types::Abi;

use crate::asm::tools;
use crate::check;

/// The program for one target.
struct Target {
    abi: Abi,
    /// `_start` calls `stub`, which pushes 16 bytes and jumps to `resolver`. The CFA of `resolver`
    /// is ENTRY bytes above SP; it reserves and frees 16 bytes, drops the stub's words and jumps to
    /// `target`.
    source: &'static str,
    /// ENTRY, the right value and one that is 16 too low.
    entry: (&'static str, &'static str),
}

const AARCH64: &str = "
.globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    bl stub
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
stub:
    stp x16, x30, [sp, #-16]!
    b resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset ENTRY
    sub sp, sp, #16
    .cfi_adjust_cfa_offset 16
    nop
    add sp, sp, #16
    .cfi_adjust_cfa_offset -16
    ldp x16, x30, [sp], #16
    .cfi_adjust_cfa_offset -16
    b target
    .cfi_endproc
target: .cfi_startproc
    ret
    .cfi_endproc";

const TARGETS: [Target; 4] = [
    Target {
        abi: Abi::Amd64,
        source: "
.globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call stub
    mov $60, %eax
    xor %edi, %edi
    syscall
    .cfi_endproc
stub:
    push $1
    push $2
    jmp resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset ENTRY
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    nop
    add $16, %rsp
    .cfi_adjust_cfa_offset -16
    add $16, %rsp
    .cfi_adjust_cfa_offset -16
    jmp target
    .cfi_endproc
target: .cfi_startproc
    ret
    .cfi_endproc",
        entry: ("24", "8"),
    },
    Target { abi: Abi::Aarch64, source: AARCH64, entry: ("16", "0") },
    Target { abi: Abi::Aarch64Be, source: AARCH64, entry: ("16", "0") },
    Target {
        abi: Abi::S390x,
        source: "
.globl _start
_start: .cfi_startproc
    .cfi_undefined r14
    aghi %r15, -160
    .cfi_adjust_cfa_offset 160
    brasl %r14, stub
    lghi %r2, 0
    lghi %r1, 1
    svc 0
    .cfi_endproc
stub:
    aghi %r15, -16
    jg resolver
resolver: .cfi_startproc
    .cfi_def_cfa_offset ENTRY
    aghi %r15, -16
    .cfi_adjust_cfa_offset 16
    lghi %r1, 0
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    aghi %r15, 16
    .cfi_adjust_cfa_offset -16
    jg target
    .cfi_endproc
target: .cfi_startproc
    br %r14
    .cfi_endproc",
        entry: ("176", "160"),
    },
];

/// libffi's `ffi_call_SYSV`: the CFA is FRAME bytes below the address in x1, its caller's FP and
/// return address are saved at x1, and SP is set to another address from its caller.
const HANDED: &str = "
.globl _start
_start: .cfi_startproc
    .cfi_undefined x30
    mov x29, sp
    sub sp, sp, #320
    mov x0, sp
    add x1, sp, #256
    adr x2, callee
    bl sysv
    mov x0, #0
    mov x8, #93
    svc #0
    .cfi_endproc
sysv: .cfi_startproc
    stp x29, x30, [x1]
    .cfi_def_cfa x1, -FRAME
    .cfi_offset x29, FRAME
    .cfi_offset x30, FRAME + 8
    mov x9, sp
    str x9, [x1, #32]
    mov x29, x1
    .cfi_def_cfa_register x29
    mov sp, x0
    add sp, sp, #192
    blr x2
    ldr x9, [x29, #32]
    mov sp, x9
    ldp x29, x30, [x29]
    .cfi_def_cfa sp, 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
callee: .cfi_startproc
    ret
    .cfi_endproc";

fn executed(target: &Target, entry: &str) -> Report {
    run(target.abi, &target.source.replace("ENTRY", entry))
}

/// Executes a program.
fn run(abi: Abi, source: &str) -> Report {
    check("f", &tools(abi).link(source), &Options::default()).report
}

/// An example is AArch64's `_dl_runtime_resolve` in a lazily bound program.
#[test]
fn a_resolver_that_counts_without_what_its_stub_pushed_is_one_error() {
    for target in &TARGETS {
        let (right, too_low) = target.entry;
        let report = executed(target, right);
        assert_eq!((report.summary.discrepancies, report.summary.undecided), (0, 0), "{:?}", report.discrepancies);
        let report = executed(target, too_low);
        assert_eq!((report.summary.discrepancies, report.summary.undecided), (1, 0), "{:?}", report.discrepancies);
    }
}

#[test]
fn a_frame_that_the_caller_handed_over_is_judged_where_it_is_executed() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let source = |frame: &str| HANDED.replace("FRAME", frame);
        let report = run(abi, &source("256"));
        assert_eq!(report.summary.discrepancies, 0, "{:?}", report.discrepancies);
        assert_eq!(run(abi, &source("-40")).summary.discrepancies, 1);
    }
}
