//! Measures the processor time of a command, so that a loaded machine does not cause a timeout.

use std::time::{Duration, Instant};

use crate::process::LOOK;
use crate::running::{Load, Running};

/// Measures a command, or a single question to it, against its limit. Does not look at processes
/// until the limit has passed in wall-clock time.
#[derive(Debug)]
pub(crate) struct Clock {
    limit: Duration,
    began: Instant,
    /// Processor time of everything that was measured before.
    before: Option<Duration>,
    /// Number of consecutive checks at which all its processes were waiting.
    waited: u32,
}

/// Number of such checks after which it counts as hanging: a process does not wait that long for a
/// device.
const MOST_WAITS: u32 = 10;

/// Multiple of the limit in wall-clock time that is allowed, whatever the processor time.
const MOST_LIMITS: u32 = 20;

impl Clock {
    pub(crate) fn new(limit: Duration) -> Clock {
        Clock { limit, began: Instant::now(), before: None, waited: 0 }
    }

    /// Time until the next check.
    pub(crate) fn pause(&self) -> Duration {
        match self.limit.saturating_sub(self.began.elapsed()) {
            Duration::ZERO => LOOK,
            left => left.min(LOOK),
        }
    }

    /// Returns true once the command has used its time, or has been idle since the limit passed.
    /// Call it after each pause.
    pub(crate) fn is_over(&mut self, command: &Running) -> bool {
        let passed = self.began.elapsed();
        let before = *self.before.get_or_insert_with(|| command.load().used);
        if passed < self.limit {
            return false;
        }
        let Load { used, waits } = command.load();
        self.waited = if waits { self.waited + 1 } else { 0 };
        used.saturating_sub(before) + LOOK >= self.limit
            || self.waited >= MOST_WAITS
            || passed > self.limit * MOST_LIMITS
    }
}
