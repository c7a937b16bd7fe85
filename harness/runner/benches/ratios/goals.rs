//! The lines of the table: what is measured, beside what, and the goal. A test holds the table of harness/README.md against them.

/// Its head.
pub(crate) const HEAD: &str = "| What | Beside | Ours | Yardstick | Ratio | Goal | Met |";

/// One line. The ratio is how many times as much ours does in the same time.
pub(crate) struct Goal {
    /// What ours does.
    pub(crate) what: &'static str,
    /// Beside what.
    pub(crate) yardstick: &'static str,
    /// The least ratio that meets it.
    pub(crate) least: f64,
    /// Not met, it fails nothing.
    pub(crate) stretch: bool,
}

/// The emulator with one hook on every instruction that does nothing, in a run of the same program.
const EMPTY_HOOK: &str = "an empty hook on each instruction";

/// The line of exploring.
pub(crate) const EXPLORED: &str = "functions of this machine's AMD64 libraries explored";

/// Every line, in the order of the table.
pub(crate) const GOALS: [Goal; 9] = [
    asked("50 million steps judged, amd64", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, aarch64-le", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, aarch64-be", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, s390x", EMPTY_HOOK, 0.6),
    stretch("50 million steps judged, amd64", EMPTY_HOOK, 1.0),
    stretch("50 million steps judged, aarch64-le", EMPTY_HOOK, 1.0),
    stretch("50 million steps judged, aarch64-be", EMPTY_HOOK, 1.0),
    stretch("50 million steps judged, s390x", EMPTY_HOOK, 1.0),
    // 20,000 functions in a second of processor time, where the emulator alone has 3,300.
    asked(EXPLORED, "the same by the emulator alone", 6.0),
];

const fn asked(what: &'static str, yardstick: &'static str, least: f64) -> Goal {
    Goal { what, yardstick, least, stretch: false }
}

const fn stretch(what: &'static str, yardstick: &'static str, least: f64) -> Goal {
    Goal { what, yardstick, least, stretch: true }
}

impl Goal {
    /// The goal as the table has it.
    pub(crate) fn goal(&self) -> String {
        format!("{}{}", self.least, if self.stretch { ", stretch" } else { "" })
    }
}
