//! sframe-conformance: judges `.sframe` tables against executed code.

pub mod elf;
