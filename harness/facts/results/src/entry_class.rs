//! Classes of ledger entries.

use types::named;

named! {
    /// Class of a ledger entry. Classes are counted separately.
    pub enum EntryClass {
        /// A bug of the tool.
        Bug = "bug",
        /// The tool does not implement a needed feature.
        NotImplemented = "not-implemented",
        /// No specification defines the right behaviour, or implementations disagree.
        Contested = "contested",
    }
}

#[allow(clippy::derivable_impls, reason = "the macro declares the enum")]
impl Default for EntryClass {
    fn default() -> EntryClass {
        EntryClass::Bug
    }
}

impl EntryClass {
    /// Returns true for a bug; entries of other classes are counted separately, each with its
    /// reason.
    pub fn is_bug(&self) -> bool {
        *self == EntryClass::Bug
    }
}
