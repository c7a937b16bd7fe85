//! Rules of judging: what the tables say against what the machine did, and against each other.
//!
//! The truth is witnessed by executing the code; `.eh_frame` is judged by the same measure as `.sframe`.

use super::{error, info, warning};
use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    //
    error(
        "row/cfa-matches-truth",
        [
            "all",
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row's CFA is the frame's CFA.",
            "CFA rsp+8 after push %rbp",
        ],
    ),
    //
    error(
        "row/ra-matches-truth",
        [
            "all",
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row finds the address that the function will return to.",
            "RA at CFA-8 where the code saved it at CFA-16",
        ],
    ),
    //
    error(
        "row/fp-matches-truth",
        [
            "all",
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row finds the caller's frame pointer.",
            "FP unchanged after mov %rsp,%rbp",
        ],
    ),
    //
    error(
        "row/signed-matches-truth",
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Info Word",
            "Where the code runs, the row says signed if and only if the return address carries an authentication code, and the function names its key.",
            "a plain row after paciasp",
        ],
    ),
    //
    error(
        "row/missing",
        [
            "all",
            "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Code that is executed has a row: a function that covers the address has one for it, and a function that .eh_frame describes is described.",
            "an executed function without a descriptor",
        ],
    ),
    //
    error(
        "row/outermost",
        [
            "all",
            "SFrame V2 errata 2, The SFrame FRE Info Word",
            "Where execution began there is no caller, and the table names none. Before errata 2 the format could not say so, and the function had to be left out.",
            "CFA rsp+8 in _start",
        ],
    ),
    error(
        "row/reads-dead-stack",
        [
            "all",
            "System V AMD64 psABI 3.2.2; AAPCS64 6.4; s390x ELF ABI 1.2",
            "A row reads live stack only: below SP and its red zone a signal handler may have written over it.",
            "FP at CFA-16 after pop %rbp, SP being CFA-8 on AArch64",
        ],
    ),
    //
    error(
        "chain/matches-truth",
        [
            "all",
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "A walk from the innermost frame passes every true caller, each with its CFA, return address and FP.",
            "a walk that skips a frame",
        ],
    ),
    //
    info(
        "chain/stops",
        [
            "all",
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "A walk reaches the outermost frame. It has to stop earlier where a frame's row needs a register that callees may have changed.",
            "a caller whose CFA is r10+0",
        ],
    ),
    //
    error(
        "cfi/cfa-differs",
        [
            "all",
            "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables give the same CFA.",
            "rsp+16 in .sframe, rsp+24 in .eh_frame",
        ],
    ),
    //
    error(
        "cfi/ra-differs",
        [
            "all",
            "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables find the return address in the same place, or both nowhere.",
            "x30 in .sframe, [cfa-8] in .eh_frame",
        ],
    ),
    //
    error(
        "cfi/fp-differs",
        [
            "all",
            "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables find the caller's FP in the same place.",
            "unchanged in .sframe, [cfa-16] in .eh_frame",
        ],
    ),
    //
    error(
        "cfi/signed-differs",
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Info Word; DWARF for the Arm 64-bit Architecture, DW_CFA_AARCH64_negate_ra_state",
            "At each address of a function both tables agree whether the return address is signed.",
            "a plain row where .eh_frame has toggled the signing state",
        ],
    ),
    //
    error(
        "cfi/signal-differs",
        [
            "V3",
            "SFrame V3, SFrame Function Descriptor Entries; Linux Standard Base, .eh_frame augmentation S",
            "A function is a signal frame in both tables or in neither.",
            "func_info 0x00 for a CIE with augmentation zRS",
        ],
    ),
    //
    error(
        "cfi/key-differs",
        [
            "all",
            "SFrame V2 errata 1, The SFrame FDE Info Word; AArch64 .eh_frame augmentation B",
            "Both tables name the same signing key for a function.",
            "func_info 0x00 for a CIE with augmentation zRB",
        ],
    ),
    //
    error(
        "cfi/range-differs",
        [
            "all",
            "DWARF 5, 6.4.1; SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A function has the same first address and size in both tables.",
            "48 bytes in .sframe, 52 in .eh_frame",
        ],
    ),
    //
    warning(
        "cfi/no-sframe",
        [
            "all",
            "implementations",
            "Functions that .eh_frame describes are described in .sframe, unless the format cannot express them.",
            "a function that the assembler left out with a warning",
        ],
    ),
    //
    warning(
        "cfi/no-eh-frame",
        [
            "all",
            "implementations",
            "Functions that .sframe describes are described in .eh_frame.",
            "a descriptor for code without CFI",
        ],
    ),
    error(
        "cfi/refused",
        [
            "all",
            "SFrame V2 errata 1, SFrame Section; DWARF 5, 6.4",
            "Both tables can be read.",
            "a function whose rows pass the end of the section",
        ],
    ),
    error(
        "eh-frame/cfa-matches-truth",
        [
            "all",
            "DWARF 5, 6.4",
            "Where the code runs, .eh_frame gives the frame's CFA.",
            ".cfi_def_cfa_offset missing after push",
        ],
    ),
    error(
        "eh-frame/ra-matches-truth",
        [
            "all",
            "DWARF 5, 6.4",
            "Where the code runs, .eh_frame finds the address that the function will return to.",
            "a wrong .cfi_offset of the return address",
        ],
    ),
    error(
        "eh-frame/fp-matches-truth",
        [
            "all",
            "DWARF 5, 6.4",
            "Where the code runs, .eh_frame finds the caller's frame pointer.",
            ".cfi_offset %rbp missing after push %rbp and mov %rsp,%rbp",
        ],
    ),
    error(
        "eh-frame/signed-matches-truth",
        [
            "all",
            "DWARF for the Arm 64-bit Architecture, DW_CFA_AARCH64_negate_ra_state",
            "Where the code runs, .eh_frame says signed if and only if the return address carries an authentication code, and names its key.",
            ".cfi_negate_ra_state missing after paciasp",
        ],
    ),
    warning(
        "eh-frame/missing",
        [
            "all",
            "DWARF 5, 6.4.1",
            "Code that is executed is described by .eh_frame.",
            "a function in assembly without .cfi_startproc",
        ],
    ),
    error(
        "eh-frame/outermost",
        [
            "all",
            "DWARF 5, 6.4.4",
            "Where execution began there is no caller, and .eh_frame says so by an undefined return address.",
            "_start without .cfi_undefined",
        ],
    ),
    error(
        "eh-frame/reads-dead-stack",
        [
            "all",
            "System V AMD64 psABI 3.2.2; AAPCS64 6.4; s390x ELF ABI 1.2",
            "A rule of .eh_frame reads live stack only: below SP and its red zone a signal handler may have written over it.",
            "a register still at its slot after the frame was popped",
        ],
    ),
    //
    warning(
        "coverage/needless",
        [
            "all",
            "SFrame V2 errata 1, Introduction",
            "A function that .eh_frame describes and this version could describe has a descriptor.",
            "a frame based on rbx left out of a V3 table, which has flex FDEs for it",
        ],
    ),
    //
    error(
        "coverage/silent",
        [
            "all",
            "GNU as manual, --gsframe; implementations",
            "An assembler that leaves a function out of .sframe says so: one warning for each.",
            "a function with .cfi_return_column 17 has no descriptor, and the assembler printed nothing",
        ],
    ),
    error(
        "build/fails",
        [
            "all",
            "implementations",
            "An assembler, linker or strip that takes a file without .sframe takes it with .sframe too; what it cannot describe it leaves out.",
            "an internal error at .cfi_restore_state; a failed assertion on a row at the function's end",
        ],
    ),
];
