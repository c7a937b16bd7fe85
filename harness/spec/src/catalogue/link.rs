//! Rules of linking: what a linker's or a post-processor's output owes to its inputs. Judged by relating files of a case with
//! each other (`cases/link`), not from one file alone.

use super::{error, warning};
use crate::{Rule, RuleId};

pub(super) const RULES: &[Rule] = &[
    error(
        RuleId::LinkConserved,
        [
            "all",
            "SFrame V2 errata 1, Overview; implementations",
            "Every function that an input describes and that the link keeps is described in the output, where readers find it.",
            "two objects, and an output whose first SFrame element has the functions of one",
        ],
    ),
    error(
        RuleId::LinkDescribedOnce,
        [
            "all",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries; implementations",
            "A function is described once in the output, also where several inputs define it.",
            "a COMDAT function of two objects with two descriptors at its one address",
        ],
    ),
    error(
        RuleId::LinkRowsUnchanged,
        [
            "all",
            "SFrame V2 errata 1, SFrame Frame Row Entries; implementations",
            "A link moves code and changes none: size, rows, key, block size and signal mark of a function stay as the input has them.",
            "a row's CFA offset that differs from the object's",
        ],
    ),
    error(
        RuleId::LinkDeadDescribed,
        [
            "all",
            "implementations",
            "The output describes no function that the link left out (garbage collected, a discarded COMDAT member).",
            "a descriptor that leads to no function of the output",
        ],
    ),
    error(
        RuleId::LinkGcKeepsLive,
        [
            "all",
            "implementations",
            "Garbage collection keeps the descriptions of the code that it keeps: of functions, cold parts included, and of the PLT.",
            "no .sframe after --gc-sections",
        ],
    ),
    error(
        RuleId::LinkVersionsMixed,
        [
            "all",
            "SFrame V2 errata 1, SFrame Preamble; implementations",
            "Inputs of different SFrame versions fail the link or are all described. To leave a table out with a message and exit status 0 is a warning, and its functions are counted as gaps; a table that leads readers astray is an error.",
            "exit status 0, no message, and the functions of one version missing",
        ],
    ),
    error(
        RuleId::LinkHeaderAgrees,
        [
            "all",
            "SFrame V2 errata 1, SFrame Header",
            "ABI and fixed offsets of the output are those of its inputs, which agree; FRAME_POINTER is set when it is in all of them. Inputs that disagree are told.",
            "fixed RA offset 0 from AMD64 objects that have -8",
        ],
    )
    .implying(&[RuleId::LinkRowsUnchanged]),
    error(
        RuleId::LinkRelocatableUnion,
        [
            "all",
            "implementations",
            "The output of ld -r describes the functions of its inputs and nothing else, each with the relocation that leads to it.",
            "a descriptor of ld -r whose relocation leads into the neighbouring function",
        ],
    ),
    error(
        RuleId::LinkRelocatableThenFinal,
        [
            "all",
            "implementations",
            "Linking with -r first and then finally gives the same tables as linking at once.",
            "a function that only the direct link describes",
        ],
    ),
    warning(
        RuleId::LinkFoldedOnce,
        [
            "all",
            "implementations",
            "Functions that the linker folded into one (ICF) have one descriptor.",
            "two equal descriptors at the address of two folded functions",
        ],
    ),
    error(
        RuleId::LinkStartOverflow,
        [
            "V1, V2",
            "SFrame V2 errata 1, SFrame Function Descriptor Entries: func_start_address is 32 bits",
            "A function that a 32-bit start field cannot reach fails the link; the start is not wrapped.",
            "code 4 GiB from .sframe and exit status 0",
        ],
    ),
    error(
        RuleId::LinkSectionKept,
        [
            "all",
            "ELF gABI, sh_flags; implementations",
            "strip and objcopy keep an allocated .sframe section byte for byte, and its segment.",
            "no .sframe after strip",
        ],
    ),
    warning(
        RuleId::LinkInputOrder,
        [
            "all",
            "implementations",
            "The decoded tables do not depend on the order of the inputs.",
            "a function that is missing when its object comes second",
        ],
    ),
    warning(
        RuleId::LinkDeterministic,
        [
            "all",
            "implementations",
            "The same link gives the same bytes.",
            "descriptors in another order with --threads",
        ],
    ),
    warning(
        RuleId::LinkFromNothing,
        [
            "all",
            "implementations",
            "Inputs without .sframe give an output without: nobody asked for one.",
            "a .sframe section that describes the PLT alone",
        ],
    ),
    error(
        RuleId::LinkDiscarded,
        [
            "all",
            "ELF gABI, program headers; implementations",
            "Where a linker script or an option discards .sframe, the output has neither the section nor its segment. An empty section is a warning.",
            "PT_GNU_SFRAME after /DISCARD/ : { *(.sframe) }",
        ],
    ),
    error(
        RuleId::LinkAccepted,
        [
            "all",
            "ELF gABI, section groups; implementations",
            "Inputs that link without their .sframe sections link with them.",
            "a link that fails because .sframe refers to a function of a discarded COMDAT group",
        ],
    ),
    error(
        RuleId::LinkBlankTable,
        [
            "all",
            "SFrame V2 errata 1, SFrame Section; implementations",
            "A link writes a table or leaves it out: bytes of zero do not stand in place of an input's table, or of what is left of it.",
            "ld -r, and 85 bytes of zero behind the table of the one input that it merges",
        ],
    ),
];
