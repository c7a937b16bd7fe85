//! The plan of an execution: the image, its start and its limits.

use std::time::Instant;

use linux::World;
use types::{Image, Pc, SignalRequest, Symbol};

/// Where an execution begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At the ELF entry point, as the kernel starts a process: no caller.
    ElfEntry,
    /// At a function, called from a sentinel: its one caller is the sentinel address. Argument
    /// registers point to zeroed scratch memory, at addresses that are small numbers when taken for
    /// an `int`; the third is 3.
    Function(Pc),
}

/// A length of scalable vectors that processors have: a power of two from 128 to 2048 bits (Arm ARM
/// DDI 0487, B1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorBits(u16);

impl VectorBits {
    /// 256 bits, not the shortest: a table that is right for 128 bits only is found.
    pub const DEFAULT: VectorBits = VectorBits(256);

    /// The length of that many bits; `None` if no processor has it.
    #[must_use]
    pub fn new(bits: u16) -> Option<VectorBits> {
        matches!(bits, 128 | 256 | 512 | 1024 | 2048).then_some(VectorBits(bits))
    }

    /// The length in bits.
    #[must_use]
    pub fn get(self) -> u16 {
        self.0
    }

    /// The same in units of 64 bits, as DWARF counts it.
    #[must_use]
    pub fn granules(self) -> u64 {
        u64::from(self.0) / 64
    }
}

/// What to execute, and its limits.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The image to load and run.
    pub image: &'a Image,
    /// Where it begins.
    pub start: Start,
    /// The program that is executed first and loads what else the image needs, at its place in
    /// memory (PT_INTERP).
    pub interpreter: Option<&'a Image>,
    /// Names and places of functions beside those of the image, in what it will have mapped.
    pub functions: &'a [Symbol],
    /// What follows `argv[0]`; `argv[0]` is the image's name.
    pub arguments: Vec<String>,
    /// What it finds when it begins.
    pub world: World,
    /// Signals that it is sent.
    pub signals: Vec<SignalRequest>,
    /// The seed by which its threads take turns; none: in order, after as many steps each.
    pub schedule: Option<u64>,
    /// The length of scalable vectors (SVE).
    pub vector_bits: VectorBits,
    /// The most steps to take; the run ends undecided at this number.
    pub step_limit: u64,
    /// The run ends undecided soon after it, if it has not ended before. None: only steps are
    /// counted, and it ends at the same one always.
    pub deadline: Option<Instant>,
    /// Bytes, at least 16 pages.
    pub stack_size: u64,
    /// The most bytes of guest memory, the image, stack and everything the program maps together.
    pub memory_limit: u64,
}

impl<'a> Plan<'a> {
    /// From the ELF entry point, with 8 MiB of stack as Linux gives, 1 GiB of memory and a hundred
    /// million steps.
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
            stack_size: 8 << 20,
            memory_limit: 1 << 30,
        }
    }
}
