//! Numbers of trials by status, in the words that toolchain people read, and the exit code that
//! follows.

use results::{RunFacts, Status, TrialLine};

/// The words, in the order in which they are printed.
pub const STATUSES: [Status; 6] =
    [Status::Pass, Status::Xfail, Status::Xpass, Status::Fail, Status::Unresolved, Status::Unsupported];

/// The same, the gravest first.
pub const WORST_FIRST: [Status; 6] =
    [Status::Fail, Status::Xpass, Status::Unresolved, Status::Xfail, Status::Pass, Status::Unsupported];

/// The word of a status, as DejaGnu has it.
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

/// Returns true if a trial counts for its producer: it ran, and to an end.
pub const fn decided(status: Status) -> bool {
    !matches!(status, Status::Unresolved | Status::Unsupported)
}

/// What is printed of results whose run was not finished.
pub const UNFINISHED: &str = "the run was not finished; run --resume goes on with it";

/// What a run with these results exits with: 1 where something failed or passed unexpectedly, else
/// 2 where something could not be decided or did not get its turn, else 3 where nothing could be
/// tried, else 0.
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
    /// Numbers of these trials by status.
    pub fn new<'a>(trials: impl IntoIterator<Item = &'a TrialLine>) -> Tally {
        let mut tally = Tally::default();
        for trial in trials {
            tally.add(trial.status);
        }
        tally
    }

    /// Counts one more trial that came out so.
    pub fn add(&mut self, status: Status) {
        for (count, of) in self.counts.iter_mut().zip(STATUSES) {
            *count += u64::from(of == status);
        }
    }

    /// The gravest status that occurs.
    pub fn worst(&self) -> Option<Status> {
        WORST_FIRST.into_iter().find(|status| self.count(*status) > 0)
    }

    /// Trials of one status.
    pub fn count(&self, status: Status) -> u64 {
        self.iter().find(|(each, _)| *each == status).map_or(0, |(_, count)| count)
    }

    /// Trials of any status.
    pub fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Every status with its count, in the order of [`STATUSES`].
    pub fn iter(&self) -> impl Iterator<Item = (Status, u64)> {
        STATUSES.into_iter().zip(self.counts)
    }

    /// Returns true if there is no trial but unsupported ones.
    pub fn is_untried(&self) -> bool {
        self.count(Status::Unsupported) == self.all()
    }

    /// What a finished run with this outcome exits with.
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
