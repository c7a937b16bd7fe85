//! Paths in the checkout of a trial's case and of a ledger entry, for the reader of a report.

use results::{CaseName, TrialLine};

/// The file of a trial's case, relative to the checkout: `cases/frames/no-fp.yaml`. Frozen objects
/// share one file.
pub fn case_file(trial: &TrialLine) -> String {
    let name = CaseName(&trial.case).plain();
    let name = if trial.topic == "objects" { "objects" } else { name };
    format!("cases/{}/{name}.yaml", trial.topic)
}

/// The file of a ledger entry, relative to the checkout.
pub fn ledger_file(file: &str) -> String {
    format!("reports/known/{file}")
}
