//! The ledger of known bugs, and the files of the project's data.
//!
//! - [`Ledger`] reads the entries of `reports/known`, [`known`] matches the findings of a trial
//!   with them; [`KnownFault`] is an entry for a reader's bug;
//! - [`bundles`] reads and writes the folders of reports that are ready to be filed, one for each
//!   bug that has one;
//! - [`unfiled`] lists the bugs that no project has a report of;
//! - [`class`] groups findings of random directives by cause, as patterns of [`words`];
//! - [`Baseline`] holds `check` and `sweep` against a ledger, or against a [`baseline_file`], which
//!   either of them wrote; [`swept`] reads the results of a sweep;
//! - [`earlier`] holds a run against the results of an earlier one;
//! - [`run_files`] reads and writes the results of runs;
//! - [`Home`] is the folder that contains all of this.

mod baseline;
pub mod baseline_file;
pub mod bundles;
pub mod class;
pub mod earlier;
mod entries;
mod error;
mod home;
pub mod known;
mod queue;
mod reader_fault;
pub mod run_files;
pub mod same_as;
pub mod swept;
pub mod words;

pub use baseline::{Baseline, BaselineError, Counting, Known, Shipped};
pub use entries::{Ledger, entry, parse, today};
pub use error::LedgerError;
pub use home::{BUNDLE, Home, NoCheckout, OBJECTS, OBJECTS_LIST};
pub use queue::unfiled;
pub use reader_fault::{KNOWN_READERS, KnownFault, Shows, is_of, read_faults};
