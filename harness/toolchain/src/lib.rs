//! Other people's programs: what a producers' file names, what of it is on this machine, and its commands as bounded processes.
//!
//! Commands come from that file and from nowhere else.

mod by_abi;
pub mod complaint;
pub mod end;
pub mod entry;
mod entry_error;
mod find;
pub mod interrupt;
pub mod process;
pub mod producers;
pub mod tool;
pub mod yaml;

pub use entry_error::EntryError;
pub use find::{FindError, PatternError};
