//! Pipes within the program.

use std::collections::{BTreeMap, VecDeque};

use crate::descriptors::What;

/// Capacity of a pipe in bytes (Linux pipe(7)).
const CAPACITY: usize = 64 << 10;

#[derive(Debug)]
struct Pipe {
    bytes: VecDeque<u8>,
    reader: bool,
    writer: bool,
}

#[derive(Debug)]
pub(crate) struct Pipes {
    pipes: BTreeMap<u64, Pipe>,
    next: u64,
    capacity: usize,
}

impl Default for Pipes {
    fn default() -> Pipes {
        Pipes { pipes: BTreeMap::new(), next: 0, capacity: CAPACITY }
    }
}

/// The state of a pipe as one end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) bytes: usize,
    pub(crate) room: usize,
    /// The other end is open.
    pub(crate) other: bool,
}

impl Pipes {
    /// Each holds that much, as who reads it may wait for the one that writes to be over.
    pub(crate) fn widen(&mut self, capacity: usize) {
        self.capacity = capacity;
    }

    /// Each holds what it does by itself.
    pub(crate) fn narrow(&mut self) {
        self.capacity = CAPACITY;
    }

    /// Creates a pipe with both ends open; returns its number.
    pub(crate) fn make(&mut self) -> u64 {
        self.next += 1;
        self.pipes.insert(self.next, Pipe { bytes: VecDeque::new(), reader: true, writer: true });
        self.next
    }

    /// The state of a pipe as `end` sees it.
    pub(crate) fn fill(&self, end: &What) -> Option<Fill> {
        let (pipe, other) = match end {
            What::ReadEnd(id) => self.pipes.get(id).map(|pipe| (pipe, pipe.writer))?,
            What::WriteEnd(id) => self.pipes.get(id).map(|pipe| (pipe, pipe.reader))?,
            _ => return None,
        };
        Some(Fill { bytes: pipe.bytes.len(), room: self.capacity.saturating_sub(pipe.bytes.len()), other })
    }

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

    /// Takes up to `most` bytes out of a pipe.
    pub(crate) fn take(&mut self, id: u64, most: usize) -> Vec<u8> {
        let Some(pipe) = self.pipes.get_mut(&id) else { return Vec::new() };
        let count = most.min(pipe.bytes.len());
        pipe.bytes.drain(..count).collect()
    }

    /// Puts bytes into a pipe as far as there is room, and returns their number.
    pub(crate) fn put(&mut self, id: u64, bytes: &[u8]) -> usize {
        let Some(pipe) = self.pipes.get_mut(&id) else { return 0 };
        let count = bytes.len().min(self.capacity.saturating_sub(pipe.bytes.len()));
        pipe.bytes.extend(bytes.iter().take(count));
        count
    }
}
