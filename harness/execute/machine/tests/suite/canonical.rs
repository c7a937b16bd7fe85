//! Addresses of AMD64 that are not canonical: the signals that Linux sends on a processor.

use crate::common::hex;
use crate::common::trace::trace;
use machine::End;
use types::Abi;

/// A program with an instruction after it, before which RBX and RBP are 1 << 63, a word of the
/// stack too, RSP is in R14 and the address of the instruction in R13. The handler of SIGSEGV and
/// SIGBUS ends it with a status of the exception's number and [`KERNEL`] to [`SP`].
const PROGRAM: &str = concat!(
    "eb530fb682c8000000817e08800000000f94c10fb6c9c1e10409c84c39aaa80000000f94c10fb6c9",
    "c1e10509c883ff070f94c10fb6c9c1e10609c84c39b2a00000000f94c10fb6c9c1e10709c897b83c",
    "0000000f056a0050b80400000450488d059dffffff504889e641ba08000000bf0b000000b80d0000",
    "000f05bf07000000b80d0000000f05bb0100000048d1cb4889dd534989e64c8d2d00000000",
);

/// `si_code` is `SI_KERNEL`; the saved RIP is R13; the signal is SIGBUS; the saved RSP is R14.
const KERNEL: i32 = 1 << 4;
const PC: i32 = 1 << 5;
const BUS: i32 = 1 << 6;
const SP: i32 = 1 << 7;

/// Statuses as on Linux 6 with an AMD EPYC.
#[test]
fn accesses_and_jumps_fail_as_on_a_processor() {
    const PROTECTION: i32 = 13 | KERNEL | PC | SP;
    const STACK: i32 = 12 | KERNEL | PC | BUS | SP;
    let table = [
        ("488b03", PROTECTION),                           // mov (%rbx),%rax
        ("48894500", STACK),                              // mov %rax,(%rbp)
        ("64488b4500", PROTECTION),                       // mov %fs:(%rbp),%rax
        ("ffe3", PROTECTION),                             // jmp *%rbx
        ("ffd3", PROTECTION),                             // call *%rbx
        ("c3", PROTECTION),                               // ret
        ("ff33", PROTECTION),                             // push (%rbx)
        ("c9", STACK),                                    // leave
        ("f048ff4500", STACK),                            // lock incq (%rbp)
        ("0fae03", PROTECTION),                           // fxsave (%rbx)
        ("48bbfdffffffff7f0000488b03", 13 | KERNEL | SP), // mov $0x7ffffffffffd,%rbx; mov (%rbx),%rax
        ("bb00000070ffe3", 14 | SP),                      // mov $0x70000000,%ebx; jmp *%rbx
    ];
    for (text, expected) in table {
        assert_eq!(trace(Abi::Amd64, &hex(&format!("{PROGRAM}{text}"))).run.end, End::Exit(expected), "{text}");
    }
}
