//! The instructions of a program under a stub, as they were when they were first reached.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use types::Abi;

use crate::arch;
use crate::error::RemoteError;
use crate::stub::Stub;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    /// Bytes; none if it could not be read or decoded.
    pub(crate) size: Option<u64>,
    /// Its first bytes.
    pub(crate) bytes: [u8; 4],
}

/// Bytes of code that are kept of each instruction that was reached: the longest sequence that
/// identifies a kind of branch.
const WINDOW: usize = 32;

/// Instructions by address.
pub(crate) struct Code {
    abi: Abi,
    windows: FxHashMap<u64, Vec<u8>>,
}

impl Code {
    pub(crate) fn new(abi: Abi) -> Code {
        Code { abi, windows: FxHashMap::default() }
    }

    /// The instruction at an address.
    pub(crate) fn at(&mut self, stub: &mut Stub, pc: u64) -> Result<Instruction, RemoteError> {
        let bytes = match self.windows.entry(pc) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let window = stub.read(pc, WINDOW)?;
                // Nothing where the window goes beyond what can be read.
                let window = if window.is_empty() { stub.read(pc, stub.names().longest)? } else { window };
                new.insert(window)
            }
        };
        let mut first = [0; 4];
        let count = bytes.len().min(4);
        first[..count].copy_from_slice(&bytes[..count]);
        Ok(Instruction { size: arch::length(self.abi, bytes), bytes: first })
    }

    /// The bytes at an address that was reached.
    pub(crate) fn bytes(&self, pc: u64) -> &[u8] {
        self.windows.get(&pc).map_or(&[], Vec::as_slice)
    }
}
