//! Decodes instructions of every ABI: disassembly as text, length in bytes, control flow and the
//! written registers that unwinding needs ([`flow`]), effects on the frame ([`effects`]), and the
//! full operation of simple instructions ([`simple`]). The only user of capstone and iced-x86.
//!
//! ```
//! use isa::flow::{self, Flow};
//! use types::Abi;
//!
//! let jump = flow::decode(Abi::Amd64, &[0xeb, 0x10], 0x1000).expect("an instruction");
//! assert_eq!((jump.length, jump.flow), (2, Flow::Jump(0x1012)));
//! ```
//!
//! Bytes that cannot be decoded are not an error: their text is `(undecoded BYTES)`, with the
//! length that their first bits encode or that of the ABI's smallest instruction.

mod aarch64;
mod amd64;
mod arch;
mod code;
mod disassembler;
pub mod effects;
pub mod flow;
pub mod native;
pub mod padding;
pub mod preserved;
mod read_back;
mod s390x;
pub mod scalable;
pub mod sigreturn;
pub mod simple;
pub mod zarch;

pub use amd64::{stack_increment, uses_stack_segment};
pub use arch::mnemonic;
pub use code::Code;
pub use disassembler::{Disassembler, Instruction};
