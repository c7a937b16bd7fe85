//! Reasons for which exploration assumes how a function is entered.

crate::named! {
    /// Why exploration assumes the entry of a function: no call in the file and no run shows how it
    /// is entered. The names are those of machine-readable output.
    pub enum AssumedEntry {
        /// The function has a global name: it is assumed to be called from other files.
        ByName = "by-name",
        /// Code or data of the file has the function's address: it is assumed to be called there.
        ByAddress = "by-address",
        /// Nothing in the file refers to the function: it is assumed to be called.
        NoEvidence = "no-evidence",
        /// The table or the code shows a convention of its own: the function's first row is assumed
        /// to be right, and the others are judged against it.
        FirstRow = "first-row",
    }
}

impl AssumedEntry {
    /// Clause that describes the entry.
    pub const fn meaning(self) -> &'static str {
        match self {
            AssumedEntry::ByName => "assumed to be called by its name from other files",
            AssumedEntry::ByAddress => "assumed to be called by its address",
            AssumedEntry::NoEvidence => "assumed to be called, but nothing in the file refers to it",
            AssumedEntry::FirstRow => "assumed to be entered as its first row describes",
        }
    }
}
