//! A kernel for user programs: the system calls of C libraries and programs, with the results of
//! Linux for the only process on a machine, and a file tree in memory. It is deterministic; nothing
//! reaches the host.

use std::collections::BTreeMap;
use std::sync::Arc;

use types::{Abi, ByteOrder};

use crate::absent::Absent;
use crate::clock::Clock;
use crate::descriptors::Descriptors;
use crate::errno::Errno;
use crate::memory::Memory;
use crate::output::Output;
use crate::pipes::Pipes;
use crate::processes::Processes;
use crate::programs::Programs;
use crate::record::Record;
use crate::signal::layout::SignalAbi;
use crate::signals::Signals;
use crate::space::Space;
use crate::target::Target;
use crate::threads::Threads;
use crate::timers::Timers;
use crate::tree::{NodeId, Tree};

/// An executable file mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// Path in the program's file tree, without symbolic links.
    pub path: String,
    /// Address of the mapping, and the file offset mapped there.
    pub base: u64,
    /// The file offset in bytes.
    pub offset: u64,
    /// The number of the program, 0 for the first ([`types::ThreadId::program`]).
    pub program: u32,
}

/// The kernel's state of a process.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) abi: Abi,
    pub(crate) target: &'static Target,
    /// Frames of signal handlers.
    pub(crate) frames: &'static SignalAbi,
    pub(crate) order: ByteOrder,
    pub(crate) space: Space,
    pub(crate) tree: Tree,
    pub(crate) descriptors: Descriptors,
    pub(crate) pipes: Pipes,
    pub(crate) output: Output,
    /// The working directory.
    pub(crate) folder: NodeId,
    /// Permissions that new files do not get (`umask`).
    pub(crate) mask: u32,
    /// State of the generator of `getrandom`.
    pub(crate) random: u64,
    pub(crate) clock: Clock,
    pub(crate) timers: Timers,
    pub(crate) signals: Signals,
    pub(crate) threads: Threads,
    pub(crate) processes: Processes,
    pub(crate) programs: Option<Arc<dyn Programs>>,
    /// Addresses of files of the root tree that were mapped: they are mapped there in other
    /// programs too.
    pub(crate) placed: BTreeMap<NodeId, u64>,
    pub(crate) mapped: Vec<Mapped>,
    pub(crate) absent: Absent,
}

impl Kernel {
    /// Number of bytes written to standard output and error.
    pub fn written(&self) -> u64 {
        self.output.written
    }

    /// Takes the first bytes of standard output and error, in the order written.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output.kept)
    }

    /// Takes the executable file mappings, in order of creation.
    pub fn take_mapped(&mut self) -> Vec<Mapped> {
        std::mem::take(&mut self.mapped)
    }

    /// Takes the files that the program did not find.
    pub fn take_absent(&mut self) -> Absent {
        std::mem::take(&mut self.absent)
    }

    /// The ABI of the program.
    pub fn abi(&self) -> Abi {
        self.abi
    }

    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    pub(crate) fn record(&self) -> Record {
        Record::new(self.order)
    }

    /// Reads 64-bit words at an address.
    pub(crate) fn words(&self, address: u64, count: usize, memory: &dyn Memory) -> Option<Vec<u64>> {
        let bytes = memory.copy(address, count * 8)?;
        Some(bytes.as_chunks::<8>().0.iter().map(|word| self.order.u64(*word)).collect())
    }

    pub(crate) fn word(&self, address: u64, memory: &dyn Memory) -> Result<u64, Errno> {
        let words = self.words(address, 1, memory).ok_or(Errno::Fault)?;
        words.first().copied().ok_or(Errno::Fault)
    }

    /// Reads a 32-bit word.
    pub(crate) fn half(&self, address: u64, memory: &dyn Memory) -> Result<u32, Errno> {
        let bytes = memory.copy(address, 4).ok_or(Errno::Fault)?;
        let bytes = *bytes.first_chunk::<4>().ok_or(Errno::Fault)?;
        Ok(match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        })
    }

    /// Stores bytes at an address.
    pub(crate) fn give(&self, memory: &mut dyn Memory, address: u64, bytes: &[u8]) -> Result<u64, Errno> {
        if memory.write(address, bytes) { Ok(0) } else { Err(Errno::Fault) }
    }

    /// Stores 64-bit words in the guest's byte order.
    pub(crate) fn give_words(&self, memory: &mut dyn Memory, address: u64, words: &[u64]) -> Result<u64, Errno> {
        self.give(memory, address, self.record().words(words).bytes())
    }
}
