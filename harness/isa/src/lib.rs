//! Decodes instructions of every ABI: their text for people, their length in bytes, where control
//! goes and which of the registers that unwinding needs they write ([`flow`]), what they do to a
//! frame ([`effects`]), and what the simple ones do besides ([`simple`]). The only user of capstone
//! and iced-x86.
//!
//! Bytes that cannot be decoded are no error: they are `(undecoded)`, as long as the ABI's smallest
//! instruction.

mod aarch64;
mod amd64;
mod arch;
mod code;
mod disassembler;
pub mod effects;
pub mod flow;
pub mod later;
pub mod native;
mod read_back;
mod s390x;
pub mod scalable;
pub mod simple;

pub use arch::mnemonic;
pub use code::Code;
pub use disassembler::{Disassembler, Instruction};
