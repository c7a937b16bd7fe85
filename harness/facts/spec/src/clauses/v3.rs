//! Clauses that version 3 added or changed: header, function descriptors, default rows.

clauses! {
    "Changes from Version 2 to Version 3" {
        "v3/changes/outermost-function": Producer, V3Only,
            "A default function without rows is an outermost frame." => [FdeNoRows, RowOutermost] if [NoRows];
        "v3/changes/row-limit": Producer, V3Only,
            "A function with more than 65,535 rows cannot be described, and is not described in part.";
        "v3/changes/s390x-register-saves": Producer, V3Only,
            "On s390x a return address or FP in a register is described by a flex function."
                => [RowOddWord, CfiRaDiffers, CfiFpDiffers] if [S390x, FlexRegisterValue];
        "v3/changes/end-of-trace": Consumer, V3Only,
            "A stack tracer takes a default function without rows as the end of the stack.";
    }
    "SFrame Version" {
        "v3/version/value": Producer, V3Only, "The version byte is 3." => [HeaderVersion];
    }
    "SFrame Flags" {
        "v3/flags/frame-pointer-removed": Producer, V3Only,
            "Flag 0x2 is no longer defined." => [HeaderRemovedFlag, HeaderReservedFlags];
    }
    "SFrame Header" {
        "v3/header/fre-length": Producer, V3Only,
            "The length of the row sub-section counts the attributes of the functions too."
                => [HeaderFreLength, HeaderFreAreaFits] if [Row];
        "v3/header/attributes-and-rows": Producer, V3Only,
            "The row sub-section holds for each function its attributes and then its rows."
                => [FdeAttributesFit, FdeRowsFit, FdeRowAreaTiled] if [Functions, Row];
    }
    "SFrame Function Descriptor Entries" {
        "v3/fde/two-parts": Nobody, V3Only,
            "A function descriptor is an index entry and an attribute structure, each of fixed size.";
    }
    "The SFrame FDE Index" {
        "v3/fde-index/size": Producer, V3Only,
            "An index entry has 16 bytes, and all index entries are contiguous."
                => [HeaderFdeTableFits, HeaderCanonicalLayout, FdeRowOffset] if [Functions];
        "v3/fde-index/start": Producer, V3Only,
            "The 64-bit integer at offset 0 gives the address of the function's first byte."
                => [ElfRelocationPerFunction, ElfRelocationType, ElfFunctionInCode, FdeAddressWrap, CfiRangeDiffers]
                if [Function, EhFrame];
        "v3/fde-index/start-signed": Producer, V3Only,
            "The start field of an index entry is signed."
                => [ElfFunctionInCode, FdeAddressWrap] if [NegativeStart, Linked];
        "v3/fde-index/start-far": Linker, V3Only,
            "A function may lie farther from the section than 32 bits reach."
                => [ElfFunctionInCode, FdeAddressBase] if [FarStart, Linked];
        "v3/fde-index/func-size": Producer, V3Only,
            "The unsigned 32-bit integer at offset 8 is the size of the function in bytes."
                => [CfiRangeDiffers, FdeOverlap, ElfFunctionInCode] if [Function, EhFrame];
        "v3/fde-index/start-fre-off": Producer, V3Only,
            "The unsigned 32-bit integer at offset 12 is the offset from the start of the row sub-section to the \
             function's attributes."
                => [FdeRowOffset, FdeAttributesFit, FdeRowsFit, FdeSharedRows, FdeRowAreaTiled]
                if [Functions, Row];
        "v3/fde-index/natural-alignment": Nobody, V3Only,
            "The fields of an index entry are at multiples of their sizes from its start; after a header of \
             28 bytes their addresses cannot.";
    }
    "The SFrame FDE Attribute" {
        "v3/fde-attribute/size": Producer, V3Only,
            "The attributes have 5 bytes and directly precede the function's rows."
                => [FdeAttributesFit, HeaderFreLength, FdeRowAreaTiled] if [Functions, Row];
        "v3/fde-attribute/num-fres": Producer, V3Only,
            "The unsigned 16-bit integer at offset 0 is the number of the function's rows."
                => [HeaderRowCount, FdeRowsFit, HeaderFreLength] if [Row];
        "v3/fde-attribute/info": Producer, V3Only,
            "The byte at offset 2 is the first info byte."
                => [FdeRowType, FdeReservedInfoBits, FdeKeyBit] if [Function];
        "v3/fde-attribute/info2": Producer, V3Only,
            "The byte at offset 3 is the second info byte." => [FdeType, FdeReservedInfo2Bits] if [Function];
        "v3/fde-attribute/rep-size": Producer, V3Only,
            "The unsigned byte at offset 4 is the size in bytes of the repeated block of a PCMASK function."
                => [FdeBlockSize, FdeBlockMultiple, FdeRowInBlock, FdeBlocksAlike] if [Pcmask];
        "v3/fde-attribute/unaligned": Producer, V3Only,
            "Attributes start where the rows before them end, aligned or not."
                => [FdeAttributesFit, HeaderFreLength, FdeRowAreaTiled] if [Functions, Row];
    }
    "The SFrame FDE Info Bytes" {
        "v3/fde-info/signal": Producer, V3Only,
            "Bit 7 of the first info byte is set for signal frames."
                => [CfiSignalDiffers, RowSignalMatchesTruth] if [Signal, EhFrame];
        "v3/fde-info/ordinary": Producer, V3Only,
            "Bit 7 of the first info byte is clear for functions that are no signal frames."
                => [CfiSignalDiffers, RowSignalMatchesTruth] if [Function, EhFrame];
        "v3/fde-info/unused-bit": Producer, V3Only,
            "Bit 6 of the first info byte is not used." => [FdeReservedInfoBits] if [Function];
        "v3/fde-info/key-unused": Producer, V3Only,
            "On s390x bit 5 of the first info byte is not used." => [FdeKeyBit] if [S390x, Function];
        "v3/fde-info2/type": Producer, V3Only,
            "Bits 0 to 4 of the second info byte name the function type, 0 or 1." => [FdeType] if [Function];
        "v3/fde-info2/unused-bits": Producer, V3Only,
            "Bits 5 to 7 of the second info byte are not used." => [FdeReservedInfo2Bits] if [Function];
    }
    "The SFrame FDE PC Types" {
        "v3/pc-type/renamed": Nobody, V3Only,
            "PCINC and PCMASK are called PC types; their bit and their meaning stay as in version 2.";
    }
    "The SFrame FDE Types" {
        "v3/fde-type/default": Producer, V3Only,
            "Function type 0: the words of rows mean what the ABI defines for default rows."
                => [RowCfaMatchesTruth, CfiCfaDiffers, RowWordCount] if [CfaFromSp, Meaning];
        "v3/fde-type/flex": Producer, V3Only,
            "Function type 1: the words of rows are control words and offsets, for what default rows cannot say."
                => [FlexWordCount, FlexPairs, FlexNeedless, FlexAbi] if [Flex];
        "v3/fde-type/by-field": Consumer, V3Only, "A reader reads the function type before it reads words.";
        "v3/fde-type/further": Nobody, V3Only,
            "Five bits leave room for further function types, also of single ABIs.";
    }
    "SFrame Frame Row Entries" {
        "v3/fre/data-word": Nobody, V3Only,
            "A word of a row is as long as its info byte encodes; it is not a machine word.";
    }
    "Default FDE Type Interpretation" {
        "v3/default/signed-words": Producer, All,
            "Words of default rows are signed offsets."
                => [RowCfaMatchesTruth, RowRaMatchesTruth, RowFpMatchesTruth, CfiCfaDiffers, CfiRaDiffers, CfiFpDiffers]
                if [NegativeWord, Meaning];
        "v3/default/sign-extension": Consumer, All, "A reader extends the sign of default rows' words.";
    }
    "s390x" {
        "v3/s390x/words-are-offsets": Producer, V3Only,
            "On s390x the words of default rows are stack offsets only and name no registers."
                => [RowOddWord, RowRaMatchesTruth, CfiRaDiffers] if [S390x, RaSlot];
    }
}
