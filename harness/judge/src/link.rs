//! Linking, judged: what the files that went into a link and the file that came out of it owe to each other.
//!
//! Functions are told apart by their symbols, so what is live is told by the output's symbol table and never by the table that is
//! judged. Rows are compared by what they say, at offsets from the start of their function. A pure function of values:
//! [`LinkFile`] is what the runner read out of a file.

mod conserve;
mod file;
mod relate;

use model::{Blame, Discrepancy, Rule, RuleId, Severity, fingerprint, rule};

pub use conserve::{Expected, conserved, named_are_described, named_are_gone};
pub use file::{CodeSymbol, Described, LinkFile, TableFacts};
pub use relate::{
    StepEnd, Tables, discarded, from_nothing, gc_keeps_live, is_beyond_reach, mixed, not_accepted, overflow,
    same_bytes, same_tables, section_kept,
};

/// What findings about a whole section name as their function.
const SECTION: &str = ".sframe";

/// The rule that post-processors break.
const KEPT: &str = RuleId::LinkSectionKept;

/// A broken rule of linking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad.
    pub severity: Severity,
    /// The output that breaks it.
    pub file: String,
    /// What is wrong, in words that do not change with addresses, files or versions: part of the fingerprint.
    pub shape: String,
    /// One sentence with the numbers.
    pub message: String,
}

impl Breach {
    /// A breach of the rule's own severity. `shape` is stable, `message` has the numbers.
    fn new(id: RuleId, file: &str, shape: impl Into<String>, message: impl Into<String>) -> Self {
        let rule = rule(id);
        Breach { rule, severity: rule.severity, file: file.to_owned(), shape: shape.into(), message: message.into() }
    }

    /// The breach as a finding. Blame falls on the linker, or on the post-processor; its place is the output by the name it has in its case; the fingerprint does
    /// not know the output, so that one cause is one entry of the ledger, however many cases show it.
    pub fn discrepancy(self) -> Discrepancy {
        let Breach { rule, severity, file, shape, message } = self;
        let blame = if rule.id == KEPT { Blame::PostProcessor } else { Blame::Linker };
        Discrepancy {
            fingerprint: fingerprint(rule.id, blame, SECTION, &shape),
            rule,
            severity,
            blame,
            function: SECTION.to_owned(),
            shape,
            at: None,
            ranges: Vec::new(),
            place: file,
            steps: 0,
            field: "structure",
            truth: None,
            sframe: None,
            eh_frame: None,
            message,
            section: SECTION.to_owned(),
            offset: None,
            executed: false,
            depth: 0,
            window: Vec::new(),
        }
    }
}

/// Names in a message: at most five, and how many more.
fn listed(names: &[&str]) -> String {
    const NAMED: usize = 5;
    let more = names.len().saturating_sub(NAMED);
    let first = names.get(..NAMED.min(names.len())).unwrap_or_default().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}
