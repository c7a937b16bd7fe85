//! A caller that `.sframe` claims for the function where execution begins.

use check::Options;
use types::Abi;

use crate::asm::program;
use crate::check;

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
