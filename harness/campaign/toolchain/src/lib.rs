//! Runs external programs: the producers in a producers' file, which of them are installed, and
//! their commands as processes with limits on time and output, answered from a cache if they ran
//! before ([`cache`]); and reads files that users name, with limits on their size ([`input`]).
//!
//! Commands come only from that file (`ci/producers.yaml`, or one named by the user). The output of
//! tools is interpreted in one place, [`complaint`]; how they ended is a value, [`mod@end`].

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
