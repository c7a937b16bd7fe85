//! The position of a run, in memory that outlives its process: after a crash of the engine, another
//! process can still read the address of the current instruction. The file begins with 64-bit words
//! in the byte order of the host: runs, steps, PC, and 1 while the engine executes.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

/// The position of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Number of runs started since counting began.
    pub runs: u64,
    /// Number of instructions that the last run has reached, including the current one. 0: the
    /// first instruction is not translated yet.
    pub steps: u64,
    /// Address of the current instruction.
    pub pc: u64,
    /// A run is in progress, from its preparation to its end.
    pub executing: bool,
}

/// Size in bytes of the position in the file.
pub const POSITION_BYTES: usize = 64;

const WORDS: usize = 4;

impl Position {
    /// Creates a file in memory to which another process writes its position, and which this
    /// process reads by [`Position::read`]. The cursor is after the position, so that the file can
    /// also be the other process's standard error.
    ///
    /// # Errors
    /// The system cannot create a file in memory.
    pub fn file() -> io::Result<File> {
        let file = memfd_create("sframe-conformance-position", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, POSITION_BYTES as u64)?;
        let mut file = File::from(file);
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }

    /// The position last written to the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(file: &File) -> io::Result<Position> {
        let mut bytes = [0; WORDS * 8];
        file.read_exact_at(&mut bytes, 0)?;
        let (words, _) = bytes.as_chunks::<8>();
        let [runs, steps, pc, executing] =
            [0, 1, 2, 3].map(|at| words.get(at).map_or(0, |word| u64::from_ne_bytes(*word)));
        Ok(Position { runs, steps, pc, executing: executing != 0 })
    }
}
