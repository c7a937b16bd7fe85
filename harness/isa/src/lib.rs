//! Decodes instructions: text for people, and lengths, on all targets. The only user of capstone.

mod aarch64;
mod amd64;
mod arch;
mod disassembler;
mod s390x;

pub use disassembler::{Disassembler, Instruction};
