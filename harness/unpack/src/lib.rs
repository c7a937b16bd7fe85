//! What is in a file that may hold others: `ar` archives (GNU, BSD, thin; packages of Debian are
//! such), `tar`, and what gzip, xz or zstd compressed, nested in each other.
//!
//! Everything is a stream: one member is looked at after the other, and nothing is written to disk.
//! Names of members are names, not paths, but for those of a thin archive, whose members are files
//! beside it: they are reported, not opened. Bounded are the bytes that come out of decoders (64
//! MiB, and 200 for each byte of the file on disk), their windows, tables of names, and how deep
//! files are nested.
//!
//! Sources: ar(5) of GNU and BSD; POSIX.1 pax; RFC 1952; the .xz file format 1.2; RFC 8878.

mod ar;
mod budget;
mod decode;
mod error;
mod kind;
mod walk;

pub use error::Error;
pub use kind::{Compression, HEAD, Holder, Kind};
pub use walk::{Member, Walk, file_name};
