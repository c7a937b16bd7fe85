//! Judges links: whether the output of a link agrees with its inputs.
//!
//! Functions are identified by their symbols, and code without a name by `.eh_frame` and the
//! section headers, so the table under test never defines which code is live. Rows are compared by
//! meaning, at offsets from the start of their function. A pure function of values: [`LinkFile`] is
//! the data read from a file.

mod conserve;
mod file;
mod relate;

use results::{Blame, Finding, Shape, Stage};
use spec::{RuleId, Severity};

pub use conserve::{Expected, blank, conserved, kept_alive, named_are_described, still_there};
pub use file::{CodeSymbol, LinkFile, LinkedFunction, MadeCode, TableFacts};
pub use relate::{
    StepEnd, Tables, discarded, from_nothing, gc_keeps_live, is_beyond_reach, kept_of_mixture, left_out, mixed,
    not_accepted, not_loadable, not_silent, overflow, same_bytes, same_tables, section_kept,
};

/// Name of the function in findings about a whole section.
const SECTION: &str = ".sframe";

/// A breach of one rule of linking by one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// A rule of the group `link`, or that an object has a table.
    pub rule: RuleId,
    /// Severity: the rule's own, or a lower one.
    pub severity: Severity,
    /// Name of the output.
    pub file: String,
    /// The error in words that do not depend on addresses, files or versions: part of the
    /// fingerprint.
    pub shape: Shape,
    /// One sentence with the numbers.
    pub message: String,
}

impl Breach {
    /// A breach with the rule's own severity. `shape` is stable, `message` has the numbers.
    fn new(rule: RuleId, file: &str, shape: impl Into<Shape>, message: impl Into<String>) -> Self {
        let (file, severity) = (file.to_owned(), rule.facts().severity);
        Breach { rule, severity, file, shape: shape.into(), message: message.into() }
    }

    /// The breach as a finding. The tool that made the file is blamed; its position is the file's
    /// name in its case. The fingerprint does not contain the output, so that one cause is
    /// one entry of the ledger, however many cases show it.
    pub fn finding(self, stage: Stage) -> Finding {
        let Breach { rule, severity, file, shape, message } = self;
        let blame = match rule {
            RuleId::LinkSectionKept => Blame::PostProcessor,
            RuleId::CoverageSectionPresent => Blame::Assembler,
            _ => Blame::Linker,
        };
        let mut found = Finding::new(rule, blame, SECTION, shape);
        found.severity = severity;
        found.stage = stage;
        found.shown.place = file;
        found.shown.message = message;
        found
    }
}

fn functions(what: &str, names: &[&str]) -> Shape {
    Shape::Functions { what: Some(what.to_owned()), names: names.iter().map(|name| (*name).to_owned()).collect() }
}

/// Shape for functions that break a rule whose text needs no more than the name.
fn functions_only(names: &[&str]) -> Shape {
    Shape::Functions { what: None, names: names.iter().map(|name| (*name).to_owned()).collect() }
}

/// Shape and reason for functions that a file does not describe.
fn missing(file: &LinkFile, names: &[&str]) -> (Shape, String) {
    match file.shortcoming() {
        None => (functions("missing", names), "no descriptor leads to them".to_owned()),
        Some(shortcoming) => (Shape::from(format!("missing: {}", shortcoming.name())), file.sentence(shortcoming)),
    }
}

/// Names for a message: at most five, and the number of others.
pub(crate) fn listed(names: &[&str]) -> String {
    const NAMED: usize = 5;
    let more = names.len().saturating_sub(NAMED);
    let first = names.get(..NAMED.min(names.len())).unwrap_or_default().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}
