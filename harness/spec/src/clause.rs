//! A normative clause of the specification: what it requires, who can show whether it is met, and
//! which rules check it.

use crate::{Feature, RuleId, Versions};
use types::{SframeVersion, named};

/// One normative clause, in this project's words.
///
/// A clause is listed once, under the first text that has it: `v2e1/` (version 2, errata 1),
/// `v2e2/` (its second errata), `v3/` for what version 3 added or changed. [`Clause::versions`] are
/// those that have it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clause {
    /// Stable id: text, group, name, as in `v2e1/header/fdeoff`.
    pub id: &'static str,
    /// Section of the text that has it; one of [`crate::SECTIONS`].
    pub section: &'static str,
    /// The requirement, in one sentence.
    pub demand: &'static str,
    /// The kind of program that can show whether it is met.
    pub shown_by: ShownBy,
    /// Versions that have it: a table of another version shows nothing about it.
    pub versions: Versions,
    /// Rules that a violation of the clause breaks; empty if no rule checks it, and for `consumer`
    /// and `nobody`.
    pub rules: &'static [RuleId],
    /// The features that a table needs for those rules to check all of the clause: every one of
    /// them, in the same table.
    pub needs: &'static [Feature],
}

named! {
    /// The kind of program that can show whether a clause is met.
    pub enum ShownBy {
        /// Writers of tables: assemblers, compilers, linkers.
        Producer = "producer",
        /// Linkers only: it is about linked files.
        Linker = "linker",
        /// Readers of tables. No table can show it; the project's own reader does not count.
        Consumer = "consumer",
        /// A definition, permission or provision that nothing can break.
        Nobody = "nobody",
    }
}

impl ShownBy {
    /// Returns true if a table shows it.
    pub const fn in_tables(self) -> bool {
        matches!(self, ShownBy::Producer | ShownBy::Linker)
    }
}

impl Clause {
    /// Returns true if a judged table of that version and with these features has shown whether the
    /// clause is met: some rule of it has checked all that the clause needs.
    pub fn shown_in(&self, version: SframeVersion, has: impl Fn(Feature) -> bool) -> bool {
        self.shown_by.in_tables()
            && !self.rules.is_empty()
            && self.versions.contains(version)
            && self.needs.iter().all(|feature| has(*feature))
    }
}
