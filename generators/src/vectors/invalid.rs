//! Sections that break one rule and can still be decoded. Readers must only not crash on them.

use spec::RuleId;
use types::{ByteOrder, PacKey};

use super::bench::{Bench, Draft, SECTION, TEXT};
use crate::arch::target;
use crate::sframe::{Base, FLAG_FRAME_POINTER, FLAG_SORTED, Layout, RowSpec, SectionAddress, Word, encode};

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = header(bench);
    all.extend(counts(bench));
    all.extend(functions(bench));
    all.extend(rows(bench));
    all.extend(flex(bench));
    all
}

fn header(bench: Bench) -> Vec<Draft> {
    let two = |name, about| bench.two(name, about);
    let mut all = vec![
        two("abi-0", "An undefined ABI identifier.").breaks(RuleId::HeaderAbi, |section| section.abi = 0),
        two("abi-255", "An undefined ABI identifier.").breaks(RuleId::HeaderAbi, |section| section.abi = 255),
        two("abi-other-order", "An ABI of the other byte order.").breaks(RuleId::HeaderAbiByteOrder, |section| {
            section.abi = if section.order == ByteOrder::Little { 1 } else { 2 };
        }),
        two("second-element", "A second complete section after the first.").breaks(
            RuleId::HeaderSecondElement,
            |section| {
                let mut second = section.clone();
                second.functions.truncate(1);
                section.trailing = encode(&second, SectionAddress::Linked { section: SECTION + 0x200 })
                    .expect("a right section")
                    .bytes;
            },
        ),
    ];
    match target(bench.abi).fixed_ra {
        0 => all.push(
            two("fixed-ra", "A fixed return address where rows give it.")
                .breaks(RuleId::HeaderFixedRa, |section| section.fixed_ra = -8),
        ),
        _ => all.push(
            two("fixed-ra-24", "The fixed offset of the return address has another value.")
                .breaks(RuleId::HeaderFixedRaAmd64, |section| section.fixed_ra = -24),
        ),
    }
    if bench.layout() == Layout::V3 {
        all.push(two("flag-2", "A flag that this version removed.").breaks(RuleId::HeaderRemovedFlag, |section| {
            section.flags |= FLAG_FRAME_POINTER;
        }));
    }
    all
}

/// Counts and lengths that are wrong, but within the section.
fn counts(bench: Bench) -> Vec<Draft> {
    let two = |name, about| bench.two(name, about);
    let frames = 4;
    let rows_of = |section: &crate::sframe::SectionSpec| section.row_bytes() as u32;
    let mut all = Vec::new();
    for (name, count) in
        [("rows-0", 0), ("rows-one-less", frames - 1), ("rows-one-more", frames + 1), ("rows-max", u32::MAX)]
    {
        all.push(two(name, "sfh_num_fres is not the number of rows.").breaks(RuleId::HeaderRowCount, |section| {
            section.header.num_fres = Some(count);
        }));
    }
    all.push(two("functions-one-less", "sfh_num_fdes is one less than the number of functions.").breaks(
        RuleId::HeaderRowCount,
        |section| {
            section.header.num_fdes = Some(1);
        },
    ));
    all.push(two("functions-0", "sfh_num_fdes is 0, and there are rows.").breaks(
        RuleId::HeaderRowsWithoutFunctions,
        |section| {
            section.header.num_fdes = Some(0);
        },
    ));
    all.push(two("row-bytes-one-more", "The FRE sub-section is a byte longer than its rows.").breaks(
        RuleId::HeaderFreLength,
        |section| {
            section.header.fre_len = Some(rows_of(section) + 1);
            section.trailing = vec![0];
        },
    ));
    all.push(two("rows-before-functions", "The rows are before the function descriptors.").breaks(
        RuleId::HeaderTablesOverlap,
        |section| {
            let whole = encode(section, SectionAddress::Linked { section: SECTION }).expect("a right section").bytes;
            let rows = whole[whole.len() - section.row_bytes()..].to_vec();
            let second = section.functions[0].row_bytes(section.layout) as u32;
            section.header.fre_len = Some(rows.len() as u32);
            section.header.freoff = Some(0);
            section.fde_gap = rows;
            for (function, offset) in section.functions.iter_mut().zip([0, second]) {
                function.overrides.fre_offset = Some(offset);
                function.overrides.no_blob = true;
            }
        },
    ));
    all
}

fn functions(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let two = |name, about| bench.two(name, about);
    let mut all = vec![
        bench
            .empty("unsorted-claim", "Functions out of order in a section with SFRAME_F_FDE_SORTED.")
            .with(TEXT + 0x200, 0x30, &frames)
            .with(TEXT + 0x100, 0x10, &frames[..1])
            .with(TEXT + 0x300, 0x10, &frames[..1])
            .breaks(RuleId::FdeSortedClaim, |section| section.flags |= FLAG_SORTED),
        bench
            .one("overlap", "A function begins inside the one before it.", 0x30, &frames)
            .with(TEXT + 0x120, 0x30, &frames[..1])
            .breaks(RuleId::FdeOverlap, |_| ()),
        bench
            .one("inside", "A function lies inside another.", 0x30, &frames)
            .with(TEXT + 0x110, 0x8, &frames[..1])
            .breaks(RuleId::FdeOverlap, |_| ()),
        bench
            .one("twice", "Two functions of one start and size.", 0x30, &frames)
            .with(TEXT + 0x100, 0x30, &frames[..1])
            .breaks(RuleId::FdeOverlap, |_| ()),
        {
            let mut draft = two("wraps-top", "A function that ends beyond the address space.").breaks(
                RuleId::FdeAddressWrap,
                |section| {
                    section.functions[1].start = 0xffff_ffff_ffff_fff8;
                },
            );
            draft.known[1].start = 0xffff_ffff_ffff_fff8;
            draft.address = 0xffff_ffff_ff00_0000;
            draft.section.functions[0].start = 0xffff_ffff_ff01_0000;
            draft.known[0].start = 0xffff_ffff_ff01_0000;
            draft.text = (0xffff_ffff_ff01_0000, u64::MAX);
            draft
        },
        {
            let mut draft = two("wraps-zero", "A start field that gives an address below 0.").breaks(
                RuleId::FdeAddressWrap,
                |section| {
                    section.functions[0].overrides.start = Some(-0x1_0000);
                },
            );
            draft.address = 0x3000;
            draft.text = (0x1000, 0x2000);
            for function in 0..2 {
                let start = 0x1100 + 0x40 * function as u64;
                draft.section.functions[function].start = start;
                draft.known[function].start = start;
            }
            draft
        },
    ];
    if !target(bench.abi).signs {
        all.push(two("key-bit", "The key bit of another ABI.").breaks(RuleId::FdeKeyBit, |section| {
            section.functions[0].key = PacKey::B;
        }));
    }
    if bench.layout() == Layout::V2 {
        all.push(two("padding", "Padding that is not zero.").breaks(RuleId::FdePadding, |section| {
            section.functions[0].overrides.padding = Some(0x0100);
        }));
    }
    if bench.layout() == Layout::V3 {
        all.push(two("type-31", "A function of a reserved type.").breaks(RuleId::FdeType, |section| {
            section.functions[0].overrides.info2 = Some(0x1f);
        }));
    } else {
        all.push(two("info-bit-7", "A reserved bit of a function's info byte.").breaks(
            RuleId::FdeReservedInfoBits,
            |section| {
                section.functions[0].overrides.info = Some(0x80);
            },
        ));
    }
    if bench.layout() != Layout::V1 {
        let blocks = bench.empty("row-after-block", "A row that starts after the end of its block.");
        all.push(blocks.with(TEXT + 0x100, 0x40, &frames).in_blocks(4).breaks(RuleId::FdeRowInBlock, |_| ()));
    }
    all
}

fn rows(bench: Bench) -> Vec<Draft> {
    let two = |name, about| bench.two(name, about);
    let words = |count: usize| vec![Word::Offset(24); count];
    let limit = target(bench.abi).fp_word + 1;
    let mut all = vec![
        two("rows-descend", "Rows out of order.")
            .breaks(RuleId::RowStartsAscend, |section| section.functions[0].rows.swap(1, 2)),
        two("rows-of-one-start", "Two rows of one start.")
            .breaks(RuleId::RowStartsAscend, |section| section.functions[0].rows[2].start = 4),
        two("row-after-function", "A row that starts after its function.")
            .breaks(RuleId::RowStartInFunction, |section| section.functions[0].rows[2].start = 0x40),
        two("one-word-too-many", "A row with one word more than the ABI defines.")
            .breaks(RuleId::RowWordCount, |section| section.functions[0].rows[1].words = words(limit + 1)),
        two("words-15", "A row of 15 words.")
            .breaks(RuleId::RowWordCount, |section| section.functions[0].rows[1].words = words(15)),
        two("negative-cfa", "A CFA below SP.").breaks(RuleId::RowCfaPlausible, |section| {
            let below = RowSpec::offsets(4, Base::Sp, &[-64]);
            section.functions[0].rows[1] = below;
        }),
    ];
    if !target(bench.abi).signs {
        all.push(two("signed-bit", "A signed return address on an ABI without pointer authentication.").breaks(
            RuleId::RowSignedBit,
            |section| {
                section.functions[0].rows[1].signed = true;
            },
        ));
    }
    all
}

fn flex(bench: Bench) -> Vec<Draft> {
    if !target(bench.abi).has_flex(bench.layout()) {
        return Vec::new();
    }
    let draft = |name: &str, about: &str, rule, words: &[Word]| {
        let frames = bench.frames();
        let flex = bench.empty(&format!("flex-{name}"), about).flex(TEXT + 0x100, 0x30, &frames);
        let words = words.to_vec();
        flex.breaks(rule, move |section| section.functions[0].rows[1] = RowSpec::flex(4, words))
    };
    let sp = u32::from(bench.abi.facts().sp.0) << 3 | 1;
    let (control, offset) = (Word::Control, Word::Offset);
    vec![
        draft("one-word", "A control word without an offset.", RuleId::FlexWordCount, &[control(sp)]),
        draft(
            "seven-words",
            "A word after the pair of FP.",
            RuleId::FlexWordCount,
            &[control(sp), offset(16), control(2), offset(-8), control(2), offset(-16), offset(0)],
        ),
        draft("cfa-from-cfa", "A CFA based on the CFA.", RuleId::FlexCfaRegister, &[control(2), offset(16)]),
        draft("bit-2", "Bit 2 of a control word.", RuleId::FlexControlBit2, &[control(sp | 4), offset(16)]),
        draft(
            "register-200",
            "A register that the ABI does not have.",
            RuleId::FlexRegister,
            &[control(200 << 3 | 1), offset(16)],
        ),
        draft(
            "half-a-pair",
            "A control word for FP without its offset.",
            RuleId::FlexPairs,
            &[control(sp), offset(16), control(2), offset(-8), control(2)],
        ),
    ]
}
