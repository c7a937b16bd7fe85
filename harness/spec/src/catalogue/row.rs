//! Rules of rows of the default type, and of what all rows share.

use super::{error, info, warning};
use crate::{Rule, RuleId};

pub(super) const RULES: &[Rule] = &[
    warning(
        RuleId::RowFirstStart,
        [
            "all",
            "implementations",
            "A function's first row starts at 0; before it nothing is known.",
            "a first row at 4",
        ],
    ),
    error(
        RuleId::RowStartsAscend,
        [
            "all",
            "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Row starts of a function strictly ascend.",
            "rows at 0, 4, 4",
        ],
    ),
    error(
        RuleId::RowStartInFunction,
        [
            "all",
            "SFrame V2 errata 1, SFrame Frame Row Entries",
            "No row starts beyond its function's end.",
            "a row at 64 in a function of 48 bytes",
        ],
    ),
    warning(
        RuleId::RowUnreachable,
        [
            "all",
            "implementations",
            "A row that starts at the function's end describes nothing.",
            "a row at 48 in a function of 48 bytes",
        ],
    ),
    error(
        RuleId::RowWordSize,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Info Word",
            "The word size code is 0, 1 or 2: words of 1, 2 or 4 bytes.",
            "row info 0x63",
        ],
    ),
    error(
        RuleId::RowWordCount,
        [
            "all",
            "SFrame V2 errata 1, ABI/arch-specific Definition",
            "A default row has as many words as the ABI gives a meaning: at most 2 on AMD64 (CFA, FP), 3 elsewhere (CFA, RA, FP).",
            "4 words on AArch64",
        ],
    ),
    warning(
        RuleId::RowOutermostBeforeErrata2,
        [
            "V1, V2",
            "SFrame V2 errata 2, The SFrame FRE Info Word",
            "A row without words (return address undefined) is valid from V2 errata 2 on, which the version byte cannot tell; earlier readers call it corrupt.",
            "row info 0x00 with sfp_version 2",
        ],
    ),
    warning(
        RuleId::RowOutermostInfo,
        [
            "V2, V3",
            "SFrame V2 errata 2, The SFrame FRE Info Word",
            "The info byte of a row without words is zero.",
            "row info 0x01",
        ],
    )
    .implying(&[RuleId::RowOutermostBeforeErrata2]),
    error(
        RuleId::RowSignedBit,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Info Word",
            "The signed return address bit is set on AArch64 only.",
            "row info 0x83 with sfh_abi_arch 3",
        ],
    ),
    info(
        RuleId::RowTwoWords,
        [
            "all",
            "SFrame V2 errata 1, AArch64",
            "The text knows rows of 1 and 3 words on AArch64; 2 words (return address saved, FP not) are common and read alike everywhere but in an early kernel series.",
            "row info 0x05 with sfh_abi_arch 2",
        ],
    ),
    info(
        RuleId::RowWordSizeMinimal,
        ["all", "implementations", "Words are no wider than their values need.", "08 00 for the offset 8"],
    ),
    info(
        RuleId::RowRepeats,
        ["all", "implementations", "A row says something else than the row before it.", "rows 00 03 08 and 04 03 08"],
    ),
    warning(
        RuleId::RowEntryCfa,
        [
            "all",
            "System V AMD64 psABI 3.2.2, AAPCS64 6.2, s390x ELF ABI 1.2; implementations",
            "A function begins with the CFA of a fresh call: SP+8 on AMD64, SP+0 on AArch64, SP+160 on s390x. Split-off cold parts and PLT entries are exempt.",
            "a first row with CFA SP+16 on AMD64",
        ],
    ),
    error(
        RuleId::RowCfaPlausible,
        [
            "all",
            "implementations",
            "A CFA counted from SP does not lie below SP. Nearer than at function entry is a warning.",
            "CFA SP-16",
        ],
    ),
    warning(
        RuleId::RowSlotAlignment,
        [
            "all",
            "System V AMD64 psABI 3.2.2, AAPCS64 6.4, s390x ELF ABI 1.2",
            "CFA offsets and stack slots are multiples of 8.",
            "FP at CFA-12",
        ],
    ),
    error(
        RuleId::RowSameSlot,
        ["all", "implementations", "Return address and FP are not saved in one slot.", "RA and FP both at CFA-16"],
    ),
    error(
        RuleId::RowFpOnRaSlot,
        [
            "all",
            "SFrame V2 errata 1, AMD64",
            "On AMD64 FP is not saved where the return address is.",
            "FP at CFA-8 with sfh_cfa_fixed_ra_offset -8",
        ],
    )
    .implying(&[RuleId::RowSameSlot]),
    warning(
        RuleId::RowSlotAboveCfa,
        [
            "all",
            "System V AMD64 psABI 3.2.2, AAPCS64 6.4, s390x ELF ABI 1.2",
            "Saved registers are below the CFA, in the function's own frame.",
            "RA at CFA+0",
        ],
    ),
    error(
        RuleId::RowRegisterWord,
        [
            "V2",
            "SFrame V2 errata 1, s390x",
            "An odd word on s390x names a register from 0 to 31.",
            "the word 0x41 (register 32)",
        ],
    ),
    warning(
        RuleId::RowEvenWordAlignment,
        [
            "V2, V3",
            "SFrame V2 errata 1, s390x",
            "Even words for RA and FP on s390x are multiples of 8.",
            "FP at CFA-70",
        ],
    )
    .implying(&[RuleId::RowSlotAlignment]),
    error(
        RuleId::RowOddWord,
        [
            "V3",
            "SFrame V3, s390x",
            "Default rows on s390x hold no odd words: V3 names registers in flex rows only.",
            "the word 0x21 for RA with sfp_version 3",
        ],
    )
    .implying(&[RuleId::RowSlotAlignment, RuleId::RowSlotAboveCfa]),
    warning(
        RuleId::RowTrailingFiller,
        [
            "V2, V3",
            "SFrame V2 errata 1, s390x",
            "The RA filler 0 on s390x stands only in front of an FP word.",
            "words 00 00",
        ],
    ),
    warning(
        RuleId::RowCallWithoutSavedRa,
        [
            "all",
            "SFrame V2 errata 1, s390x; SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where a function makes a call its return address is saved on the stack: a caller's row cannot use registers that the callee may change.",
            "bl under a row of one word on AArch64",
        ],
    ),
    error(
        RuleId::RowCfaOffsetRange,
        [
            "V2, V3",
            "SFrame V2 errata 1, s390x",
            "The CFA offset on s390x, word * 8 + 160, fits a signed 32-bit integer.",
            "the word 0x10000000",
        ],
    ),
];
