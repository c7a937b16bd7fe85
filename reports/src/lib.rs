//! Judges and tells: answers against the truth, verdicts to discrepancies, discrepancies to known or new, and all of it as text
//! and JSON. Needs nothing but `model`: judging is a pure function of values.

pub mod bundle;
pub mod clauses;
pub mod console;
pub mod escape;
pub mod findings;
pub mod github;
pub mod history;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod merged;
pub mod page;
pub mod place;
pub mod sarif;
mod sizes;
pub mod tally;
pub mod text;
