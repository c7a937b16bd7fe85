//! Measures two operations alternately, so that other load on the machine affects both equally:
//! processor time, the minimum of several runs.

use std::time::{Duration, Instant};

/// Minimum times of this project and of the yardstick.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    pub(crate) ours: Duration,
    pub(crate) yardstick: Duration,
}

/// Measures both alternately.
pub(crate) fn in_turns(turns: usize, mut ours: impl FnMut(), mut yardstick: impl FnMut()) -> Times {
    let mut best = Times { ours: Duration::MAX, yardstick: Duration::MAX };
    for _ in 0..turns {
        best.yardstick = best.yardstick.min(time(&mut yardstick));
        best.ours = best.ours.min(time(&mut ours));
    }
    best
}

/// Processor time of a call.
pub(crate) fn time(mut work: impl FnMut()) -> Duration {
    let (before, begun) = (processor(), Instant::now());
    work();
    let passed = begun.elapsed();
    match (before, processor()) {
        (Some(before), Some(after)) if after > before => after - before,
        _ => passed,
    }
}

/// Processor time of this thread (Linux `Documentation/scheduler/sched-stats.rst`); `None` if the
/// kernel does not count it.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_ascii_whitespace().next()?.parse().ok()?;
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}
