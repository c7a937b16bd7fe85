//! The clock: it moves when it is looked at and when the program sleeps, and so repeats from run to
//! run.

/// What a clock advances each time it is looked at.
pub(crate) const TICK: u64 = 1_000_000;
pub(crate) const SECOND: u64 = 1_000_000_000;
/// 2026-01-01, when every process begins.
pub(crate) const EPOCH: u64 = 1_767_225_600;

/// Nanoseconds since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    pub(crate) now: u64,
}

impl Clock {
    /// When every process begins: seconds since 1970, and nanoseconds.
    pub(crate) fn began() -> (u64, u64) {
        (EPOCH, 0)
    }
}
