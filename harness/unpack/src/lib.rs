//! What is in a file that may hold others: `ar` archives (GNU, BSD, thin; packages of Debian are such), `tar`, and what gzip, xz or zstd
//! compressed, nested in each other.
//!
//! Everything is a stream: one member is looked at after the other, nothing is written to disk, and no name of a member is a path of this
//! machine. The bytes that come out of decoders are counted against a [`Budget`], windows and tables of names are bounded.
//!
//! Sources: ar(5) of GNU and BSD; POSIX.1 pax; RFC 1952; the .xz file format 1.2; RFC 8878.

mod ar;
mod budget;
mod decode;
mod error;
mod kind;
mod walk;

pub use budget::Budget;
pub use error::Error;
pub use kind::{Compression, HEAD, Holder, Kind};
pub use walk::{Found, Walk, file_name};
