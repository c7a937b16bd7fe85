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
    /// Executions begun since counting began.
    pub runs: u64,
    /// Instructions that the last execution has reached, the current one included. 0: the first
    /// one is not translated yet.
    pub steps: u64,
    /// Address of the current instruction.
    pub pc: u64,
    /// True from the preparation of an execution to its end.
    pub executing: bool,
}

/// Bytes of the file that are the position.
pub const POSITION_BYTES: usize = 64;

const WORDS: usize = 4;

impl Position {
    /// A file in memory to which another process writes its position, and which this one
    /// [`Position::read`]s. Its cursor is after the position, so that it can also be the other
    /// process's standard error.
    ///
    /// # Errors
    /// The system gives no file in memory.
    pub fn file() -> io::Result<File> {
        let file = memfd_create("sframe-conformance-position", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, POSITION_BYTES as u64)?;
        let mut file = File::from(file);
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }

    /// The position that was written to the file last.
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
