//! Steps judged, beside steps that the emulator takes under a hook that does nothing.

use std::time::Duration;

use judge::execution::Judge;
use judge::tables::Tables;
use machine::{End, Plan, run_with_memo, yardstick};
use types::{Abi, Image};

use crate::program::rounds;
use crate::turns::{Times, in_turns};
use crate::{Absent, Measured};

const STEPS: u64 = 50_000_000;
const TURNS: usize = 5;
/// Rounds to count the steps of one by.
const FEW: u32 = 10;

/// The measurement of a line whose name ends with a target's: what a step takes that is judged, and
/// one under the hook.
pub(crate) fn measure(what: &str) -> Result<Measured, Absent> {
    let abi = Abi::ALL.into_iter().find(|abi| what.ends_with(&format!(", {}", abi.name()))).expect("a target");
    let (steps, times) = of_target(abi);
    let each = |time: Duration| time.as_secs_f64() * 1e9 / steps as f64;
    let (ours, yardstick) = (each(times.ours), each(times.yardstick));
    Ok(Measured { ours: format!("{ours:.2} ns"), yardstick: format!("{yardstick:.2} ns"), ratio: yardstick / ours })
}

fn of_target(abi: Abi) -> (u64, Times) {
    let few = judged(&rounds(abi, FEW));
    let a_round = (judged(&rounds(abi, 2 * FEW)) - few) / u64::from(FEW);
    let image = rounds(abi, u32::try_from(STEPS.div_ceil(a_round)).expect("few"));
    let plan = Plan::new(&image);
    let mut steps = 0;
    let ours = || steps = judged(&image);
    let theirs = || assert!(matches!(yardstick::run(&plan), Ok(End::Exit(0))));
    let times = in_turns(TURNS, ours, theirs);
    (steps, times)
}

/// Judges a run to its end: how many steps it had. All are judged, and nothing is wrong.
fn judged(image: &Image) -> u64 {
    let tables = Tables::new(image);
    let mut judge = Judge::new(image, &tables, false);
    judge.begin(true);
    let run = run_with_memo(&Plan::new(image), &mut judge).expect("a run");
    assert_eq!(run.end, End::Exit(0));
    assert_eq!((judge.counts.judged, judge.undecided_answers()), (run.steps, 0));
    assert!(judge.charged.is_empty());
    run.steps
}
