//! One entry of the ledger: one bug of one project, and the affected versions.

use std::fmt;
use std::path::Path;

use results::{Blame, EntryClass, Key, ToolName, ToolVersion, day_number};

use super::recorded::RecordedFinding;
use crate::same_as::Counts;

/// One entry, one file: one bug of one project, with every finding that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// What is wrong, in one line.
    pub title: String,
    /// The one tool that has the bug, as in names of trials: `gas`, `gcc`, `lld`.
    pub project: String,
    /// Its versions that show it.
    pub versions: Versions,
    /// Who is at fault.
    pub blame: Blame,
    /// Why it is believed genuine: bytes, clause.
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
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Day it was added, `2026-11-21`.
    pub added: String,
    /// Day on which somebody last looked for a report, or a change, at the project; none: when it
    /// was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<String>,
    /// First day on which it no longer counts.
    pub expires: String,
    /// The findings by which it shows. None: no trial shows it, and a class of `cases/found` names
    /// it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<RecordedFinding>,
}

/// Affected versions: from the first to the last that was seen, which all must show the bug; later
/// ones may, until one is known to be fixed. Snapshots count without their day; `22` means all
/// of `22.x`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// The first that was seen to show it.
    pub first: ToolVersion,
    /// The last.
    pub last: ToolVersion,
    /// The first that was seen to be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<ToolVersion>,
}

/// The position of a version in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It must show the bug.
    Due,
    /// It is later than every version that was seen: it may show the bug.
    Later,
    /// It is older, or right.
    Outside,
}

impl Versions {
    /// The position of a version.
    pub fn place(&self, version: &ToolVersion) -> Within {
        let plain = ToolVersion::new(version.without_day());
        let is_of = |bound: &ToolVersion| plain.begins_with(bound.as_str());
        if self.fixed.as_ref().is_some_and(|fixed| is_of(fixed) || plain.at_least(fixed)) {
            Within::Outside
        } else if is_of(&self.last) || (is_of(&self.first) || plain.at_least(&self.first)) && self.last.at_least(&plain)
        {
            Within::Due
        } else if plain.at_least(&self.last) {
            Within::Later
        } else {
            Within::Outside
        }
    }

    /// Returns true if the range includes at least a part of what `version` means: `22` in that
    /// from 22.1.8 on.
    pub fn reaches(&self, version: &ToolVersion) -> bool {
        let is_of = |bound: &ToolVersion| bound.begins_with(version.as_str());
        self.place(version) == Within::Due || is_of(&self.first) || is_of(&self.last)
    }

    /// Widens the range to an affected version.
    pub fn widen(&mut self, version: &ToolVersion) {
        let plain = ToolVersion::new(version.without_day());
        match self.place(&plain) {
            Within::Due => return,
            _ if !plain.at_least(&self.first) => self.first = plain.clone(),
            _ => self.last = plain.clone(),
        }
        if self.fixed.as_ref().is_some_and(|fixed| self.last.at_least(fixed)) {
            self.fixed = None;
        }
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => self.first.fmt(f),
            false => write!(f, "{} to {}", self.first, self.last),
        }
    }
}

/// A trial as an entry sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name without the version of the entry's project.
    pub name: String,
    /// That version; `None` if it is unknown: a frozen object does not name its compiler.
    pub version: Option<ToolVersion>,
}

impl LedgerEntry {
    /// How it counts; `path` is its file.
    pub fn counts<'a>(&'a self, path: &'a Path) -> Counts<'a> {
        Counts { path, class: self.class, because: self.because.as_deref(), same_as: self.same_as.as_deref() }
    }

    /// The trial as the entry sees it. `tools` are those that took part and stand not in its name:
    /// the linker of an assembler's trial.
    pub fn sees(&self, key: &Key, tools: &[ToolName]) -> Seen {
        let beside = || tools.iter().find(|tool| tool.name == self.project).map(|tool| tool.version.clone());
        Seen { name: key.without_version_of(&self.project), version: key.version_of(&self.project).or_else(beside) }
    }

    /// Whether a finding in a trial is due, possible or not covered by the record. An unknown
    /// version is due.
    pub fn place(&self, recorded: &RecordedFinding, seen: &Seen) -> Within {
        let versions = recorded.versions.as_ref().unwrap_or(&self.versions);
        match &seen.version {
            _ if !recorded.is_for(&seen.name) => Within::Outside,
            None => Within::Due,
            Some(version) => versions.place(version),
        }
    }

    /// What is wrong with the entry, in a sentence; `None` if it can be used.
    pub fn complaint(&self) -> Option<String> {
        let ranges =
            std::iter::once(&self.versions).chain(self.findings.iter().filter_map(|one| one.versions.as_ref()));
        if let Some(turned) = ranges.into_iter().find(|range| !range.last.at_least(&range.first)) {
            return Some(format!("versions: {} comes after {}", turned.first, turned.last));
        }
        if let Some(day) = self.looked.as_ref().filter(|day| day_number(day).is_none() || **day < self.added) {
            return Some(format!("looked: {day} is no day from {} on", self.added));
        }
        self.findings.iter().enumerate().find_map(|(nth, recorded)| {
            let complaint = recorded.complaint()?;
            Some(format!("findings, number {}: {complaint}", nth + 1))
        })
    }
}
