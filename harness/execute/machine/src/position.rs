//! The position of a run, in memory that outlives its process: after a crash of the emulator,
//! another process can still read the address of the current instruction. It costs three stores a
//! step. The file begins with 64-bit words in the byte order of the host: runs, steps, PC, and 1
//! while the emulator executes.
#![allow(unsafe_code, reason = "memory that two processes share")]

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt as _;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustix::fs::{MemfdFlags, fstat, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap};

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
    pub fn file() -> io::Result<File> {
        let file = memfd_create("sframe-conformance-position", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, POSITION_BYTES as u64)?;
        let mut file = File::from(file);
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    }

    /// The position last written to the file.
    pub fn read(file: &File) -> io::Result<Position> {
        let mut bytes = [0; WORDS * 8];
        file.read_exact_at(&mut bytes, 0)?;
        let (words, _) = bytes.as_chunks::<8>();
        let [runs, steps, pc, executing] =
            [0, 1, 2, 3].map(|at| words.get(at).map_or(0, |word| u64::from_ne_bytes(*word)));
        Ok(Position { runs, steps, pc, executing: executing != 0 })
    }
}

/// The position in memory. There is one writer, and the reader waits until that process has died,
/// so the words need no memory ordering.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Cells {
    runs: AtomicU64,
    steps: AtomicU64,
    pc: AtomicU64,
    executing: AtomicU64,
}

/// The cells are at the beginning of the file.
const _: () = assert!(size_of::<Cells>() == POSITION_BYTES);

/// Makes the runs of this process publish their position in the file. Only one may run at a time.
pub fn share(file: impl AsFd) -> io::Result<()> {
    if fstat(&file)?.st_size < POSITION_BYTES as i64 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // SAFETY: a new mapping at an address of the system's choice. Its pages are those of a file of
    // at least that size, which is never truncated; it is never unmapped.
    let address = unsafe {
        mmap(ptr::null_mut(), POSITION_BYTES, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0)
    }?;
    // SAFETY: page-aligned, of the size of a `Cells`, for which any bytes are valid, mapped for
    // ever, and accessed through atomics only.
    let cells = unsafe { &*address.cast::<Cells>() };
    SHARED.set(cells).map_err(|_| io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Resets the count of runs to 0.
pub fn begin_counting() {
    let cells = Cells::current();
    for cell in [&cells.runs, &cells.steps, &cells.pc, &cells.executing] {
        cell.store(0, Relaxed);
    }
}

/// Counts a skipped run.
pub fn leave_out() {
    Cells::current().runs.fetch_add(1, Relaxed);
}

static SHARED: OnceLock<&'static Cells> = OnceLock::new();

thread_local! {
    // One for each thread: threads that write to the same cache line would wait for each other at
    // every step.
    static OWN: &'static Cells = Box::leak(Box::default());
}

impl Cells {
    pub(crate) fn current() -> &'static Cells {
        SHARED.get().copied().unwrap_or_else(|| OWN.with(|own| *own))
    }

    /// Begins a run; it ends when the returned value is dropped.
    pub(crate) fn begin(&'static self) -> Executing {
        self.steps.store(0, Relaxed);
        self.pc.store(0, Relaxed);
        self.runs.fetch_add(1, Relaxed);
        self.executing.store(1, Relaxed);
        Executing(self)
    }

    /// Publishes that the run has reached its `steps`-th instruction, counted from 1.
    #[inline]
    pub(crate) fn step(&self, steps: u64, pc: u64) {
        self.steps.store(steps, Relaxed);
        self.pc.store(pc, Relaxed);
    }
}

/// A run in progress.
pub(crate) struct Executing(&'static Cells);

impl Drop for Executing {
    fn drop(&mut self) {
        self.0.executing.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_through_memory_is_read_through_the_file() {
        let file = Position::file().expect("a file in memory");
        assert_eq!(Position::read(&file).expect("readable"), Position::default());
        share(&file).expect("mapped");
        let cells = Cells::current();
        let executing = cells.begin();
        cells.step(7, 0x40_1234);
        let position = Position { runs: 1, steps: 7, pc: 0x40_1234, executing: true };
        assert_eq!(Position::read(&file).expect("readable"), position);
        drop(executing);
        assert_eq!(Position::read(&file).expect("readable"), Position { executing: false, ..position });
        begin_counting();
        assert_eq!(Position::read(&file).expect("readable"), Position::default());
    }
}
