//! Executes instructions that the emulator lacks, one at a time, on the program's registers and
//! memory.

use crate::engine::Engine;
use crate::memory::Memory;
use crate::native::Host;
use crate::s390x;
use crate::scalable;
use crate::target::Substitute;
use crate::zarch;

/// The result of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executed {
    /// The instruction was executed; control continues at `next`.
    Done { next: u64 },
    /// The instruction is not supported here either. Nothing has changed.
    Not,
    /// Memory does not allow the access. Nothing has changed.
    Fault(Fault),
    /// The address is not aligned as required.
    Misaligned,
    /// An exception, by the number that the target's `interrupt` takes.
    Raises(u32),
}

impl Executed {
    /// A specification exception of s390x: an operand is invalid for the instruction.
    pub(crate) const SPECIFICATION: Executed = Executed::Raises(s390x::SPECIFICATION);
}

/// An access that memory does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Address of the first byte.
    pub address: u64,
    /// Size of the operand in bytes.
    pub size: usize,
    pub writes: bool,
    /// The page is mapped, but without this permission.
    pub is_mapped: bool,
}

/// The executors of these instructions for one program.
#[derive(Default)]
pub(crate) struct Substitutes {
    host: Host,
}

impl Substitutes {
    /// Executes the instruction at the start of `bytes`.
    pub(crate) fn execute(&mut self, engine: &mut Engine, memory: &mut Memory, pc: u64, bytes: &[u8]) -> Executed {
        match engine.target().substitute {
            Substitute::Host => self.host.execute(engine, memory, pc, bytes),
            Substitute::Definition => zarch::execute(engine, memory, pc, bytes),
            Substitute::Scalable => scalable::execute(engine, pc, bytes),
        }
    }
}
