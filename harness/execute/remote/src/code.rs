//! The instructions of a program under a stub. Constant code is kept as it was when first reached;
//! other code is read each time.

use std::collections::hash_map::Entry;
use std::ops::Range;

use rustc_hash::FxHashMap;
use types::Abi;

use crate::arch;
use crate::error::RemoteError;
use crate::stub::Stub;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    /// Length in bytes; `None` if the instruction could not be read or decoded.
    pub(crate) size: Option<u64>,
    /// The first bytes of the instruction.
    pub(crate) bytes: [u8; 4],
}

/// Bytes of code that are kept from each reached instruction on: the longest sequence that
/// identifies a kind of branch.
const WINDOW: usize = 32;

/// A cache of instructions by address.
pub(crate) struct Code {
    abi: Abi,
    /// Address ranges that the program cannot write.
    constant: Vec<Range<u64>>,
    windows: FxHashMap<u64, Vec<u8>>,
}

impl Code {
    /// Creates the cache. `constant` are the ranges that the program cannot write.
    pub(crate) fn new(abi: Abi, constant: Vec<Range<u64>>) -> Code {
        Code { abi, constant, windows: FxHashMap::default() }
    }

    /// Records that the program may write a range from now on.
    pub(crate) fn may_change(&mut self, part: &Range<u64>) {
        self.constant.retain(|constant| constant.end <= part.start || part.end <= constant.start);
    }

    /// The instruction at an address.
    pub(crate) fn at(&mut self, stub: &mut Stub, pc: u64) -> Result<Instruction, RemoteError> {
        let is_constant = self.constant.iter().any(|part| part.contains(&pc));
        let bytes = match self.windows.entry(pc) {
            Entry::Occupied(known) if is_constant => known.into_mut(),
            entry => {
                let window = stub.read(pc, WINDOW)?;
                // Empty if the window extends beyond readable memory.
                let window = if window.is_empty() { stub.read(pc, stub.names().longest)? } else { window };
                entry.insert_entry(window).into_mut()
            }
        };
        let mut first = [0; 4];
        let count = bytes.len().min(4);
        first[..count].copy_from_slice(&bytes[..count]);
        Ok(Instruction { size: arch::length(self.abi, bytes), bytes: first })
    }

    /// The cached bytes at a reached address.
    pub(crate) fn bytes(&self, pc: u64) -> &[u8] {
        self.windows.get(&pc).map_or(&[], Vec::as_slice)
    }
}
