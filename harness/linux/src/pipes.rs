//! Pipes within the process, and counters (`eventfd`).

use std::collections::{BTreeMap, VecDeque};

use crate::descriptors::{What, flag};
use crate::errno::Errno;
use crate::errno::Refusal;
use crate::kernel::Kernel;
use crate::memory::Memory;

/// Bytes that a pipe holds (Linux pipe(7)).
const CAPACITY: usize = 64 << 10;
/// `EFD_SEMAPHORE` (Linux `include/linux/eventfd.h`); the other flags are those of files.
const SEMAPHORE: u64 = 1;
/// The highest value of a counter.
const COUNT_MAX: u64 = u64::MAX - 1;

#[derive(Debug)]
struct Pipe {
    bytes: VecDeque<u8>,
    reader: bool,
    writer: bool,
}

/// All pipes of a process.
#[derive(Debug, Default)]
pub(crate) struct Pipes {
    pipes: BTreeMap<u64, Pipe>,
    next: u64,
}

/// What a pipe has for who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) bytes: usize,
    pub(crate) room: usize,
    /// The other end is open.
    pub(crate) other: bool,
}

impl Pipes {
    fn make(&mut self) -> u64 {
        self.next += 1;
        self.pipes.insert(self.next, Pipe { bytes: VecDeque::new(), reader: true, writer: true });
        self.next
    }

    /// As an end of it sees a pipe.
    pub(crate) fn fill(&self, end: &What) -> Option<Fill> {
        let (pipe, other) = match end {
            What::ReadEnd(id) => self.pipes.get(id).map(|pipe| (pipe, pipe.writer))?,
            What::WriteEnd(id) => self.pipes.get(id).map(|pipe| (pipe, pipe.reader))?,
            _ => return None,
        };
        Some(Fill { bytes: pipe.bytes.len(), room: CAPACITY - pipe.bytes.len(), other })
    }

    /// An end is open no more.
    pub(crate) fn close(&mut self, end: &What) {
        let (id, reads) = match end {
            What::ReadEnd(id) => (id, true),
            What::WriteEnd(id) => (id, false),
            _ => return,
        };
        if let Some(pipe) = self.pipes.get_mut(id) {
            if reads {
                pipe.reader = false;
            } else {
                pipe.writer = false;
            }
            if !pipe.reader && !pipe.writer {
                self.pipes.remove(id);
            }
        }
    }

    /// Takes up to so many bytes out.
    pub(crate) fn take(&mut self, id: u64, most: usize) -> Vec<u8> {
        let Some(pipe) = self.pipes.get_mut(&id) else { return Vec::new() };
        let count = most.min(pipe.bytes.len());
        pipe.bytes.drain(..count).collect()
    }

    /// Puts in what there is room for, and says how much.
    pub(crate) fn put(&mut self, id: u64, bytes: &[u8]) -> usize {
        let Some(pipe) = self.pipes.get_mut(&id) else { return 0 };
        let count = bytes.len().min(CAPACITY - pipe.bytes.len());
        pipe.bytes.extend(bytes.iter().take(count));
        count
    }
}

impl Kernel {
    pub(crate) fn pipe(&mut self, ends: u64, flags: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let id = self.pipes.make();
        let kept = flags & (flag::NONBLOCK | flag::CLOSE_ON_EXEC);
        let reader = self.descriptors.open(What::ReadEnd(id), kept)?;
        let writer = match self.descriptors.open(What::WriteEnd(id), kept | flag::WRITE_ONLY) {
            Ok(writer) => writer,
            Err(errno) => {
                self.close(reader)?;
                return Err(errno);
            }
        };
        let record = self.record().u32(reader as u32).u32(writer as u32);
        self.give(memory, ends, record.bytes())
    }

    pub(crate) fn eventfd(&mut self, count: u64, flags: u64) -> Result<u64, Errno> {
        let what = What::Event { count: count & 0xffff_ffff, single: flags & SEMAPHORE != 0 };
        self.descriptors.open(what, flags & (flag::NONBLOCK | flag::CLOSE_ON_EXEC) | flag::READ_WRITE)
    }

    /// Takes from a counter what one read takes.
    pub(crate) fn take_event(&mut self, descriptor: u64) -> Result<u64, Refusal> {
        let open = self.descriptors.get_mut(descriptor)?;
        let never_waits = open.never_waits();
        let What::Event { count, single } = &mut open.what else { return Err(Errno::Invalid.into()) };
        match (*count, *single) {
            (0, _) if never_waits => Err(Errno::Again.into()),
            (0, _) => Err(Refusal::waits_forever("it reads a counter that nobody raises")),
            (_, true) => {
                *count -= 1;
                Ok(1)
            }
            (value, false) => {
                *count = 0;
                Ok(value)
            }
        }
    }

    /// Adds to a counter.
    pub(crate) fn raise_event(&mut self, descriptor: u64, by: u64) -> Result<(), Refusal> {
        let open = self.descriptors.get_mut(descriptor)?;
        let never_waits = open.never_waits();
        let What::Event { count, .. } = &mut open.what else { return Err(Errno::Invalid.into()) };
        match count.checked_add(by).filter(|sum| *sum <= COUNT_MAX) {
            Some(sum) => *count = sum,
            None if by == u64::MAX => return Err(Errno::Invalid.into()),
            None if never_waits => return Err(Errno::Again.into()),
            None => return Err(Refusal::waits_forever("it raises a counter that nobody reads")),
        }
        Ok(())
    }
}
