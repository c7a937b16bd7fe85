//! Errors that prevent a run.

/// An image or plan that cannot be loaded, or a failure of the emulator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    #[error("{0} has no loadable segments to run")]
    NothingToRun(String),
    #[error("the start address {0:#x} is not in an executable segment")]
    BadStart(u64),
    #[error("the segment at {address:#x} has {file} bytes in the file but only {memory} in memory")]
    FileLargerThanMemory {
        /// `p_vaddr`.
        address: u64,
        /// `p_filesz`.
        file: u64,
        /// `p_memsz`.
        memory: u64,
    },
    /// A segment wraps around or lies above the user half of the address space.
    #[error(
        "the segment at {address:#x} of {size:#x} bytes is neither in the user half of the address space nor in the upper half"
    )]
    OutOfRange {
        /// `p_vaddr`.
        address: u64,
        /// `p_memsz`.
        size: u64,
    },
    #[error("the segment at {address:#x} overlaps the one that ends at {end:#x}")]
    Overlap {
        /// `p_vaddr` of the later segment.
        address: u64,
        /// First address after the earlier one.
        end: u64,
    },
    #[error("{count} loadable segments, the limit is {limit}")]
    TooManySegments {
        /// PT_LOAD headers that occupy memory.
        count: usize,
        /// The maximum number of segments.
        limit: usize,
    },
    #[error("{needed} bytes of memory are needed, the limit is {limit}")]
    TooLarge { needed: u64, limit: u64 },
    #[error("{needed} bytes of arguments do not fit a stack of {stack} bytes")]
    ArgumentsTooLong { needed: u64, stack: u64 },
    #[error("no room in the address space for {0} bytes")]
    NoRoom(u64),
    #[error(transparent)]
    World(#[from] linux::WorldError),
    #[error("the emulator failed to {action}: {message}")]
    Emulator {
        action: &'static str,
        /// The emulator's own message.
        message: String,
    },
}
