//! Other people's programs: which producers a producers' file names, which of them are on this
//! machine, and their commands as processes with bounds on time and output, answered from a folder
//! where they ran before ([`cache`]); and files that users name, with bounds on what is read of
//! them ([`input`]).
//!
//! Commands come from that file only (`ci/producers.yaml`, or one named by the user). What a tool
//! prints is read in one place, [`complaint`]; how it ended is a value, [`mod@end`].

mod by_abi;
pub mod cache;
mod clock;
pub mod complaint;
pub mod consumer;
pub mod end;
pub mod entry;
mod entry_error;
pub mod files;
mod find;
pub mod graph;
pub mod input;
pub mod interrupt;
pub mod local;
pub mod lock;
pub mod process;
pub mod producers;
pub mod running;
pub mod scratch;
pub mod tool;
pub mod trouble;
pub mod yaml;

pub use entry_error::EntryError;
pub use find::{FindError, PatternError};
