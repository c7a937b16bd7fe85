//! What checking a file gives.

use std::collections::BTreeSet;

use judge::tables::HeaderCounts;
use results::{Report, Sizes, TableLine};
use types::FileError;

/// A report and what was seen on the way to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checked {
    /// What `check` reports.
    pub report: Report,
    /// Instructions and status of a run to its exit.
    pub exit: Option<(u64, i32)>,
    /// Names of the functions entered.
    pub entered: BTreeSet<String>,
    /// The contents of the `.sframe` header.
    pub header: Option<HeaderCounts>,
    /// Sizes of the tables and of the code; none without `.sframe`.
    pub sizes: Option<Sizes>,
    /// What the table has, where [`Include::Features`](crate::Include::Features) asks for it.
    pub table: Option<TableLine>,
    /// Addresses of instructions that exploration reached, where
    /// [`Include::Reached`](crate::Include::Reached) asks for them; ascending.
    pub reached: Vec<u64>,
    /// Frames of functions that a signal interrupted, found by a table from its handler's or the
    /// restorer's.
    pub interrupted: u64,
    /// Of each object that the program mapped and executed, the loader first.
    pub objects: Vec<Report>,
}

impl Checked {
    /// A file that cannot be judged.
    pub(crate) fn failed(name: &str, error: FileError) -> Checked {
        Checked { report: Report::failed(name, error), ..Checked::default() }
    }
}
