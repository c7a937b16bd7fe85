//! Benchmark: judged steps, compared with steps of the emulator under an empty hook.

use std::time::Duration;

use judge::tables::Tables;
use judge::{Judge, Options};
use machine::{End, Plan, run_with_memo, yardstick};
use types::{Abi, Image};

use crate::program::rounds;
use crate::turns::{Times, in_turns};
use crate::{Absent, Measured};

const STEPS: u64 = 50_000_000;
const TURNS: usize = 5;
/// Number of rounds from which the steps per round are computed.
const FEW: u32 = 10;

/// Measures a line whose name ends with a target: time of a judged step, and of one under the hook.
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

/// Judges a run to its end, and returns the number of steps. All are judged, without findings.
fn judged(image: &Image) -> u64 {
    let tables = Tables::new(image);
    let mut judge = Judge::new(image, &tables, Options::default());
    judge.begin(true);
    let run = run_with_memo(&Plan::new(image), &mut judge).expect("a run");
    assert_eq!(run.end, End::Exit(0));
    assert_eq!((judge.counts().judged, judge.undecided_answers()), (run.steps, 0));
    assert!(!judge.has_errors());
    run.steps
}
