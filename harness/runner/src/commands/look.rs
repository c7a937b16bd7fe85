//! `accept --look`: raises the last affected version of known bugs that a run showed in seen_later
//! versions.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use ledger::known::{LedgerEntry, Within};
use ledger::{Ledger, entry};
use reports::escape::line;
use results::{Key, ToolName, ToolVersion};
use toolchain::yaml;

use super::run_results;
use crate::{home, known_lists};

/// Rewrites the entries whose findings recurred in the results of a folder with a seen_later
/// version of their tool, and prints each.
pub(super) fn look(folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let home = home::to_write()?;
    let ledger = Ledger::read(&home)?;
    let results = run_results(folder)?;
    // The newest version that showed each entry, by its file.
    let mut seen: BTreeMap<&Path, ToolVersion> = BTreeMap::new();
    for trial in &results.trials {
        let key: Key = trial.key.parse()?;
        let tools: Vec<ToolName> = trial.tools.values().filter_map(|name| name.parse().ok()).collect();
        for name in trial.findings.iter().filter_map(|found| found.standing.known.as_ref()) {
            let mut all = ledger.files.iter().zip(&ledger.entries);
            let Some((file, known)) = all.find(|(file, _)| file.ends_with(name)) else { continue };
            let Some(version) = seen_later(known, &key, &tools) else { continue };
            let newest = seen.entry(file).or_insert_with(|| version.clone());
            if version.at_least(newest) {
                *newest = version;
            }
        }
    }
    for (file, version) in &seen {
        let mut known = entry(file)?;
        let before = known.versions.last.clone();
        known.versions.widen(version);
        known.looked = Some(ledger.today.clone());
        yaml::write(file, &known)?;
        writeln!(out, "{}: {before} -> {}", line(&file.display().to_string()), known.versions.last)?;
    }
    if !seen.is_empty() {
        known_lists::relist(&home)?;
    }
    Ok(())
}

/// The version of the entry's tool in a trial, if it is seen_later than all that were seen to show
/// it.
fn seen_later(entry: &LedgerEntry, key: &Key, tools: &[ToolName]) -> Option<ToolVersion> {
    let version = entry.sees(key, tools).version?;
    (entry.versions.place(&version) == Within::Later).then_some(version)
}
