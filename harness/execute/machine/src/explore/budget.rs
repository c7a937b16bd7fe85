//! The time that exploration may take.

use std::time::{Duration, Instant};

use crate::processor_time;

/// When exploration starts no more functions: at the earlier of two times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    /// Processor time of this thread.
    processor: Option<Duration>,
}

impl Budget {
    /// Exploration ends at a time, and after this much more processor time of this thread.
    pub fn new(deadline: Option<Instant>, processor: Option<Duration>) -> Budget {
        Budget { deadline, processor: processor.map(|time| processor_time().saturating_add(time)) }
    }

    /// Returns true if it is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.processor.is_some_and(|processor| processor_time() >= processor)
    }
}
