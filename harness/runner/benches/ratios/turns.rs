//! Two ways of doing the same measured in turns, so that what else the machine does weighs on both
//! alike: processor time, the best of several.

use std::time::{Duration, Instant};

/// The best times of ours and of the yardstick.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) ours: Duration,
    pub(crate) yardstick: Duration,
}

/// Measures both in turns.
pub(crate) fn in_turns(turns: usize, mut ours: impl FnMut(), mut yardstick: impl FnMut()) -> Times {
    let mut best = Times { ours: Duration::MAX, yardstick: Duration::MAX };
    for _ in 0..turns {
        best.yardstick = best.yardstick.min(time(&mut yardstick));
        best.ours = best.ours.min(time(&mut ours));
    }
    best
}

/// What a call takes.
pub(crate) fn time(mut work: impl FnMut()) -> Duration {
    let (before, begun) = (processor(), Instant::now());
    work();
    let passed = begun.elapsed();
    match (before, processor()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => passed,
    }
}

/// What this thread has had of a processor (Linux `Documentation/scheduler/sched-stats.rst`); none
/// where the kernel does not count it.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_ascii_whitespace().next()?.parse().ok()?;
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}
