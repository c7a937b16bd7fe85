//! Sections for which the format's text leaves something open: readers may differ, and the
//! behaviour of each is recorded.

use types::ValueRule;

use super::bench::{Bench, Draft, TEXT};
use super::expected::{Expected, KnownFunction, Row};
use super::question::question;
use crate::arch::target;
use crate::code::{FrameAt, FrameState};
use crate::sframe::{RowSpec, Word};

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
            .asks(question("fixed-fp"))
            .either(0, &[row(own), row(fixed)]),
    ];
    if bench.layout().has_rep_size() {
        let about = "Repeating blocks of 16 bytes in a function that starts 4 bytes after a multiple of 16.";
        let second = [frames[0].clone(), FrameAt { offset: 11, frame: frames[1].frame }];
        let shifted = bench.empty("block-phase", about).with(TEXT + 0x104, 0x40, &second).in_blocks(16);
        // Blocks aligned to multiples of 16 are those of a function that begins at such a multiple.
        let aligned =
            |known: &KnownFunction| KnownFunction { start: known.start - 4, size: known.size + 4, ..known.clone() };
        all.push(shifted.asks(question("block-phase")).or_else(0, aligned));
    }
    let target = target(bench.abi);
    if target.ra_word.is_some() && !target.zero_is_unsaved {
        let entry = frames[0].frame;
        let saved = FrameState { ra: ValueRule::AtCfa(-16), ..entry };
        let saved = [frames[0].clone(), FrameAt { offset: 4, frame: saved }];
        all.push(bench.one("two-words", "The return address saved, FP not.", 0x20, &saved).asks(question("two-words")));
        let at_cfa = FrameState { ra: ValueRule::AtCfa(0), fp: ValueRule::AtCfa(-16), ..entry };
        let unsaved = FrameState { ra: ValueRule::SameValue, ..at_cfa };
        let rows = [FrameAt { offset: 0, frame: at_cfa }];
        all.push(
            bench
                .one("ra-at-cfa", "A return address word of 0 in front of FP's.", 0x20, &rows)
                .asks(question("ra-at-cfa"))
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
                .asks(question("flex-filler"))
                .either(0, &[row(frames[0].frame), Expected::NoRow, Expected::Refuse]),
        );
    }
    all
}

fn row(frame: FrameState) -> Expected {
    Expected::Row(Row { frame, key: None, signal: false })
}
