//! The rule catalogue: every rule that a finding can name. `explain` prints it.
//!
//! Ids are stable. The groups `header/`, `fde/`, `row/` and `flex/` are rules of the section;
//! `elf/` and `plt/` are rules of the file that contains it. `row/…-matches-truth` and `chain/` are
//! checked by executing code, `cfi/` by comparing the section with `.eh_frame`. `eh-frame/` are
//! rules of `.eh_frame` itself, `link/` of a link's output compared with its inputs.

use crate::{Rule, RuleGroup, RuleKind, Severity, Versions};

/// Declares [`RuleId`] and [`CATALOGUE`]. Kind and group apply to all rules of a block. The fields
/// of a rule: id, severity, versions, source (specification section and version, ABI or ELF
/// document, or "implementations"), statement, a small example of a breach, and the rules that are
/// necessarily broken with it.
macro_rules! rules {
    ($($kind:ident $group:ident { $(
        $id:ident = $name:literal: $severity:ident, $versions:ident, $clause:literal,
            $statement:literal,
            $example:literal $(, implies $($implied:ident),+)?;
    )+ })+) => {
        /// The id of a rule of the catalogue. Ids are published and stable: results, ledgers and
        /// reports contain them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum RuleId {
            $($(#[doc = $statement] $id,)+)+
        }

        impl RuleId {
            /// All ids, in the order of the catalogue.
            pub const ALL: &'static [RuleId] = &[$($(RuleId::$id,)+)+];

            /// The id as published: `row/cfa-matches-truth`.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(RuleId::$id => $name,)+)+
                }
            }

            /// The rule's entry in the catalogue.
            pub fn facts(self) -> &'static Rule {
                &CATALOGUE[self as usize]
            }
        }

        /// Every rule, by group: header, functions, rows, flex rows, container, judging, linking.
        pub static CATALOGUE: &[Rule] = &[$($(Rule {
            id: RuleId::$id,
            kind: RuleKind::$kind,
            group: RuleGroup::$group,
            severity: Severity::$severity,
            versions: Versions::$versions,
            clause: $clause,
            statement: $statement,
            example: $example,
            implies: &[$($(RuleId::$implied),+)?],
        },)+)+];
    };
}

rules! {
    // Header and layout of the section. Field names are those of the specification.
    Structural Header {
        HeaderSize = "header/size": Error, All, "SFrame V2 errata 1, SFrame Header",
            "A section that is not empty holds at least the 28 bytes of a header.",
            "e2 de 02 05, and nothing after it";
        HeaderMagic = "header/magic": Error, All, "SFrame V2 errata 1, SFrame Magic Number and Endianness",
            "The first two bytes are 0xDEE2 in one byte order.",
            "de ad 02 05";
        HeaderByteOrder = "header/byte-order": Error, All,
            "SFrame V2 errata 1, SFrame Magic Number and Endianness; ELF gABI, EI_DATA",
            "The byte order that the magic shows is that of the ELF file.",
            "de e2 in a little-endian file";
        HeaderVersion = "header/version": Error, All, "SFrame V2 errata 1, SFrame Version",
            "The version is 1, 2 or 3. A later one is not corrupt, but cannot be read here.",
            "sfp_version 4";
        HeaderObsoleteVersion = "header/obsolete-version": Warning, V1Only,
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "Version 1 is obsolete; current tools refuse it.",
            "sfp_version 1";
        HeaderReservedFlags = "header/reserved-flags": Error, All, "SFrame V2 errata 1, SFrame Flags",
            "Flag bits that the version does not define are zero: V1 defines 0x3, V2 0x7, V3 0x5.",
            "sfp_flags 0x81";
        HeaderRemovedFlag = "header/removed-flag": Error, V3Only, "SFrame V3, SFrame Flags",
            "SFRAME_F_FRAME_POINTER (0x2) was removed in V3 and is zero.",
            "sfp_flags 0x7 with sfp_version 3", implies HeaderReservedFlags;
        HeaderFramePointerFlag = "header/frame-pointer-flag": Info, UpToV2, "SFrame V2 errata 1, SFrame Flags",
            "SFRAME_F_FRAME_POINTER claims that every function keeps a frame pointer; no known producer sets it.",
            "sfp_flags 0x2";
        HeaderAbi = "header/abi": Error, All, "SFrame V2 errata 1, SFrame ABI/arch Identifier",
            "The ABI identifier is one the version defines: 1 to 3 in V1, 1 to 4 from V2 on.",
            "sfh_abi_arch 9";
        HeaderAbiByteOrder = "header/abi-byte-order": Error, All, "SFrame V2 errata 1, SFrame ABI/arch Identifier",
            "The ABI identifier agrees with the byte order: 1 and 4 are big-endian, 2 and 3 little-endian.",
            "e2 de with sfh_abi_arch 1";
        HeaderAbiMachine = "header/abi-machine": Error, All,
            "SFrame V2 errata 1, SFrame ABI/arch Identifier; ELF gABI, e_machine",
            "The ABI identifier is that of the file's machine.",
            "sfh_abi_arch 2 (AArch64) in an x86-64 file";
        HeaderFixedRaAmd64 = "header/fixed-ra-amd64": Error, All, "SFrame V2 errata 1, AMD64",
            "On AMD64 the return address is at the fixed offset -8 from the CFA.",
            "sfh_cfa_fixed_ra_offset 0 with sfh_abi_arch 3";
        HeaderFixedRa = "header/fixed-ra": Error, All, "SFrame V2 errata 1, AArch64 and s390x",
            "On AArch64 and s390x rows track the return address: the fixed offset is 0.",
            "sfh_cfa_fixed_ra_offset -8 with sfh_abi_arch 2";
        HeaderFixedFp = "header/fixed-fp": Warning, All, "SFrame V2 errata 1, SFrame Header",
            "No ABI fixes the FP slot, so the fixed offset is 0. Readers disagree whether it or a row's own \
             word takes precedence.",
            "sfh_cfa_fixed_fp_offset -16";
        HeaderAuxiliaryFits = "header/auxiliary-fits": Error, All, "SFrame V2 errata 1, SFrame Header",
            "The auxiliary header lies inside the section.",
            "sfh_auxhdr_len 255 in a section of 100 bytes";
        HeaderFdeTableFits = "header/fde-table-fits": Error, All, "SFrame V2 errata 1, SFrame Header",
            "All function descriptors lie inside the section.",
            "sfh_num_fdes 0xffffffff";
        HeaderFreAreaFits = "header/fre-area-fits": Error, All, "SFrame V2 errata 1, SFrame Header",
            "The FRE sub-section lies inside the section.",
            "sfh_fre_len 0x7fffffff";
        HeaderTablesOverlap = "header/tables-overlap": Error, All, "SFrame V2 errata 1, SFrame Header; implementations",
            "The FRE sub-section comes after the last function descriptor.",
            "sfh_num_fdes 2 of 20 bytes with sfh_freoff 20", implies HeaderCanonicalLayout;
        HeaderAuxiliary = "header/auxiliary": Warning, All, "SFrame V2 errata 1, SFrame Header",
            "There is no auxiliary header: no ABI defines one, and several readers ignore or refuse it.",
            "sfh_auxhdr_len 4";
        HeaderCanonicalLayout = "header/canonical-layout": Warning, All, "implementations",
            "The function descriptors directly follow the header and the rows follow them; else readers look in \
             different places.",
            "sfh_fdeoff 16";
        HeaderRowCount = "header/row-count": Error, All, "SFrame V2 errata 1, SFrame Header",
            "The header's row count is the sum of all functions' row counts.",
            "sfh_num_fres 4 with one function of 3 rows";
        HeaderFreLength = "header/fre-length": Error, All,
            "SFrame V2 errata 1, SFrame Header; SFrame V3, SFrame Header",
            "The FRE sub-section's length is the size of all rows; V3 adds 5 bytes of attributes a function.",
            "sfh_fre_len 12 with rows of 11 bytes", implies FdeRowAreaTiled;
        HeaderTrailingBytes = "header/trailing-bytes": Warning, All, "implementations",
            "Bytes after the FRE sub-section are zero padding.",
            "01 after the last row";
        HeaderSecondElement = "header/second-element": Error, All,
            "SFrame V2 errata 1, SFrame Section; implementations",
            "A section holds one SFrame element: no reader reads a second. In an object file this is a warning.",
            "two .sframe inputs concatenated by a linker";
        HeaderExcessPadding = "header/excess-padding": Info, All, "implementations",
            "Less than 8 bytes of padding follow the FRE sub-section.",
            "16 zero bytes after the rows";
        HeaderNoFunctions = "header/no-functions": Info, All, "implementations",
            "A section describes functions. GNU as writes a header alone if it had to omit all of them.",
            "sfh_num_fdes 0";
        HeaderRowsWithoutFunctions = "header/rows-without-functions": Error, All, "SFrame V2 errata 1, SFrame Header",
            "Without functions there are no rows.",
            "sfh_num_fdes 0 with sfh_fre_len 11", implies HeaderNoFunctions;
        HeaderEmptySection = "header/empty-section": Warning, All, "implementations",
            "A .sframe section is not empty; some linkers stop at one.",
            "sh_size 0";
        HeaderSortedInLinked = "header/sorted-in-linked": Error, All,
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "The FDEs of a linked file are sorted (SFRAME_F_FDE_SORTED): glibc, libsframe and the Linux kernel series do not \
             search others.",
            "sfp_flags 0x4 in an executable";
        HeaderSortedInObject = "header/sorted-in-object": Warning, All, "implementations",
            "SFRAME_F_FDE_SORTED is unset in a relocatable file: addresses are not known yet.",
            "sfp_flags 0x1 in a .o file";
        HeaderPcrelClear = "header/pcrel-clear": Warning, V3Only, "SFrame V3, SFrame Flags",
            "V3 sections set SFRAME_F_FDE_FUNC_START_PCREL: section-relative starts are legal, but produced and \
             tested nowhere.",
            "sfp_flags 0x1 with sfp_version 3";
        HeaderPcrelClearV2 = "header/pcrel-clear-v2": Warning, V2Only,
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "V2 sections set SFRAME_F_FDE_FUNC_START_PCREL since errata 1; without it an old toolchain made \
             the table, and linkers refuse to mix both.",
            "sfp_flags 0x1 with sfp_version 2";
    }
    // Function descriptors, alone and as a table.
    Structural Fde {
        FdePadding = "fde/padding": Error, V2Only, "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "The two padding bytes of a descriptor are zero.",
            "sfde_func_padding2 0x0100";
        FdeRowOffset = "fde/row-offset": Error, All, "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "The rows of a function (V3: its attributes) begin inside the FRE sub-section; only a function without \
             rows may point at its end.",
            "func_start_fre_off 0x1000 with sfh_fre_len 11";
        FdeAttributesFit = "fde/attributes-fit": Error, V3Only, "SFrame V3, SFrame Function Descriptor Entries",
            "The 5 attribute bytes of a function lie inside the FRE sub-section.",
            "func_start_fre_off 13 with sfh_fre_len 16";
        FdeRowsFit = "fde/rows-fit": Error, All, "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Every row of a function lies inside the FRE sub-section.",
            "func_num_fres 4 where the area ends after the third row";
        FdeRowType = "fde/row-type": Error, All, "SFrame V2 errata 1, The SFrame FRE Types",
            "The row type is 0, 1 or 2: row starts of 1, 2 or 4 bytes.",
            "func_info 0x03";
        FdeReservedInfoBits = "fde/reserved-info-bits": Error, All, "SFrame V2 errata 1, The SFrame FDE Info Word",
            "Unused bits of the info byte are zero: 6 and 7, in V3 bit 6.",
            "func_info 0x40";
        FdeKeyBit = "fde/key-bit": Error, All, "SFrame V2 errata 1, The SFrame FDE Info Word",
            "The pointer authentication key bit is set on AArch64 only.",
            "func_info 0x20 with sfh_abi_arch 3";
        FdeReservedInfo2Bits = "fde/reserved-info2-bits": Error, V3Only,
            "SFrame V3, SFrame Function Descriptor Entries",
            "Bits 5 to 7 of the second info byte are zero.",
            "func_info2 0x20";
        FdeType = "fde/type": Error, V3Only, "SFrame V3, The SFrame FDE Types",
            "The descriptor type is 0 (default) or 1 (flex).",
            "func_info2 0x02";
        FdeBlockSize = "fde/block-size": Error, FromV2, "SFrame V2 errata 1, The SFrame FDE Types",
            "A PCMASK function has a repeating block of at least one byte: readers divide by its size.",
            "func_info 0x10 with rep_size 0";
        FdeUnusedBlockSize = "fde/unused-block-size": Info, FromV2,
            "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A PCINC function has no repeating block; GNU ld before 2.45 wrote 16 for the first PLT entry.",
            "func_info 0x00 with rep_size 16";
        FdeBlockMultiple = "fde/block-multiple": Warning, FromV2, "SFrame V2 errata 1, The SFrame FDE Types",
            "The size of a PCMASK function is a multiple of its block.",
            "size 40 with rep_size 16";
        FdeRowInBlock = "fde/row-in-block": Error, FromV2, "SFrame V2 errata 1, The SFrame FDE Types",
            "Rows of a PCMASK function start inside its block.",
            "a row at 16 with rep_size 16";
        FdeImpliedBlock = "fde/implied-block": Warning, V1Only,
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "V1 has no field for the block of a PCMASK function; readers assume 16 bytes.",
            "func_info 0x10 with sfp_version 1";
        FdeEmptyFunction = "fde/empty-function": Warning, All, "implementations",
            "A function has at least one byte. GNU as describes empty ones, LLVM omits them.",
            "func_size 0";
        FdeAddressWrap = "fde/address-wrap": Error, All, "SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A function's first and last address lie in the address space.",
            "a start below address 0";
        FdeOverlap = "fde/overlap": Error, All, "implementations",
            "In a linked file no address belongs to two functions.",
            "functions [0x1000, 0x1040) and [0x1020, 0x1060)";
        FdeDuplicateStart = "fde/duplicate-start": Warning, All, "implementations",
            "No two functions start at one address: the Linux kernel series refuses such a file.",
            "two functions at 0x1000, one of them empty", implies FdeEmptyFunction, FdeOverlap;
        FdeSortedClaim = "fde/sorted-claim": Error, All, "SFrame V2 errata 1, SFrame Flags",
            "If SFRAME_F_FDE_SORTED is set, the functions' addresses ascend. The raw start fields need not: \
             each is relative to its own address.",
            "sfp_flags 0x5 with functions at 0x2000 and 0x1000";
        FdeSharedRows = "fde/shared-rows": Warning, All, "implementations",
            "The rows of different functions do not share bytes.",
            "two functions of 3 rows with func_start_fre_off 0";
        FdeRowAreaTiled = "fde/row-area-tiled": Warning, All, "implementations",
            "Every byte of the FRE sub-section belongs to a function.",
            "a gap of 4 bytes between two functions' rows", implies HeaderFreLength;
        FdeRowStartWraps = "fde/row-start-wraps": Error, All, "SFrame V2 errata 1, The SFrame FRE Types",
            "The row type is wide enough for the function's row starts. Starts that fall back where one more \
             bit would fit the function were truncated.",
            "row type 0 in a function of 600 bytes with rows at 0, 200, 44", implies RowStartsAscend;
        FdeRowTypeMinimal = "fde/row-type-minimal": Info, All, "implementations",
            "The row type is no wider than the function's size needs. PLT functions are exempt: GNU ld sizes \
             them by the whole PLT.",
            "row type 2 in a function of 48 bytes";
        FdeAddressBase = "fde/address-base": Error, FromV2, "SFrame V2 errata 1, SFrame Flags",
            "Function starts are relative to the field if SFRAME_F_FDE_FUNC_START_PCREL is set, else to the \
             section.",
            "field-relative starts in an executable with sfp_flags 0x1";
        FdeBlocksAlike = "fde/blocks-alike": Warning, FromV2, "SFrame V2 errata 1, The SFrame FDE Types",
            "The blocks of a PCMASK function hold instructions of the same kinds at the same places.",
            "a block that begins with push among blocks that begin with jmp";
        FdeNoRows = "fde/no-rows": Warning, All, "SFrame V3, SFrame Function Descriptor Entries",
            "A function that is no signal frame has rows: without them some readers take \
             the function for outermost, others for unknown.",
            "func_num_fres 0 with func_info 0x00";
    }
    // Default rows, and what applies to all rows.
    Structural Row {
        RowFirstStart = "row/first-start": Warning, All, "implementations",
            "A function's first row starts at 0; before it nothing is known.",
            "a first row at 4";
        RowStartsAscend = "row/starts-ascend": Error, All, "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Row starts of a function strictly ascend.",
            "rows at 0, 4, 4";
        RowStartInFunction = "row/start-in-function": Error, All, "SFrame V2 errata 1, SFrame Frame Row Entries",
            "No row starts beyond its function's end.",
            "a row at 64 in a function of 48 bytes";
        RowUnreachable = "row/unreachable": Warning, All, "implementations",
            "A row that starts at the function's end describes nothing.",
            "a row at 48 in a function of 48 bytes";
        RowWordSize = "row/word-size": Error, All, "SFrame V2 errata 1, The SFrame FRE Info Word",
            "The word size code is 0, 1 or 2: words of 1, 2 or 4 bytes.",
            "row info 0x63";
        RowWordCount = "row/word-count": Error, All, "SFrame V2 errata 1, ABI/arch-specific Definition",
            "A default row has as many words as the ABI gives a meaning: at most 2 on AMD64 (CFA, FP), 3 \
             elsewhere (CFA, RA, FP).",
            "4 words on AArch64";
        RowOutermostBeforeErrata2 = "row/outermost-before-errata-2": Warning, UpToV2,
            "SFrame V2 errata 2, The SFrame FRE Info Word",
            "A row without words (return address undefined) is valid from V2 errata 2 on. The version \
             byte is the same before, and earlier readers reject such a row as corrupt.",
            "row info 0x00 with sfp_version 2";
        RowOutermostInfo = "row/outermost-info": Warning, FromV2, "SFrame V2 errata 2, The SFrame FRE Info Word",
            "The info byte of a row without words is zero.",
            "row info 0x01", implies RowOutermostBeforeErrata2;
        RowSignedBit = "row/signed-bit": Error, All, "SFrame V2 errata 1, The SFrame FRE Info Word",
            "The signed return address bit is set on AArch64 only.",
            "row info 0x83 with sfh_abi_arch 3";
        RowTwoWords = "row/two-words": Info, All, "SFrame V2 errata 1, AArch64",
            "The specification has rows of 1 and 3 words on AArch64. Rows of 2 words (return address saved, FP not) \
             are common, and all readers but an early kernel series read them alike.",
            "row info 0x05 with sfh_abi_arch 2";
        RowWordSizeMinimal = "row/word-size-minimal": Info, All, "implementations",
            "Words are no wider than their values need.",
            "08 00 for the offset 8";
        RowRepeats = "row/repeats": Info, All, "implementations",
            "A row differs from the row before it.",
            "rows 00 03 08 and 04 03 08";
        RowEntryCfa = "row/entry-cfa": Warning, All,
            "System V AMD64 psABI 3.2.2, AAPCS64 6.2, s390x ELF ABI 1.2; implementations",
            "A function begins with the CFA of a fresh call: SP+8 on AMD64, SP+0 on AArch64, SP+160 on s390x. \
             Split-off cold parts and PLT entries are exempt.",
            "a first row with CFA SP+16 on AMD64";
        RowCfaPlausible = "row/cfa-plausible": Error, All, "implementations",
            "A CFA based on SP is not below SP. Nearer than at function entry is a warning.",
            "CFA SP-16";
        RowSlotAlignment = "row/slot-alignment": Warning, All,
            "System V AMD64 psABI 3.2.2, AAPCS64 6.4, s390x ELF ABI 1.2",
            "CFA offsets and stack slots are multiples of 8.",
            "FP at CFA-12";
        RowSameSlot = "row/same-slot": Error, All, "implementations",
            "Return address and FP are not saved in one slot.",
            "RA and FP both at CFA-16";
        RowFpOnRaSlot = "row/fp-on-ra-slot": Error, All, "SFrame V2 errata 1, AMD64",
            "On AMD64 FP is not saved where the return address is.",
            "FP at CFA-8 with sfh_cfa_fixed_ra_offset -8", implies RowSameSlot;
        RowSlotAboveCfa = "row/slot-above-cfa": Warning, All,
            "System V AMD64 psABI 3.2.2, AAPCS64 6.4, s390x ELF ABI 1.2",
            "Saved registers are below the CFA, in the function's own frame.",
            "RA at CFA+0";
        RowRegisterWord = "row/register-word": Error, V2Only, "SFrame V2 errata 1, s390x",
            "An odd word on s390x names a register from 0 to 31.",
            "the word 0x41 (register 32)";
        RowEvenWordAlignment = "row/even-word-alignment": Warning, FromV2, "SFrame V2 errata 1, s390x",
            "Even words for RA and FP on s390x are multiples of 8.",
            "FP at CFA-70", implies RowSlotAlignment;
        RowOddWord = "row/odd-word": Error, V3Only, "SFrame V3, s390x",
            "Default rows on s390x hold no odd words: V3 names registers in flex rows only.",
            "the word 0x21 for RA with sfp_version 3", implies RowSlotAlignment, RowSlotAboveCfa;
        RowTrailingFiller = "row/trailing-filler": Warning, FromV2, "SFrame V2 errata 1, s390x",
            "The RA filler 0 on s390x occurs only before an FP word.",
            "words 00 00";
        RowCallWithoutSavedRa = "row/call-without-saved-ra": Warning, All,
            "SFrame V2 errata 1, s390x; SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where a function makes a call its return address is saved on the stack: a caller's row cannot use \
             registers that the callee may change.",
            "bl under a row of one word on AArch64";
        RowCfaOffsetRange = "row/cfa-offset-range": Error, FromV2, "SFrame V2 errata 1, s390x",
            "The CFA offset on s390x, word * 8 + 160, fits a signed 32-bit integer.",
            "the word 0x10000000";
    }
    // Flex rows (V3).
    Structural Flex {
        FlexAbi = "flex/abi": Warning, V3Only, "SFrame V3, Flexible FDE",
            "Flex functions occur where producers make them: AMD64 and s390x.",
            "func_info2 0x01 with sfh_abi_arch 2";
        FlexWordCount = "flex/word-count": Error, V3Only, "SFrame V3, Flexible FDE",
            "A flex row has 2, 4, 5 or 6 words, or none where the return address is undefined.",
            "one word";
        FlexCfaRegister = "flex/cfa-register": Error, V3Only, "SFrame V3, Flexible FDE",
            "The CFA is based on a register: bit 0 of its control word is set.",
            "CFA control word 0x3a";
        FlexControlBit2 = "flex/control-bit-2": Error, V3Only, "SFrame V3, Flexible FDE",
            "Bit 2 of a control word is zero.",
            "control word 0x3d";
        FlexRegisterWithoutBase = "flex/register-without-base": Warning, V3Only,
            "SFrame V3, Flexible FDE; implementations",
            "A control word based on the CFA names no register.",
            "control word 0x3a for FP";
        FlexRegister = "flex/register": Error, V3Only, "SFrame V3, Flexible FDE; DWARF register numbers of the ABI",
            "A control word names a register of the ABI: 0 to 16 on AMD64, 0 to 31 and the PSW on s390x. It is \
             unsigned.",
            "control word 0x89 (register 17) on AMD64";
        FlexPairs = "flex/pairs": Error, V3Only, "SFrame V3, Flexible FDE",
            "After the CFA's pair come a pair for RA, or the single word 0 in its place, and a pair for FP.",
            "words 39 10 00 02: a filler and half a pair";
        FlexTrailingFiller = "flex/trailing-filler": Warning, V3Only, "SFrame V3, Flexible FDE; implementations",
            "The RA filler 0 occurs only before an FP pair; the Linux kernel series refuses others.",
            "words 39 10 00";
        FlexCfaScaled = "flex/cfa-scaled": Error, V3Only, "SFrame V3, s390x",
            "CFA offsets of flex rows on s390x are scaled as in default rows. A first row whose word is 160 \
             looks unscaled; without CFI to compare that is a warning.",
            "CFA offset word 160 (CFA r15+1440) in a first row", implies RowEntryCfa;
        FlexBaseBit = "flex/base-bit": Warning, V3Only, "SFrame V3, The SFrame FRE Info Word",
            "Bit 0 of a flex row's info byte is zero: it has no meaning there.",
            "row info 0x05";
        FlexNeedless = "flex/needless": Info, V3Only, "implementations",
            "A function is of flex type because a default row could not express one of its rows.",
            "a flex function with the one row CFA rsp+8";
        FlexTopmostOnly = "flex/topmost-only": Warning, V3Only, "SFrame V3, Generating Stack Traces using SFrame",
            "Rows are based on SP and FP and load values from memory: other registers are known in the innermost \
             frame only.",
            "CFA r10+0";
        FlexValueWithoutLoad = "flex/value-without-load": Warning, V3Only, "SFrame V3, Flexible FDE; implementations",
            "RA and FP based on the CFA are loaded. No producer makes the other form, \
             whose value is CFA+n, and dumps print both alike.",
            "control word 0x00 for FP";
    }
    // The ELF file that contains the section: section and segment headers, relocations, code, PLT.
    Structural Elf {
        ElfFunctionInCode = "elf/function-in-code": Error, All, "implementations",
            "In a linked file every described function lies in one executable section.",
            "a function at the address of .data";
        ElfSectionType = "elf/section-type": Error, All, "SFrame V2 errata 1, Overview; ELF gABI, sh_type",
            "The section's type is SHT_GNU_SFRAME. PROGBITS is a warning in V1 and in V2 without PCREL, whose \
             tools had no other, and if the section is empty.",
            "sh_type SHT_NOTE";
        ElfSectionFlags = "elf/section-flags": Error, All, "SFrame V2 errata 1, Overview; ELF gABI, sh_flags",
            "The section is allocated, not writable and not executable.",
            "sh_flags WA";
        ElfSectionAlignment = "elf/section-alignment": Warning, All, "implementations",
            "The section is aligned to at least 4 bytes; producers use 8.",
            "sh_addralign 1";
        ElfOneSectionLinked = "elf/one-section-linked": Error, All, "implementations",
            "A linked file has one .sframe section.",
            "two sections of type SHT_GNU_SFRAME";
        ElfOneSectionObject = "elf/one-section-object": Warning, All, "implementations",
            "An object file has one .sframe section, outside any group.",
            "a .sframe section in a COMDAT group";
        ElfSegment = "elf/segment": Error, All, "SFrame V2 errata 1, Overview; ELF gABI, program headers",
            "A linked file has a PT_GNU_SFRAME segment, which starts at the section. Unwinders find the \
             section by it.",
            "an executable made by a linker that does not know SFrame";
        ElfSegmentCovers = "elf/segment-covers": Error, All, "SFrame V2 errata 1, Overview; ELF gABI, program headers",
            "The PT_GNU_SFRAME segment reaches to the end of the section, and a readable PT_LOAD segment loads all of \
             it.",
            "p_filesz 28 with sh_size 0x660";
        ElfSegmentSize = "elf/segment-size": Warning, All, "ELF gABI, program headers",
            "The PT_GNU_SFRAME segment is no larger than the section, in the file and in memory.",
            "p_filesz 0x6a4 with sh_size 0x660";
        ElfOneSegment = "elf/one-segment": Error, All, "SFrame V2 errata 1, Overview; GNU binutils, PT_GNU_SFRAME",
            "A file has one PT_GNU_SFRAME segment: of several, a loader uses the first or the \
             last.",
            "a second PT_GNU_SFRAME, 8 bytes off";
        ElfSegmentOfEmpty = "elf/segment-of-empty": Warning, All, "implementations",
            "An empty section has no PT_GNU_SFRAME segment.",
            "p_filesz 0", implies HeaderEmptySection;
        ElfRelocationPerFunction = "elf/relocation-per-function": Error, All,
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "In an object file each function's start field has exactly one relocation.",
            "a function without a relocation";
        ElfRelocationType = "elf/relocation-type": Error, All, "ELF psABI of the machine; implementations",
            "Start fields have PC-relative relocations of their width: 32 bits up to V2, 64 bits in V3.",
            "R_X86_64_64 on a V3 start field";
        ElfStrayRelocation = "elf/stray-relocation": Error, All, "implementations",
            "In an object file only start fields are relocated, and no relocation is of type NONE.",
            "R_X86_64_NONE left by ld -r", implies HeaderEmptySection;
        ElfRelocationTarget = "elf/relocation-target": Error, All, "implementations",
            "A start field's relocation refers to an executable section of the object, and the function ends \
             inside it.",
            "a start relocated against .data";
        ElfStartFieldNotZero = "elf/start-field-not-zero": Warning, All, "ELF gABI, relocation",
            "The start field itself is zero where its relocation carries the addend; linkers ignore its contents.",
            "10 00 00 00 under R_X86_64_PC32";
        ElfComdatReference = "elf/comdat-reference": Info, All, "ELF gABI, section groups",
            "A section outside a group does not refer into a COMDAT group by a local symbol: the group may be \
             discarded. Every current assembler does so for .sframe, so this is a note.",
            "a .sframe relocation against the section symbol of .text._Z1fv in a group";
        ElfDiscardedCode = "elf/discarded-code": Error, All, "implementations",
            "A linked file describes no function that the linker discarded: such descriptors refer to address 0 \
             or to themselves.",
            "a function at address 0", implies ElfFunctionInCode;
    }
    Structural Plt {
        PltCovered = "plt/covered": Warning, All, "implementations",
            "PLT sections of AMD64 and s390x are described. AArch64 linkers describe none.",
            "an executable with .plt and .eh_frame whose .sframe begins at .text";
        PltRowsMatchCode = "plt/rows-match-code": Error, All, "SFrame V2 errata 1, AMD64 and s390x",
            "The rows of PLT entries match what their instructions push.",
            "CFA rsp+8 after push in a PLT entry";
    }
    Structural Elf {
        ElfEmittedRelocations = "elf/emitted-relocations": Error, All, "implementations",
            "Relocations that a linked file keeps (--emit-relocs) refer to the functions of their start fields.",
            "a kept relocation against f on the start field of g";
    }
    // The tables compared with the execution and with one another, `.eh_frame` included.
    Judged Row {
        RowCfaMatchesTruth = "row/cfa-matches-truth": Error, All,
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row's CFA is the frame's CFA.",
            "CFA rsp+8 after push %rbp";
        RowRaMatchesTruth = "row/ra-matches-truth": Error, All,
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row finds the address that the function will return to.",
            "RA at CFA-8 where the code saved it at CFA-16";
        RowFpMatchesTruth = "row/fp-matches-truth": Error, All,
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "Where the code runs, the row finds the caller's frame pointer.",
            "FP unchanged after mov %rsp,%rbp";
        RowSignedMatchesTruth = "row/signed-matches-truth": Error, All, "SFrame V2 errata 1, The SFrame FRE Info Word",
            "Where the code runs, the row is marked signed if and only if the return address has an \
             authentication code, and the function names its key.",
            "a plain row after paciasp";
        RowSignalMatchesTruth = "row/signal-matches-truth": Error, V3Only,
            "SFrame V3, SFrame Function Descriptor Entries; libgcc, _Unwind_GetIPInfo",
            "The code that a signal handler returns to is marked as a signal frame, and no function that is called: \
             unwinders look up the caller of a marked frame at its PC, of another one byte before the return \
             address. A mark of a called function is an error where the rows of the two differ, else a note.",
            "bit 7 of func_info for a function whose call is the last instruction of its caller";
        RowMissing = "row/missing": Error, All, "SFrame V2 errata 1, SFrame Frame Row Entries",
            "Code that is executed has a row: a function that covers the address has one for it, and a function \
             that .eh_frame describes is described.",
            "an executed function without a descriptor";
        RowOutermost = "row/outermost": Error, All, "SFrame V2 errata 2, The SFrame FRE Info Word",
            "Where execution began there is no caller, and the table names none. Before errata 2 the format \
             could not encode this, and the function had to be omitted.",
            "CFA rsp+8 in _start";
        RowReadsDeadStack = "row/reads-dead-stack": Error, All,
            "System V AMD64 psABI 3.2.2; AAPCS64 6.4; s390x ELF ABI 1.2",
            "A row reads live stack only: below SP and its red zone a signal handler may have written over it.",
            "FP at CFA-16 after ldp x29, x30, [sp], #16 (AArch64), where SP is the CFA";
    }
    Judged Chain {
        ChainMatchesTruth = "chain/matches-truth": Error, All,
            "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "A walk from the innermost frame visits every true caller, each with its CFA, return address and FP.",
            "a walk that skips a frame";
        ChainStops = "chain/stops": Info, All, "SFrame V2 errata 1, Generating Stack Traces using SFrame",
            "A walk reaches the outermost frame. It has to stop earlier where a frame's row needs a register \
             that callees may have changed.",
            "a caller whose CFA is r10+0";
    }
    Judged Cfi {
        CfiCfaDiffers = "cfi/cfa-differs": Error, All, "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables give the same CFA.",
            "rsp+16 in .sframe, rsp+24 in .eh_frame";
        CfiRaDiffers = "cfi/ra-differs": Error, All, "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables find the return address in the same place, or both nowhere.",
            "x30 in .sframe, [cfa-8] in .eh_frame";
        CfiFpDiffers = "cfi/fp-differs": Error, All, "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "At each address of a function both tables find the caller's FP in the same place.",
            "unchanged in .sframe, [cfa-16] in .eh_frame";
        CfiSpDiffers = "cfi/sp-differs": Error, All, "DWARF 5, 6.4; SFrame V2 errata 1, SFrame Frame Row Entries",
            "A function has a descriptor only where its caller continues with the SP that follows from the CFA: \
             no FRE can encode another SP.",
            "SP undefined in .eh_frame, and a row in .sframe";
        CfiSignedDiffers = "cfi/signed-differs": Error, All,
            "SFrame V2 errata 1, The SFrame FRE Info Word; DWARF for the Arm 64-bit Architecture, \
             DW_CFA_AARCH64_negate_ra_state",
            "At each address of a function both tables agree whether the return address is signed.",
            "a plain row where .eh_frame has toggled the signing state";
        CfiSignalDiffers = "cfi/signal-differs": Error, V3Only,
            "SFrame V3, SFrame Function Descriptor Entries; Linux Standard Base, .eh_frame augmentation S",
            "A function is a signal frame in both tables or in neither.",
            "func_info 0x00 for a CIE with augmentation zRS";
        CfiKeyDiffers = "cfi/key-differs": Error, All,
            "SFrame V2 errata 1, The SFrame FDE Info Word; AArch64 .eh_frame augmentation B",
            "Both tables name the same signing key for a function.",
            "func_info 0x00 for a CIE with augmentation zRB";
        CfiRangeDiffers = "cfi/range-differs": Error, All,
            "DWARF 5, 6.4.1; SFrame V2 errata 1, SFrame Function Descriptor Entries",
            "A function has the same first address and size in both tables.",
            "48 bytes in .sframe, 52 in .eh_frame";
        CfiNoSframe = "cfi/no-sframe": Warning, All, "implementations",
            "Functions that .eh_frame describes are described in .sframe, unless the format cannot express them.",
            "a function that the assembler omitted with a warning";
        CfiNoEhFrame = "cfi/no-eh-frame": Warning, All, "implementations",
            "Functions that .sframe describes are described in .eh_frame.",
            "a descriptor for code without CFI";
        CfiRefused = "cfi/refused": Error, All, "SFrame V2 errata 1, SFrame Section; DWARF 5, 6.4",
            "Both tables can be read.",
            "a function whose rows pass the end of the section";
    }
    Judged EhFrame {
        EhFrameCfaMatchesTruth = "eh-frame/cfa-matches-truth": Error, All, "DWARF 5, 6.4",
            "Where the code runs, .eh_frame gives the frame's CFA.",
            ".cfi_def_cfa_offset missing after push";
        EhFrameRaMatchesTruth = "eh-frame/ra-matches-truth": Error, All, "DWARF 5, 6.4",
            "Where the code runs, .eh_frame finds the address that the function will return to.",
            "a wrong .cfi_offset of the return address";
        EhFrameFpMatchesTruth = "eh-frame/fp-matches-truth": Error, All, "DWARF 5, 6.4",
            "Where the code runs, .eh_frame finds the caller's frame pointer.",
            ".cfi_offset %rbp missing after push %rbp and mov %rsp,%rbp";
        EhFrameSpMatchesTruth = "eh-frame/sp-matches-truth": Error, All, "DWARF 5, 6.4.1",
            "Where the code runs, .eh_frame's rule for SP, if it has one, gives the caller's SP.",
            "SP at CFA+8 where the call pushed nothing else";
        EhFrameRegisterMatchesTruth = "eh-frame/register-matches-truth": Error, All,
            "DWARF 5, 6.4.1; psABI 1.0, figure 3.4; AAPCS64 6.1; s390x ELF ABI 1.6, 1.2.1",
            "Where the code runs, .eh_frame finds the value that each register which a call preserves had when the \
             function was entered: a throw restores these registers, and the caller continues with them.",
            ".cfi_offset %rbx, -24 where push %rbx has stored it at CFA-16";
        EhFrameSignedMatchesTruth = "eh-frame/signed-matches-truth": Error, All,
            "DWARF for the Arm 64-bit Architecture, DW_CFA_AARCH64_negate_ra_state",
            "Where the code runs, .eh_frame marks the return address signed if and only if it has an \
             authentication code, and names its key.",
            ".cfi_negate_ra_state missing after paciasp";
        EhFrameSignalMatchesTruth = "eh-frame/signal-matches-truth": Error, All,
            "LSB 5.0 core, 10.6.1.1.1; libgcc, _Unwind_GetIPInfo",
            "The code that a signal handler returns to is marked as a signal frame (augmentation S), and no function \
             that is called: unwinders look up the caller of a marked frame at its PC, of another one byte before the \
             return address. A mark of a called function is an error where the rows of the two differ, else a note.",
            "augmentation zRS for a function whose call is the last instruction of its caller";
        EhFrameMissing = "eh-frame/missing": Warning, All, "DWARF 5, 6.4.1",
            "Code that is executed is described by .eh_frame.",
            "a function in assembly without .cfi_startproc";
        EhFrameOutermost = "eh-frame/outermost": Error, All, "DWARF 5, 6.4.4",
            "Where execution began there is no caller, and .eh_frame has the return address undefined.",
            "_start without .cfi_undefined";
        EhFrameReadsDeadStack = "eh-frame/reads-dead-stack": Error, All,
            "System V AMD64 psABI 3.2.2; AAPCS64 6.4; s390x ELF ABI 1.2",
            "A rule of .eh_frame reads live stack only: below SP and its red zone a signal handler may have \
             written over it.",
            "a register still at its slot after the frame was popped";
        EhFrameSynchronous = "eh-frame/synchronous": Error, All, "DWARF 5, 6.4; GCC manual, -fasynchronous-unwind-tables",
            "Unwind tables are right at every instruction, not at calls only: profilers, debuggers and signal \
             handlers unwind from any of them. All functions of a file whose rows are wrong in prologues and epilogues \
             only are one finding (accepted with --sync-tables).",
            "-fno-asynchronous-unwind-tables; LLVM's uwtable(sync)";
        EhFrameRangeInCode = "eh-frame/range-in-code": Error, All, "LSB 5.0 core, 10.6.1.2",
            "All addresses that an FDE of .eh_frame covers are code.",
            "an absolute start address in an FDE whose CIE has the encoding DW_EH_PE_pcrel";
        EhFrameRangeLost = "eh-frame/range-lost": Error, All, "DWARF 5, 6.4.1",
            "An FDE covers every instruction of its function: it is not empty and does not end too early, as execution, \
             the size of the symbol, a branch or a fall-through past the end, or an advance past it show.",
            "an FDE of 4 bytes for a function of 16";
        EhFrameOverlap = "eh-frame/overlap": Error, All, "DWARF 5, 6.4.1; implementations",
            "No address belongs to two FDEs of .eh_frame, but for those of folded functions, which have equal ranges and \
             rows: readers use the one that they find first.",
            "an FDE of 64 bytes for a function of 48, followed by the FDE of the next function";
        EhFrameEmpty = "eh-frame/empty": Warning, All, "LSB 5.0 core, 10.6.1.2; implementations",
            "An FDE covers at least one byte where another FDE begins, or where code is that no other describes. Without a \
             search table it is an error beside another FDE, which it may hide from a search.",
            "an FDE of size 0 at the start of a function";
        EhFrameTerminator = "eh-frame/terminator": Error, All, "LSB 5.0 core, 10.6.1.1",
            "A length of zero is the last entry of .eh_frame: processing ends there, and linkers refuse such a section.",
            "four zero bytes between two FDEs";
        EhFrameLoaded = "eh-frame/loaded": Error, All, "ELF gABI, program headers; LSB 5.0 core, 10.6",
            "In a linked file a readable PT_LOAD segment holds all of an allocated .eh_frame and .eh_frame_hdr, and with \
             PT_GNU_EH_FRAME both are allocated.",
            "p_flags without PF_R; sh_flags without SHF_ALLOC";
        EhFrameSectionName = "eh-frame/section-name": Error, All, "LSB 5.0 core, 10.6",
            "The section with the entries that .eh_frame_hdr leads to, or that .rela.eh_frame relocates, is named .eh_frame: \
             debuggers and linkers find it by its name.",
            "a section header of .eh_frame whose sh_name leads to another name";
        EhFramePersonality = "eh-frame/personality": Error, All, "LSB 5.0 core, 10.6.1.1.1; C++ ABI for Itanium, 1.6",
            "The personality pointer of a CIE leads to the first instruction of a personality routine, or to the word that holds \
             its address.",
            "a pointer 8 bytes after DW.ref.__gxx_personality_v0";
        EhFrameLsdaPointer = "eh-frame/lsda-pointer": Error, All,
            "LSB 5.0 core, 10.6.1.2; C++ ABI for Itanium, Exception Handling Tables, 7",
            "The LSDA pointer of an FDE is null or leads to the start of an area of .gcc_except_table that no other function has.",
            "a pointer 4 bytes into the area";
        EhFrameLsdaEncoding = "eh-frame/lsda-encoding": Error, All,
            "C++ ABI for Itanium, Exception Handling Tables, 7.2; LSB 5.0 core, 10.5.1",
            "The header of a language-specific data area has defined encodings of LPStart, types and call sites, and all tables of \
             the area lie in its section.",
            "the encoding 0x05 of call sites";
        EhFrameLsdaCallSites = "eh-frame/lsda-call-sites": Error, All,
            "C++ ABI for Itanium, Exception Handling Tables, 7.3",
            "Call sites of an area ascend, do not overlap, are made of whole instructions of their function, and fill their table: \
             the search ends at the first one after the PC.",
            "a call site of 0x40 bytes in a function of 0x30";
        EhFrameLsdaLandingPads = "eh-frame/lsda-landing-pads": Error, All,
            "C++ ABI for Itanium, Exception Handling Tables, 7.3",
            "A landing pad is an instruction of the function, or of its other part that LPStart names.",
            "a landing pad in the middle of an instruction";
        EhFrameLsdaActions = "eh-frame/lsda-actions": Error, All,
            "C++ ABI for Itanium, Exception Handling Tables, 7.4 to 7.6",
            "Actions of call sites and further ones are records of the action table; their types are in the type table, and each is \
             null or leads to data.",
            "the filter 3 where there are two types";
        EhFrameHdrEncoding = "eh-frame/hdr-encoding": Error, All, "LSB 5.0 core, 10.6.2",
            "The version of .eh_frame_hdr is 1, and its encodings are defined ones, of a fixed size and absolute, relative to \
             the field or to the section. Those of the table are omitted only where there is none.",
            "02 1b 03 3b; 01 2b 03 3b";
        EhFrameHdrPointer = "eh-frame/hdr-pointer": Error, All, "LSB 5.0 core, 10.6.2",
            "eh_frame_ptr of .eh_frame_hdr points to the first byte of .eh_frame.",
            "eh_frame_ptr 8 bytes after the start of .eh_frame";
        EhFrameHdrCount = "eh-frame/hdr-count": Error, All, "LSB 5.0 core, 10.6.2",
            "fde_count of .eh_frame_hdr counts the entries of its table.",
            "fde_count 6 with 7 entries";
        EhFrameHdrSorted = "eh-frame/hdr-sorted": Error, All, "LSB 5.0 core, 10.6.2",
            "The entries of .eh_frame_hdr ascend by address: unwinders use a binary search.",
            "the entry of 0x1010 before that of 0x1000";
        EhFrameHdrEntry = "eh-frame/hdr-entry": Error, All, "LSB 5.0 core, 10.6.2",
            "An entry of .eh_frame_hdr has the first address of a function and points to the \
             FDE that begins with it.",
            "an entry that points 4 bytes into an FDE";
        EhFrameHdrEmpty = "eh-frame/hdr-empty": Error, All, "LSB 5.0 core, 10.6.2; implementations",
            "No entry of .eh_frame_hdr points to an FDE of size 0 where another FDE describes the same address: a search \
             may find it first, and an exception thrown through that function then aborts.",
            "an FDE of size 0 at the start of a function, whose entry follows that of the function's FDE";
        EhFrameHdrCovers = "eh-frame/hdr-covers": Error, All, "LSB 5.0 core, 10.6.2",
            "Every FDE of code, or another FDE of the same start address, has an entry in the table of .eh_frame_hdr.",
            "an FDE that only a walk through all of .eh_frame finds";
        EhFrameHdrSegment = "eh-frame/hdr-segment": Error, All, "LSB 5.0 core, 12.2",
            "A file with .eh_frame_hdr has one PT_GNU_EH_FRAME segment, and it is that section: unwinders find the table by \
             the segment.",
            "p_vaddr 8 bytes after sh_addr";
    }
    Judged Coverage {
        CoverageNeedless = "coverage/needless": Warning, All, "SFrame V2 errata 1, Introduction",
            "A function that .eh_frame describes and this version can encode has a descriptor.",
            "a frame based on rbx omitted from a V3 table, which has flex FDEs for it";
        CoverageSilent = "coverage/silent": Error, All, "GNU as manual, --gsframe; implementations",
            "An assembler that omits a function from .sframe warns, once for each.",
            "a function with .cfi_return_column 17 has no descriptor, and the assembler printed nothing";
        CoverageSectionPresent = "coverage/section-present": Error, All, "SFrame V2 errata 1, Overview",
            "The file has a section .sframe, and it describes code that is live: executed, or described in .eh_frame. \
             Checked with --require-sframe, and where a case \
             needs a table, only: the format does not require a tool to emit one.",
            "an executable linked from objects without .sframe";
    }
    Judged Build {
        BuildFails = "build/fails": Error, All, "implementations",
            "A file that an assembler, linker or strip accepts without .sframe is accepted with .sframe too; functions that \
             SFrame cannot describe are omitted.",
            "an internal error at .cfi_restore_state; an assertion failure on a row at the function's end";
    }
    // The output of a link compared with its inputs (`cases/link`).
    Linking Link {
        LinkConserved = "link/conserved": Error, All, "SFrame V2 errata 1, Overview; implementations",
            "Every function that an input describes and that the link keeps is described in the output, where \
             readers find it.",
            "two objects, and an output whose first SFrame element has the functions of one";
        LinkDescribedOnce = "link/described-once": Error, All,
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "A function is described once in the output, also where several inputs define it.",
            "a COMDAT function of two objects with two descriptors at its one address";
        LinkRowsUnchanged = "link/rows-unchanged": Error, All,
            "SFrame V2 errata 1, SFrame Frame Row Entries; implementations",
            "A link moves code without changing it: size, rows, key, block size and signal mark of a function stay \
             those of the input.",
            "a row's CFA offset that differs from the object's";
        LinkDeadDescribed = "link/dead-described": Error, All, "implementations",
            "The output describes no function that the link discarded (garbage collected, a discarded COMDAT member), \
             and .sframe keeps no code alive that the same link without it discards.",
            "a descriptor for no function of the output";
        LinkGcKeepsLive = "link/gc-keeps-live": Error, All, "implementations",
            "Garbage collection keeps the descriptions of the code that it keeps: of functions, cold parts \
             included, and of the PLT.",
            "no .sframe after --gc-sections";
        LinkVersionsMixed = "link/versions-mixed": Error, All, "SFrame V2 errata 1, SFrame Preamble; implementations",
            "Inputs of different SFrame versions, or that cannot be read, fail the link or are all described. A table omitted with \
             a message and exit status 0 is a warning, and its functions are counted as gaps; a table that \
             misleads readers is an error.",
            "exit status 0, no message, and the functions of one version missing";
        LinkHeaderAgrees = "link/header-agrees": Error, All, "SFrame V2 errata 1, SFrame Header",
            "ABI and fixed offsets of the output are those of its inputs, which agree; FRAME_POINTER is set \
             when it is in all of them. Inputs that disagree get a diagnostic.",
            "fixed RA offset 0 from AMD64 objects that have -8", implies LinkRowsUnchanged;
        LinkRelocatableUnion = "link/relocatable-union": Error, All, "implementations",
            "The output of ld -r describes the functions of its inputs and nothing else, each with its \
             relocation.",
            "a descriptor of ld -r whose relocation refers to the neighbouring function";
        LinkRelocatableThenFinal = "link/relocatable-then-final": Error, All, "implementations",
            "Linking with -r first and then finally gives the same tables as linking at once.",
            "a function that only the direct link describes";
        LinkFoldedOnce = "link/folded-once": Warning, All, "implementations",
            "Functions that the linker folded into one (ICF) have one descriptor.",
            "two equal descriptors at the address of two folded functions";
        LinkStartOverflow = "link/start-overflow": Error, UpToV2,
            "SFrame V2 errata 1, SFrame Function Descriptor Entries: func_start_address is 32 bits",
            "A function that a 32-bit start field cannot reach fails the link; the start is not wrapped.",
            "code 4 GiB from .sframe and exit status 0";
        LinkSectionKept = "link/section-kept": Error, All, "ELF gABI, sh_flags; implementations",
            "strip and objcopy keep an allocated .sframe section byte for byte, and its segment.",
            "no .sframe after strip";
        LinkInputOrder = "link/input-order": Warning, All, "implementations",
            "The decoded tables do not depend on the order of the inputs.",
            "a function that is missing when its object comes second";
        LinkDeterministic = "link/deterministic": Warning, All, "implementations",
            "The same link gives the same bytes.",
            "descriptors in another order with --threads";
        LinkFromNothing = "link/from-nothing": Warning, All, "implementations",
            "Inputs without .sframe give an output without .sframe.",
            "a .sframe section that describes the PLT alone";
        LinkDiscarded = "link/discarded": Error, All, "ELF gABI, program headers; implementations",
            "Where a linker script or an option discards .sframe, the output has neither the section nor its \
             segment. An empty section is a warning.",
            "PT_GNU_SFRAME after /DISCARD/ : { *(.sframe) }";
        LinkAccepted = "link/accepted": Error, All, "ELF gABI, section groups; implementations",
            "Inputs that link without their .sframe sections link with them.",
            "a link that fails because .sframe refers to a function of a discarded COMDAT group";
        LinkBlankTable = "link/blank-table": Error, All, "SFrame V2 errata 1, SFrame Section; implementations",
            "A link writes a table or omits it: it does not write zeros in place of an input's table or \
             part of it.",
            "ld -r writes 85 zero bytes after the table of the only input that it merges";
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use types::SframeVersion;

    fn is_kebab(text: &str) -> bool {
        !text.is_empty()
            && text
                .split('-')
                .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
    }

    #[test]
    fn ids_are_unique_and_kebab_case_within_a_known_group() {
        let mut seen = BTreeSet::new();
        for rule in CATALOGUE {
            let (group, name) = rule.id.name().split_once('/').expect("group/name");
            assert_eq!(group, rule.group.name(), "{}", rule.id);
            assert!(is_kebab(name), "{}", rule.id);
            assert!(seen.insert(rule.id.name()), "{} is there twice", rule.id);
        }
    }

    #[test]
    fn implied_rules_are_others() {
        for rule in CATALOGUE {
            assert!(!rule.implies.contains(&rule.id), "{}", rule.id);
        }
    }

    #[test]
    fn every_rule_says_where_it_comes_from_what_it_demands_and_what_breaks_it() {
        for rule in CATALOGUE {
            for text in [rule.clause, rule.statement, rule.example] {
                assert!(!text.trim().is_empty(), "{}", rule.id);
            }
            assert!(rule.statement.ends_with('.'), "{}: a sentence", rule.id);
        }
    }

    #[test]
    fn every_version_has_rules_of_its_own_or_of_some_versions() {
        for version in SframeVersion::ALL {
            let is_named = |rule: &Rule| rule.versions != Versions::All && rule.versions.contains(version);
            assert!(CATALOGUE.iter().any(is_named), "{version}");
        }
    }
}
