//! The rule catalogue: every rule a finding can name. `explain` prints it.

use crate::{Rule, Severity};

/// Every rule, sorted by id within its group.
pub static CATALOGUE: &[Rule] = &[Rule {
    id: "header/magic",
    severity: Severity::Error,
    versions: "all",
    clause: "SFrame V2 errata 1, SFrame Magic Number and Endianness",
    statement: "The first two bytes are 0xDEE2 in one byte order.",
    example: "de ad 02 05",
    implies: &[],
}];

/// The rule of that id.
pub fn rule_named(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().find(|rule| rule.id == id)
}

/// The rule of that id, which the caller knows to exist.
///
/// # Panics
/// When the catalogue has no such rule: a mistake in this program, which the catalogue's tests find.
pub fn rule(id: &'static str) -> &'static Rule {
    rule_named(id).unwrap_or_else(|| panic!("rule '{id}' is not in the catalogue"))
}
