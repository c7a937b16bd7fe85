//! The limits of a run.

use std::time::{Duration, Instant};

use crate::end::{End, Reason};
use crate::{AtLimit, Plan, Unicorn, processor_time};

/// Number of steps between checks of the time limit: a few checks a second.
const STEPS_A_LOOK: u64 = 1 << 16;
/// The same for the first check, and the time after which checks become more frequent.
const STEPS_AT_FIRST: u64 = 1 << 8;
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// The limits of steps and time.
pub(super) struct Limits {
    steps: u64,
    deadline: Option<Instant>,
    processor: Option<Duration>,
    /// The step at which the limits are checked next.
    pub(super) check_at: u64,
    /// Number of steps between two checks, and the time of the last one, if time is limited.
    stride: u64,
    checked: Option<Instant>,
    /// The step after which all code is overwritten.
    pub(super) overwrite_at: u64,
}

impl Limits {
    pub(super) fn new(engine: Unicorn, plan: &Plan<'_>) -> Limits {
        Limits {
            steps: plan.step_limit,
            deadline: plan.deadline,
            processor: plan.processor,
            check_at: 0,
            stride: if plan.deadline.is_some() || plan.processor.is_some() { STEPS_AT_FIRST } else { STEPS_A_LOOK },
            checked: None,
            overwrite_at: match engine.at_limit {
                AtLimit::Translate => u64::MAX,
                AtLimit::OverwriteCode => plan.step_limit,
            },
        }
    }

    /// Checks the limits before an instruction, after `steps` steps.
    #[cold]
    pub(super) fn check(&mut self, pc: u64, steps: u64) -> Result<(), End> {
        if steps == self.steps {
            let message = format!("the limit of {steps} steps was reached");
            return Err(End::undecided(Reason::StepLimit, pc, message));
        }
        if self.deadline.is_some() || self.processor.is_some() {
            let now = Instant::now();
            if self.deadline.is_some_and(|deadline| now >= deadline) {
                return Err(End::undecided(Reason::TimeLimit, pc, "the time limit was reached"));
            }
            if self.processor.is_some_and(|processor| processor_time() >= processor) {
                let message = "the limit of processor time was reached (--seconds N sets another one)";
                return Err(End::undecided(Reason::TimeLimit, pc, message));
            }
            // A step can take long: the observer may walk thousands of frames at each.
            let was_slow = self.checked.is_some_and(|checked| now - checked > LONGEST_LOOK);
            let stride = if was_slow { self.stride / 8 } else { self.stride * 2 };
            self.stride = stride.clamp(1, STEPS_A_LOOK);
            self.checked = Some(now);
        }
        self.check_at = self.steps.min(steps + self.stride);
        Ok(())
    }
}
