//! An entry of `reports/known/readers`: one bug of one reader.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use results::{EntryClass, ReaderCause, ReaderFinding, ToolVersion};
use toolchain::yaml;

use crate::error::LedgerError;
use crate::known::{Versions, Within};
use crate::same_as::{self, Counts};

/// The folder of the entries that are shipped, below the project's.
pub const KNOWN_READERS: &str = "reports/known/readers";

/// One bug of one reader.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFault {
    /// What is wrong, in one line.
    pub title: String,
    /// The reader's project.
    pub project: String,
    /// Its versions that show it.
    pub versions: Versions,
    /// Why it is believed genuine: the bytes, decoded by hand.
    pub reason: String,
    /// What kind of cause it is.
    #[serde(default, skip_serializing_if = "EntryClass::is_bug")]
    pub class: EntryClass,
    /// Why it does not count as a bug, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The entry beside it whose bug it shows, without `.yaml`: that one is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The clause of the catalogue that is broken, `v2e1/flags/start-base`; `None` if no text
    /// covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Day it was added, `2026-11-21`.
    pub added: String,
    /// First day on which it no longer counts.
    pub expires: String,
    /// For memory safety bugs: whom to contact first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tell: Option<String>,
    /// The first day on which what shows a crash may be published; until then, and without one, it
    /// is private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<String>,
    /// Where it shows.
    pub shows: Vec<Shows>,
}

/// Causes of a bug, and where each must recur.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shows {
    /// Versions that show it, where they are not the entry's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// It depends on what is beside the section in memory, or on which producers are here: it need
    /// not recur, `*` matches any tables, and at the end of a cause any difference.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// The tables that show it, `v2e1-amd64`, by cause: a line as it is printed, or its fingerprint
    /// if it must not be public.
    pub causes: BTreeMap<String, BTreeSet<String>>,
}

/// Reads the entries of a folder, by file.
///
/// # Errors
/// If a file cannot be read, has keys that are not known, or contradicts itself or another.
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
    /// How it counts; `path` is its file.
    pub fn counts<'a>(&'a self, path: &'a Path) -> Counts<'a> {
        Counts { path, class: self.class, because: self.because.as_deref(), same_as: self.same_as.as_deref() }
    }

    /// Returns true for a finding of this bug in a table, `v2e1-amd64`, with the finding's cause,
    /// which it may not name itself.
    pub fn covers(&self, finding: &ReaderFinding, cause: &ReaderCause, table: &str) -> bool {
        let version = ToolVersion::new(&finding.version);
        self.project == finding.project
            && self.shows.iter().any(|shows| {
                let versions = shows.versions.as_ref().unwrap_or(&self.versions);
                let has = |(text, tables): (&String, &BTreeSet<String>)| {
                    let any = text.strip_suffix('*').filter(|_| shows.varies);
                    let is_it = is_of(finding, cause, text) || any.is_some_and(|any| cause.title().starts_with(any));
                    is_it && (tables.contains(table) || shows.varies && tables.contains("*"))
                };
                versions.place(&version) != Within::Outside && shows.causes.iter().any(has)
            })
    }

    /// What is wrong with the entry, in a sentence; `None` if it can be used.
    pub fn complaint(&self) -> Option<String> {
        let days = [Some(&self.added), Some(&self.expires), self.public.as_ref()];
        if let Some(day) = days.into_iter().flatten().find(|day| results::day_number(day).is_none()) {
            return Some(format!("'{day}' is no day"));
        }
        if let Some(clause) = self.clause.as_ref().filter(|clause| spec::clause_named(clause).is_none()) {
            return Some(format!("'{clause}' is no clause"));
        }
        let tables = self.shows.iter().flat_map(|shows| shows.causes.values());
        if self.shows.is_empty() || tables.clone().count() == 0 || tables.clone().any(BTreeSet::is_empty) {
            return Some("it shows nowhere".to_owned());
        }
        let is_open = |(cause, tables): (&String, &BTreeSet<String>)| cause.ends_with('*') || tables.contains("*");
        if self.shows.iter().any(|shows| !shows.varies && shows.causes.iter().any(is_open)) {
            return Some("only what varies may show in any table, or in any way".to_owned());
        }
        let is_private = |cause: &String| cause.len() == 16 && cause.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has_private = self.shows.iter().flat_map(|shows| shows.causes.keys()).any(is_private);
        (has_private && self.tell.is_none()).then(|| "`tell` is missing: whom to contact first".to_owned())
    }
}

/// Returns true where a finding is of a cause as an entry names it: by its title, or by its
/// fingerprint.
pub fn is_of(finding: &ReaderFinding, cause: &ReaderCause, named: &str) -> bool {
    cause.title() == named || finding.fingerprint == named
}
