//! Lists the files in containers: `ar` archives (GNU, BSD, thin; Debian packages are `ar`
//! archives), `tar`, and files compressed with gzip, xz or zstd, nested in each other.
//!
//! Everything is a stream: members are read one after the other, and nothing is written to disk.
//! Names of members are names, not paths, except in thin archives, whose members are separate
//! files: these are reported, not opened. There are limits on the output of decoders (64 MiB, plus
//! 200 bytes for each byte of the file on disk), their windows, tables of names, and the nesting
//! depth.
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
