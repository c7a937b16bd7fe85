//! Writes what the harness judges: `.sframe` and `.eh_frame` sections and the ELF files around
//! them, from nothing.
//!
//! The writer knows nothing of the reader. This crate never depends on `sframe` or `elf`, and the
//! constants of the formats are written here a second time on purpose: a misread field cannot
//! cancel out against the same error in the writer.
//!
//! From the bottom up: [`sframe`] and [`eh_frame`] encode one section each from plain data in which
//! any field can be overridden; [`elf`] puts sections into a file; `arch` has a folder for each
//! architecture, `facts` what differs by version; [`code`] holds functions as machine code together
//! with what their frames look like; [`sample`] makes a whole file of these; [`program`] draws
//! random programs of them; [`corpus`] is the set of clean files and of files that break one rule;
//! [`mutate`] plants bugs in tables and [`blind`] damages files, each judged by [`reader`], a
//! second reader; [`cfi_text`] writes assembly text, [`mod@c`] random C programs; [`vectors`] are
//! sections for readers to be tested with.

mod arch;
pub mod blind;
mod bytes;
pub mod c;
pub mod cfi_text;
pub mod code;
pub mod corpus;
pub mod eh_frame;
pub mod elf;
mod facts;
pub mod mutate;
pub mod program;
pub mod reader;
pub mod sample;
pub mod sframe;
pub mod vectors;
