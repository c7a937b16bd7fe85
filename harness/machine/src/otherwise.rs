//! Instructions that the emulator lacks, executed otherwise: one at a time, over the program's
//! registers and memory.

use crate::engine::Engine;
use crate::later;
use crate::memory::Memory;
use crate::native::Host;
use crate::s390x;
use crate::scalable;
use crate::target::Substitute;

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executed {
    /// It was executed, and control goes to an address.
    Done { next: u64 },
    /// It is lacked here too, or is of no known kind. Nothing has changed.
    Not,
    /// Memory does not allow it. Nothing has changed.
    Fault(Fault),
    /// The address is not a multiple of what it is to be.
    Misaligned,
    /// An exception, by the number that the target's `interrupt` knows.
    Raises(u32),
}

impl Executed {
    /// A specification exception of s390x: an operand is none that the instruction may have.
    pub(crate) const SPECIFICATION: Executed = Executed::Raises(s390x::SPECIFICATION);
}

/// An access that memory does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The first byte.
    pub address: u64,
    /// Bytes of the operand.
    pub size: usize,
    pub writes: bool,
    /// It is mapped, but not for this.
    pub is_mapped: bool,
}

/// What executes such instructions of one program.
#[derive(Default)]
pub(crate) struct Otherwise {
    host: Host,
}

impl Otherwise {
    /// Executes the instruction that these bytes begin with.
    pub(crate) fn execute(&mut self, engine: &mut Engine, memory: &mut Memory, pc: u64, bytes: &[u8]) -> Executed {
        match engine.target().substitute {
            Substitute::Host => self.host.execute(engine, memory, pc, bytes),
            Substitute::Later => later::execute(engine, memory, pc, bytes),
            Substitute::Scalable => scalable::execute(engine, pc, bytes),
        }
    }
}
