//! All rules and clauses as a document: requirement, section and an example of each rule, and the
//! clauses that rules check.

use std::fmt::Write as _;

use spec::{CATALOGUE, Clause, RuleGroup, SECTIONS, ShownBy, clauses, clauses_of};
use types::SframeVersion;

use crate::escape::markdown;

/// The catalogue in Markdown: rules by subject, then the clauses of the specification by section.
pub fn document() -> String {
    let mut text = "# Rules\n\nEvery rule of the catalogue by subject, then the clauses of the specification that rules \
                    check, in this project's words. `sframe-conformance explain RULE` prints one of them.\n\n\
                    This document is rendered (`explain --format markdown`); a test fails if it differs, and writes it with `BLESS=1`.\n"
        .to_owned();
    let mut group: Option<RuleGroup> = None;
    for rule in CATALOGUE {
        if group != Some(rule.group) {
            group = Some(rule.group);
            let _ = writeln!(text, "\n## {}/", rule.group.name());
        }
        let _ = writeln!(text, "\n### {}\n\n{}\n", rule.id, markdown(rule.statement));
        let _ = writeln!(text, "- Severity: {}; versions: {}", rule.severity, rule.versions);
        let _ = writeln!(text, "- From: {}", markdown(rule.clause));
        let held: Vec<&str> = clauses_of(rule.id).map(|clause| clause.id).collect();
        if !held.is_empty() {
            let _ = writeln!(text, "- Clauses: {}", held.join(", "));
        }
        let _ = writeln!(text, "- Broken by: {}", markdown(rule.example));
        if !rule.implies.is_empty() {
            let implied: Vec<&str> = rule.implies.iter().map(|id| id.name()).collect();
            let _ = writeln!(text, "- Breaks with it: {}", implied.join(", "));
        }
    }
    text += "\n# Clauses\n\nWhich tools can violate a clause: producers, linkers, readers (`consumer`), or none.\n";
    for section in SECTIONS {
        let here: Vec<&Clause> = clauses().filter(|clause| clause.section == section).collect();
        if here.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "\n## {}\n\n| Clause | Versions | Shown by | Requires |\n|---|---|---|---|",
            markdown(section)
        );
        for clause in here {
            let versions: Vec<&str> = clause.versions.iter().map(SframeVersion::name).collect();
            let shown_by = if clause.shown_by == ShownBy::Nobody { "none" } else { clause.shown_by.name() };
            let cells = [clause.id.to_owned(), versions.join(" "), shown_by.to_owned(), markdown(clause.demand)];
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use spec::{CATALOGUE, clauses};

    use super::document;

    #[test]
    fn every_rule_and_every_clause_stands_in_it_once() {
        let text = document();
        for rule in CATALOGUE {
            assert_eq!(text.matches(&format!("### {}\n", rule.id)).count(), 1, "{}", rule.id);
        }
        for clause in clauses() {
            assert_eq!(text.matches(&format!("| {} |", clause.id)).count(), 1, "{}", clause.id);
        }
    }
}
