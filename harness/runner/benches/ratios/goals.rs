//! The lines of the benchmark table: the measured operation, the yardstick, and the goal. A test
//! compares them with results.md.

/// Head of the table.
pub(crate) const HEAD: &str = "| What | Beside | Ours | Yardstick | Ratio | Goal | Met |";

/// A line of the table. The ratio is how many times as much this project does in the same time.
pub(crate) struct Goal {
    /// Operation that is measured.
    pub(crate) what: &'static str,
    pub(crate) yardstick: &'static str,
    /// Smallest ratio that meets the goal.
    pub(crate) least: f64,
}

/// The emulator with an empty hook on every instruction, running the same program.
const EMPTY_HOOK: &str = "an empty hook on each instruction";

/// Other readers of `.sframe`, through their own interfaces: the fastest one counts.
const READERS: &str = "libsframe, simple-frame-rs";

/// A fixed rate: ten times the published rate of the only static checker of `.eh_frame` that has
/// one, 27,100 functions per second of processor time.
const PUBLISHED: &str = "10 times the published rate for `.eh_frame`";

/// The line for exploration.
pub(crate) const EXPLORED: &str = "functions of this machine's AMD64 libraries explored";

/// All lines, in the order of the table.
pub(crate) const GOALS: [Goal; 18] = [
    goal("50 million steps judged, amd64", EMPTY_HOOK, 0.6),
    goal("50 million steps judged, aarch64-le", EMPTY_HOOK, 0.6),
    goal("50 million steps judged, aarch64-be", EMPTY_HOOK, 0.6),
    goal("50 million steps judged, s390x", EMPTY_HOOK, 0.6),
    goal("a section of 5 MB read, v1", READERS, 2.0),
    goal("a section of 5 MB read, v2", READERS, 2.0),
    goal("a section of 5 MB read, v2e1", READERS, 2.0),
    goal("a section of 5 MB read, v3", READERS, 2.0),
    goal("10 million rows looked up, v1", READERS, 2.0),
    goal("10 million rows looked up, v2", READERS, 2.0),
    goal("10 million rows looked up, v2e1", READERS, 2.0),
    goal("10 million rows looked up, v3", READERS, 2.0),
    goal("a section of 5 MB printed", "`readelf --sframe`", 2.0),
    goal("10,000 functions judged statically", PUBLISHED, 1.0),
    goal("100,000 functions judged statically", PUBLISHED, 1.0),
    goal("1,000,000 functions judged statically", PUBLISHED, 1.0),
    goal("memory of a sweep of 5,000 files", "of a sweep of 500", 0.9),
    // 20,000 functions per second of processor time, while the emulator alone reaches 3,300.
    goal(EXPLORED, "the same by the emulator alone", 6.0),
];

const fn goal(what: &'static str, yardstick: &'static str, least: f64) -> Goal {
    Goal { what, yardstick, least }
}
