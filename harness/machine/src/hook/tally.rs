//! Whether the second processor takes enough steps at a time to be worth handing over to.

/// Handing over costs as much as so many steps; so where fewer are taken in between, it is not
/// worth it.
const WORTH: u64 = 64;
/// So often it is tried before that is looked at, and so many steps are taken otherwise then, twice
/// as many each time.
const TRIES: u64 = 256;
const REST: u64 = 1 << 16;

/// Whether it is worth it.
pub(super) struct Tally {
    /// It is not asked: tests have few steps.
    always: bool,
    entered: u64,
    steps: u64,
    rest: u64,
}

impl Tally {
    pub(super) fn new(always: bool) -> Tally {
        Tally { always, entered: 0, steps: 0, rest: REST }
    }

    pub(super) fn begin(&mut self, steps: u64) {
        self.entered += 1;
        self.steps = self.steps.wrapping_sub(steps);
    }

    pub(super) fn end(&mut self, steps: u64, from: &mut u64) {
        self.steps = self.steps.wrapping_add(steps);
        if self.entered < TRIES {
            return;
        }
        if self.steps < TRIES * WORTH && !self.always {
            *from = steps.saturating_add(self.rest);
            self.rest = self.rest.saturating_mul(2);
        }
        (self.entered, self.steps) = (0, 0);
    }
}
