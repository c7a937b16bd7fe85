//! A normative clause of the specification: its requirement, the kind of program that can violate
//! it, and the rules that check it.

use crate::{Feature, RuleId, Versions};
use types::{SframeVersion, named};

/// One normative clause, in this project's words.
///
/// A clause is listed once, under the first text that contains it: `v2e1/` (version 2, errata 1),
/// `v2e2/` (its second errata), `v3/` (added or changed in version 3). [`Clause::versions`] lists
/// all versions that contain it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clause {
    /// Stable id of text, group and name: `v2e1/header/fdeoff`.
    pub id: &'static str,
    /// Section of the specification that contains the clause; one of [`crate::SECTIONS`].
    pub section: &'static str,
    /// The requirement, in one sentence.
    pub demand: &'static str,
    /// Kind of program that can show whether the clause is met.
    pub shown_by: ShownBy,
    /// Versions that contain the clause: a table of another version shows nothing about it.
    pub versions: Versions,
    /// Rules that a violation of the clause breaks; empty if no rule checks it, and for `consumer`
    /// and `nobody`.
    pub rules: &'static [RuleId],
    /// Features that a table needs for these rules to check all of the clause: all of them in the
    /// same table.
    pub needs: &'static [Feature],
}

named! {
    /// The kind of program that can show whether a clause is met.
    pub enum ShownBy {
        /// Programs that write tables: assemblers, compilers, linkers.
        Producer = "producer",
        /// Linkers only: the clause is about linked files.
        Linker = "linker",
        /// Programs that read tables. No table can show it; the project's own reader does not
        /// count.
        Consumer = "consumer",
        /// None: a definition, permission or provision that cannot be violated.
        Nobody = "nobody",
    }
}

impl ShownBy {
    /// Returns true if a table can show whether the clause is met.
    pub const fn in_tables(self) -> bool {
        matches!(self, ShownBy::Producer | ShownBy::Linker)
    }
}

impl Clause {
    /// Returns true if a judged table of this version with these features has shown whether the
    /// clause is met: its rules have checked everything that the clause requires.
    pub fn shown_in(&self, version: SframeVersion, has: impl Fn(Feature) -> bool) -> bool {
        self.shown_by.in_tables()
            && !self.rules.is_empty()
            && self.versions.contains(version)
            && self.needs.iter().all(|feature| has(*feature))
    }
}
