//! Predicts whether a reader takes a `.sframe`, and uses it for every function: by clauses of the
//! reader's own source, which are data (`acceptance/readers.yaml`).

mod actual;
mod condition;
mod facts;
mod table_reader;

use results::{ACCEPTANCE_SCHEMA, Acceptance, AcceptanceLine, AcceptanceReason, ClauseEffect};
use sframe::Header;

pub use actual::{Comparison, compare};
pub use condition::Condition;
pub use facts::Subject;
pub use table_reader::{Clause, Flag, TableReader, table_readers};

use condition::{Holds, holds};
use facts::Facts;

/// Predicts what a reader makes of a section.
pub fn predict(reader: &TableReader, subject: &Subject<'_>) -> AcceptanceLine {
    predicted(reader, subject).line
}

/// A prediction, and for which functions the reader uses the table.
struct Predicted {
    line: AcceptanceLine,
    facts: Option<Facts>,
    /// In the order of the descriptors.
    is_used: Vec<bool>,
}

impl Predicted {
    /// Returns true if rows of any function may be wrong, or a crash.
    fn is_misread(&self) -> bool {
        self.line.answer == Acceptance::Misread
    }
}

fn predicted(reader: &TableReader, subject: &Subject<'_>) -> Predicted {
    let line = |answer, functions: &[bool], reasons| AcceptanceLine {
        schema: ACCEPTANCE_SCHEMA,
        file: subject.name.clone(),
        reader: reader.name.clone(),
        answer,
        functions: functions.len() as u64,
        unused: functions.iter().filter(|is_used| !**is_used).count() as u64,
        reasons,
    };
    let unread = |answer, reason| Predicted { line: line(answer, &[], vec![reason]), facts: None, is_used: Vec::new() };
    let Some(bytes) = subject.bytes else { return unread(Acceptance::Refused, no_table()) };
    let header = match Header::parse(bytes) {
        Ok(header) => header,
        Err(error) => return unread(Acceptance::Undecided, malformed(&error.to_string())),
    };
    let (facts, error) = match Facts::new(bytes, subject.place()) {
        Ok(facts) => (Some(facts), None),
        Err(error) => (None, Some(error)),
    };
    let functions = facts.as_ref().map_or(&[][..], |facts| &facts.functions);
    let mut is_used = vec![true; functions.len()];
    let mut reasons = Vec::new();
    let mut is_misread = false;
    // Of no functions none is unused.
    let matters = |clause: &&Clause| header.num_fdes > 0 || clause.then == ClauseEffect::Refuse;
    for clause in reader.clauses.iter().filter(|clause| clause.applies(&header)).filter(matters) {
        let concerned = match holds(clause.when, reader, &header, subject, facts.as_ref()) {
            Holds::No => continue,
            Holds::Whole => {
                is_used.fill(false);
                is_misread |= clause.then == ClauseEffect::Misread;
                Vec::new()
            }
            Holds::Functions(indices) => {
                for (index, is_used) in is_used.iter_mut().enumerate() {
                    *is_used &= indices.binary_search(&index).is_err();
                }
                indices.iter().filter_map(|index| Some(subject.function(functions.get(*index)?))).collect()
            }
        };
        reasons.push(AcceptanceReason {
            condition: clause.when.key().to_owned(),
            text: clause.when.text().to_owned(),
            effect: clause.then,
            source: clause.source.clone(),
            functions: concerned,
        });
    }
    let answer = if reasons.iter().any(|reason| reason.effect == ClauseEffect::Refuse) {
        reasons.retain(|reason| reason.effect == ClauseEffect::Refuse);
        is_used.fill(false);
        Acceptance::Refused
    } else if let Some(error) = error {
        reasons = vec![malformed(&error.to_string())];
        Acceptance::Undecided
    } else if is_misread {
        Acceptance::Misread
    } else if is_used.iter().all(|is_used| *is_used) {
        Acceptance::All
    } else if is_used.contains(&true) {
        Acceptance::Part
    } else {
        Acceptance::Refused
    };
    Predicted { line: line(answer, &is_used, reasons), facts, is_used }
}

fn no_table() -> AcceptanceReason {
    of_file("no-table", "the file has no .sframe".to_owned(), ClauseEffect::Refuse)
}

fn malformed(error: &str) -> AcceptanceReason {
    of_file("malformed", format!("the section is malformed: {error}"), ClauseEffect::Unknown)
}

/// A reason that is no clause.
fn of_file(condition: &str, text: String, effect: ClauseEffect) -> AcceptanceReason {
    let (condition, source) = (condition.to_owned(), String::new());
    AcceptanceReason { condition, text, effect, source, functions: Vec::new() }
}
