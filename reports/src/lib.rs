//! Judges and tells: answers against the truth, verdicts to discrepancies, discrepancies to known or new, and all of it as text
//! and JSON. Needs nothing but `model`: judging is a pure function of values.

pub mod blame;
pub mod clauses;
pub mod compare;
pub mod coverage;
pub mod discrepancy;
pub mod fold;
pub mod json;
pub mod known;
pub mod link;
pub mod page;
pub mod panel;
pub mod report;
pub mod results;
pub mod stages;
pub mod text;
pub mod verdict;
