//! A kernel for hosted programs: the system calls that C libraries and programs of one thread make, as Linux answers them to a
//! process alone on its machine, with a file tree in memory. Deterministic; nothing reaches the host.

pub(crate) mod aarch64;
pub(crate) mod amd64;
mod call;
mod descriptors;
mod errno;
mod files;
mod folders;
mod handlers;
mod mapping;
mod pipes;
mod process;
mod record;
mod root;
pub(crate) mod s390x;
mod serve;
mod signals;
mod space;
mod stat;
mod suspend;
#[cfg(test)]
mod tests;
mod time;
mod timers;
mod transfer;
mod tree;
mod wait;
mod world;

use types::{Abi, ByteOrder};

use crate::end::Reason;
use crate::engine::Engine;
use crate::memory::Memory;
use descriptors::Descriptors;
use pipes::Pipes;
use signals::Signals;
use space::Space;
use time::Clock;
use timers::Timers;
use transfer::Output;
use tree::{NodeId, Tree};

pub(crate) use call::Call;
pub(crate) use errno::Errno;
pub(crate) use files::OpenFlags;
pub(crate) use handlers::{AltStack, Cause, Delivery};
pub use mapping::Mapped;
pub(crate) use record::Record;
pub use root::{Entry, Root};
pub(crate) use stat::{About, StatLayout};
pub use world::{Given, World, WorldError};

/// What a system call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Result(u64),
    /// The program ends with this status.
    Exit(i32),
    /// The run ends by this name, and for this reason.
    Ends(Reason, &'static str),
    /// A signal's handler has ended.
    HandlerOver {
        is_plain: bool,
    },
    /// It is not served.
    Unserved,
}

/// A process as the kernel keeps it.
#[derive(Debug)]
pub(crate) struct Kernel {
    abi: Abi,
    order: ByteOrder,
    space: Space,
    tree: Tree,
    descriptors: Descriptors,
    pipes: Pipes,
    output: Output,
    /// Where relative paths begin.
    folder: NodeId,
    /// Permissions that new files do not get.
    mask: u32,
    /// State of the generator behind `getrandom`.
    random: u64,
    clock: Clock,
    timers: Timers,
    signals: Signals,
    mapped: Vec<Mapped>,
}

impl Kernel {
    /// Bytes written to standard output and error.
    pub(crate) fn written(&self) -> u64 {
        self.output.written
    }

    /// The first of them, in the order written.
    pub(crate) fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output.kept)
    }

    /// The files that it mapped to execute them, in that order.
    pub(crate) fn take_mapped(&mut self) -> Vec<Mapped> {
        std::mem::take(&mut self.mapped)
    }

    pub(crate) fn serve(&mut self, call: Call, arguments: [u64; 6], engine: &Engine, memory: &mut Memory) -> Outcome {
        let answer = self.answer(call, arguments, engine, memory);
        match answer.and_then(|value| self.ring().map(|()| value)) {
            Ok(value) => Outcome::Result(value),
            Err(refusal) => refusal.outcome(),
        }
    }

    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    fn record(&self) -> Record {
        Record::new(self.order)
    }

    /// Words of 64 bits at an address.
    fn words(&self, address: u64, count: usize, memory: &Memory) -> Option<Vec<u64>> {
        let bytes = memory.copy(address, count * 8)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|word| self.order.u64(*word)).collect())
    }

    fn word(&self, address: u64, memory: &Memory) -> Result<u64, Errno> {
        let words = self.words(address, 1, memory).ok_or(Errno::Fault)?;
        words.first().copied().ok_or(Errno::Fault)
    }

    /// A word of 32 bits.
    fn half(&self, address: u64, memory: &Memory) -> Result<u32, Errno> {
        let bytes = memory.copy(address, 4).ok_or(Errno::Fault)?;
        let bytes = *bytes.first_chunk::<4>().ok_or(Errno::Fault)?;
        Ok(match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        })
    }

    /// Stores bytes where the program wants them.
    fn give(&self, memory: &mut Memory, address: u64, bytes: &[u8]) -> Result<u64, Errno> {
        if memory.write(address, bytes) { Ok(0) } else { Err(Errno::Fault) }
    }

    /// Stores 64-bit words in the guest's byte order.
    fn give_words(&self, memory: &mut Memory, address: u64, words: &[u64]) -> Result<u64, Errno> {
        self.give(memory, address, self.record().words(words).bytes())
    }
}
