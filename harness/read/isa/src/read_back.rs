//! A check that the disassembler decodes an instruction with the length that was written.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use types::Abi;

use crate::disassembler::{Disassembler, Instruction, LONGEST};

/// An instruction as written: target, length in bytes, and bytes, padded with zeros.
type Written = (Abi, u64, [u8; LONGEST]);

/// Instructions that were decoded as written. Generated programs repeat the same instructions, and
/// decoding one takes microseconds. A decoder reads nothing after the instruction's end, and the
/// length depends on no address.
static READ: Mutex<Option<HashSet<Written>>> = Mutex::new(None);

/// Maximum number of remembered instructions: a few tens of megabytes.
const MOST: usize = 1 << 20;

impl Disassembler<'_> {
    /// The instruction that is decoded at `pc` where one of `length` bytes was written, if its
    /// length differs or it cannot be decoded. `None` if it is decoded as written, or if the image
    /// has no bytes there.
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

    /// The bytes of an instruction as written; `None` if the image has none there, or `length`
    /// exceeds that of any instruction.
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
