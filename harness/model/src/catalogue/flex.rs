//! Rules of V3 flex rows.

use super::{error, info, warning};
use crate::Rule;

pub(super) const RULES: &[Rule] = &[
    //
    warning(
        "flex/abi",
        [
            "V3",
            "SFrame V3, Flexible FDE",
            "Flex functions occur where producers make them: AMD64 and s390x.",
            "func_info2 0x01 with sfh_abi_arch 2",
        ],
    ),
    //
    error(
        "flex/word-count",
        [
            "V3",
            "SFrame V3, Flexible FDE",
            "A flex row has 2, 4, 5 or 6 words, or none where the return address is undefined.",
            "one word",
        ],
    ),
    //
    error(
        "flex/cfa-register",
        [
            "V3",
            "SFrame V3, Flexible FDE",
            "The CFA counts from a register: bit 0 of its control word is set.",
            "CFA control word 0x3a",
        ],
    ),
    //
    error(
        "flex/control-bit-2",
        ["V3", "SFrame V3, Flexible FDE", "Bit 2 of a control word is zero.", "control word 0x3d"],
    ),
    //
    warning(
        "flex/register-without-base",
        [
            "V3",
            "SFrame V3, Flexible FDE; implementations",
            "A control word that counts from the CFA names no register.",
            "control word 0x3a for FP",
        ],
    ),
    //
    error(
        "flex/register",
        [
            "V3",
            "SFrame V3, Flexible FDE; DWARF register numbers of the ABI",
            "A control word names a register of the ABI: 0 to 16 on AMD64, 0 to 31 and the PSW on s390x. It is unsigned.",
            "control word 0x89 (register 17) on AMD64",
        ],
    ),
    //
    error(
        "flex/pairs",
        [
            "V3",
            "SFrame V3, Flexible FDE",
            "After the CFA's pair come a pair for RA, or the single word 0 in its place, and a pair for FP.",
            "words 39 10 00 02: a filler and half a pair",
        ],
    ),
    //
    warning(
        "flex/trailing-filler",
        [
            "V3",
            "SFrame V3, Flexible FDE; implementations",
            "The RA filler 0 stands only in front of an FP pair; the Linux kernel series refuses others.",
            "words 39 10 00",
        ],
    ),
    //
    error(
        "flex/cfa-scaled",
        [
            "V3",
            "SFrame V3, s390x",
            "CFA offsets of flex rows on s390x are scaled as in default rows. A first row whose word is 160 looks unscaled; without CFI to compare that is a warning.",
            "CFA offset word 160 (CFA r15+1440) in a first row",
        ],
    )
    .implying(&["row/entry-cfa"]),
    //
    warning(
        "flex/base-bit",
        ["V3", "SFrame V3, The SFrame FRE Info Word", "Bit 0 of a flex row's info byte is zero: it says nothing there.", "row info 0x05"],
    ),
    //
    info(
        "flex/needless",
        [
            "V3",
            "implementations",
            "A function is of flex type because a default row could not express one of its rows.",
            "a flex function with the one row CFA rsp+8",
        ],
    ),
    //
    warning(
        "flex/topmost-only",
        [
            "V3",
            "SFrame V3, Generating Stack Traces using SFrame",
            "Rows count from SP and FP and find values in memory: other registers are known in the topmost frame only.",
            "CFA r10+0",
        ],
    ),
    //
    warning(
        "flex/value-without-load",
        [
            "V3",
            "SFrame V3, Flexible FDE; implementations",
            "RA and FP that count from the CFA are loaded. The other form (the value is CFA+n) is made by no producer and printed like the first.",
            "control word 0x00 for FP",
        ],
    ),
];
