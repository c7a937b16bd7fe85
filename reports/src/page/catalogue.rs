//! Rules and clauses in the page's data: the address of each leads to its text, independent of the
//! results.

use std::collections::BTreeMap;

use results::RunFacts;
use serde_json::{Value, json};
use spec::{CATALOGUE, clause_named, clauses_of};

use super::clauses::needed;
use super::text::clean;

/// All rules by name: severity, versions, clause, statement, example, IDs of the clauses that the
/// rule checks, implied rules.
pub(super) fn rules() -> BTreeMap<&'static str, Value> {
    let written = |rule: &spec::Rule| {
        let clauses: Vec<&str> = clauses_of(rule.id).map(|clause| clause.id).collect();
        let implies: Vec<&str> = rule.implies.iter().map(|id| id.name()).collect();
        json!([rule.severity, rule.versions.to_string(), rule.clause, rule.statement, rule.example, clauses, implies])
    };
    CATALOGUE.iter().map(|rule| (rule.id.name(), written(rule))).collect()
}

/// All clauses of the run: ID, section, requirement, kind of tool, number of covering trials,
/// features that a table needs, and the checking rules.
pub(super) fn clauses(facts: &RunFacts) -> Vec<Value> {
    let written = |clause: &results::ClauseFacts| {
        let rules: Vec<&str> =
            clause_named(&clause.id).map_or_else(Vec::new, |clause| clause.rules.iter().map(|id| id.name()).collect());
        let texts = [&clause.id, &clause.section, &clause.demand, &clause.shown_by].map(|text| clean(text));
        json!([texts[0], texts[1], texts[2], texts[3], clause.trials, needed(&clause.id), rules])
    };
    facts.clauses.iter().map(written).collect()
}
