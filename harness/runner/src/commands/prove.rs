//! The script of a bundle, executed with tools that have the bug and with tools that do not, before
//! the bundle is written.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use reduce::describe::{Described, Setup};
use reports::bundle::files;
use results::bundle::{Bundle, Expected, Filing, TriedScript, unproven};
use toolchain::process::{ProcessError, run_within};
use toolchain::scratch::Scratch;

/// Processor time of one execution.
const LIMIT: Duration = Duration::from_secs(120);

/// Tools without the bug that are tried until the script exits with 0 for one.
const WITHOUT: usize = 3;

/// The bundle with the first script that is proven, else with the first that shows the bug, else
/// with the best one; with the executions of its script.
pub(super) fn prove(described: Described) -> anyhow::Result<Filing> {
    let Described { filings, tested, without } = described;
    let mut best: Option<Filing> = None;
    for mut filing in filings {
        let folder = Scratch::new()?;
        for (name, text) in files(&filing) {
            let path = folder.path().join(name);
            fs::write(&path, text).with_context(|| path.display().to_string())?;
        }
        if let Some((name, bytes)) = filing.judged() {
            fs::write(folder.path().join(name), bytes).with_context(|| name.to_owned())?;
        }
        let bug = execute(folder.path(), &tested, Expected::Bug)?;
        let wanted = if bug.fits() { WITHOUT } else { 0 };
        filing.bundle.tried = vec![bug];
        for setup in without.iter().take(wanted) {
            let other = execute(folder.path(), setup, Expected::NoBug)?;
            // A tool that is missing, or with which it cannot decide, proves nothing: another may.
            if !matches!(other.status, Some(2 | 77)) {
                filing.bundle.tried.push(other);
                break;
            }
        }
        let is_proven = unproven(&filing.bundle.tried).is_none();
        let shows = |bundle: &Bundle| bundle.tried.first().is_some_and(TriedScript::fits);
        let is_better = |best: &Filing| is_proven || (shows(&filing.bundle) && !shows(&best.bundle));
        if best.as_ref().is_none_or(is_better) {
            best = Some(filing);
        }
        if is_proven {
            break;
        }
    }
    best.context("the finding has no script")
}

fn execute(folder: &Path, setup: &Setup, expected: Expected) -> anyhow::Result<TriedScript> {
    let own = std::env::current_exe()?;
    let own = ("CHECK", own.as_path());
    let programs = setup.programs.iter().map(|(name, path)| (name.as_str(), path.as_path())).chain([own]);
    let mut words: Vec<String> = programs.map(|(name, path)| format!("{name}={}", path.display())).collect();
    words.extend(["sh", "run.sh"].map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let status = match run_within("env", &words, folder, LIMIT) {
        Ok(finished) => finished.code,
        Err(ProcessError::Timeout { .. } | ProcessError::Starved { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(TriedScript { tool: setup.tool.clone(), expected, status })
}
