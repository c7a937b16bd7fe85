//! Stacks of a real program's execution, as questions for readers that walk: the deepest one for
//! each executed row of its table.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use generators::vectors::{Chain, Expected};
use machine::{Plan, run};
use types::{Image, Step};

use super::spread::spread;
use crate::corpus::{Window, witnessed};

/// Maximum number for one program, evenly spread over its rows.
const MOST: usize = 24;
/// Limits of one stack.
const WINDOW: Window = Window { most: 8192, above: 64 };
/// Maximum number of steps: a longer program is stopped there.
const STEPS: u64 = 500_000;

/// The stacks of a program: `boundaries` are the addresses at which the table's answer may change,
/// `owed` returns the expected answers.
pub(super) fn stacks(image: &Image, boundaries: &BTreeSet<u64>, owed: impl Fn(u64) -> Option<Expected>) -> Vec<Chain> {
    let boundaries: Vec<u64> = boundaries.iter().copied().collect();
    // The greatest depth that was examined, even if that stack could not be used.
    let mut depths: HashMap<usize, usize> = HashMap::new();
    let mut kept: BTreeMap<usize, Chain> = BTreeMap::new();
    let mut keep = |step: &Step<'_>| {
        let row = boundaries.partition_point(|boundary| *boundary <= step.pc.0);
        let deepest = depths.entry(row).or_default();
        if step.frames.depth() > *deepest {
            *deepest = step.frames.depth();
            let stack = witnessed(image.abi, step, WINDOW, &owed);
            kept.extend(stack.map(|stack| (row, stack)));
        }
    };
    if run(&Plan { step_limit: STEPS, ..Plan::new(image) }, &mut keep).is_err() {
        return Vec::new();
    }
    spread(&kept.into_values().collect::<Vec<Chain>>(), MOST)
}
