//! Number of trials by status, in DejaGnu's terms, and the resulting exit code.

use crate::{RunFacts, Status, TrialLine};

/// All statuses, in the order in which they are printed.
pub const STATUSES: [Status; 6] =
    [Status::Pass, Status::Xfail, Status::Xpass, Status::Fail, Status::Unresolved, Status::Unsupported];

/// All statuses, the most severe first.
pub const WORST_FIRST: [Status; 6] =
    [Status::Fail, Status::Xpass, Status::Unresolved, Status::Xfail, Status::Pass, Status::Unsupported];

/// DejaGnu's word for a status.
pub const fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "PASS",
        Status::Xfail => "XFAIL",
        Status::Xpass => "XPASS",
        Status::Fail => "FAIL",
        Status::Unresolved => "UNRESOLVED",
        Status::Unsupported => "UNSUPPORTED",
    }
}

/// Returns true if a trial counts for its producer: it ran to an end.
pub const fn decided(status: Status) -> bool {
    !matches!(status, Status::Unresolved | Status::Unsupported)
}

/// The message for results of an unfinished run.
pub const UNFINISHED: &str = "the run was not finished; `run --resume` continues it";

/// The exit code of a run: 1 if a trial failed or passed unexpectedly, else 2 if one could not be
/// decided or did not run, else 3 if none could be tried, else 0.
pub fn exit_code(trials: &[TrialLine], facts: &RunFacts) -> u8 {
    let tally = Tally::new(trials);
    match tally.exit_code() {
        0 if facts.unfinished => 2,
        0 if tally.is_untried() => 3,
        code => code,
    }
}

/// Counts of trials by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [u64; STATUSES.len()],
}

impl Tally {
    /// Counts these trials by status.
    pub fn new<'a>(trials: impl IntoIterator<Item = &'a TrialLine>) -> Tally {
        let mut tally = Tally::default();
        for trial in trials {
            tally.add(trial.status);
        }
        tally
    }

    /// Counts one more trial.
    pub fn add(&mut self, status: Status) {
        for (count, of) in self.counts.iter_mut().zip(STATUSES) {
            *count += u64::from(of == status);
        }
    }

    /// The most severe status that occurs.
    pub fn worst(&self) -> Option<Status> {
        WORST_FIRST.into_iter().find(|status| self.count(*status) > 0)
    }

    /// Number of trials with a status.
    pub fn count(&self, status: Status) -> u64 {
        self.iter().find(|(each, _)| *each == status).map_or(0, |(_, count)| count)
    }

    /// Number of all trials.
    pub fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Every status with its count, in the order of [`STATUSES`].
    pub fn iter(&self) -> impl Iterator<Item = (Status, u64)> {
        STATUSES.into_iter().zip(self.counts)
    }

    /// Returns true if all trials are unsupported.
    pub fn is_untried(&self) -> bool {
        self.count(Status::Unsupported) == self.all()
    }

    /// The exit code of a finished run.
    pub fn exit_code(&self) -> u8 {
        if self.count(Status::Fail) + self.count(Status::Xpass) > 0 {
            1
        } else if self.count(Status::Unresolved) > 0 {
            2
        } else {
            0
        }
    }

    /// `2 FAIL, 1 XFAIL, 40 PASS`: the statuses that occur, the worst first.
    pub fn sentence(&self) -> String {
        let counts = WORST_FIRST.map(|status| (status, self.count(status)));
        let words: Vec<String> = counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(status, count)| format!("{count} {}", word(status)))
            .collect();
        if words.is_empty() { "no trials".to_owned() } else { words.join(", ") }
    }
}
