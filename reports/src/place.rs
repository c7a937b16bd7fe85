//! Where in the checkout a trial and a ledger entry stand: what a reader of a report opens.

use model::TrialLine;

/// The file of the case, relative to the checkout: `cases/frames/no-fp.yaml`. Frozen objects share one file.
pub fn case_file(trial: &TrialLine) -> String {
    // What varies stands after a `+` and is no part of the file's name.
    let name = trial.case.split('+').next().unwrap_or_default();
    let name = if trial.topic == "objects" { "objects" } else { name };
    format!("cases/{}/{name}.yaml", trial.topic)
}

/// The file of a ledger entry, relative to the checkout.
pub fn ledger_file(file: &str) -> String {
    format!("reports/known/{file}")
}
