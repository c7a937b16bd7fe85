//! The specification as data: its clauses in this project's words, and the rules of the format, of linking and of judging with the clauses
//! that they follow from.

mod catalogue;
mod clause;
mod clause_feature;
mod clause_versions;
mod clauses;
mod rule;
mod rule_id;

pub use catalogue::{CATALOGUE, rule, rule_named};
pub use clause::{Clause, ShownBy};
pub use clause_feature::Feature;
pub use clause_versions::ClauseVersions;
pub use clauses::{RULES_WITHOUT_CLAUSE, SECTIONS, clause_named, clauses, clauses_of};
pub use rule::{Breach, Rule, RuleGroup, Severity};
pub use rule_id::{RuleId, UnknownRule};
