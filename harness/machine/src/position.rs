//! Where an execution is, in memory that outlives the process: when the emulator brings its process
//! down, another process can still read which instruction it was at.
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

/// Where an execution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Executions begun since [`begin_counting`].
    pub runs: u64,
    /// Instructions that the last of them has come to, the current one included. 0: its first is
    /// not yet translated.
    pub steps: u64,
    /// Address of the current instruction.
    pub pc: u64,
    /// The emulator executes, or is made ready to.
    pub executing: bool,
}

/// The same as it stands in memory: words of 64 bits in this order, in the byte order of the host.
/// One writer, so no order among them is needed: a process that died writes no more.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Cells {
    runs: AtomicU64,
    steps: AtomicU64,
    pc: AtomicU64,
    executing: AtomicU64,
}

const WORDS: usize = 4;
/// Bytes of the file that are the position.
pub const SIZE: usize = size_of::<Cells>();

/// A file in memory, for another process to write its position to and for this one to [`read`]. Its
/// cursor stands behind the position, so that it can be that process's standard error too.
///
/// # Errors
/// The system has no more of them.
pub fn file() -> io::Result<File> {
    let file = memfd_create("sframe-conformance-position", MemfdFlags::CLOEXEC)?;
    ftruncate(&file, SIZE as u64)?;
    let mut file = File::from(file);
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// The position that the process which [`share`]s the file has written last.
///
/// # Errors
/// The file cannot be read.
pub fn read(file: &File) -> io::Result<Position> {
    let mut bytes = [0; WORDS * 8];
    file.read_exact_at(&mut bytes, 0)?;
    let (words, _) = bytes.as_chunks::<8>();
    let [runs, steps, pc, executing] = [0, 1, 2, 3].map(|at| words.get(at).map_or(0, |word| u64::from_ne_bytes(*word)));
    Ok(Position { runs, steps, pc, executing: executing != 0 })
}

/// From now on the executions of this process write their position to the file. They must not be
/// more than one at a time.
///
/// # Errors
/// The file cannot be mapped or is too short, or one already is.
pub fn share(file: impl AsFd) -> io::Result<()> {
    if fstat(&file)?.st_size < SIZE as i64 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    // SAFETY: a new mapping at an address of the system's choice. Its pages are those of a file of
    // `SIZE` bytes, which its maker does not shorten; it is never unmapped.
    let address =
        unsafe { mmap(ptr::null_mut(), SIZE, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, file, 0) }?;
    // SAFETY: page-aligned, as long as a `Cells`, of which any bytes are one, mapped for ever, and
    // accessed through atomics only.
    let cells = unsafe { &*address.cast::<Cells>() };
    SHARED.set(cells).map_err(|_| io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Counts executions from 0 again.
pub fn begin_counting() {
    let cells = Cells::current();
    for cell in [&cells.runs, &cells.steps, &cells.pc, &cells.executing] {
        cell.store(0, Relaxed);
    }
}

/// Counts an execution that is left out.
pub fn leave_out() {
    Cells::current().runs.fetch_add(1, Relaxed);
}

static SHARED: OnceLock<&'static Cells> = OnceLock::new();

thread_local! {
    // Of its own for each thread: threads that wrote to the same cache line would wait for each
    // other at every step.
    static OWN: &'static Cells = Box::leak(Box::default());
}

impl Cells {
    pub(crate) fn current() -> &'static Cells {
        SHARED.get().copied().unwrap_or_else(|| OWN.with(|own| *own))
    }

    /// An execution begins; it ends when the value is dropped.
    pub(crate) fn begin(&'static self) -> Executing {
        self.steps.store(0, Relaxed);
        self.pc.store(0, Relaxed);
        self.runs.fetch_add(1, Relaxed);
        self.executing.store(1, Relaxed);
        Executing(self)
    }

    /// The execution has come to its `steps`-th instruction, from 1.
    #[inline]
    pub(crate) fn step(&self, steps: u64, pc: u64) {
        self.steps.store(steps, Relaxed);
        self.pc.store(pc, Relaxed);
    }
}

/// An execution, for as long as it lasts.
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
        let file = file().expect("a file in memory");
        assert_eq!(read(&file).expect("readable"), Position::default());
        share(&file).expect("mapped");
        let cells = Cells::current();
        let executing = cells.begin();
        cells.step(7, 0x40_1234);
        let position = Position { runs: 1, steps: 7, pc: 0x40_1234, executing: true };
        assert_eq!(read(&file).expect("readable"), position);
        drop(executing);
        assert_eq!(read(&file).expect("readable"), Position { executing: false, ..position });
        begin_counting();
        assert_eq!(read(&file).expect("readable"), Position::default());
    }
}
