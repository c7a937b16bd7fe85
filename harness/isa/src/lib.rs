//! Decodes instructions of every ABI: their text for people, and their length in bytes. The only user of capstone.
//!
//! Bytes that cannot be decoded are no error: they are `(undecoded)`, as long as the ABI's smallest instruction.

mod aarch64;
mod amd64;
mod arch;
mod disassembler;
mod s390x;

pub use disassembler::{Disassembler, Instruction};
