//! Whether the disassembler reads an instruction as it was written: to the same length.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use model::Abi;

use crate::disassembler::{Disassembler, Instruction, LONGEST};

/// An instruction as it was written: its target, its length, and its bytes with zeros behind them.
type Written = (Abi, u64, [u8; LONGEST]);

/// Instructions that were read as they were written. Programs that a machine makes consist of the same ones again and again, and to read one
/// takes microseconds. A decoder looks at nothing behind the instruction's end, and its length depends on no address.
static READ: Mutex<Option<HashSet<Written>>> = Mutex::new(None);

/// Of these no more are remembered: a few tens of megabytes.
const MOST: usize = 1 << 20;

impl Disassembler<'_> {
    /// What stands at an address where an instruction of this length was written and another is read, or none; none where it is read so.
    pub fn misread(&self, pc: u64, length: u64) -> Option<Instruction> {
        let written = self.written(pc, length);
        if written.is_some_and(|written| locked(|read| read.contains(&written))) {
            return None;
        }
        let read = self.at(pc)?;
        if read.length != length || read.mnemonic.is_none() {
            return Some(read);
        }
        if let Some(written) = written {
            locked(|read| read.len() < MOST && read.insert(written));
        }
        None
    }

    /// None where nothing is there, or it is longer than any instruction.
    fn written(&self, pc: u64, length: u64) -> Option<Written> {
        let bytes = self.image.bytes_at(pc)?.get(..usize::try_from(length).ok()?)?;
        let mut padded = [0; LONGEST];
        padded.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some((self.image.abi, length, padded))
    }
}

fn locked<T>(ask: impl FnOnce(&mut HashSet<Written>) -> T) -> T {
    ask(READ.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}
