//! The clock: it advances when it is read and when the program sleeps, and so repeats from run to
//! run.

/// Nanoseconds that the clock advances at each reading.
pub(crate) const TICK: u64 = 1_000_000;
pub(crate) const SECOND: u64 = 1_000_000_000;
/// 2026-01-01 in seconds since 1970, the start time of every process.
pub(crate) const EPOCH: u64 = 1_767_225_600;
/// Nanoseconds of one step, in programs with several threads.
const STEP: u64 = 10;

/// The time in nanoseconds since the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    pub(crate) now: u64,
}

impl Clock {
    /// The start time of every process: seconds since 1970, and nanoseconds.
    pub(crate) fn began() -> (u64, u64) {
        (EPOCH, 0)
    }

    /// Nanoseconds since the start; each call advances the clock.
    pub fn tick(&mut self) -> u64 {
        self.now = self.now.wrapping_add(TICK);
        self.now
    }

    /// Advances the clock by the time of a number of steps.
    pub(crate) fn step(&mut self, steps: u64) {
        self.now = self.now.saturating_add(steps.saturating_mul(STEP));
    }

    /// Seconds since 1970, and nanoseconds; does not advance the clock.
    pub(crate) fn time(&self) -> (u64, u64) {
        (EPOCH + self.now / SECOND, self.now % SECOND)
    }

    /// Nanoseconds from now to a time since 1970.
    pub(crate) fn until(&self, time: u64) -> u64 {
        time.saturating_sub(EPOCH * SECOND).saturating_sub(self.now)
    }
}

/// The two words of a time: seconds, and a fraction in units of `unit` nanoseconds.
pub(crate) fn parts(time: u64, unit: u64) -> [u64; 2] {
    [time / SECOND, time % SECOND / unit]
}
