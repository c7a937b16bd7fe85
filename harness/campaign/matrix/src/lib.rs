//! The test matrix: from cases to the results of a run.
//!
//! - [`case`] with [`included`], [`link`], [`frozen`] read the test cases; [`Matrix`] combines them
//!   with the installed producers to trials, each named by a [`::results::Key`]; [`pipeline`] and
//!   [`linked`] build them;
//! - [`run`] runs trials in parallel and writes [`results`], with each trial's findings compared
//!   with the ledger.

mod attributed;
mod built;
pub mod case;
pub mod choice;
pub mod frozen;
pub mod included;
mod judged;
mod kept;
pub mod link;
pub mod linked;
pub mod pipeline;
pub mod results;
pub mod run;
pub mod trial;
mod trials;

pub use attributed::{Meant, attribute};
pub use trials::{Extent, Matrix};
