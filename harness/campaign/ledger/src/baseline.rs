//! Known findings of `check` and `sweep`: those of the shipped ledger, of a ledger of the user's
//! own, or in the results of an earlier sweep; and ignored rules.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use results::{Cause, Finding, ProgramCause, Report};
use spec::RuleId;
use toolchain::yaml::{self, YamlError};

use crate::entries::{entry, parse, today};
use crate::error::LedgerError;
use crate::known::{Compiled, LedgerEntry, Part};
use crate::swept::{Swept, causes_of, is_sweep};

/// Known findings and ignored rules.
#[derive(Clone, Debug, Default)]
pub struct Baseline(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    /// Entries by file name.
    entries: OnceLock<Vec<(String, LedgerEntry)>>,
    /// Reads them at the first finding.
    load: Option<Shipped>,
    swept: Swept,
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
    /// Those of a folder: entries, or the results of a sweep.
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

/// Errors of a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The shipped ledger cannot be read.
    #[error("the shipped ledger: {0}")]
    Shipped(Box<dyn std::error::Error + Send + Sync>),
    /// The results of a sweep cannot be read.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// The folder contains no known findings.
    #[error("{}: neither entries of a ledger (*.yaml) nor the results of a sweep", .0.display())]
    Empty(PathBuf),
}

impl From<YamlError> for BaselineError {
    fn from(error: YamlError) -> Self {
        BaselineError::Ledger(error.into())
    }
}

impl Baseline {
    /// Reads what is known, and rules to ignore. The shipped ledger is read at the first finding.
    pub fn new(known: &Known, ignored: BTreeSet<RuleId>) -> Result<Baseline, BaselineError> {
        let mut parts = Parts { ignored, today: today(), ..Parts::default() };
        match known {
            Known::Shipped(load, counting) => (parts.load, parts.counting) = (Some(*load), *counting),
            Known::Folder(folder) => {
                parts.from = folder.display().to_string();
                match is_sweep(folder) {
                    true => {
                        let failed = |error| BaselineError::Io { path: folder.clone(), error };
                        parts.swept = causes_of(folder).map_err(failed)?;
                    }
                    false => parts.entries = OnceLock::from(read(folder)?),
                }
            }
        }
        Ok(Baseline(Arc::new(parts)))
    }

    /// Removes ignored findings from a report, and marks known ones.
    pub fn apply(&self, report: &mut Report) -> Result<(), BaselineError> {
        let Parts { swept, from, ignored, counting, .. } = &*self.0;
        let before = report.discrepancies.len();
        report.discrepancies.retain(|found| !ignored.contains(&found.rule()));
        let left_out = before - report.discrepancies.len();
        if left_out > 0 {
            report.notes.push(format!("left out by --ignore: {left_out}"));
        }
        if report.discrepancies.is_empty() {
            report.sort_and_count();
            return Ok(());
        }
        let entries = self.entries()?;
        let shown = functions_by_cause(&report.discrepancies);
        let swept_before = |found: &Finding| {
            let before = |cause: &Cause| {
                let of = (report.file.clone(), cause.fingerprint());
                let now = shown.get(&of.1).map_or(0, |functions| functions.len() as u64);
                // In a further function the cause is new.
                swept.get(&of).is_some_and(|before| *before >= now)
            };
            (!swept.is_empty() && Cause::from_finding(found).iter().all(before)).then(|| from.clone())
        };
        let valid = entries.iter().filter(|(_, entry)| entry.expires > self.0.today);
        let file = File { report, options: report.options.join(" "), entries: valid.collect() };
        let known: Vec<Option<String>> = report
            .discrepancies
            .iter()
            .map(|found| file.entry_for(found).map(str::to_owned).or_else(|| swept_before(found)))
            .collect();
        let by_file = entries.iter().filter(|(name, _)| known.iter().flatten().any(|file| file == name));
        report.ledger = by_file.map(|(name, entry)| entry.facts(name.clone(), false)).collect();
        report.known_counts = *counting == Counting::Counted && known.iter().any(Option::is_some);
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

/// Reads the entries of a folder.
fn read(folder: &Path) -> Result<Vec<(String, LedgerEntry)>, BaselineError> {
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
                mine.into_iter().any(|record| record.covers(part, entry.blame))
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

/// Functions in which each cause occurs, by its fingerprint.
fn functions_by_cause(found: &[Finding]) -> BTreeMap<String, BTreeSet<String>> {
    let mut causes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in found {
        for cause in Cause::from_finding(finding) {
            causes.entry(cause.fingerprint()).or_default().insert(finding.function().to_owned());
        }
    }
    causes
}
