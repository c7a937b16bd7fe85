//! The `.sframe` section that follows from `.eh_frame`: what a perfect assembler would write, and
//! what the format cannot express.
//!
//! - [`section()`] makes the section from the CFI; functions that it cannot express are listed, each with
//!   its [`Reason`];
//! - [`with_section`] puts a section into a copy of an ELF file, with its program header.
//!
//! It is judged by the rest of the project, so it shares nothing with what judges it: CFI is read by
//! gimli alone and not by `unwind`; bytes are written here and neither by `generators`, which writes
//! the tests' sections, nor by anything of `sframe`, which reads them; ELF files are read and written
//! here and not by `elf`. The constants of the formats are written here once more. Of `types` it has
//! the names of ABIs and versions, and none of their facts.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]
#![warn(missing_docs)]

mod abi;
mod cfi;
mod encode;
mod expression;
mod file;
mod reason;
mod section;
#[cfg(test)]
mod tests;
mod words;

pub use file::{FileError, cfi, with_section};
pub use reason::Reason;
pub use section::{Input, Omitted, Synthesised, section};
