//! Differences between architectures: one directory each, with the same files, and one trait,
//! [`Arch`].
//!
//! | File | Has |
//! |---|---|
//! | `mod.rs` | the facts ([`Target`]), for the second reader too ([`ReaderFacts`](crate::reader::ReaderFacts)) |
//! | `asm.rs` | the bytes of instructions: operands as in the manual, destination first; distances in bytes |
//! | `code.rs` | functions with their true frames ([`Functions`]), and how rows are formed |
//! | `program.rs` | instruction sequences of random programs ([`Machine`]) |
//! | `text.rs` | assembly text: registers, and a function's frame operations ([`Instructions`]) |
//!
//! `types` and the readers have some of these facts too: they are written here a second time on
//! purpose.

mod aarch64;
mod amd64;
mod s390x;
mod target;

use proptest::strategy::BoxedStrategy;
use types::Abi;

use crate::cfi_text::truth::Instructions;
use crate::code::{Functions, Transfer};
use crate::program::Shape;
use crate::program::machine::Machine;

pub(crate) use target::{SignalFrame, Target};

/// An architecture in one byte order.
pub(crate) trait Arch: Functions + Machine {
    fn target(&self) -> &'static Target;

    /// The second reader's data of the target.
    fn reader(&self) -> &'static crate::reader::ReaderFacts;

    /// The data for assembly text.
    fn text(&self) -> &'static Instructions;

    /// A return to the address that the call saved.
    fn ret(&self) -> Vec<u8>;

    /// The shortest no-op.
    fn nop(&self) -> Vec<u8>;

    /// A call, or a jump to another function. Its length is the same for every distance.
    fn transfer(&self, transfer: Transfer, distance: i32) -> Vec<u8>;

    /// The shapes of functions in random programs, with their weights. Programs depend on the order
    /// by their seeds: never change an old one.
    fn shapes(&self, framed: BoxedStrategy<Shape>, realigned: BoxedStrategy<Shape>) -> BoxedStrategy<Shape>;
}

/// The architecture of an ABI.
pub(crate) fn arch(abi: Abi) -> &'static dyn Arch {
    match abi {
        Abi::Amd64 => &amd64::Amd64,
        Abi::Aarch64 => &aarch64::LITTLE,
        Abi::Aarch64Be => &aarch64::BIG,
        Abi::S390x => &s390x::S390x,
    }
}

/// The facts of an ABI.
pub(crate) fn target(abi: Abi) -> &'static Target {
    arch(abi).target()
}
