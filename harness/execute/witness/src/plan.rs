//! The plan of a run: the image, its start and its limits.

use std::time::{Duration, Instant};

use linux::World;
use types::{Image, Pc, SignalRequest, Symbol};

/// Where a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the ELF entry point, as the kernel starts a process: no caller.
    ElfEntry,
    /// At a function, called from a sentinel: the return address is the sentinel's. Argument
    /// registers point to zeroed scratch memory, at addresses that are small numbers when taken as
    /// an `int`; the third is 3.
    Function(Pc),
}

/// A valid length of scalable vectors: a power of two from 128 to 2048 bits (Arm ARM DDI 0487,
/// B1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorBits(u16);

impl VectorBits {
    /// 256 bits, not the minimum, so that a table that is right only for 128 bits is found.
    pub const DEFAULT: VectorBits = VectorBits(256);

    /// A vector length in bits; `None` if no processor has it.
    #[must_use]
    pub fn new(bits: u16) -> Option<VectorBits> {
        matches!(bits, 128 | 256 | 512 | 1024 | 2048).then_some(VectorBits(bits))
    }

    /// The length in bits.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// The vector length in granules of 64 bits, as in DWARF.
    #[must_use]
    pub fn granules(self) -> u64 {
        u64::from(self.0) / 64
    }
}

/// The image to execute, and limits.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The image to load and run.
    pub image: &'a Image,
    /// Where the run begins.
    pub start: Start,
    /// The program that is executed first and loads the image's other dependencies, at its load
    /// address (PT_INTERP).
    pub interpreter: Option<&'a Image>,
    /// Symbols of functions besides those of the image, in files that the run will map.
    pub functions: &'a [Symbol],
    /// The arguments after `argv[0]`, which is the image's name.
    pub arguments: Vec<String>,
    /// The files and input of the program.
    pub world: World,
    /// Signals that are sent to the program.
    pub signals: Vec<SignalRequest>,
    /// Seed of random thread scheduling; `None` for round robin with equal time slices.
    pub schedule: Option<u64>,
    /// The length of scalable vectors (SVE).
    pub vector_bits: VectorBits,
    /// Maximum number of steps; the run ends undecided when it is reached.
    pub step_limit: u64,
    /// The run ends undecided soon after this time. `None`: only steps are counted, so that the run
    /// always ends at the same step.
    pub deadline: Option<Instant>,
    /// Processor time of the thread at which the run ends as undecided.
    pub processor: Option<Duration>,
    /// Size of the stack in bytes, at least 16 pages.
    pub stack_size: u64,
    /// Maximum number of bytes of guest memory: image, stack and everything that the program maps.
    pub memory_limit: u64,
}

impl<'a> Plan<'a> {
    /// Creates a plan from the ELF entry point, with 8 MiB of stack as in Linux, 1 GiB of memory
    /// and a hundred million steps.
    pub fn new(image: &'a Image) -> Self {
        Plan {
            image,
            start: Start::ElfEntry,
            interpreter: None,
            functions: &[],
            arguments: Vec::new(),
            world: World::default(),
            signals: Vec::new(),
            schedule: None,
            vector_bits: VectorBits::DEFAULT,
            step_limit: 100_000_000,
            deadline: None,
            processor: None,
            stack_size: 8 << 20,
            memory_limit: 1 << 30,
        }
    }
}
