//! Right sections: every width, start convention, order and kind of block and row that a version
//! supports.

use types::{CfaRule, PacKey, Reg, ValueRule};

use super::bench::{Bench, Draft, SECTION, TEXT};
use crate::arch::target;
use crate::code::{FrameAt, FrameState};
use crate::sframe::{FLAG_PCREL, Layout, Width};

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = widths(bench);
    all.extend(starts(bench));
    all.extend(order(bench));
    all.extend(area(bench));
    all.extend(blocks(bench));
    all.extend(values(bench));
    all.extend(of_v3(bench));
    all
}

/// Rows whose start and words are wider than necessary, and rows that need the width.
fn widths(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let mut all =
        vec![bench.two("two-functions", "Two functions with a gap between them; rows of the narrowest form.")];
    for (width, bits) in [(Width::Two, 16), (Width::Four, 32)] {
        all.push(
            bench.two(&format!("words-{bits}"), &format!("Words of {bits} bits, positive and negative.")).written(
                |section| section.functions.iter_mut().flat_map(|f| &mut f.rows).for_each(|row| row.width = width),
            ),
        );
        all.push(
            bench
                .two(&format!("starts-{bits}"), &format!("Row starts of {bits} bits in a function that needs 8."))
                .written(|section| section.functions.iter_mut().for_each(|function| function.starts = width)),
        );
    }
    let far = |offset| {
        let mut frames = frames.clone();
        frames[2].offset = offset;
        frames
    };
    for (name, offset, size, text) in [
        ("start-255", 255, 0x100, "A row that starts at 255, the largest 8-bit start."),
        ("start-256", 256, 0x200, "A row that starts at 256, in 16 bits."),
        ("start-65535", 65535, 0x1_0000, "A row that starts at 65535, the largest 16-bit start."),
        ("start-65536", 65536, 0x1_0004, "A row that starts at 65536, in 32 bits."),
        ("start-2gib", 0x8000_0000, 0x8000_0010, "A row that starts 2 GiB into its function: starts are unsigned."),
    ] {
        let narrowest = match offset {
            0..=255 => Width::One,
            256..=65535 => Width::Two,
            _ => Width::Four,
        };
        let mut draft = bench
            .one(name, text, size, &far(offset))
            .written(|section| section.functions.iter_mut().for_each(|function| function.starts = narrowest));
        draft.text.1 += u64::from(size);
        draft.address = (draft.text.1 + 0xfff) & !0xfff;
        if size > 0x7fff_0000 {
            draft.address = TEXT - 0x1000;
        }
        all.push(draft);
    }
    let many: Vec<FrameAt> =
        (0..260).map(|index: u32| FrameAt { offset: 4 * index, ..frames[index as usize % 3].clone() }).collect();
    all.push(bench.one("rows-260", "A function of 260 rows: 8 bits cannot count them.", 4 * 260, &many));
    all.extend(cfa_offsets(bench));
    all
}

/// CFA offsets at the limits of a word, as the target stores them.
fn cfa_offsets(bench: Bench) -> Vec<Draft> {
    let target = target(bench.abi);
    let stored: [(&str, i64); 6] =
        [("127", 127), ("128", 128), ("255", 255), ("32767", 32767), ("32768", 32768), ("1000000", 1_000_000)];
    let entry = FrameState::at_entry(bench.abi);
    let sp = bench.abi.facts().sp;
    stored
        .into_iter()
        .map(|(name, word)| {
            // Stacks are aligned: the closest multiple of 8 bytes that a word can hold.
            let word = if target.cfa_scale == 1 { word & !7 } else { word };
            let offset = word * target.cfa_scale + target.cfa_bias;
            let frames = [
                FrameAt { offset: 0, frame: entry },
                FrameAt { offset: 4, frame: entry.cfa(sp, offset) },
                FrameAt { offset: 8, frame: entry },
            ];
            bench.one(&format!("cfa-word-{name}"), &format!("A CFA of SP+{offset}."), 0x20, &frames)
        })
        .collect()
}

/// Anchors of start fields, and their limits.
fn starts(bench: Bench) -> Vec<Draft> {
    let before = |mut draft: Draft| {
        draft.address = TEXT - 0x1000;
        draft
    };
    let section = |draft: Draft| draft.written(|section| section.flags &= !FLAG_PCREL);
    let mut all = vec![before(bench.two("code-after", "The code follows the section: start fields are positive."))];
    if bench.has_pcrel() {
        all.push(section(bench.two("starts-from-section", "SFRAME_F_FDE_FUNC_START_PCREL is clear.")));
        all.push(section(before(
            bench.two("starts-from-section-code-after", "The code after the section, otherwise the same."),
        )));
    }
    let reach = |name: &str, text: &str, start: u64, address: u64| {
        let mut draft = bench.empty(name, text).with(start, 0x30, &bench.frames());
        draft.address = address;
        draft.text = (start, start + 0x30);
        draft
    };
    // Leaves room for the section's header and 4 bytes, so that the field itself is within reach.
    all.push(reach("start-up-2gib", "Code nearly 2 GiB after the section.", 0x8000_0000 + SECTION - 0x100, SECTION));
    all.push(reach("start-down-2gib", "Code nearly 2 GiB before the section.", TEXT, TEXT + 0x8000_0000 - 0x100));
    if bench.layout() == Layout::V3 {
        all.push(reach("start-up-8gib", "Code 8 GiB after the section.", 0x2_0000_0000 + SECTION, SECTION));
        all.push(reach("start-down-8gib", "Code 8 GiB before the section.", TEXT, TEXT + 0x2_0000_0000));
    }
    // The distance between two functions does not fit a signed number of 32 bits.
    let apart = bench.empty("starts-apart", "Three functions nearly 2 GiB from one to the next.");
    let (middle, far) = (0x1_0000_0000, 0x7fff_0000);
    let mut apart = apart.with(middle - far, 0x30, &bench.frames()).with(middle, 0x10, &bench.frames()[..1]);
    apart = apart.with(middle + far, 0x20, &bench.frames()[1..2]);
    (apart.address, apart.text) = (middle - 0x1000, (middle - far, middle + far + 0x20));
    all.push(apart);
    all.push(reach(
        "high-half",
        "Code and section in the upper half of the address space.",
        0xffff_ffff_8100_0000,
        0xffff_ffff_8200_0000,
    ));
    all
}

/// Many functions, sorted and not, and rows in another order than functions.
fn order(bench: Bench) -> Vec<Draft> {
    let many = |name: &str, text: &str, order: &[u64]| {
        let frames = bench.frames();
        let mut draft = bench.empty(name, text);
        for position in order {
            let count = 1 + (*position as usize) % 3;
            draft = draft.with(TEXT + 0x40 * position, 0x20 + 8 * (*position as u32 % 3), &frames[..count]);
        }
        draft
    };
    let eight: Vec<u64> = (0..8).collect();
    vec![
        many("eight-functions", "Eight functions in order, with gaps.", &eight),
        many("rows-reversed", "The rows of the functions are in reverse order.", &eight)
            .written(|section| section.row_order = Some((0..8).rev().collect())),
        many("unsorted", "Functions out of order; SFRAME_F_FDE_SORTED is unset.", &[3, 0, 2, 1]).unsorted(),
        many("sixty-functions", "Sixty functions in order.", &(0..60).collect::<Vec<_>>()),
        bench.one("adjacent", "Two functions without a gap.", 0x30, &bench.frames()).with(
            TEXT + 0x130,
            0x10,
            &bench.frames()[..1],
        ),
    ]
}

/// Bytes around the tables.
fn area(bench: Bench) -> Vec<Draft> {
    let mut all = vec![
        bench.empty("no-functions", "A header alone."),
        bench.two("auxiliary-4", "4 bytes of auxiliary header.").written(|section| section.aux = vec![0xa5; 4]),
        bench.two("auxiliary-255", "255 bytes of auxiliary header.").written(|section| section.aux = vec![0xff; 255]),
        bench
            .two("gap-before-functions", "16 bytes between header and function descriptors.")
            .written(|section| section.fde_gap = vec![0xa5; 16]),
        bench
            .two("auxiliary-and-gap", "8 bytes of auxiliary header, then a gap of 8 bytes.")
            .written(|section| (section.aux, section.fde_gap) = (vec![0xa5; 8], vec![0x5a; 8])),
        bench.two("padding-7", "7 zero bytes after the rows.").written(|section| section.trailing = vec![0; 7]),
        bench.one("row-not-at-start", "The first row begins 4 bytes into the function.", 0x30, &bench.frames()[1..]),
    ];
    if bench.layout() == Layout::V3 {
        all.push(
            bench
                .two("gap-before-rows", "8 bytes between function descriptors and rows.")
                .written(|section| section.fre_gap = vec![0xa5; 8]),
        );
    }
    all
}

/// Repeating blocks, at starts for which `pc mod block` and `(pc - start) mod block` are equal.
fn blocks(bench: Bench) -> Vec<Draft> {
    if bench.layout() == Layout::V1 {
        return Vec::new();
    }
    let frames = bench.frames();
    let rows = |upto: usize, second: u32| {
        let mut frames = frames[..upto].to_vec();
        if let Some(frame) = frames.get_mut(1) {
            frame.offset = second;
        }
        frames
    };
    let mut all = Vec::new();
    for (block, count, frames) in [
        (1, 16, rows(1, 0)),
        (8, 6, rows(2, 4)),
        (12, 6, rows(2, 8)),
        (16, 5, rows(2, 11)),
        (16, 1, rows(2, 15)),
        (24, 4, rows(2, 16)),
        (32, 4, rows(3, 4)),
        (128, 3, rows(2, 127)),
    ] {
        let name = format!("blocks-{count}-of-{block}");
        let text = format!("Rows that repeat in {count} blocks of {block} bytes.");
        let start = (TEXT + 0x100).next_multiple_of(u64::from(block));
        all.push(bench.empty(&name, &text).with(start, u32::from(block) * count, &frames).in_blocks(block));
    }
    let beside = bench.two("blocks-beside-others", "Functions with repeating blocks after functions without.");
    all.push(beside.with(TEXT + 0x200, 0x40, &rows(2, 11)).in_blocks(16));
    all
}

/// Frames that only one target has.
fn values(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let entry = FrameState::at_entry(bench.abi);
    let facts = bench.abi.facts();
    let rows = |second: FrameState| {
        vec![frames[0].clone(), FrameAt { offset: 4, frame: second }, FrameAt { offset: 8, frame: entry }]
    };
    let mut all = Vec::new();
    let target = target(bench.abi);
    if target.signs {
        for (name, key) in [("signed-a", PacKey::A), ("signed-b", PacKey::B)] {
            let signed = |frame| FrameState { signed: true, ..frame };
            let mut in_stack = rows(signed(entry));
            in_stack[2] = FrameAt { offset: 8, frame: signed(frames[1].frame) };
            in_stack.push(FrameAt { offset: 0x10, frame: entry });
            let text = format!("Return addresses signed with key {key:?}, in the register and on the stack.");
            all.push(bench.one(name, &text, 0x20, &in_stack).key(key));
        }
    }
    if target.ra_word.is_some() && target.cfa_scale == 1 {
        let far = FrameState { ra: ValueRule::AtCfa(-40000), fp: ValueRule::AtCfa(-40008), ..entry };
        let far = rows(far.cfa(facts.sp, 40016));
        all.push(bench.one("slots-32", "Slots that need words of 32 bits.", 0x20, &far));
    }
    if target.zero_is_unsaved {
        let fp_alone = FrameState { fp: ValueRule::AtCfa(-72), ..entry };
        let text = "FP is saved, the return address is not: a word 0 in its place.";
        all.push(bench.one("fp-saved-alone", text, 0x20, &rows(fp_alone)));
        let ra_alone = FrameState { ra: ValueRule::AtCfa(-48), ..entry };
        all.push(bench.one("ra-saved-alone", "The return address saved, FP not.", 0x20, &rows(ra_alone)));
        if target.has_odd_words(bench.layout()) {
            let reg = |number| ValueRule::Register { reg: Reg(number), offset: 0 };
            for (name, ra, fp) in [("16-17", 16, 17), ("0-31", 0, 31), ("31-16", 31, 16)] {
                let saved = FrameState { ra: reg(ra), fp: reg(fp), ..entry };
                let text = format!("Return address in register {ra}, FP in {fp}: odd words.");
                all.push(bench.one(&format!("in-registers-{name}"), &text, 0x20, &rows(saved)));
            }
            let alone = FrameState { fp: reg(17), ..entry };
            all.push(bench.one("fp-in-register-alone", "FP in a register, after a word 0.", 0x20, &rows(alone)));
        }
    }
    let far_cfa = entry.cfa(facts.fp, facts.cfa_minus_sp_at_entry + 8);
    all.push(bench.one(
        "fp-based",
        "A CFA based on FP; no register is saved beyond those that always are.",
        0x20,
        &rows(far_cfa),
    ));
    all
}

/// Rows that end the stack, signal frames, flexible rows.
fn of_v3(bench: Bench) -> Vec<Draft> {
    if bench.layout() != Layout::V3 {
        return Vec::new();
    }
    let entry = FrameState::at_entry(bench.abi);
    let frames = bench.frames();
    let ends = |offset| FrameAt { offset, frame: entry.outermost() };
    let mut all = vec![
        bench.one("outermost", "A row without words: the function has no caller.", 0x20, &[ends(0)]),
        bench.one(
            "outermost-later",
            "From the 8th byte on the function is outermost.",
            0x20,
            &[frames[0].clone(), ends(8)],
        ),
        bench.one("signal", "A signal frame with rows.", 0x30, &frames).signal(),
    ];
    let target = target(bench.abi);
    let Some((other, last)) = target.flex_registers else { return all };
    all.push(bench.empty("flex-needless", "Flexible rows that default rows could encode.").flex(
        TEXT + 0x100,
        0x30,
        &frames,
    ));
    all.push(bench.two("flex-beside-default", "A flexible function after others.").flex(TEXT + 0x200, 0x30, &frames));
    let (sp, fp) = (bench.abi.facts().sp, bench.abi.facts().fp);
    let bias = target.cfa_bias;
    let kinds = [
        ("cfa-other-register", "A CFA based on a register other than SP and FP.", entry.cfa(other, bias)),
        (
            "cfa-last-register",
            "A CFA based on the register with the highest number: on s390x its control word fills 8 bits.",
            entry.cfa(last, bias + 8),
        ),
        (
            "cfa-loaded",
            "A CFA that is loaded from memory.",
            FrameState { cfa: CfaRule::Memory { reg: fp, offset: bias - 8 }, ..entry },
        ),
        (
            "fp-loaded",
            "FP loaded from memory at another register, after a word 0 for the return address.",
            FrameState { fp: ValueRule::Memory { reg: other, offset: -16 }, ..entry },
        ),
        (
            "ra-in-register",
            "The return address in another register.",
            FrameState { ra: ValueRule::Register { reg: other, offset: 0 }, ..entry },
        ),
        (
            "both-loaded",
            "Return address and FP loaded from memory at registers.",
            FrameState {
                ra: ValueRule::Memory { reg: fp, offset: 8 },
                fp: ValueRule::Memory { reg: fp, offset: 0 },
                ..entry.cfa(fp, bias + 16)
            },
        ),
        (
            "both-in-registers",
            "Return address and FP in registers.",
            FrameState {
                ra: ValueRule::Register { reg: other, offset: 0 },
                fp: ValueRule::Register { reg: last, offset: 0 },
                ..entry
            },
        ),
        (
            "ra-at-cfa",
            "The return address loaded from an unusual slot below the CFA.",
            FrameState { ra: ValueRule::AtCfa(-64), fp: ValueRule::AtCfa(-72), ..entry.cfa(sp, bias + 160) },
        ),
    ];
    for (name, text, frame) in kinds {
        let rows = [frames[0].clone(), FrameAt { offset: 4, frame }, FrameAt { offset: 8, frame: entry }];
        let draft = bench.empty(&format!("flex-{name}"), text).flex(TEXT + 0x100, 0x20, &rows);
        for (width, bits) in [(Width::Two, 16), (Width::Four, 32)] {
            let mut wide = draft.clone().written(|section| {
                section.functions.iter_mut().flat_map(|f| &mut f.rows).for_each(|row| row.width = width);
            });
            wide.name = format!("{}-words-{bits}", draft.name);
            all.push(wide);
        }
        all.push(draft);
    }
    all
}
