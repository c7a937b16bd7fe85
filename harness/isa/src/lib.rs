//! Decodes instructions for whoever needs it: text for people and lengths, on all targets. The only user of capstone.

mod disassembler;

pub use disassembler::{Disassembler, Instruction};
