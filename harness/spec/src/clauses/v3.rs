//! Clauses that version 3 added or changed: header, function descriptors, default rows.

use super::{ALL, V3_ONLY, consumer, linker, nobody, producer};
use crate::Clause;
use crate::Feature::{
    CfaFromSp, EhFrame, FarStart, Flex, FlexRegisterValue, Function, Functions, Linked, Meaning, NegativeStart,
    NegativeWord, NoRows, Pcmask, RaSlot, Row, S390x, Signal,
};
use crate::RuleId;

const CHANGES_FROM_VERSION_2_TO_VERSION_3: &str = "Changes from Version 2 to Version 3";
const VERSION: &str = "SFrame Version";
const FLAGS: &str = "SFrame Flags";
const HEADER: &str = "SFrame Header";
const FUNCTION_DESCRIPTOR_ENTRIES: &str = "SFrame Function Descriptor Entries";
const FDE_INDEX: &str = "The SFrame FDE Index";
const FDE_ATTRIBUTE: &str = "The SFrame FDE Attribute";
const FDE_INFO_BYTES: &str = "The SFrame FDE Info Bytes";
const FDE_PC_TYPES: &str = "The SFrame FDE PC Types";
const FDE_TYPES: &str = "The SFrame FDE Types";
const FRAME_ROW_ENTRIES: &str = "SFrame Frame Row Entries";
const DEFAULT_FDE_TYPE_INTERPRETATION: &str = "Default FDE Type Interpretation";
const S390X: &str = "s390x";

pub(super) const CLAUSES: &[Clause] = &[
    producer(
        "v3/changes/outermost-function",
        CHANGES_FROM_VERSION_2_TO_VERSION_3,
        V3_ONLY,
        "A default function without rows is an outermost frame.",
        &[RuleId::FdeNoRows, RuleId::RowOutermost],
        &[NoRows],
    ),
    producer(
        "v3/changes/row-limit",
        CHANGES_FROM_VERSION_2_TO_VERSION_3,
        V3_ONLY,
        "A function with more than 65,535 rows cannot be described, and is not described in part.",
        &[],
        &[],
    ),
    producer(
        "v3/changes/s390x-register-saves",
        CHANGES_FROM_VERSION_2_TO_VERSION_3,
        V3_ONLY,
        "On s390x a return address or FP in a register is described by a flex function.",
        &[RuleId::RowOddWord, RuleId::CfiRaDiffers, RuleId::CfiFpDiffers],
        &[S390x, FlexRegisterValue],
    ),
    consumer(
        "v3/changes/end-of-trace",
        CHANGES_FROM_VERSION_2_TO_VERSION_3,
        V3_ONLY,
        "A stack tracer takes a default function without rows as the end of the stack.",
    ),
    producer("v3/version/value", VERSION, V3_ONLY, "The version byte is 3.", &[RuleId::HeaderVersion], &[]),
    producer(
        "v3/flags/frame-pointer-removed",
        FLAGS,
        V3_ONLY,
        "Flag 0x2 is no longer defined.",
        &[RuleId::HeaderRemovedFlag, RuleId::HeaderReservedFlags],
        &[],
    ),
    producer(
        "v3/header/fre-length",
        HEADER,
        V3_ONLY,
        "The length of the row sub-section counts the attributes of the functions too.",
        &[RuleId::HeaderFreLength, RuleId::HeaderFreAreaFits],
        &[Row],
    ),
    producer(
        "v3/header/attributes-and-rows",
        HEADER,
        V3_ONLY,
        "The row sub-section holds for each function its attributes and then its rows.",
        &[RuleId::FdeAttributesFit, RuleId::FdeRowsFit, RuleId::FdeRowAreaTiled],
        &[Functions, Row],
    ),
    nobody(
        "v3/fde/two-parts",
        FUNCTION_DESCRIPTOR_ENTRIES,
        V3_ONLY,
        "A function descriptor is an index entry and an attribute structure, each of fixed size.",
    ),
    producer(
        "v3/fde-index/size",
        FDE_INDEX,
        V3_ONLY,
        "An index entry has 16 bytes, and all index entries stand together.",
        &[RuleId::HeaderFdeTableFits, RuleId::HeaderCanonicalLayout, RuleId::FdeRowOffset],
        &[Functions],
    ),
    producer(
        "v3/fde-index/start",
        FDE_INDEX,
        V3_ONLY,
        "The 64-bit integer at offset 0 gives the address of the function's first byte.",
        &[
            RuleId::ElfRelocationPerFunction,
            RuleId::ElfRelocationType,
            RuleId::ElfFunctionInCode,
            RuleId::FdeAddressWrap,
            RuleId::CfiRangeDiffers,
        ],
        &[Function, EhFrame],
    ),
    producer(
        "v3/fde-index/start-signed",
        FDE_INDEX,
        V3_ONLY,
        "The start field of an index entry is signed.",
        &[RuleId::ElfFunctionInCode, RuleId::FdeAddressWrap],
        &[NegativeStart, Linked],
    ),
    linker(
        "v3/fde-index/start-far",
        FDE_INDEX,
        V3_ONLY,
        "A function may lie farther from the section than 32 bits reach.",
        &[RuleId::ElfFunctionInCode, RuleId::FdeAddressBase],
        &[FarStart, Linked],
    ),
    producer(
        "v3/fde-index/func-size",
        FDE_INDEX,
        V3_ONLY,
        "The unsigned 32-bit integer at offset 8 is the size of the function in bytes.",
        &[RuleId::CfiRangeDiffers, RuleId::FdeOverlap, RuleId::ElfFunctionInCode],
        &[Function, EhFrame],
    ),
    producer(
        "v3/fde-index/start-fre-off",
        FDE_INDEX,
        V3_ONLY,
        "The unsigned 32-bit integer at offset 12 leads from the start of the row sub-section to the function's attributes.",
        &[
            RuleId::FdeRowOffset,
            RuleId::FdeAttributesFit,
            RuleId::FdeRowsFit,
            RuleId::FdeSharedRows,
            RuleId::FdeRowAreaTiled,
        ],
        &[Functions, Row],
    ),
    nobody(
        "v3/fde-index/natural-alignment",
        FDE_INDEX,
        V3_ONLY,
        "The fields of an index entry stand at multiples of their sizes from its start; behind a header of 28 bytes their addresses cannot.",
    ),
    producer(
        "v3/fde-attribute/size",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "The attributes have 5 bytes and stand right in front of the function's rows.",
        &[RuleId::FdeAttributesFit, RuleId::HeaderFreLength, RuleId::FdeRowAreaTiled],
        &[Functions, Row],
    ),
    producer(
        "v3/fde-attribute/num-fres",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "The unsigned 16-bit integer at offset 0 is the number of the function's rows.",
        &[RuleId::HeaderRowCount, RuleId::FdeRowsFit, RuleId::HeaderFreLength],
        &[Row],
    ),
    producer(
        "v3/fde-attribute/info",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "The byte at offset 2 is the first info byte.",
        &[RuleId::FdeRowType, RuleId::FdeReservedInfoBits, RuleId::FdeKeyBit],
        &[Function],
    ),
    producer(
        "v3/fde-attribute/info2",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "The byte at offset 3 is the second info byte.",
        &[RuleId::FdeType, RuleId::FdeReservedInfo2Bits],
        &[Function],
    ),
    producer(
        "v3/fde-attribute/rep-size",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "The unsigned byte at offset 4 is the size in bytes of the repeated block of a PCMASK function.",
        &[RuleId::FdeBlockSize, RuleId::FdeBlockMultiple, RuleId::FdeRowInBlock, RuleId::FdeBlocksAlike],
        &[Pcmask],
    ),
    producer(
        "v3/fde-attribute/unaligned",
        FDE_ATTRIBUTE,
        V3_ONLY,
        "Attributes stand where the rows before them end, aligned or not.",
        &[RuleId::FdeAttributesFit, RuleId::HeaderFreLength, RuleId::FdeRowAreaTiled],
        &[Functions, Row],
    ),
    producer(
        "v3/fde-info/signal",
        FDE_INFO_BYTES,
        V3_ONLY,
        "Bit 7 of the first info byte is set for signal frames.",
        &[RuleId::CfiSignalDiffers],
        &[Signal, EhFrame],
    ),
    producer(
        "v3/fde-info/ordinary",
        FDE_INFO_BYTES,
        V3_ONLY,
        "Bit 7 of the first info byte is clear for functions that are no signal frames.",
        &[RuleId::CfiSignalDiffers],
        &[Function, EhFrame],
    ),
    producer(
        "v3/fde-info/unused-bit",
        FDE_INFO_BYTES,
        V3_ONLY,
        "Bit 6 of the first info byte is not used.",
        &[RuleId::FdeReservedInfoBits],
        &[Function],
    ),
    producer(
        "v3/fde-info/key-unused",
        FDE_INFO_BYTES,
        V3_ONLY,
        "On s390x bit 5 of the first info byte is not used.",
        &[RuleId::FdeKeyBit],
        &[S390x, Function],
    ),
    producer(
        "v3/fde-info2/type",
        FDE_INFO_BYTES,
        V3_ONLY,
        "Bits 0 to 4 of the second info byte name the function type, 0 or 1.",
        &[RuleId::FdeType],
        &[Function],
    ),
    producer(
        "v3/fde-info2/unused-bits",
        FDE_INFO_BYTES,
        V3_ONLY,
        "Bits 5 to 7 of the second info byte are not used.",
        &[RuleId::FdeReservedInfo2Bits],
        &[Function],
    ),
    nobody(
        "v3/pc-type/renamed",
        FDE_PC_TYPES,
        V3_ONLY,
        "PCINC and PCMASK are called PC types; their bit and their meaning stay as in version 2.",
    ),
    producer(
        "v3/fde-type/default",
        FDE_TYPES,
        V3_ONLY,
        "Function type 0: the words of rows mean what the ABI says for default rows.",
        &[RuleId::RowCfaMatchesTruth, RuleId::CfiCfaDiffers, RuleId::RowWordCount],
        &[CfaFromSp, Meaning],
    ),
    producer(
        "v3/fde-type/flex",
        FDE_TYPES,
        V3_ONLY,
        "Function type 1: the words of rows are control words and offsets, for what default rows cannot say.",
        &[RuleId::FlexWordCount, RuleId::FlexPairs, RuleId::FlexNeedless, RuleId::FlexAbi],
        &[Flex],
    ),
    consumer("v3/fde-type/by-field", FDE_TYPES, V3_ONLY, "A consumer reads the function type before it reads words."),
    nobody(
        "v3/fde-type/further",
        FDE_TYPES,
        V3_ONLY,
        "Five bits leave room for further function types, also of single ABIs.",
    ),
    nobody(
        "v3/fre/data-word",
        FRAME_ROW_ENTRIES,
        V3_ONLY,
        "A word of a row is as long as its info byte says; it is no machine word.",
    ),
    producer(
        "v3/default/signed-words",
        DEFAULT_FDE_TYPE_INTERPRETATION,
        ALL,
        "Words of default rows are signed offsets.",
        &[
            RuleId::RowCfaMatchesTruth,
            RuleId::RowRaMatchesTruth,
            RuleId::RowFpMatchesTruth,
            RuleId::CfiCfaDiffers,
            RuleId::CfiRaDiffers,
            RuleId::CfiFpDiffers,
        ],
        &[NegativeWord, Meaning],
    ),
    consumer(
        "v3/default/sign-extension",
        DEFAULT_FDE_TYPE_INTERPRETATION,
        ALL,
        "A consumer extends the sign of default rows' words.",
    ),
    producer(
        "v3/s390x/words-are-offsets",
        S390X,
        V3_ONLY,
        "On s390x the words of default rows are stack offsets only and name no registers.",
        &[RuleId::RowOddWord, RuleId::RowRaMatchesTruth, RuleId::CfiRaDiffers],
        &[S390x, RaSlot],
    ),
];
