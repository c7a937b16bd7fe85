//! Synthesises the `.sframe` section equivalent to an `.eh_frame`: the output of an ideal
//! assembler, and the functions that the format cannot express.
//!
//! - [`section()`] makes the section from the CFI; functions that it cannot express are listed,
//!   each with its [`Reason`];
//! - [`with_section`] inserts a section into a copy of an ELF file, with its program header.
//!
//! The result is judged by the rest of the project, so the crate shares no code with the judge: CFI
//! is read directly with gimli and not by `unwind`; the section is encoded here, not by
//! `generators`, which writes the tests' sections, and without `sframe`, which reads them; ELF
//! files are read and written here and not by `elf`. The constants of the formats are repeated
//! here. From `types` it uses only the names of ABIs and versions, and none of their properties.

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
