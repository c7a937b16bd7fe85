//! Generates the input of the harness: `.sframe` and `.eh_frame` sections and the ELF files around
//! them, from nothing.
//!
//! The writer shares nothing with the reader. This crate never depends on `sframe` or `elf`, and
//! the constants of the formats are written here a second time on purpose: a misread field cannot
//! cancel out against the same error in the writer.
//!
//! From the bottom up: [`sframe`] and [`eh_frame`] encode one section each from plain data in which
//! any field can be overridden; [`elf`] encodes a file of sections; `arch` has a directory for each
//! architecture, `facts` the differences between versions; [`code`] holds functions as machine code
//! together with their frames; [`sample`] makes a whole file of functions; [`program`] draws random
//! programs of functions; [`corpus`] is the set of clean files and of files that break one rule;
//! [`blind`] plants bugs in files, whose effect a second reader decides; [`linker`]
//! has the bugs of linkers; [`cfi_text`] generates assembly text, [`mod@c`] random C programs;
//! [`vectors`] are sections for testing readers.

mod arch;
pub mod blind;
mod breaches;
mod bytes;
pub mod c;
pub mod cfi_text;
pub mod code;
pub mod corpus;
pub mod eh_frame;
pub mod elf;
mod facts;
pub mod linker;
pub mod program;
mod reader;
pub mod sample;
pub mod sframe;
pub mod vectors;
