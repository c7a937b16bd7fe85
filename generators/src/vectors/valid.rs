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

/// Many rows, and many functions.
fn many(bench: Bench) -> [Draft; 2] {
    let frames = bench.frames();
    let rows: Vec<FrameAt> =
        (0..260).map(|index: u32| FrameAt { offset: 4 * index, ..frames[index as usize % 3].clone() }).collect();
    let mut functions = bench.empty("sixty-functions", "Sixty functions in order.");
    for position in 0..60 {
        let third = position % 3;
        let (start, size) = (TEXT + 0x40 * position, 0x20 + 8 * third as u32);
        functions = functions.with(start, size, &frames[..=third as usize]);
    }
    [bench.one("rows-260", "A function of 260 rows: 8 bits cannot count them.", 4 * 260, &rows), functions]
}
