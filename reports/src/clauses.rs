//! Coverage of the specification as text.

use std::io::{self, Write};

use results::ClauseFacts;
use spec::{ShownBy, clause_named};

use crate::escape::line;

/// Number of covered clauses of a kind, and of all clauses of that kind.
pub fn count(facts: &[ClauseFacts], shown_by: ShownBy) -> (usize, usize) {
    let of_kind = || facts.iter().filter(|clause| clause.shown_by == shown_by.name());
    (of_kind().filter(|clause| clause.trials > 0).count(), of_kind().count())
}

/// Prints the number of covered clauses, and by section every uncovered one of the `listed` kinds,
/// with the features that a table needs to cover it.
pub fn print(facts: &[ClauseFacts], listed: &[ShownBy], out: &mut dyn Write) -> io::Result<()> {
    let [producer, linker, consumer] = [ShownBy::Producer, ShownBy::Linker, ShownBy::Consumer].map(|kind| {
        let (covered, of) = count(facts, kind);
        format!("{covered} of {of} that {}s show", kind.name())
    });
    writeln!(out, "clauses of the specification covered: {producer}, {linker}, {consumer}")?;
    let uncovered: Vec<&ClauseFacts> = facts
        .iter()
        .filter(|clause| clause.trials == 0 && listed.iter().any(|kind| kind.name() == clause.shown_by))
        .collect();
    let mut sections: Vec<&str> = Vec::new();
    for clause in &uncovered {
        if !sections.contains(&clause.section.as_str()) {
            sections.push(&clause.section);
        }
    }
    for section in sections {
        writeln!(out, "  not covered, {}:", line(section))?;
        for clause in uncovered.iter().filter(|clause| clause.section == section) {
            writeln!(out, "    {:<36} {}{}", line(&clause.id), line(&clause.demand), needed(&clause.id))?;
        }
    }
    Ok(())
}

/// The features that a table needs to cover a clause; empty if this version of the harness does not
/// know the ID.
fn needed(id: &str) -> String {
    let Some(clause) = clause_named(id) else { return String::new() };
    if clause.rules.is_empty() {
        return " (a case that names it)".to_owned();
    }
    let versions: Vec<&str> = clause.versions.iter().map(|version| version.name()).collect();
    let features: Vec<&str> = clause.needs.iter().map(|feature| feature.name()).collect();
    let with = if features.is_empty() { String::new() } else { format!(" with {}", features.join(", ")) };
    format!(" (a table of {}{with})", versions.join(", "))
}
