//! Lists the files in containers: `ar` archives (GNU, BSD, thin; Debian packages are `ar`
//! archives), `tar`, files compressed with gzip, xz or zstd, and the `vmlinux` in a `vmlinuz` of
//! x86, nested in each other.
//!
//! ```
//! use std::ops::ControlFlow;
//! use unpack::{Member, Walk};
//!
//! let header = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "a.o/", 0, 0, 0, 644, 64);
//! let archive = format!("!<arch>\n{header}\x7fELF{}", "\0".repeat(60));
//! let mut found = Vec::new();
//! let mut visit = |name: &str, member: Member<'_>| {
//!     found.extend(matches!(member, Member::Elf(_)).then(|| name.to_owned()));
//!     ControlFlow::Continue(())
//! };
//! let _ = Walk::new(archive.len() as u64, &mut visit).through("lib.a", &mut archive.as_bytes());
//! assert_eq!(found, ["lib.a!a.o"]);
//! ```
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
pub use kind::{Compression, HEAD, Holder, Kind, Payload};
pub use walk::{Member, Walk, file_name};
