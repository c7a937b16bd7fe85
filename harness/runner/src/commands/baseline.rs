//! Options of `check` and `sweep` for findings that are not reported again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use ledger::{Baseline, Counting, Known};
use spec::RuleId;

use crate::home;

#[derive(clap::Args)]
pub(crate) struct BaselineOptions {
    /// do not count known findings: those of the shipped ledger, which are marked in any case; with
    /// DIR those of another ledger (*.yaml, with names of files in `in`)
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, help_heading = "Verdict")]
    known: Option<Option<PathBuf>>,
    /// ignore findings that FILE lists, as --write-baseline wrote it; print those that are gone
    #[arg(long, value_name = "FILE", help_heading = "Verdict")]
    baseline: Option<PathBuf>,
    /// write the findings of all files to FILE, by path, build id and cause
    #[arg(long, value_name = "FILE", conflicts_with = "baseline", help_heading = "Output")]
    pub(super) write_baseline: Option<PathBuf>,
    /// skip findings of this rule; row/ means all rules with that prefix (may be repeated)
    #[arg(long, value_name = "RULE", help_heading = "Verdict")]
    ignore: Vec<String>,
    /// print one line per file that is not clean, and the total
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl BaselineOptions {
    pub(crate) fn read(&self) -> anyhow::Result<Baseline> {
        let mut ignored = BTreeSet::new();
        for name in &self.ignore {
            let named = rules(name);
            if named.is_empty() {
                bail!("--ignore {name}: {}", no_rule(name));
            }
            ignored.extend(named);
        }
        let known = match &self.known {
            None => Known::Shipped(home::ledger, Counting::Counted),
            Some(None) => Known::Shipped(home::ledger, Counting::Ignored),
            Some(Some(folder)) if folder.is_file() => bail!("--known={}: not a folder", folder.display()),
            Some(Some(folder)) => Known::Folder(folder.clone()),
        };
        Ok(Baseline::new(&known, self.baseline.as_deref(), ignored)?)
    }

    /// The options as on the command line.
    pub(crate) fn words(&self) -> Vec<String> {
        let folder = |folder: &Option<PathBuf>| folder.as_ref().map(|folder| format!("={}", folder.display()));
        let known = self.known.iter().map(|known| format!("--known{}", folder(known).unwrap_or_default()));
        let baseline = self.baseline.iter().map(|file| format!("--baseline {}", file.display()));
        known.chain(baseline).chain(self.ignore.iter().map(|name| format!("--ignore {name}"))).collect()
    }
}

/// The rule with this name, else those whose names begin with it.
pub(crate) fn rules(name: &str) -> Vec<RuleId> {
    match name.parse() {
        Ok(rule) => vec![rule],
        Err(_) => RuleId::ALL.iter().copied().filter(|id| id.name().starts_with(name)).collect(),
    }
}

/// The error for a name that is not the beginning of a rule's.
pub(crate) fn no_rule(name: &str) -> String {
    let unknown = results::unknown("rule", name, RuleId::ALL.iter().map(|id| id.name()));
    format!("{unknown}; `explain` without a name lists all")
}
