//! sframe-conformance: judges `.sframe` tables against executed code.

pub mod chain;
pub mod check;
pub mod disasm;
pub mod elf;
pub mod features;
pub mod fuzz;
pub mod generate;
pub mod interrupt;
pub mod judge;
pub mod link;
pub mod matrix;
pub mod memo;
pub mod process;
pub mod producers;
pub mod reduce;
pub mod report_files;
pub mod score;
pub mod slot;
pub mod statics;
pub mod structure;
pub mod tables;
pub mod window;
pub mod witness;
pub mod yaml;
