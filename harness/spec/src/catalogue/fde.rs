//! Rules of function descriptors, one by one and as a table.

use super::{error, info, warning};
use crate::{Rule, RuleId};

pub(super) const RULES: &[Rule] = &[
    error(
        RuleId::FdePadding,
        [
            "V2",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "The two padding bytes of a descriptor are zero.",
            "sfde_func_padding2 0x0100",
        ],
    ),
    error(
        RuleId::FdeRowOffset,
        [
            "all",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "The rows of a function (V3: its attributes) begin inside the row area; only a function without rows may point at its end.",
            "func_start_fre_off 0x1000 with sfh_fre_len 11",
        ],
    ),
    error(
        RuleId::FdeAttributesFit,
        [
            "V3",
            "SFrame V3, SFrame Function Descriptor Entries",
            "The 5 attribute bytes of a function lie inside the row area.",
            "func_start_fre_off 13 with sfh_fre_len 16",
        ],
    ),
    error(
        RuleId::FdeRowsFit,
        [
            "all",
            "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Every row of a function lies inside the row area.",
            "func_num_fres 4 where the area ends after the third row",
        ],
    ),
    error(
        RuleId::FdeRowType,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Types",
            "The row type is 0, 1 or 2: row starts of 1, 2 or 4 bytes.",
            "func_info 0x03",
        ],
    ),
    error(
        RuleId::FdeReservedInfoBits,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FDE Info Word",
            "Unused bits of the info byte are zero: 6 and 7, in V3 bit 6.",
            "func_info 0x40",
        ],
    ),
    error(
        RuleId::FdeKeyBit,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FDE Info Word",
            "The pointer authentication key bit is set on AArch64 only.",
            "func_info 0x20 with sfh_abi_arch 3",
        ],
    ),
    error(
        RuleId::FdeReservedInfo2Bits,
        [
            "V3",
            "SFrame V3, SFrame Function Descriptor Entries",
            "Bits 5 to 7 of the second info byte are zero.",
            "func_info2 0x20",
        ],
    ),
    error(
        RuleId::FdeType,
        [
            "V3",
            "SFrame V3, The SFrame FDE Types",
            "The descriptor type is 0 (default) or 1 (flex).",
            "func_info2 0x02",
        ],
    ),
    error(
        RuleId::FdeBlockSize,
        [
            "V2, V3",
            "SFrame V2 errata 1, The SFrame FDE Types",
            "A PCMASK function has a repeating block of at least one byte: consumers divide by its size.",
            "func_info 0x10 with rep_size 0",
        ],
    ),
    info(
        RuleId::FdeUnusedBlockSize,
        [
            "V2, V3",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A PCINC function has no repeating block; GNU ld before 2.45 wrote 16 for the first PLT entry.",
            "func_info 0x00 with rep_size 16",
        ],
    ),
    warning(
        RuleId::FdeBlockMultiple,
        [
            "V2, V3",
            "SFrame V2 errata 1, The SFrame FDE Types",
            "The size of a PCMASK function is a multiple of its block.",
            "size 40 with rep_size 16",
        ],
    ),
    error(
        RuleId::FdeRowInBlock,
        [
            "V2, V3",
            "SFrame V2 errata 1, The SFrame FDE Types",
            "Rows of a PCMASK function start inside its block.",
            "a row at 16 with rep_size 16",
        ],
    ),
    warning(
        RuleId::FdeImpliedBlock,
        [
            "V1",
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "V1 has no field for the block of a PCMASK function; consumers took 16 bytes.",
            "func_info 0x10 with sfp_version 1",
        ],
    ),
    warning(
        RuleId::FdeEmptyFunction,
        [
            "all",
            "implementations",
            "A function has at least one byte. GNU as describes empty ones, LLVM leaves them out.",
            "func_size 0",
        ],
    ),
    error(
        RuleId::FdeAddressWrap,
        [
            "all",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A function's first and last address lie in the address space.",
            "a start below address 0",
        ],
    ),
    error(
        RuleId::FdeOverlap,
        [
            "all",
            "implementations",
            "In a linked file no address belongs to two functions.",
            "functions [0x1000, 0x1040) and [0x1020, 0x1060)",
        ],
    ),
    warning(
        RuleId::FdeDuplicateStart,
        [
            "all",
            "implementations",
            "No two functions start at one address: the Linux kernel series refuses such a file.",
            "two functions at 0x1000, one of them empty",
        ],
    )
    .implying(&[RuleId::FdeEmptyFunction, RuleId::FdeOverlap]),
    error(
        RuleId::FdeSortedClaim,
        [
            "all",
            "SFrame V2 errata 1, SFrame Flags",
            "If SFRAME_F_FDE_SORTED is set, the functions' addresses ascend. The raw start fields need not: each counts from its own place.",
            "sfp_flags 0x5 with functions at 0x2000 and 0x1000",
        ],
    ),
    warning(
        RuleId::FdeSharedRows,
        [
            "all",
            "implementations",
            "The rows of different functions do not share bytes.",
            "two functions of 3 rows with func_start_fre_off 0",
        ],
    ),
    warning(
        RuleId::FdeRowAreaTiled,
        ["all", "implementations", "Every byte of the row area belongs to a function.", "a gap of 4 bytes between two functions' rows"],
    )
    .implying(&[RuleId::HeaderFreLength]),
    error(
        RuleId::FdeRowStartWraps,
        [
            "all",
            "SFrame V2 errata 1, The SFrame FRE Types",
            "The row type is wide enough for the function's row starts. Starts that fall back where one more bit would fit the function were cut off.",
            "row type 0 in a function of 600 bytes with rows at 0, 200, 44",
        ],
    )
    .implying(&[RuleId::RowStartsAscend]),
    info(
        RuleId::FdeRowTypeMinimal,
        [
            "all",
            "implementations",
            "The row type is no wider than the function's size needs. PLT functions are exempt: GNU ld sizes them by the whole PLT.",
            "row type 2 in a function of 48 bytes",
        ],
    ),
    error(
        RuleId::FdeAddressBase,
        [
            "V2, V3",
            "SFrame V2 errata 1, SFrame Flags",
            "Function starts count from what SFRAME_F_FDE_FUNC_START_PCREL says: the field if set, the section if clear.",
            "field-relative starts in an executable with sfp_flags 0x1",
        ],
    ),
    warning(
        RuleId::FdeBlocksAlike,
        [
            "V2, V3",
            "SFrame V2 errata 1, The SFrame FDE Types",
            "The blocks of a PCMASK function hold instructions of the same kinds at the same places.",
            "a block that begins with push among blocks that begin with jmp",
        ],
    ),
    warning(
        RuleId::FdeNoRows,
        [
            "all",
            "SFrame V3, SFrame Function Descriptor Entries",
            "A function that is no signal frame has rows: without them it is read as outermost by some and as unknown by others.",
            "func_num_fres 0 with func_info 0x00",
        ],
    ),
];
