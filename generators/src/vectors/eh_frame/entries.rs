//! CIEs, FDEs, and their order (LSB 10.6.1, 10.6.2).

use types::{Abi, Reg, ValueRule};

use super::draft::{Bench, Draft, Index, TEXT};
use super::{ALIGNED_POINTER, FURTHER_DATA, MIDDLE_TERMINATOR, OVERLAPPING, VERSION_FOUR};
use crate::code::{FrameAt, FrameState};
use crate::eh_frame::{ALIGNED, Cfi, Cie, Fde, Letter, OMIT, PCREL_SDATA4};

/// Address of a personality routine, which is not called.
const ROUTINE: u64 = TEXT + 0x800;
/// DW_EH_PE_indirect.
const INDIRECT: u8 = 0x80;

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = versions(bench);
    all.extend(augmentations(bench));
    all.extend(order(bench));
    all.extend(sizes(bench));
    all
}

fn versions(bench: Bench) -> Vec<Draft> {
    let mut all = vec![bench.two("two-functions", "Two functions of one CIE, as compilers write them.")];
    all.push(
        bench
            .two("version-three", "A CIE of version 3, as high return address columns need it.")
            .written(|form| form.version = 3),
    );
    let four = bench.two("version-four", "A CIE of version 4.").written(|form| form.version = 4);
    all.push(four.asks(&VERSION_FOUR));
    all.push(
        bench
            .two("wide", "Extended lengths of 64 bits; CIE identifier and pointer keep 4 bytes.")
            .written(|form| form.wide = true),
    );
    all.push(bench.two("padded", "Entries with 40 further bytes of DW_CFA_nop.").written(|form| form.padding = 40));
    // The return address is in the column that the CIE names.
    let column = Reg(match bench.abi {
        Abi::Amd64 => 11,
        Abi::Aarch64 | Abi::Aarch64Be => 17,
        Abi::S390x => 7,
    });
    let rule = FrameState { ra: ValueRule::AtCfa(-24), ..bench.entry() };
    let initial =
        vec![Cfi::DefCfa(bench.abi.facts().sp, bench.abi.facts().cfa_minus_sp_at_entry), Cfi::Offset(column, -24)];
    let cie = Cie { return_column: column, initial, ..Cie::plain(bench.abi) };
    let draft = bench.empty("return-column", "A CIE with another column of the return address.");
    let draft = draft.edited(|draft| draft.spec.cies = vec![cie]);
    all.push(draft.function(TEXT + 0x100, 0x30, &[FrameAt { offset: 0, frame: rule }], Vec::new()));
    all
}

fn augmentations(bench: Bench) -> Vec<Draft> {
    let pointers = || Letter::Pointers(PCREL_SDATA4);
    let mut all = vec![
        bench
            .two("no-augmentation", "An empty augmentation string: absolute pointers.")
            .written(|form| form.letters = None),
        bench
            .two("augmentation-z", "`z` alone: absolute pointers, and augmentation data of length 0.")
            .written(|form| form.letters = Some(Vec::new())),
        bench
            .two("augmentation-data", "Augmentation data of FDEs beyond what the letters need.")
            .written(|form| form.fde_data = vec![0x0b, 0x41, 0x0e])
            .asks(&FURTHER_DATA),
    ];
    let letters: [(&str, &str, Vec<Letter>); 7] = [
        (
            "plr",
            "`zPLR`, as of C++.",
            vec![Letter::Personality(PCREL_SDATA4, ROUTINE), Letter::Lsda(PCREL_SDATA4), pointers()],
        ),
        (
            "rlp",
            "`zRLP`: another order.",
            vec![pointers(), Letter::Lsda(PCREL_SDATA4), Letter::Personality(PCREL_SDATA4, ROUTINE)],
        ),
        (
            "indirect",
            "`zPR` with a personality routine through a pointer.",
            vec![Letter::Personality(INDIRECT | PCREL_SDATA4, ROUTINE), pointers()],
        ),
        (
            "absolute",
            "`zPR` with an absolute personality routine.",
            vec![Letter::Personality(0x00, ROUTINE), pointers()],
        ),
        (
            "aligned",
            "`zPR` with DW_EH_PE_aligned: padding, then 8 bytes.",
            vec![Letter::Personality(ALIGNED, ROUTINE), pointers()],
        ),
        (
            "omitted",
            "`zPLR` without personality routine and LSDA: DW_EH_PE_omit has no pointer.",
            vec![Letter::Lsda(OMIT), pointers()],
        ),
        (
            "half",
            "`zPLR` with pointers of 2 bytes.",
            vec![Letter::Personality(0x02, 0x1000), Letter::Lsda(0x02), pointers()],
        ),
    ];
    for (name, about, letters) in letters {
        let draft = bench.two(&format!("augmentation-{name}"), about);
        let draft = draft.written(|form| form.letters = Some(letters.clone()));
        all.push(if name == "aligned" { draft.asks(&ALIGNED_POINTER) } else { draft });
    }
    let signal = |name: &str, about: &str, letters: Vec<Letter>| {
        let mut cie = Cie { signal: true, ..Cie::plain(bench.abi) };
        cie.form.letters = Some(letters);
        let frames = bench.frames();
        let plain = bench.two(name, about).cie(cie);
        plain.with(TEXT + 0x180, 0x20, &frames)
    };
    all.push(signal("signal", "`zRS`: signal frames among ordinary ones.", vec![pointers(), Letter::Signal]));
    all.push(signal("signal-first", "`zSR`: the letter has no data.", vec![Letter::Signal, pointers()]));
    all.push(signal(
        "signal-personality",
        "`zSPLR`.",
        vec![Letter::Signal, Letter::Personality(PCREL_SDATA4, ROUTINE), Letter::Lsda(PCREL_SDATA4), pointers()],
    ));
    all
}

/// Order of entries, and the index.
fn order(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let (first, second, third) = (TEXT + 0x100, TEXT + 0x140, TEXT + 0x180);
    let down = bench.empty("descending", "Functions in descending order.").with(third, 0x20, &frames);
    let down = down.with(second, 0x10, &frames[..1]).with(first, 0x30, &frames);
    let two = |name: &str, about: &str| {
        let draft = bench.empty(name, about).with(first, 0x30, &frames);
        draft.cie(Cie::plain(bench.abi)).with(second, 0x10, &frames[..1])
    };
    let program = crate::code::changes(bench.abi, &frames).unwrap_or_default();
    let mut all = vec![
        down,
        two("two-cies", "Two equal CIEs."),
        two("shared-cie", "A function of the first CIE after the second.")
            .edited(|draft| draft.spec.later.push((0, Fde { start: third, target: 0, size: 0x20, program })))
            .knows(third, 0x20, &frames),
        bench.two("unused-cie", "A CIE without functions.").cie(Cie::plain(bench.abi)),
        bench
            .two("no-terminator", "A section without the terminating zero.")
            .edited(|draft| draft.spec.terminated = false),
        bench.two("no-index", "A file without .eh_frame_hdr.").edited(|draft| draft.index = Index::Absent),
        bench.two("bare-index", "An .eh_frame_hdr without a table.").edited(|draft| draft.index = Index::Bare),
        bench
            .empty("adjacent", "Three functions without gaps.")
            .with(first, 0x20, &frames)
            .with(first + 0x20, 0x20, &frames)
            .with(first + 0x40, 0x10, &frames[..1]),
        bench.empty("one-instruction", "A function of 4 bytes.").with(first, 4, &frames[..1]),
    ];
    let overlap = |name: &str, about: &str, from: u64, size: u32| {
        let frame = FrameState { ra: ValueRule::AtCfa(-24), ..bench.entry() };
        let program = vec![(0, Cfi::Offset(bench.abi.facts().ra, -24))];
        let draft = bench.empty(name, about).with(first, 0x30, &frames);
        draft.function(first + from, size, &[FrameAt { offset: 0, frame }], program).asks(&OVERLAPPING)
    };
    all.push(overlap("overlapping", "A function begins inside the one before it, and ends after it.", 0x20, 0x20));
    all.push(overlap("nested", "A function inside another.", 0x10, 0x10));
    all.push(overlap("same-start", "Two functions of one start, the second is shorter.", 0, 0x10));
    let ended = |name: &str, about: &str| {
        let draft = two(name, about).asks(&MIDDLE_TERMINATOR);
        draft.edited(|draft| draft.spec.cies[0].form.ends = true)
    };
    all.push(ended("middle-terminator", "A zero word between two CIEs, both in the index."));
    all.push(
        ended("middle-terminator-no-index", "A zero word between two CIEs, and no index.")
            .edited(|draft| draft.index = Index::Absent),
    );
    let mut many = bench.empty("many", "100 functions.");
    for number in 0..100 {
        let from = usize::from(number % 3 == 0);
        let part = if from == 1 { &frames[..] } else { &frames[..1] };
        many = many.with(TEXT + 0x10 * number, 0x10, part);
    }
    all.push(many);
    all
}

/// Functions of no bytes, and at address 0.
fn sizes(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let empty = |mut draft: Draft| {
        draft.has.empty = true;
        draft
    };
    vec![
        empty(
            bench
                .empty("empty-function", "An FDE of size 0, then a function.")
                .with(TEXT + 0x80, 0, &frames[..1])
                .with(TEXT + 0x100, 0x30, &frames),
        ),
        empty(
            bench
                .empty("empty-last", "A function, then an FDE of size 0 at its end.")
                .with(TEXT + 0x100, 0x30, &frames)
                .with(TEXT + 0x130, 0, &frames[..1]),
        ),
        bench.empty("no-instructions", "An FDE without instructions.").with(TEXT + 0x100, 0x30, &frames[..1]),
    ]
}
