//! Rules of the format and of judging, and breaches of the format's rules.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{RuleId, Versions, clauses};
use types::{SframeVersion, named};

/// The severity of a breach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// A note: nothing is wrong.
    Info,
    /// Readers disagree about it, or it is unwise.
    Warning,
    /// The table is wrong, or the file breaks the specification.
    Error,
}

/// A rule of the catalogue.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// Stable kebab-case id with its group: `header/magic`, `fde/sorted-claim`,
    /// `row/cfa-matches-truth`.
    pub id: RuleId,
    /// Kind of evidence that shows a breach.
    pub kind: RuleKind,
    /// Subject of the rule: the part of the id before the slash.
    pub group: RuleGroup,
    /// The usual severity; a breach may be a warning where the rule states so.
    pub severity: Severity,
    /// SFrame versions that the rule applies to.
    pub versions: Versions,
    /// Source of the rule: specification section and version, ABI or ELF document, or
    /// "implementations".
    pub clause: &'static str,
    /// The rule in one or two sentences.
    pub statement: &'static str,
    /// A small example of a breach.
    pub example: &'static str,
    /// Rules that a section which breaks this one necessarily breaks too.
    pub implies: &'static [RuleId],
}

impl Rule {
    /// Cites the clause in the text of another version if that contains it; the catalogue cites the
    /// first text that does.
    pub fn clause_in(&self, version: Option<SframeVersion>) -> String {
        let parts: Vec<String> = self.clause.split("; ").map(|part| in_text_of(version, part)).collect();
        parts.join("; ")
    }
}

/// Cites a clause of version 2, errata 1, in the text of another version if that contains it.
fn in_text_of(version: Option<SframeVersion>, clause: &str) -> String {
    let section = clause.strip_prefix(SframeVersion::V2Errata1.text()).and_then(|rest| rest.strip_prefix(", "));
    // A version's changes are described in its own text.
    let section = section.filter(|section| !section.starts_with("Changes from"));
    let stands = |version: &SframeVersion| {
        section.is_some_and(|section| clauses().any(|it| it.section == section && it.versions.contains(*version)))
    };
    match (version.filter(stands), section) {
        (Some(version), Some(section)) => format!("{}, {section}", version.text()),
        _ => clause.to_owned(),
    }
}

/// The kind of evidence that shows a breach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// The bytes of one file, without execution.
    Structural,
    /// Execution of the code, or another table of the same code.
    Judged,
    /// Output and inputs of a link.
    Linking,
}

named! {
    /// Subject of a rule: the first part of its id.
    pub enum RuleGroup {
        /// The section's header.
        Header = "header",
        /// Function descriptors.
        Fde = "fde",
        /// Rows: by themselves, and against the truth.
        Row = "row",
        /// Flexible rows (V3).
        Flex = "flex",
        /// The ELF file that contains the section.
        Elf = "elf",
        /// Descriptors of PLT code.
        Plt = "plt",
        /// Complete call chains.
        Chain = "chain",
        /// The section compared with `.eh_frame`.
        Cfi = "cfi",
        /// `.eh_frame` compared with the execution.
        EhFrame = "eh-frame",
        /// Functions without a description.
        Coverage = "coverage",
        /// Failures of tools.
        Build = "build",
        /// Outputs of a link compared with its inputs.
        Link = "link",
    }
}

/// A breach of a rule of the format, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// The rule's severity, or a lower one.
    pub severity: Severity,
    /// Byte offset from the start of the `.sframe` section, if the breach has one.
    pub offset: Option<u64>,
    /// Code that the breach is about: first address and first address after it.
    pub code: Option<(u64, u64)>,
    /// Description of the breach, with the values found.
    pub message: String,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::in_text_of;
    use crate::RuleId;
    use alloc::format;
    use types::SframeVersion;

    #[test]
    fn a_clause_is_cited_from_the_text_of_the_version() {
        let cited = |version, section: &str| in_text_of(version, &format!("SFrame V2 errata 1, {section}"));
        let section = "Generating Stack Traces using SFrame";
        assert_eq!(cited(Some(SframeVersion::V3), section), format!("SFrame V3, {section}"));
        assert_eq!(cited(None, section), format!("SFrame V2 errata 1, {section}"));
        assert_eq!(cited(Some(SframeVersion::V3), "no such section"), "SFrame V2 errata 1, no such section");
        assert_eq!(in_text_of(Some(SframeVersion::V3), "DWARF 5, 6.4"), "DWARF 5, 6.4");
        let cfa = RuleId::RowCfaMatchesTruth.facts();
        assert_eq!(cfa.clause_in(Some(SframeVersion::V3)), format!("SFrame V3, {section}"));
        assert_eq!(cfa.clause_in(None), cfa.clause);
    }
}
