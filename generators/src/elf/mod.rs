//! ELF64 files: [`ElfSpec`] is a file as data, [`write()`] encodes it. `write.rs` is the only user
//! of `object`.

mod constants;
mod listing;
mod spec;
mod write;

pub use constants::*;
pub use listing::listing;
pub use spec::{ElfSpec, FileKind, Group, Relocation, Section, Segment, SegmentOverrides, Symbol, SymbolKind};
pub use write::{ElfError, write};
