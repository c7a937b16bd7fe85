//! One file from bytes to a report.
//!
//! - [`check()`] loads a file, reads its tables, executes it under the judge and compares the tables; [`trace`] only executes it;
//! - code of others is executed by [`workers`], processes that may die without a report being lost;
//! - [`supplies`], [`signals`]: what a program is given and sent; [`features`]: what of the format a table has;
//! - [`words`] are instructions that are executed each alone: which one ends the emulator?
//!
//! What steps go through is compiled here, the machine with the judge that watches it, and optimised also where the rest is not.

mod dumped;
pub mod features;
mod file;
mod process;
mod root;
pub mod signals;
pub mod supplies;
pub mod trace;
mod window;
pub mod words;
pub mod workers;

pub use dumped::dumped;
pub use file::*;
