//! Where an execution is, in memory that outlives its process: when the engine brings that down,
//! another process can still read which instruction it was at. The file begins with words of 64
//! bits in the byte order of the host: runs, steps, PC, and 1 while the engine executes.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

/// Where an execution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Executions begun since the engine was told to count from 0.
    pub runs: u64,
    /// Instructions that the last of them has come to, the current one included. 0: its first is
    /// not yet translated.
    pub steps: u64,
    /// Address of the current instruction.
    pub pc: u64,
    /// The engine executes, or is made ready to.
    pub executing: bool,
}

/// Bytes of the file that are the position.
pub const POSITION_BYTES: usize = 64;

const WORDS: usize = 4;

impl Position {
    /// A file in memory, for another process to write its position to and for this one to
    /// [`Position::read`]. Its cursor stands after the position, so that it can be that process's
    /// standard error too.
    ///
    /// # Errors
    /// The system has no more of them.
    pub fn file() -> io::Result<File> {
        let file = memfd_create("sframe-conformance-position", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, POSITION_BYTES as u64)?;
        let mut file = File::from(file);
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }

    /// The position that the process which writes to the file has written last.
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
