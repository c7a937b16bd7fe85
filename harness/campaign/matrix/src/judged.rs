//! Result of a trial before the comparison with the ledger.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use results::{Blame, Finding, Problem, Report, Sizes, Stage, TableLine};
use toolchain::process::ProcessError;

/// Why a trial could not be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrialError {
    #[error(transparent)]
    Build(#[from] ProcessError),
    /// A frozen object cannot be read.
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
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
    pub problems: Vec<Problem>,
    /// Functions that have no descriptor, with the first stage that lacks it.
    pub gaps: BTreeMap<String, Stage>,
    /// Files of a recipe that were not made or not judged, with the reason.
    pub not_made: Vec<String>,
    pub commands: Vec<String>,
    /// Tables of every stage.
    pub tables: Vec<TableLine>,
    /// True if the program has no exit status although it was to be run.
    pub no_exit: bool,
}

impl TrialOutcome {
    /// The functions without a descriptor in reports of files, in the order of the build.
    pub(super) fn gaps<'a>(reports: impl IntoIterator<Item = (Stage, &'a Report)>) -> BTreeMap<String, Stage> {
        let mut gaps = BTreeMap::new();
        for (stage, report) in reports {
            for gap in &report.gaps {
                gaps.entry(gap.function.clone()).or_insert(stage);
            }
        }
        gaps
    }

    /// The tool that omitted a function.
    pub(super) fn lost_by(&self, function: &str) -> Option<Blame> {
        self.gaps.get(function).map(|stage| match stage {
            Stage::Object => Blame::Assembler,
            Stage::Relocatable | Stage::Linked => Blame::Linker,
            Stage::Stripped => Blame::PostProcessor,
        })
    }
}

/// Adds a problem if a value differs from the recorded one.
pub(super) fn expect<T: PartialEq + std::fmt::Debug>(
    problems: &mut Vec<Problem>,
    what: &str,
    got: Option<T>,
    want: Option<T>,
) {
    if want.is_some() && got != want {
        let text = |value: Option<T>| value.map_or("none".to_owned(), |value| format!("{value:?}"));
        problems.push(format!("{what}: {}, recorded is {}", text(got), text(want)).into());
    }
}

#[cfg(test)]
mod tests {
    use results::{Blame, Gap, Report, Stage};

    use super::TrialOutcome;

    #[test]
    fn a_function_is_lost_by_the_tool_of_the_first_stage_without_it() {
        let gap = |function: &str| Gap {
            function: function.to_owned(),
            code: (0, 1),
            place: String::new(),
            reason: None,
            executed: false,
        };
        let report = |gaps: &[&str]| Report { gaps: gaps.iter().map(|name| gap(name)).collect(), ..Report::default() };
        let (object, linked, stripped) = (report(&["f"]), report(&["f", "g"]), report(&["f", "g", "h"]));
        let files = [(Stage::Object, &object), (Stage::Linked, &linked), (Stage::Stripped, &stripped)];
        let outcome = TrialOutcome { gaps: TrialOutcome::gaps(files), ..TrialOutcome::default() };
        let blamed = ["f", "g", "h", "i"].map(|function| outcome.lost_by(function));
        assert_eq!(blamed, [Some(Blame::Assembler), Some(Blame::Linker), Some(Blame::PostProcessor), None]);
    }
}
