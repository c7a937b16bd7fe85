//! A piece of code whose instructions are decoded one by one. All of them share one decoder.

use types::Abi;

use crate::flow::{self, Insn, amd64::Decoding, apx};
use crate::simple::{self, Executable};

/// Bytes of code, with the address of the first.
pub struct Code<'c> {
    abi: Abi,
    bytes: &'c [u8],
    start: u64,
    amd64: Option<Decoding<'c>>,
}

impl<'c> Code<'c> {
    /// Code whose first byte is at address `start`.
    pub fn new(abi: Abi, bytes: &'c [u8], start: u64) -> Code<'c> {
        let amd64 = match abi {
            Abi::Amd64 => Some(Decoding::new(bytes, start)),
            // Decoders of these ABIs need no setup.
            Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => None,
        };
        Code { abi, bytes, start, amd64 }
    }

    /// The bytes from `offset` to the end.
    pub fn from(&self, offset: usize) -> &'c [u8] {
        self.bytes.get(offset..).unwrap_or_default()
    }

    /// The instruction at `offset`, as from [`flow::decode`].
    pub fn flow(&mut self, offset: usize) -> Option<Insn> {
        let (bytes, pc) = (self.from(offset), self.start.wrapping_add(offset as u64));
        match &mut self.amd64 {
            Some(decoding) => match decoding.at(offset) {
                Some(instruction) => flow::amd64::insn(instruction),
                None => apx::decode(bytes, pc).map(|apx| apx.insn),
            },
            None => flow::decode(self.abi, bytes, pc),
        }
    }

    /// The instruction at `offset`, as from [`simple::decode`].
    pub fn simple(&mut self, offset: usize) -> Option<(Insn, Option<Executable>)> {
        let (bytes, pc) = (self.from(offset), self.start.wrapping_add(offset as u64));
        let Some(decoding) = &mut self.amd64 else {
            let simple = match self.abi {
                Abi::S390x => simple::s390x::decode(bytes, pc).map(Executable::S390x),
                _ => {
                    let word = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
                    word.and_then(|word| simple::aarch64::decode(word, pc)).map(Executable::Aarch64)
                }
            };
            return Some((self.flow(offset)?, simple));
        };
        let (insn, simple) = match decoding.at(offset) {
            Some(instruction) => simple::amd64::decode(instruction, bytes)?,
            None => {
                let apx = apx::decode(bytes, pc)?;
                (apx.insn, apx.simple)
            }
        };
        Some((insn, simple.map(Executable::Amd64)))
    }
}
