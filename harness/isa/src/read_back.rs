//! Whether the disassembler reads an instruction as it was written: to the same length.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use types::Abi;

use crate::disassembler::{Disassembler, Instruction, LONGEST};

/// An instruction as it was written: its target, its length, and its bytes, padded with zeros.
type Written = (Abi, u64, [u8; LONGEST]);

/// Instructions that were read as they were written. Programs that a machine makes consist of the
/// same ones again and again, and to read one takes microseconds. A decoder looks at nothing after
/// the instruction's end, and its length depends on no address.
static READ: Mutex<Option<HashSet<Written>>> = Mutex::new(None);

/// Of these no more are remembered: a few tens of megabytes.
const MOST: usize = 1 << 20;

impl Disassembler<'_> {
    /// The instruction that is decoded at an address where one of this length was written, if that
    /// is another one or cannot be decoded. `None` if it is decoded as written, or if the image has
    /// nothing there.
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

    /// `None` if nothing is there, or it is longer than any instruction.
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

#[cfg(test)]
mod tests {
    use types::{Abi, Image, ImageKind, ImageSection, Pc};

    use crate::Disassembler;

    fn image(abi: Abi, bytes: &[u8]) -> Image {
        let (progbits, alloc_and_execinstr) = (1, 6);
        let text = ImageSection {
            index: 1,
            name: ".text".to_owned(),
            kind: progbits,
            flags: alloc_and_execinstr,
            address: 0x1000,
            file_offset: 0,
            align: 1,
            size: bytes.len() as u64,
            bytes: bytes.to_vec().into(),
            original: None,
            comdat: false,
        };
        Image {
            name: "written".to_owned(),
            abi,
            kind: ImageKind::Executable,
            entry: Pc(0x1000),
            sections: vec![text],
            segments: Vec::new(),
            symbols: Vec::new(),
            sframe_relocations: Vec::new(),
            source_files: 0,
            bias: 0,
        }
    }

    /// push %rbp followed by a zero byte, which does not belong to it; and `br %r14` of s390x,
    /// invalid on AMD64.
    #[test]
    fn what_is_remembered_of_one_length_and_target_says_nothing_of_another() {
        let (push, branch) = ([0x55, 0x00], [0x07, 0xfe]);
        let on = |abi, bytes: &[u8], length| Disassembler::new(&image(abi, bytes)).misread(0x1000, length);
        for _ in 0..2 {
            assert_eq!(on(Abi::Amd64, &push, 1), None);
            assert_eq!(on(Abi::Amd64, &push, 2).map(|read| read.length), Some(1));
            assert_eq!(on(Abi::S390x, &branch, 2), None);
            assert_eq!(on(Abi::Amd64, &branch, 2).map(|read| read.mnemonic), Some(None));
        }
    }
}
