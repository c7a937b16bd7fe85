//! The first function of a stack that a program switched to by itself, as coroutines do.

use check::Options;
use results::Report;
use types::Abi;

use crate::asm::program;
use crate::check;

/// `main` calls `change`, which keeps SP and continues in `first` on another stack: with nothing or
/// its own address as return address. `first` goes back with SP as it was.
fn report(abi: Abi, row: &str) -> Report {
    let (main, rest) = match abi {
        Abi::Amd64 => (
            "call change",
            "change: .cfi_startproc\nmov %rsp, kept(%rip)\nlea top(%rip), %rsp\nret\n.cfi_endproc
             .skip 16
             .type first, STT_FUNC
             first: .cfi_startproc\n.cfi_remember_state\nROW\nnop\n.cfi_restore_state\nmov kept(%rip), %rsp\nret\n.cfi_endproc\n.size first, .-first
             .data\nkept: .quad 0, 0\n.skip 256\ntop: .quad first, 0, 0, 5",
        ),
        Abi::Aarch64 | Abi::Aarch64Be => (
            "bl change",
            "change: .cfi_startproc\nadr x9, kept\nmov x10, sp\nstp x10, x30, [x9]\nadr x9, top\nmov sp, x9\nadr x30, first\nret\n.cfi_endproc
             .skip 16
             .type first, STT_FUNC
             first: .cfi_startproc\n.cfi_remember_state\nROW\nnop\n.cfi_restore_state\nadr x9, kept\nldp x10, x30, [x9]\nmov sp, x10\nret\n.cfi_endproc\n.size first, .-first
             .data\n.balign 16\nkept: .quad 0, 0\n.skip 256\ntop: .quad 0, 5",
        ),
        Abi::S390x => (
            "brasl %r14, change",
            "change: .cfi_startproc\nlarl %r1, kept\nstg %r15, 0(%r1)\nstg %r14, 8(%r1)\nlarl %r15, top\nlarl %r14, first\nbr %r14\n.cfi_endproc
             .skip 16
             .type first, STT_FUNC
             first: .cfi_startproc\n.cfi_remember_state\nROW\nnopr\n.cfi_restore_state\nlarl %r1, kept\nlg %r14, 8(%r1)\nlg %r15, 0(%r1)\nbr %r14\n.cfi_endproc\n.size first, .-first
             .data\n.balign 8\nkept: .quad 0, 0\n.skip 256\ntop: .skip 168\n.quad 5",
        ),
    };
    check("f", &program(abi, main, &rest.replace("ROW", row)), &Options::default()).report
}

/// Rows that deny a caller are right, and rows that claim what a call would have left. Errors are a
/// wrong CFA, a wrong FP, another return address, and a claim in a function whose other rows deny a
/// caller.
#[test]
fn a_function_that_nothing_called_is_judged_as_if_it_had_been() {
    for abi in Abi::ALL {
        let facts = abi.facts();
        let (ra, fp) = (facts.ra.0, facts.fp.0);
        let errors = |row: &str| {
            let report = report(abi, row);
            let found = report.discrepancies.iter().filter(|found| found.is_error());
            found.map(|found| found.evidence.ranges.len()).sum::<usize>()
        };
        // `.cfi_restore_state` of the program then restores the rule.
        let denied = format!(".cfi_undefined {ra}\n.cfi_remember_state\n");
        assert_eq!([errors(""), errors(&denied)], [0, 0], "{abi}");
        let wrong_fp = format!(".cfi_val_offset {fp}, 0");
        assert_eq!([errors(".cfi_adjust_cfa_offset -16"), errors(&wrong_fp)], [1, 1], "{abi}");
        // The rows after it claim what a call would have left: 0 on AMD64, which claims none.
        let again = usize::from(facts.link_register);
        assert_eq!(errors(&format!(".cfi_undefined {ra}")), again, "{abi}");
        let slot = format!(".cfi_offset {ra}, 8");
        assert_eq!([errors(&slot), errors(&(denied + &slot))], [1, 1], "{abi}");
    }
}
