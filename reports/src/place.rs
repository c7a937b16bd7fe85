//! Where in the checkout a trial and a ledger entry stand: what a reader of a report opens.

use results::{CaseName, TrialLine};

/// The file of the case, relative to the checkout: `cases/frames/no-fp.yaml`. Frozen objects share
/// one file.
pub fn case_file(trial: &TrialLine) -> String {
    let name = CaseName(&trial.case).plain();
    let name = if trial.topic == "objects" { "objects" } else { name };
    format!("cases/{}/{name}.yaml", trial.topic)
}

/// The file of a ledger entry, relative to the checkout.
pub fn ledger_file(file: &str) -> String {
    format!("reports/known/{file}")
}
