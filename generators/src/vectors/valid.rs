//! Right sections: those of `valid.txt`, and those of many rows and functions.

use super::bench::{Bench, Draft, TEXT};
use super::table;
use crate::code::FrameAt;

const VALID: &str = include_str!("valid.txt");

pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let mut all = table::drafts(VALID, bench);
    all.extend(many(bench));
    all
}

/// Many rows, and numbers of functions that 7 and 8 bits cannot count.
fn many(bench: Bench) -> [Draft; 3] {
    let frames = bench.frames();
    let rows: Vec<FrameAt> =
        (0..260).map(|index: u32| FrameAt { offset: 4 * index, ..frames[index as usize % 3].clone() }).collect();
    let functions = |count: u64| {
        let mut draft = bench.empty(&format!("functions-{count}"), &format!("{count} functions in order."));
        draft.text = (TEXT, TEXT + 0x40 * count);
        draft.address = draft.text.1.next_multiple_of(0x1000);
        (0..count).fold(draft, |draft, position| {
            let third = position % 3;
            let (start, size) = (TEXT + 0x40 * position, 0x20 + 8 * third as u32);
            draft.with(start, size, &frames[..=third as usize])
        })
    };
    let rows = bench.one("rows-260", "A function of 260 rows: 8 bits cannot count them.", 4 * 260, &rows);
    [rows, functions(130), functions(300)]
}
