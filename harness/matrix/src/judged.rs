//! Result of a trial before the comparison with the ledger.

use std::io;
use std::path::PathBuf;

use results::{Finding, Report, Sizes, TableLine};
use toolchain::process::ProcessError;

/// Why a trial could not be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrialError {
    /// A command of the build could not be run.
    #[error(transparent)]
    Build(#[from] ProcessError),
    /// A frozen object cannot be read.
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// A frozen object differs from the recorded one.
    #[error("{}: sha256 is {sum}, recorded is {recorded}", path.display())]
    Checksum { path: PathBuf, sum: String, recorded: String },
}

impl TrialError {
    /// [`ProcessError::may_be_of_host`] of the command.
    pub(super) const fn may_be_of_host(&self) -> bool {
        match self {
            TrialError::Build(error) => error.may_be_of_host(),
            TrialError::Read { .. } | TrialError::Checksum { .. } => false,
        }
    }

    /// [`ProcessError::may_pass`] of the command.
    pub(super) const fn may_pass(&self) -> bool {
        match self {
            TrialError::Build(error) => error.may_pass(),
            TrialError::Read { .. } | TrialError::Checksum { .. } => false,
        }
    }
}

/// The outcome of a trial before it is compared with the ledger.
#[derive(Debug, Default)]
pub(super) struct TrialOutcome {
    /// Findings of severity error.
    pub findings: Vec<Finding>,
    /// Report on the final file.
    pub report: Report,
    /// Sizes in the final file.
    pub sizes: Option<Sizes>,
    /// Differences from what is recorded of the file.
    pub problems: Vec<String>,
    /// The commands.
    pub commands: Vec<String>,
    /// Tables of every stage.
    pub tables: Vec<TableLine>,
    /// True if the program has no exit status although it was to be run.
    pub no_exit: bool,
}

/// Adds a problem if a value differs from the recorded one.
pub(super) fn expect<T: PartialEq + std::fmt::Debug>(
    problems: &mut Vec<String>,
    what: &str,
    got: Option<T>,
    want: Option<T>,
) {
    if want.is_some() && got != want {
        let text = |value: Option<T>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
        problems.push(format!("{what}: {}, recorded is {}", text(got), text(want)));
    }
}
