//! Judges links: whether the inputs and the output of a link agree with
//! each other.
//!
//! Functions are distinguished by their symbols, and code without a name by what `.eh_frame` and
//! the section headers say of it, so what is live never follows from the table that is judged. Rows
//! are compared by what they say, at offsets from the start of their function. A pure function of
//! values: [`LinkFile`] is what was read out of a file.

mod conserve;
mod file;
mod relate;

use results::{Blame, Finding, Shape, Stage};
use spec::{RuleId, Severity};

pub use conserve::{Expected, blank, conserved, named_are_described, still_there};
pub use file::{CodeSymbol, LinkFile, LinkedFunction, MadeCode, TableFacts};
pub use relate::{
    StepEnd, Tables, discarded, from_nothing, gc_keeps_live, is_beyond_reach, kept_of_mixture, left_out, mixed,
    not_accepted, overflow, same_bytes, same_tables, section_kept,
};

/// What findings about a whole section name as their function.
const SECTION: &str = ".sframe";

/// What one rule of linking finds broken in one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// A rule of the group `link`.
    pub rule: RuleId,
    /// The rule's own, or a lower one.
    pub severity: Severity,
    /// The output that breaks it.
    pub file: String,
    /// What is wrong, in words that do not change with addresses, files or versions: part of the
    /// fingerprint.
    pub shape: Shape,
    /// One sentence with the numbers.
    pub message: String,
}

impl Breach {
    /// A breach of the rule's own severity. `shape` is stable, `message` has the numbers.
    fn new(rule: RuleId, file: &str, shape: impl Into<Shape>, message: impl Into<String>) -> Self {
        let (file, severity) = (file.to_owned(), rule.facts().severity);
        Breach { rule, severity, file, shape: shape.into(), message: message.into() }
    }

    /// The breach as a finding. Blame falls on the linker, or on the post-processor; its place is
    /// the output by the name it has in its case; the fingerprint does not know the output, so that
    /// one cause is one entry of the ledger, however many cases show it.
    pub fn finding(self, stage: Stage) -> Finding {
        let Breach { rule, severity, file, shape, message } = self;
        let blame = match rule {
            RuleId::LinkSectionKept => Blame::PostProcessor,
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

/// What is wrong with functions of these names.
fn functions(what: &str, names: &[&str]) -> Shape {
    Shape::Functions { what: Some(what.to_owned()), names: names.iter().map(|name| (*name).to_owned()).collect() }
}

/// Names of functions that break a rule whose text needs no more than the name.
fn functions_only(names: &[&str]) -> Shape {
    Shape::Functions { what: None, names: names.iter().map(|name| (*name).to_owned()).collect() }
}

/// Names in a message: at most five, and how many more.
fn listed(names: &[&str]) -> String {
    const NAMED: usize = 5;
    let more = names.len().saturating_sub(NAMED);
    let first = names.get(..NAMED.min(names.len())).unwrap_or_default().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}
