//! Sections for which the format's text leaves something open: readers may differ, and the
//! behaviour of each is recorded.

use spec::RuleId;
use types::ValueRule;

use super::bench::{Bench, Draft, TEXT};
use super::expected::{Expected, KnownFunction, Row};
use crate::arch::target;
use crate::code::{FrameAt, FrameState};
use crate::facts::{self, Outermost};
use crate::sframe::{Layout, RowSpec, Word};

/// A question that the format's text leaves open.
#[derive(Debug, PartialEq, Eq)]
pub struct Question {
    /// Name in tables.
    pub name: &'static str,
    /// The part of the text that should define it.
    pub clause: &'static str,
    /// The open point, or the contradiction.
    pub asks: &'static str,
    /// The warning that such sections get, if there is one.
    pub rule: Option<RuleId>,
}

macro_rules! questions {
    ($($id:ident = $name:literal, $clause:literal, $asks:literal, $rule:expr;)*) => {
        $(const $id: Question = Question { name: $name, clause: $clause, asks: $asks, rule: $rule };)*
        /// All questions.
        pub const QUESTIONS: &[Question] = &[$($id,)*];
    };
}

questions! {
    FRE_OFFSETS = "gap-before-rows", "SFrame V2 errata 1, SFrame Function Descriptor Entries",
        "Do row offsets of functions count from the end of the function descriptors, or from the start of the FRE sub-section, where there is a gap between them?",
        Some(RuleId::HeaderCanonicalLayout);
    BLOCK_PHASE = "block-phase", "SFrame V2 errata 1, The SFrame FDE Types",
        "Is the row of a repeating block selected by (PC - function start) modulo the block size, or by PC modulo the block size?", None;
    IMPLIED_BLOCK = "implied-block", "SFrame V1, The SFrame FDE Types",
        "Version 1 has no field for the size of repeating blocks: is it 16?", Some(RuleId::FdeImpliedBlock);
    EMPTY_FUNCTION = "empty-function", "SFrame V2 errata 1, SFrame Function Descriptor Entries",
        "May a function have size 0?", Some(RuleId::FdeEmptyFunction);
    SAME_START = "same-start", "SFrame V2 errata 1, SFrame Flags",
        "May two functions of a sorted section begin at one address if one of them has size 0?", Some(RuleId::FdeDuplicateStart);
    TWO_WORDS = "two-words", "SFrame V2 errata 1, AArch64",
        "May a row of AArch64 have two words, the return address saved and FP not? The specification allows one or three.", Some(RuleId::RowTwoWords);
    RA_AT_CFA = "ra-at-cfa", "SFrame V2 errata 1, AArch64",
        "Is a return address word of 0 a slot at the CFA itself, or does it mean that it is unsaved?", Some(RuleId::RowSlotAboveCfa);
    NO_ROWS = "no-rows", "SFrame V3, SFrame Function Descriptor Entries",
        "Does a function without rows end the stack, or is its frame unknown?", Some(RuleId::FdeNoRows);
    SIGNAL_NO_ROWS = "signal-no-rows", "SFrame V3, SFrame Function Descriptor Entries",
        "Does a signal frame without rows end the stack, or is its frame unknown?", None;
    OUTERMOST_INFO = "outermost-info", "SFrame V3, The SFrame FRE Info Word",
        "Do the other bits matter in a row without words?", Some(RuleId::RowOutermostInfo);
    OUTERMOST_V2 = "outermost-v2", "SFrame V2 errata 2, The SFrame FRE Info Word",
        "A row without words ends the stack from errata 2 on, and no field of the section shows the errata: what does a reader of version 2 do with it?",
        Some(RuleId::RowOutermostBeforeErrata2);
    FIXED_FP = "fixed-fp", "SFrame V2 errata 1, SFrame Header",
        "If the header has a fixed FP offset, does a row's own FP word take precedence?", Some(RuleId::HeaderFixedFp);
    FLEX_FILLER = "flex-filler", "SFrame V3, Flexible FDE",
        "May a control word of 0 for the return address be at the end of a row, with nothing after it?", Some(RuleId::FlexTrailingFiller);
    UNREACHABLE = "row-at-end", "SFrame V2 errata 1, SFrame Frame Row Entries",
        "May a row start at the end of its function, where it covers no byte?", Some(RuleId::RowUnreachable);
    TRAILING = "trailing-bytes", "SFrame V2 errata 1, SFrame Section",
        "May bytes other than zeros follow the rows?", Some(RuleId::HeaderTrailingBytes);
    RESERVED_FLAG = "reserved-flags", "SFrame V2 errata 1, SFrame Flags",
        "Is a section read in which a flag is set that its version does not define?", Some(RuleId::HeaderReservedFlags);
    RESERVED_INFO = "reserved-info-bits", "SFrame V2 errata 1, The SFrame FDE Info Word",
        "Is a function read that has an unused bit set in its info byte?", Some(RuleId::FdeReservedInfoBits);
    RESERVED_INFO2 = "reserved-info2-bits", "SFrame V3, SFrame Function Descriptor Entries",
        "Is a function read that has an unused bit set in its second info byte?", Some(RuleId::FdeReservedInfo2Bits);
    PART_OF_BLOCK = "part-of-block", "SFrame V2 errata 1, The SFrame FDE Types",
        "May the last repeating block be truncated by the end of the function?", Some(RuleId::FdeBlockMultiple);
}

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let none = [Expected::NoRow, Expected::Refuse];
    let mut all = vec![
        bench
            .two("empty-function", "A function of size 0 between two others.")
            .with(TEXT + 0x180, 0, &frames[..1])
            .with(TEXT + 0x1c0, 0x10, &frames[..1])
            .asks(&EMPTY_FUNCTION),
        bench
            .one("same-start", "A function of size 0 at the start of another.", 0, &frames[..1])
            .with(TEXT + 0x100, 0x30, &frames)
            .asks(&SAME_START),
        {
            let mut late = frames.clone();
            late[2].offset = 0x30;
            bench.one("row-at-end", "The last row starts where the function ends.", 0x30, &late).asks(&UNREACHABLE)
        },
        bench
            .two("trailing-bytes", "4 bytes that are not zero after the rows.")
            .written(|section| section.trailing = vec![0, 0, 0, 1])
            .asks(&TRAILING),
        bench
            .two("no-rows", "A function without rows after two others.")
            .with(TEXT + 0x200, 0x10, &[])
            .asks(&NO_ROWS)
            .either(2, &[Expected::NoRow, outermost(bench, false)]),
    ];
    for bit in [3, 4, 5, 6, 7] {
        let draft = bench.two(&format!("reserved-flag-{bit}"), "A flag is set that no version defines.");
        all.push(draft.written(move |section| section.flags |= 1 << bit).asks(&RESERVED_FLAG));
    }
    all.push(
        bench
            .two("reserved-info-6", "Bit 6 of a function's info byte is set, which no version uses.")
            .written(|section| section.functions[0].overrides.info = Some(0x40))
            .asks(&RESERVED_INFO),
    );
    if bench.layout() == Layout::V3 {
        for bit in [5, 6, 7] {
            let draft = bench.two(&format!("reserved-info2-{bit}"), "An unused bit of the second info byte is set.");
            let written = draft.written(move |section| section.functions[0].overrides.info2 = Some(1 << bit));
            all.push(written.asks(&RESERVED_INFO2));
        }
    }
    all.push({
        let own = FrameState { fp: ValueRule::AtCfa(-16), ..frames[1].frame };
        let fixed = FrameState { fp: ValueRule::AtCfa(-32), ..own };
        let rows = [FrameAt { offset: 0, frame: own }];
        bench
            .one("fixed-fp", "The header has a fixed FP offset of -32, the row has FP at CFA-16.", 0x20, &rows)
            .written(|section| section.fixed_fp = -32)
            .asks(&FIXED_FP)
            .either(0, &[row(own), row(fixed)])
    });
    match bench.layout() {
        Layout::V1 => all.push(
            bench
                .empty(
                    "implied-block",
                    "Rows that repeat in blocks of 16 bytes; the section has no field for the size.",
                )
                .with(TEXT + 0x100, 0x40, &second_at(&frames, 11))
                .in_blocks(16)
                .asks(&IMPLIED_BLOCK),
        ),
        Layout::V2 | Layout::V3 => {
            let shifted = bench
                .empty(
                    "block-phase",
                    "Repeating blocks of 16 bytes in a function that starts 4 bytes after a multiple of 16.",
                )
                .with(TEXT + 0x104, 0x40, &second_at(&frames, 11))
                .in_blocks(16)
                .asks(&BLOCK_PHASE);
            // Blocks aligned to multiples of 16 are those of a function that begins at such a
            // multiple.
            let aligned =
                |known: &KnownFunction| KnownFunction { start: known.start - 4, size: known.size + 4, ..known.clone() };
            all.push(shifted.or_else(0, aligned));
            all.push(
                bench
                    .empty("part-of-block", "Two repeating blocks and 4 bytes.")
                    .with(TEXT + 0x100, 0x24, &second_at(&frames, 11))
                    .in_blocks(16)
                    .asks(&PART_OF_BLOCK),
            );
        }
    }
    if bench.layout() != Layout::V3 {
        let gap = bench.two("gap-before-rows", "8 bytes between function descriptors and rows.");
        let gap = gap.written(|section| section.fre_gap = vec![0; 8]).asks(&FRE_OFFSETS);
        // In the other interpretation the bytes of the gap are rows.
        all.push(gap.either(0, &[Expected::Anything]).either(1, &[Expected::Anything]));
    }
    let target = target(bench.abi);
    if target.ra_word.is_some() && !target.zero_is_unsaved {
        let entry = frames[0].frame;
        let saved =
            |ra| [frames[0].clone(), FrameAt { offset: 4, frame: FrameState { ra: ValueRule::AtCfa(ra), ..entry } }];
        let two = bench.one("two-words", "The return address saved, FP not.", 0x20, &saved(-16)).asks(&TWO_WORDS);
        all.push(two);
        let at_cfa = FrameState { ra: ValueRule::AtCfa(0), fp: ValueRule::AtCfa(-16), ..entry };
        let rows = [FrameAt { offset: 0, frame: at_cfa }];
        let unsaved = FrameState { ra: ValueRule::SameValue, ..at_cfa };
        let ends = at_cfa.outermost();
        all.push(
            bench
                .one("ra-at-cfa", "A return address word of 0 in front of FP's.", 0x20, &rows)
                .asks(&RA_AT_CFA)
                .either(0, &[row(at_cfa), row(unsaved), row(ends), Expected::Refuse]),
        );
    }
    match facts::version(bench.version).outermost {
        Outermost::Never => {}
        Outermost::Errata2 => all.push(
            bench
                .one(
                    "outermost-v2",
                    "A row without words.",
                    0x20,
                    &[FrameAt { offset: 0, frame: frames[0].frame.outermost() }],
                )
                .asks(&OUTERMOST_V2)
                .either(0, &[outermost(bench, false), Expected::Refuse, Expected::NoRow]),
        ),
        Outermost::Always => {
            all.push(
                bench
                    .one(
                        "outermost-info",
                        "A row without words whose base is SP.",
                        0x20,
                        &[FrameAt { offset: 0, frame: frames[0].frame.outermost() }],
                    )
                    .written(|section| section.functions[0].rows[0].info = Some(0x01))
                    .asks(&OUTERMOST_INFO)
                    .either(0, &[outermost(bench, false), Expected::Refuse, Expected::NoRow]),
            );
            all.push(
                bench
                    .two("signal-no-rows", "A signal frame without rows after two others.")
                    .with(TEXT + 0x200, 0x10, &[])
                    .signal()
                    .asks(&SIGNAL_NO_ROWS)
                    .either(2, &[Expected::NoRow, outermost(bench, true)]),
            );
        }
    }
    if target.has_flex(bench.layout()) {
        let rows = [frames[0].clone()];
        all.push(
            bench
                .empty("flex-filler", "A control word of 0 after the pair of the CFA, and no FP.")
                .flex(TEXT + 0x100, 0x20, &rows)
                .written(|section| {
                    let words = section.functions[0].rows[0].words.iter().copied().chain([Word::Control(0)]).collect();
                    section.functions[0].rows[0] = RowSpec::flex(0, words);
                })
                .asks(&FLEX_FILLER)
                .either(0, &[row(frames[0].frame), none[0].clone(), none[1].clone()]),
        );
    }
    all
}

fn row(frame: FrameState) -> Expected {
    Expected::Row(Row { frame, key: None, signal: false })
}

fn outermost(bench: Bench, signal: bool) -> Expected {
    let frame = FrameState::at_entry(bench.abi).outermost();
    Expected::Row(Row { frame, key: None, signal })
}

/// The first two frames, with the second starting at `offset`.
fn second_at(frames: &[FrameAt], offset: u32) -> Vec<FrameAt> {
    vec![frames[0].clone(), FrameAt { offset, frame: frames[1].frame }]
}
