//! Rules of the file around the section: section and segment headers, relocations, code, PLT.

use super::{error, info, warning};
use crate::{Rule, RuleId};

pub(super) const RULES: &[Rule] = &[
    error(
        RuleId::ElfFunctionInCode,
        [
            "all",
            "implementations",
            "In a linked file every described function lies in one executable section.",
            "a function at the address of .data",
        ],
    ),
    error(
        RuleId::ElfSectionType,
        [
            "all",
            "SFrame V2 errata 1, Overview; ELF gABI, sh_type",
            "The section's type is SHT_GNU_SFRAME. PROGBITS is a warning in V1 and in V2 without PCREL, whose tools knew no other, and where the section is empty, which shows no version.",
            "sh_type SHT_NOTE",
        ],
    ),
    error(
        RuleId::ElfSectionFlags,
        [
            "all",
            "SFrame V2 errata 1, Overview; ELF gABI, sh_flags",
            "The section is allocated, not writable and not executable.",
            "sh_flags WA",
        ],
    ),
    warning(
        RuleId::ElfSectionAlignment,
        ["all", "implementations", "The section is aligned to at least 4 bytes; producers use 8.", "sh_addralign 1"],
    ),
    error(
        RuleId::ElfOneSectionLinked,
        ["all", "implementations", "A linked file has one .sframe section.", "two sections of type SHT_GNU_SFRAME"],
    ),
    warning(
        RuleId::ElfOneSectionObject,
        [
            "all",
            "implementations",
            "An object file has one .sframe section, outside any group.",
            "a .sframe section in a COMDAT group",
        ],
    ),
    error(
        RuleId::ElfSegment,
        [
            "all",
            "SFrame V2 errata 1, Overview; ELF gABI, program headers",
            "A linked file has a PT_GNU_SFRAME segment, which begins where the section does. Unwinders find the section by it.",
            "an executable made by a linker that does not know SFrame",
        ],
    ),
    error(
        RuleId::ElfSegmentCovers,
        [
            "all",
            "SFrame V2 errata 1, Overview; ELF gABI, program headers",
            "The PT_GNU_SFRAME segment reaches to the end of the section, and a PT_LOAD segment brings all of it into memory.",
            "p_filesz 28 with sh_size 0x660",
        ],
    ),
    warning(
        RuleId::ElfSegmentSize,
        [
            "all",
            "ELF gABI, program headers",
            "The PT_GNU_SFRAME segment is no larger than the section, in the file and in memory.",
            "p_filesz 0x6a4 with sh_size 0x660",
        ],
    ),
    warning(
        RuleId::ElfSegmentOfEmpty,
        ["all", "implementations", "An empty section has no PT_GNU_SFRAME segment.", "p_filesz 0"],
    )
    .implying(&[RuleId::HeaderEmptySection]),
    error(
        RuleId::ElfRelocationPerFunction,
        [
            "all",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "In an object file each function's start field has exactly one relocation.",
            "a function without a relocation",
        ],
    ),
    error(
        RuleId::ElfRelocationType,
        [
            "all",
            "ELF psABI of the machine; implementations",
            "Start fields have PC-relative relocations of their width: 32 bits up to V2, 64 bits in V3.",
            "R_X86_64_64 on a V3 start field",
        ],
    ),
    error(
        RuleId::ElfStrayRelocation,
        [
            "all",
            "implementations",
            "In an object file only start fields are relocated, and no relocation is of type NONE.",
            "R_X86_64_NONE left by ld -r",
        ],
    ),
    error(
        RuleId::ElfRelocationTarget,
        [
            "all",
            "implementations",
            "A start field's relocation leads into an executable section of the object, and the function ends inside it.",
            "a start relocated against .data",
        ],
    ),
    warning(
        RuleId::ElfStartFieldNotZero,
        [
            "all",
            "ELF gABI, relocation",
            "The start field itself is zero where its relocation carries the addend; linkers ignore what it holds.",
            "10 00 00 00 under R_X86_64_PC32",
        ],
    ),
    info(
        RuleId::ElfComdatReference,
        [
            "all",
            "ELF gABI, section groups",
            "A section outside a group does not refer into a COMDAT group by a local symbol: the group may be discarded. Every current assembler does so for .sframe, so this is information.",
            "a .sframe relocation against the section symbol of .text._Z1fv in a group",
        ],
    ),
    error(
        RuleId::ElfDiscardedCode,
        [
            "all",
            "implementations",
            "A linked file describes no function that the linker discarded: such descriptors lead to address 0 or to themselves.",
            "a function at address 0",
        ],
    )
    .implying(&[RuleId::ElfFunctionInCode]),
    warning(
        RuleId::PltCovered,
        [
            "all",
            "implementations",
            "PLT sections of AMD64 and s390x are described. AArch64 linkers describe none.",
            "an executable with .plt and .eh_frame whose .sframe begins at .text",
        ],
    ),
    error(
        RuleId::PltRowsMatchCode,
        [
            "all",
            "SFrame V2 errata 1, AMD64 and s390x",
            "The rows of PLT entries follow what their instructions push.",
            "CFA rsp+8 after push in a PLT entry",
        ],
    ),
    error(
        RuleId::ElfEmittedRelocations,
        [
            "all",
            "implementations",
            "Relocations that a linked file keeps (--emit-relocs) lead to the functions that the start fields name.",
            "a kept relocation against f on the start field of g",
        ],
    ),
];
