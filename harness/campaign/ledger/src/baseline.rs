//! Known findings of `check` and `sweep`: those of the shipped ledger, of a ledger of the user's
//! own, or in the file of a baseline; and ignored rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use results::{Cause, CauseCount, Finding, ProgramCause, Report};
use spec::RuleId;
use toolchain::yaml::{self, YamlError};

use crate::baseline_file::{self, BaselineCause, BaselineItem};
use crate::entries::{entry, parse, today};
use crate::error::LedgerError;
use crate::known::{Compiled, LedgerEntry, Part};

/// Known findings and ignored rules.
#[derive(Clone, Debug, Default)]
pub struct Baseline(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    /// Entries by file name.
    entries: OnceLock<Vec<(String, LedgerEntry)>>,
    /// Reads them at the first finding.
    load: Option<Shipped>,
    items: Vec<BaselineItem>,
    from: String,
    today: String,
    ignored: BTreeSet<RuleId>,
    counting: Counting,
}

/// Reads the texts of the shipped ledger: path and contents of each entry.
pub type Shipped = fn() -> Result<Vec<(PathBuf, String)>, Box<dyn std::error::Error + Send + Sync>>;

/// The known findings of `check` and `sweep`.
#[derive(Clone, Debug)]
pub enum Known {
    /// Those of the shipped ledger.
    Shipped(Shipped, Counting),
    /// Those of a folder of entries.
    Folder(PathBuf),
}

/// Whether known findings count for the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// They are only marked.
    Counted,
    /// They do not.
    #[default]
    Ignored,
}

#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("the shipped ledger: {0}")]
    Shipped(Box<dyn std::error::Error + Send + Sync>),
    #[error("{}: no such folder", .0.display())]
    Missing(PathBuf),
    #[error("{}: no entries of a ledger (*.yaml)", .0.display())]
    Empty(PathBuf),
}

impl From<YamlError> for BaselineError {
    fn from(error: YamlError) -> Self {
        BaselineError::Ledger(error.into())
    }
}

impl Baseline {
    /// Reads what is known and the file of a baseline, if any, and takes rules to ignore. The
    /// shipped ledger is read at the first finding.
    pub fn new(known: &Known, file: Option<&Path>, ignored: BTreeSet<RuleId>) -> Result<Baseline, BaselineError> {
        let mut parts = Parts { ignored, today: today(), ..Parts::default() };
        match known {
            Known::Shipped(load, counting) => (parts.load, parts.counting) = (Some(*load), *counting),
            Known::Folder(folder) => parts.entries = OnceLock::from(read(folder)?),
        }
        if let Some(file) = file {
            parts.from = file.display().to_string();
            parts.items = baseline_file::read(file)?;
        }
        Ok(Baseline(Arc::new(parts)))
    }

    /// Removes ignored findings from a report, and marks known ones; those of the baseline do not
    /// count. Lists those of the baseline that are gone.
    pub fn apply(&self, report: &mut Report) -> Result<(), BaselineError> {
        let Parts { items, from, ignored, counting, .. } = &*self.0;
        let before = report.discrepancies.len();
        report.discrepancies.retain(|found| !ignored.contains(&found.rule()));
        let left_out = before - report.discrepancies.len();
        if left_out > 0 {
            report.notes.push(format!("left out by --ignore: {left_out}"));
        }
        let counts = CauseCount::from_report(report, |_| true).into_iter();
        let shown: BTreeMap<String, u64> = counts.map(|count| (count.fingerprint, count.functions)).collect();
        let mine: Vec<&BaselineItem> = items.iter().filter(|item| item.is_of(report)).collect();
        let is_ignored = |one: &BaselineCause| ignored.iter().any(|rule| rule.name() == one.rule);
        let gone = mine.iter().flat_map(|item| item.gone(report, &shown)).filter(|one| !is_ignored(one));
        let gone: Vec<String> = gone.map(|one| format!("{}: {}", one.rule, one.example)).collect();
        report.gone = gone;
        if report.discrepancies.is_empty() {
            report.sort_and_count();
            return Ok(());
        }
        let accepted: BTreeMap<&str, u64> =
            mine.iter().flat_map(|item| &item.causes).map(|one| (one.cause.as_str(), one.functions)).collect();
        let is_accepted = |cause: &Cause| {
            let fingerprint = cause.fingerprint();
            let now = shown.get(&fingerprint).copied().unwrap_or_default();
            // In a further function the cause is new.
            accepted.get(fingerprint.as_str()).is_some_and(|functions| *functions >= now)
        };
        let in_baseline = |found: &Finding| {
            let of = found.follows(&report.discrepancies).unwrap_or(found);
            Cause::from_finding(of).iter().all(is_accepted).then(|| from.clone())
        };
        let entries = match self.entries() {
            Ok(entries) => entries,
            // Known findings would only be marked.
            Err(BaselineError::Shipped(error)) if *counting == Counting::Counted => {
                report.notes.push(format!("known findings are not marked: {error}"));
                &[]
            }
            Err(error) => return Err(error),
        };
        let valid = entries.iter().filter(|(_, entry)| entry.expires > self.0.today);
        let file = File { report, options: report.options.join(" "), entries: valid.collect() };
        let known: Vec<Option<String>> = report
            .discrepancies
            .iter()
            .map(|found| in_baseline(found).or_else(|| file.entry_for(found).map(str::to_owned)))
            .collect();
        let by_file = entries.iter().filter(|(name, _)| known.iter().flatten().any(|file| file == name));
        report.ledger = by_file.map(|(name, entry)| entry.facts(name.clone(), false)).collect();
        report.known_counts = *counting == Counting::Counted && !report.ledger.is_empty();
        for (found, known) in report.discrepancies.iter_mut().zip(known) {
            found.standing.known = known;
        }
        report.sort_and_count();
        Ok(())
    }

    /// The entries, by file name.
    fn entries(&self) -> Result<&[(String, LedgerEntry)], BaselineError> {
        let Parts { entries, load, .. } = &*self.0;
        if let (None, Some(load)) = (entries.get(), load) {
            let texts = load().map_err(BaselineError::Shipped)?;
            let parsed = texts.iter().map(|(path, text)| Ok((file_name(path), parse(path, text)?)));
            let parsed = parsed.collect::<Result<Vec<_>, LedgerError>>()?;
            return Ok(entries.get_or_init(|| parsed));
        }
        Ok(entries.get().map_or(&[], Vec::as_slice))
    }
}

fn read(folder: &Path) -> Result<Vec<(String, LedgerEntry)>, BaselineError> {
    if !folder.is_dir() {
        return Err(BaselineError::Missing(folder.to_owned()));
    }
    let entries = yaml::files(folder)?.into_iter().map(|path| Ok((file_name(&path), entry(&path)?)));
    let entries = entries.collect::<Result<Vec<_>, LedgerError>>()?;
    if entries.is_empty() {
        return Err(BaselineError::Empty(folder.to_owned()));
    }
    Ok(entries)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file that was judged, and the entries that have not expired.
struct File<'a> {
    report: &'a Report,
    /// Options of its compilers, as far as it has them.
    options: String,
    entries: Vec<&'a (String, LedgerEntry)>,
}

impl<'a> File<'a> {
    /// File name of an entry that covers a finding.
    fn entry_for(&self, found: &Finding) -> Option<&'a str> {
        self.entry_of_parts(found).or_else(|| self.entry_of_causes(found))
    }

    /// The entry that covers the first part of a finding, if entries cover all of it: for a file of
    /// this name, which an entry's `in` has here, or for what its linker made.
    fn entry_of_parts(&self, found: &Finding) -> Option<&'a str> {
        let Report { file, linker, .. } = self.report;
        let name = file.rsplit('/').next().unwrap_or(file);
        let covering = |part: Part<'_>| {
            self.entries.iter().copied().find(|(_, entry)| {
                let mine = entry.findings.iter().filter(|record| record.is_for(file) || record.is_for(name));
                mine.into_iter().any(|record| record.covers(part, entry))
                    || linker.as_ref().is_some_and(|linker| entry.is_of_linker(linker, part))
            })
        };
        all(Part::all(found).into_iter().map(covering))
    }

    /// The entry of the first cause of a finding, if entries of the file's compilers cover all of
    /// them.
    fn entry_of_causes(&self, found: &Finding) -> Option<&'a str> {
        let program = Compiled { text: "", options: &self.options };
        let covering = |cause: &ProgramCause| {
            let is_it = |entry: &LedgerEntry| {
                self.report.compilers.iter().any(|compiler| entry.is_cause(compiler, cause, program))
            };
            self.entries.iter().copied().find(|(_, entry)| is_it(entry))
        };
        all(found.evidence.causes.iter().map(covering))
    }
}

/// The name of the first entry, if there is one for each.
fn all<'a>(mut covering: impl Iterator<Item = Option<&'a (String, LedgerEntry)>>) -> Option<&'a str> {
    let (name, _) = covering.next()??;
    covering.all(|one| one.is_some()).then_some(name.as_str())
}
