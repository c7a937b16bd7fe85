//! Sections for which the format's text leaves something open: readers may differ, and the
//! behaviour of each is recorded.

use spec::RuleId;
use types::ValueRule;

use super::bench::{Bench, Draft, TEXT};
use super::expected::{Expected, KnownFunction, Row};
use crate::arch::target;
use crate::code::{FrameAt, FrameState};
use crate::sframe::{RowSpec, Word};

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

/// Drafts of questions about frames that the table cannot express.
pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let frames = bench.frames();
    let own = FrameState { fp: ValueRule::AtCfa(-16), ..frames[1].frame };
    let fixed = FrameState { fp: ValueRule::AtCfa(-32), ..own };
    let rows = [FrameAt { offset: 0, frame: own }];
    let mut all = vec![
        bench
            .one("fixed-fp", "The header has a fixed FP offset of -32, the row has FP at CFA-16.", 0x20, &rows)
            .written(|section| section.fixed_fp = -32)
            .asks(&FIXED_FP)
            .either(0, &[row(own), row(fixed)]),
    ];
    if bench.layout().has_rep_size() {
        let about = "Repeating blocks of 16 bytes in a function that starts 4 bytes after a multiple of 16.";
        let second = [frames[0].clone(), FrameAt { offset: 11, frame: frames[1].frame }];
        let shifted = bench.empty("block-phase", about).with(TEXT + 0x104, 0x40, &second).in_blocks(16);
        // Blocks aligned to multiples of 16 are those of a function that begins at such a multiple.
        let aligned =
            |known: &KnownFunction| KnownFunction { start: known.start - 4, size: known.size + 4, ..known.clone() };
        all.push(shifted.asks(&BLOCK_PHASE).or_else(0, aligned));
    }
    let target = target(bench.abi);
    if target.ra_word.is_some() && !target.zero_is_unsaved {
        let entry = frames[0].frame;
        let saved = FrameState { ra: ValueRule::AtCfa(-16), ..entry };
        let saved = [frames[0].clone(), FrameAt { offset: 4, frame: saved }];
        all.push(bench.one("two-words", "The return address saved, FP not.", 0x20, &saved).asks(&TWO_WORDS));
        let at_cfa = FrameState { ra: ValueRule::AtCfa(0), fp: ValueRule::AtCfa(-16), ..entry };
        let unsaved = FrameState { ra: ValueRule::SameValue, ..at_cfa };
        let rows = [FrameAt { offset: 0, frame: at_cfa }];
        all.push(
            bench
                .one("ra-at-cfa", "A return address word of 0 in front of FP's.", 0x20, &rows)
                .asks(&RA_AT_CFA)
                .either(0, &[row(at_cfa), row(unsaved), row(at_cfa.outermost()), Expected::Refuse]),
        );
    }
    if target.has_flex(bench.layout()) {
        all.push(
            bench
                .empty("flex-filler", "A control word of 0 after the pair of the CFA, and no FP.")
                .flex(TEXT + 0x100, 0x20, &frames[..1])
                .written(|section| {
                    let words = section.functions[0].rows[0].words.iter().copied().chain([Word::Control(0)]).collect();
                    section.functions[0].rows[0] = RowSpec::flex(0, words);
                })
                .asks(&FLEX_FILLER)
                .either(0, &[row(frames[0].frame), Expected::NoRow, Expected::Refuse]),
        );
    }
    all
}

fn row(frame: FrameState) -> Expected {
    Expected::Row(Row { frame, key: None, signal: false })
}
