//! The SFrame specification as data: its clauses in this project's words, and the rules of the
//! format, of linking and of judging, with the clauses that each rule checks.

#![no_std]
#![warn(missing_docs)]

extern crate alloc;
#[cfg(test)]
extern crate std;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod catalogue;
mod clause;
mod clause_feature;
mod clauses;
mod rule;
mod rule_id;
mod versions;

pub use catalogue::{CATALOGUE, RuleId};
pub use clause::{Clause, ShownBy};
pub use clause_feature::Feature;
pub use clauses::{SECTIONS, clause_named, clauses, clauses_of};
pub use rule::{Breach, Rule, RuleGroup, RuleKind, Severity};
pub use versions::Versions;
