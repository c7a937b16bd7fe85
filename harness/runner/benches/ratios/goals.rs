//! The lines of the table: what is measured, beside what, and the goal. A test compares them with
//! results.md.

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
}

/// The emulator with one hook on every instruction that does nothing, in a run of the same program.
const EMPTY_HOOK: &str = "an empty hook on each instruction";

/// Readers of `.sframe` of others, by their own interfaces: the one that is fastest.
const READERS: &str = "libsframe, simple-frame-rs";

/// A fixed rate: ten times what is published of the one static checker of `.eh_frame` with a rate,
/// 27,100 functions in a second of a processor.
const PUBLISHED: &str = "10 times the published rate for `.eh_frame`";

/// The line of exploring.
pub(crate) const EXPLORED: &str = "functions of this machine's AMD64 libraries explored";

/// Every line, in the order of the table.
pub(crate) const GOALS: [Goal; 18] = [
    asked("50 million steps judged, amd64", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, aarch64-le", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, aarch64-be", EMPTY_HOOK, 0.6),
    asked("50 million steps judged, s390x", EMPTY_HOOK, 0.6),
    asked("a section of 5 MB read, v1", READERS, 2.0),
    asked("a section of 5 MB read, v2", READERS, 2.0),
    asked("a section of 5 MB read, v2e1", READERS, 2.0),
    asked("a section of 5 MB read, v3", READERS, 2.0),
    asked("10 million rows looked up, v1", READERS, 2.0),
    asked("10 million rows looked up, v2", READERS, 2.0),
    asked("10 million rows looked up, v2e1", READERS, 2.0),
    asked("10 million rows looked up, v3", READERS, 2.0),
    asked("a section of 5 MB printed", "`readelf --sframe`", 2.0),
    asked("10,000 functions judged statically", PUBLISHED, 1.0),
    asked("100,000 functions judged statically", PUBLISHED, 1.0),
    asked("1,000,000 functions judged statically", PUBLISHED, 1.0),
    asked("memory of a sweep of 5,000 files", "of a sweep of 500", 0.9),
    // 20,000 functions in a second of processor time, where the emulator alone has 3,300.
    asked(EXPLORED, "the same by the emulator alone", 6.0),
];

const fn asked(what: &'static str, yardstick: &'static str, least: f64) -> Goal {
    Goal { what, yardstick, least }
}
