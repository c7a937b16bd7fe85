//! The clock: it advances when it is read and when the program sleeps, and so repeats from run to
//! run.

/// Nanoseconds that the clock advances at each reading.
pub(crate) const TICK: u64 = 1_000_000;
pub(crate) const SECOND: u64 = 1_000_000_000;
/// 2026-01-01 in seconds since 1970, the start time of every process.
pub(crate) const EPOCH: u64 = 1_767_225_600;

/// The time in nanoseconds since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    pub(crate) now: u64,
}

impl Clock {
    /// The start time of every process: seconds since 1970, and nanoseconds.
    pub(crate) fn began() -> (u64, u64) {
        (EPOCH, 0)
    }
}
