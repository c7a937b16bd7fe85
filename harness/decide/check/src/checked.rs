//! The result of checking a file.

use std::collections::BTreeSet;

use judge::tables::HeaderCounts;
use results::{Report, Sizes, TableLine};
use types::FileError;

/// A report with further results of checking a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checked {
    #[serde(with = "results::embedded")]
    pub report: Report,
    /// Number of executed instructions and exit status, for a run to its exit.
    pub exit: Option<(u64, i32)>,
    /// Names of the functions that were entered.
    pub entered: BTreeSet<String>,
    /// Counts from the `.sframe` header.
    pub header: Option<HeaderCounts>,
    /// Sizes of the tables and of the code; `None` without `.sframe`.
    pub sizes: Option<Sizes>,
    /// Features of the table, if [`Include::Features`](crate::Include::Features) requests them.
    pub table: Option<TableLine>,
    /// Addresses of instructions that exploration reached, ascending, if
    /// [`Include::Reached`](crate::Include::Reached) requests them.
    pub reached: Vec<u64>,
    /// Number of frames of functions that a signal interrupted and that a table found from the
    /// frame of its handler or of the restorer.
    pub interrupted: u64,
    /// Reports of all mapped objects that were executed; the loader's is first.
    #[serde(with = "results::embedded")]
    pub objects: Vec<Report>,
}

impl Checked {
    /// The result for a file that cannot be judged.
    pub(crate) fn failed(name: &str, error: FileError) -> Checked {
        Checked { report: Report::failed(name, error), ..Checked::default() }
    }
}
