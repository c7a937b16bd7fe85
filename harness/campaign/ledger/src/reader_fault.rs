//! An entry of `reports/known/readers`: one bug of one reader.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use results::{EntryClass, ReaderCause, ReaderFinding, ToolVersion};
use toolchain::yaml;

use crate::error::LedgerError;
use crate::known::{Versions, Within};
use crate::same_as::{self, Counts};

/// Folder of the shipped entries, relative to the project's folder.
pub const KNOWN_READERS: &str = "reports/known/readers";

/// One bug of one reader.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFault {
    /// Title, one line.
    pub title: String,
    /// The reader's project.
    pub project: String,
    /// Affected versions.
    pub versions: Versions,
    /// Why it is believed genuine: the bytes, decoded by hand.
    pub reason: String,
    /// Class of the cause.
    #[serde(default, skip_serializing_if = "EntryClass::is_bug")]
    pub class: EntryClass,
    /// Reason why it is not a bug, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Name of another entry whose bug it shows, without `.yaml`: that entry is counted instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Clause of the catalogue that is violated, `v2e1/flags/start-base`; `None` if no text covers
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Date of the entry, `2026-11-21`.
    pub added: String,
    /// First day on which the entry no longer counts.
    pub expires: String,
    /// For memory safety bugs: the contact to report to first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell: Option<String>,
    /// First day on which a crashing input may be published; before that day, and without one, it
    /// is private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<String>,
    /// Where the bug shows.
    pub shows: Vec<Shows>,
}

/// Causes of a bug, and the tables in which each must recur.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// Versions that show it, if they differ from the entry's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// True if it depends on memory outside of the section, or on the installed producers: it need
    /// not recur, `*` matches any tables, and at the end of a cause any difference.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// Tables that show it, `v2e1-amd64`, by cause: its title, or its fingerprint if it must not be
    /// public.
    pub causes: BTreeMap<String, BTreeSet<String>>,
}

/// Reads the entries of a folder, by file.
pub fn read_faults(folder: &Path) -> Result<Vec<(PathBuf, KnownFault)>, LedgerError> {
    let mut entries = Vec::new();
    for path in yaml::files(folder)? {
        let entry: KnownFault = yaml::read(&path)?;
        if let Some(complaint) = entry.complaint() {
            return Err(LedgerError::Unsound { path, complaint });
        }
        entries.push((path, entry));
    }
    same_as::check(&entries.iter().map(|(path, entry)| entry.counts(path)).collect::<Vec<_>>())?;
    Ok(entries)
}

impl KnownFault {
    /// How the entry counts; `path` is its file.
    pub fn counts<'a>(&'a self, path: &'a Path) -> Counts<'a> {
        Counts { path, class: self.class, because: self.because.as_deref(), same_as: self.same_as.as_deref() }
    }

    pub fn affects(&self, version: &ToolVersion) -> bool {
        self.versions.place(version) != Within::Outside
    }

    /// Every version that it names.
    pub fn named_versions(&self) -> impl Iterator<Item = &ToolVersion> {
        let of_shows = self.shows.iter().filter_map(|shows| shows.versions.as_ref());
        let ranges = std::iter::once(&self.versions).chain(of_shows);
        ranges.flat_map(|range| [&range.first, &range.last].into_iter().chain(&range.fixed))
    }

    /// Returns true for a finding of this bug in a table, `v2e1-amd64`, given the versions of the
    /// project that are recorded: one between two of them may have the bugs of the later. The cause
    /// is passed separately, because the finding may not contain it.
    pub fn covers(&self, finding: &ReaderFinding, cause: &ReaderCause, table: &str, recorded: &[ToolVersion]) -> bool {
        let version = ToolVersion::new(&finding.version);
        self.project == finding.project
            && self.shows.iter().any(|shows| {
                let versions = shows.versions.as_ref().unwrap_or(&self.versions);
                let has = |(text, tables): (&String, &BTreeSet<String>)| {
                    let any = text.strip_suffix('*').filter(|_| shows.varies);
                    let is_it = is_of(finding, cause, text) || any.is_some_and(|any| cause.title().starts_with(any));
                    is_it && (tables.contains(table) || shows.varies && tables.contains("*"))
                };
                versions.place_among(&version, recorded) != Within::Outside && shows.causes.iter().any(has)
            })
    }

    /// The error in the entry, as a sentence; `None` if it is valid.
    pub fn complaint(&self) -> Option<String> {
        let days = [Some(&self.added), Some(&self.expires), self.public.as_ref()];
        if let Some(day) = days.into_iter().flatten().find(|day| results::day_number(day).is_none()) {
            return Some(format!("'{day}' is not a date (YYYY-MM-DD)"));
        }
        if let Some(clause) = self.clause.as_ref().filter(|clause| spec::clause_named(clause).is_none()) {
            return Some(format!("unknown clause '{clause}'"));
        }
        let tables = self.shows.iter().flat_map(|shows| shows.causes.values());
        if self.shows.is_empty() || tables.clone().count() == 0 || tables.clone().any(BTreeSet::is_empty) {
            return Some("it names no table that shows it".to_owned());
        }
        let is_open = |(cause, tables): (&String, &BTreeSet<String>)| cause.ends_with('*') || tables.contains("*");
        if self.shows.iter().any(|shows| !shows.varies && shows.causes.iter().any(is_open)) {
            return Some("`*` for tables or causes needs `varies: true`".to_owned());
        }
        let is_private = |cause: &String| cause.len() == 16 && cause.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has_private = self.shows.iter().flat_map(|shows| shows.causes.keys()).any(is_private);
        (has_private && self.tell.is_none()).then(|| "`tell` is missing: whom to contact first".to_owned())
    }
}

/// Returns true if a finding has a cause as an entry gives it: by title, or by fingerprint.
pub fn is_of(finding: &ReaderFinding, cause: &ReaderCause, named: &str) -> bool {
    cause.title() == named || finding.fingerprint == named
}
