//! Classes of ledger entries.

use types::named;

named! {
    /// The class of a ledger entry. Each is counted apart.
    #[derive(Default)]
    pub enum EntryClass {
        /// A bug.
        #[default]
        Bug = "bug",
        /// The tool does not implement what would be needed.
        NotImplemented = "not-implemented",
        /// No specification decides which behaviour is right, or implementations disagree.
        Contested = "contested",
    }
}

impl EntryClass {
    /// Returns true for a bug; other classes are counted apart, each entry with its reason.
    pub fn is_bug(&self) -> bool {
        *self == EntryClass::Bug
    }
}
