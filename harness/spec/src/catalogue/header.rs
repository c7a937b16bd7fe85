//! Rules of the header and of the section's geometry. Field names are those of the specification.

use super::{error, info, warning};
use crate::{Rule, RuleId};

pub(super) const RULES: &[Rule] = &[
    error(
        RuleId::HeaderSize,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "A section that is not empty holds at least the 28 bytes of a header.",
            "e2 de 02 05, and nothing after it",
        ],
    ),
    error(
        RuleId::HeaderMagic,
        [
            "all",
            "SFrame V2 errata 1, SFrame Magic Number and Endianness",
            "The first two bytes are 0xDEE2 in one byte order.",
            "de ad 02 05",
        ],
    ),
    error(
        RuleId::HeaderByteOrder,
        [
            "all",
            "SFrame V2 errata 1, SFrame Magic Number and Endianness; ELF gABI, EI_DATA",
            "The byte order that the magic shows is that of the ELF file.",
            "de e2 in a little-endian file",
        ],
    ),
    error(
        RuleId::HeaderVersion,
        [
            "all",
            "SFrame V2 errata 1, SFrame Version",
            "The version is 1, 2 or 3. A later one is not corrupt, but cannot be read here.",
            "sfp_version 4",
        ],
    ),
    warning(
        RuleId::HeaderObsoleteVersion,
        [
            "V1",
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "Version 1 is obsolete; current tools refuse it.",
            "sfp_version 1",
        ],
    ),
    error(
        RuleId::HeaderReservedFlags,
        [
            "all",
            "SFrame V2 errata 1, SFrame Flags",
            "Flag bits that the version does not define are zero: V1 defines 0x3, V2 0x7, V3 0x5.",
            "sfp_flags 0x81",
        ],
    ),
    error(
        RuleId::HeaderRemovedFlag,
        [
            "V3",
            "SFrame V3, SFrame Flags",
            "SFRAME_F_FRAME_POINTER (0x2) was removed in V3 and is zero.",
            "sfp_flags 0x7 with sfp_version 3",
        ],
    )
    .implying(&[RuleId::HeaderReservedFlags]),
    info(
        RuleId::HeaderFramePointerFlag,
        [
            "V1, V2",
            "SFrame V2 errata 1, SFrame Flags",
            "SFRAME_F_FRAME_POINTER claims that every function keeps a frame pointer; no known producer sets it.",
            "sfp_flags 0x2",
        ],
    ),
    error(
        RuleId::HeaderAbi,
        [
            "all",
            "SFrame V2 errata 1, SFrame ABI/arch Identifier",
            "The ABI identifier is one the version defines: 1 to 3 in V1, 1 to 4 from V2 on.",
            "sfh_abi_arch 9",
        ],
    ),
    error(
        RuleId::HeaderAbiByteOrder,
        [
            "all",
            "SFrame V2 errata 1, SFrame ABI/arch Identifier",
            "The ABI identifier agrees with the byte order: 1 and 4 are big-endian, 2 and 3 little-endian.",
            "e2 de with sfh_abi_arch 1",
        ],
    ),
    error(
        RuleId::HeaderAbiMachine,
        [
            "all",
            "SFrame V2 errata 1, SFrame ABI/arch Identifier; ELF gABI, e_machine",
            "The ABI identifier is that of the file's machine.",
            "sfh_abi_arch 2 (AArch64) in an x86-64 file",
        ],
    ),
    error(
        RuleId::HeaderFixedRaAmd64,
        [
            "all",
            "SFrame V2 errata 1, AMD64",
            "On AMD64 the return address is at the fixed offset -8 from the CFA.",
            "sfh_cfa_fixed_ra_offset 0 with sfh_abi_arch 3",
        ],
    ),
    error(
        RuleId::HeaderFixedRa,
        [
            "all",
            "SFrame V2 errata 1, AArch64 and s390x",
            "On AArch64 and s390x rows track the return address: the fixed offset is 0.",
            "sfh_cfa_fixed_ra_offset -8 with sfh_abi_arch 2",
        ],
    ),
    warning(
        RuleId::HeaderFixedFp,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "No ABI fixes the FP slot, so the fixed offset is 0. Consumers disagree whether it or a row's own word wins.",
            "sfh_cfa_fixed_fp_offset -16",
        ],
    ),
    error(
        RuleId::HeaderAuxiliaryFits,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "The auxiliary header lies inside the section.",
            "sfh_auxhdr_len 255 in a section of 100 bytes",
        ],
    ),
    error(
        RuleId::HeaderFdeTableFits,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "All function descriptors lie inside the section.",
            "sfh_num_fdes 0xffffffff",
        ],
    ),
    error(
        RuleId::HeaderFreAreaFits,
        ["all", "SFrame V2 errata 1, SFrame Header", "The row area lies inside the section.", "sfh_fre_len 0x7fffffff"],
    ),
    error(
        RuleId::HeaderTablesOverlap,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header; implementations",
            "The row area comes after the last function descriptor.",
            "sfh_num_fdes 2 of 20 bytes with sfh_freoff 20",
        ],
    )
    .implying(&[RuleId::HeaderCanonicalLayout]),
    warning(
        RuleId::HeaderAuxiliary,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "There is no auxiliary header: no ABI defines one, and several consumers ignore or refuse it.",
            "sfh_auxhdr_len 4",
        ],
    ),
    warning(
        RuleId::HeaderCanonicalLayout,
        [
            "all",
            "implementations",
            "The function descriptors follow the header at once and the rows follow them; consumers look in different places otherwise.",
            "sfh_fdeoff 16",
        ],
    ),
    error(
        RuleId::HeaderRowCount,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "The header's row count is the sum of all functions' row counts.",
            "sfh_num_fres 4 with one function of 3 rows",
        ],
    ),
    error(
        RuleId::HeaderFreLength,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header; SFrame V3, SFrame Header",
            "The row area's length is the size of all rows; V3 adds 5 bytes of attributes a function.",
            "sfh_fre_len 12 with rows of 11 bytes",
        ],
    )
    .implying(&[RuleId::FdeRowAreaTiled]),
    warning(
        RuleId::HeaderTrailingBytes,
        ["all", "implementations", "Bytes after the row area are zero padding.", "01 after the last row"],
    ),
    error(
        RuleId::HeaderSecondElement,
        [
            "all",
            "SFrame V2 errata 1, SFrame Section; implementations",
            "A section holds one SFrame element: no consumer reads a second. In an object file this is a warning.",
            "two .sframe inputs copied one behind the other by a linker",
        ],
    ),
    info(
        RuleId::HeaderExcessPadding,
        ["all", "implementations", "Less than 8 bytes of padding follow the row area.", "16 zero bytes after the rows"],
    ),
    info(
        RuleId::HeaderNoFunctions,
        [
            "all",
            "implementations",
            "A section describes functions. A header alone is what GNU as writes when it had to leave out every one.",
            "sfh_num_fdes 0",
        ],
    ),
    error(
        RuleId::HeaderRowsWithoutFunctions,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "Without functions there are no rows.",
            "sfh_num_fdes 0 with sfh_fre_len 11",
        ],
    )
    .implying(&[RuleId::HeaderNoFunctions]),
    warning(
        RuleId::HeaderEmptySection,
        ["all", "implementations", "A .sframe section is not empty; some linkers stop at one.", "sh_size 0"],
    ),
    error(
        RuleId::HeaderSortedInLinked,
        [
            "all",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "A linked file claims sorted functions: glibc, libsframe and the Linux kernel series search no others.",
            "sfp_flags 0x4 in an executable",
        ],
    ),
    warning(
        RuleId::HeaderSortedInObject,
        [
            "all",
            "implementations",
            "A relocatable file does not claim sorted functions: their addresses are not known yet.",
            "sfp_flags 0x1 in a .o file",
        ],
    ),
    warning(
        RuleId::HeaderPcrelClear,
        [
            "V3",
            "SFrame V3, SFrame Flags",
            "V3 sections set SFRAME_F_FDE_FUNC_START_PCREL: section-relative starts are legal, but produced and tested nowhere.",
            "sfp_flags 0x1 with sfp_version 3",
        ],
    ),
    warning(
        RuleId::HeaderPcrelClearV2,
        [
            "V2",
            "SFrame V2 errata 1, Changes from Version 1 to Version 2",
            "V2 sections set SFRAME_F_FDE_FUNC_START_PCREL since errata 1; without it an old toolchain is at work, and linkers refuse to mix both.",
            "sfp_flags 0x1 with sfp_version 2",
        ],
    ),
];
