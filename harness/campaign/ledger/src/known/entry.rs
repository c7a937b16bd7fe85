//! One entry of the ledger: one bug of one project, and the affected versions.

use std::path::Path;

use results::{
    Blame, EntryClass, Finding, Key, LedgerFacts, LinkedBy, ProgramCause, RepairEdit, ToolName, ToolVersion, day_number,
};

use super::program::{Compiled, RecordedCause};
use super::recorded::{Part, RecordedFinding};
use super::versions::{Versions, Within};
use crate::same_as::Counts;

/// A ledger entry, one file: one bug of one project, with every finding that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// Title, one line.
    pub title: String,
    /// Tool that has the bug, as in trial names: `gas`, `gcc`, `lld`.
    pub project: String,
    /// Affected versions of the tool.
    pub versions: Versions,
    /// The blamed producer.
    pub blame: Blame,
    /// Why it is believed genuine: bytes, clause.
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
    /// Link to the report, or `unfiled`.
    pub link: String,
    /// Date of the entry, `2026-11-21`.
    pub added: String,
    /// Date of the last search for a report, or a fix, at the project; `None`: `added`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<String>,
    /// First day on which the entry no longer counts.
    pub expires: String,
    /// Causes by which it is recognised in generated programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<RecordedCause>,
    /// Findings that show it. Empty without causes: no trial shows it, and a class of `cases/found`
    /// refers to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<RecordedFinding>,
}

/// A trial from the point of view of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialVersion {
    /// Name of the trial without the version of the entry's project.
    pub name: String,
    /// Version of the entry's project; `None` if unknown: a frozen object does not name its
    /// compiler.
    pub version: Option<ToolVersion>,
}

impl LedgerEntry {
    /// How the entry counts; `path` is its file.
    pub fn counts<'a>(&'a self, path: &'a Path) -> Counts<'a> {
        Counts { path, class: self.class, because: self.because.as_deref(), same_as: self.same_as.as_deref() }
    }

    /// The trial from the point of view of the entry. `tools` are those that took part and are not
    /// in its name: the linker of an assembler's trial.
    pub fn sees(&self, key: &Key, tools: &[ToolName]) -> TrialVersion {
        let beside = || tools.iter().find(|tool| tool.name == self.project).map(|tool| tool.version.clone());
        TrialVersion {
            name: key.without_version_of(&self.project),
            version: key.version_of(&self.project).or_else(beside),
        }
    }

    /// Returns true if a tool is the entry's project, in a version that must show the bug.
    pub fn is_due(&self, tool: &ToolName) -> bool {
        tool.name == self.project && self.versions.place(&tool.version) == Within::Due
    }

    /// Returns true if a tool is the entry's project, in a version that may show the bug, and a
    /// record covers the cause; `program` is what was compiled, as far as it is known.
    pub fn is_cause(&self, tool: &ToolName, cause: &ProgramCause, program: Compiled<'_>) -> bool {
        // A row that another table has right is no bug of the directives.
        let is_later =
            matches!(cause.blame, Blame::Assembler | Blame::Linker | Blame::AssemblerOrLinker | Blame::PostProcessor);
        tool.name == self.project
            && self.versions.place(&tool.version) != Within::Outside
            && !(is_later && self.blame == Blame::Compiler)
            && self.causes.iter().any(|one| one.covers(cause, program))
    }

    /// Returns true if the causes cover each edit that repairs the rows of a finding, and there is
    /// one.
    pub fn repairs(&self, found: &Finding) -> bool {
        let edits = found.evidence.repair.as_ref().map(|repair| repair.edits()).unwrap_or_default();
        let is_known = |edit: &RepairEdit| self.causes.iter().any(|one| one.repairs(&edit.normal_form, &edit.frame));
        !edits.is_empty() && edits.iter().all(is_known)
    }

    /// Returns true if a record covers a part of a finding in any file of a linker: about code or a
    /// section that the linker made. Versions that the file does not name are affected ones.
    pub fn is_of_linker(&self, linker: &LinkedBy, part: Part<'_>) -> bool {
        let place = |record: &RecordedFinding| match &linker.version {
            Some(version) => record.versions.as_ref().unwrap_or(&self.versions).place(version),
            None => Within::Due,
        };
        linker.name == self.project
            && self.findings.iter().any(|record| place(record) != Within::Outside && record.is_of_section(part))
    }

    /// Facts for results; `file` is the entry's, and `bundle` is true if a report is ready.
    pub fn facts(&self, file: String, bundle: bool) -> LedgerFacts {
        LedgerFacts {
            file,
            title: self.title.clone(),
            link: self.link.clone(),
            project: self.project.clone(),
            first: self.versions.first.to_string(),
            last: self.versions.last.to_string(),
            fixed: self.versions.fixed.as_ref().map(ToString::to_string),
            blame: Some(self.blame),
            reason: self.reason.clone(),
            class: self.class,
            because: self.because.clone(),
            same_as: self.same_as.clone(),
            added: self.added.clone(),
            expires: self.expires.clone(),
            bundle,
        }
    }

    /// Whether a finding in a trial is due, possible or not covered by the record, given the
    /// versions of the project whose trials are recorded. An unknown version is due.
    pub fn place(&self, recorded: &RecordedFinding, seen: &TrialVersion, all: &[ToolVersion]) -> Within {
        let versions = recorded.versions.as_ref().unwrap_or(&self.versions);
        match &seen.version {
            _ if !recorded.is_for(&seen.name) => Within::Outside,
            None => Within::Due,
            Some(version) => versions.place_among(version, all),
        }
    }

    /// Every version that it names.
    pub fn named_versions(&self) -> impl Iterator<Item = &ToolVersion> {
        let ranges =
            std::iter::once(&self.versions).chain(self.findings.iter().filter_map(|one| one.versions.as_ref()));
        ranges.flat_map(|range| [&range.first, &range.last].into_iter().chain(&range.fixed))
    }

    /// What is wrong with the entry, in a sentence; `None` if it can be used.
    pub fn complaint(&self) -> Option<String> {
        let ranges =
            std::iter::once(&self.versions).chain(self.findings.iter().filter_map(|one| one.versions.as_ref()));
        if let Some(turned) = ranges.into_iter().find(|range| !range.last.at_least(&range.first)) {
            return Some(format!("versions: {} comes after {}", turned.first, turned.last));
        }
        if let Some(day) = self.looked.as_ref().filter(|day| day_number(day).is_none() || **day < self.added) {
            return Some(format!("looked: {day} is not a date from {} on", self.added));
        }
        if let Some(complaint) = self.causes.iter().find_map(RecordedCause::complaint) {
            return Some(format!("causes: {complaint}"));
        }
        // The trials of the findings prove it too.
        if self.findings.is_empty() && self.causes.iter().any(|cause| cause.proofs.is_empty()) {
            return Some("causes: no program proves it".to_owned());
        }
        if self.causes.is_empty() && self.findings.iter().any(|record| record.functions.is_empty()) {
            return Some("findings: they need functions, or the entry causes".to_owned());
        }
        self.findings.iter().enumerate().find_map(|(nth, recorded)| {
            let complaint = recorded.complaint()?;
            Some(format!("findings, number {}: {complaint}", nth + 1))
        })
    }
}
