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

    /// Why the command gets no more time, once that is so. Call it after each pause.
    pub(crate) fn over(&mut self, command: &Running) -> Option<Over> {
        let passed = self.began.elapsed();
        let before = *self.before.get_or_insert_with(|| command.load().used);
        if passed < self.limit {
            return None;
        }
        let Load { used, waits } = command.load();
        self.waited = if waits { self.waited + 1 } else { 0 };
        Over::new(self.limit, passed, used.saturating_sub(before), self.waited)
    }
}

/// Why a command gets no more time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It has used its time, or waits for something that does not come.
    Used,
    /// It could run, and others did: that shows nothing about the command.
    Starved,
}

impl Over {
    fn new(limit: Duration, passed: Duration, used: Duration, waited: u32) -> Option<Over> {
        if used + LOOK >= limit || waited >= MOST_WAITS {
            return Some(Over::Used);
        }
        (passed > limit * MOST_LIMITS).then_some(Over::Starved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command with a limit of 10 s, of which these seconds have passed and been used.
    #[test]
    fn what_had_no_processor_is_starved_and_not_late() {
        let over = |passed, used, waited| {
            Over::new(Duration::from_secs(10), Duration::from_secs(passed), Duration::from_secs(used), waited)
        };
        assert_eq!(over(11, 2, 0), None, "a busy machine");
        assert_eq!(over(11, 10, 0), Some(Over::Used));
        assert_eq!(over(11, 0, MOST_WAITS), Some(Over::Used), "it sleeps");
        assert_eq!(over(200, 2, 0), None);
        assert_eq!(over(201, 2, 0), Some(Over::Starved));
        assert_eq!(over(201, 10, 0), Some(Over::Used), "in the end it has used its time");
    }
}
