//! The time that a command takes: of the processor, so that a busy machine makes none late.

use std::time::{Duration, Instant};

use crate::process::LOOK;
use crate::running::{Load, Running};

/// Measures a command, or one of the questions to it, against its limit. Looks at no process before
/// the limit has passed on the clock.
#[derive(Debug)]
pub(crate) struct Clock {
    limit: Duration,
    began: Instant,
    /// The processor time of all that was measured before.
    before: Option<Duration>,
    /// Number of times in succession that all its processes were seen to wait.
    waited: u32,
}

/// So often: what waits for a device does not as long.
const MOST_WAITS: u32 = 10;

/// That many times the limit may pass on the clock, whatever the processor does.
const MOST_LIMITS: u32 = 20;

impl Clock {
    pub(crate) fn new(limit: Duration) -> Clock {
        Clock { limit, began: Instant::now(), before: None, waited: 0 }
    }

    /// Until it has to be looked at again.
    pub(crate) fn pause(&self) -> Duration {
        match self.limit.saturating_sub(self.began.elapsed()) {
            Duration::ZERO => LOOK,
            left => left.min(LOOK),
        }
    }

    /// Returns true once the command has used its time, or has done nothing since the limit passed.
    /// To be asked after each pause.
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
