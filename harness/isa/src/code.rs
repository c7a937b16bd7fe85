//! A piece of code, of which one instruction after the other is decoded: what that takes to set up
//! is set up once.

use types::Abi;

use crate::flow::{self, Insn, amd64::Decoding};
use crate::simple::{self, Simple};

/// Bytes of code, and where they stand.
pub struct Code<'c> {
    abi: Abi,
    bytes: &'c [u8],
    start: u64,
    amd64: Option<Decoding<'c>>,
}

impl<'c> Code<'c> {
    /// The code at an address.
    pub fn new(abi: Abi, bytes: &'c [u8], start: u64) -> Code<'c> {
        let amd64 = match abi {
            Abi::Amd64 => Some(Decoding::new(bytes, start)),
            // Their instructions need nothing set up.
            Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => None,
        };
        Code { abi, bytes, start, amd64 }
    }

    /// The bytes from an offset on.
    pub fn from(&self, offset: usize) -> &'c [u8] {
        self.bytes.get(offset..).unwrap_or_default()
    }

    /// As [`flow::decode`], at an offset.
    pub fn flow(&mut self, offset: usize) -> Option<Insn> {
        match &mut self.amd64 {
            Some(decoding) => flow::amd64::insn(decoding.at(offset)?),
            None => flow::decode(self.abi, self.from(offset), self.start.wrapping_add(offset as u64)),
        }
    }

    /// As [`simple::decode`], at an offset.
    pub fn simple(&mut self, offset: usize) -> Option<(Insn, Option<Simple>)> {
        let bytes = self.from(offset);
        match &mut self.amd64 {
            Some(decoding) => simple::amd64::decode(decoding.at(offset)?, bytes),
            None => Some((self.flow(offset)?, None)),
        }
    }
}
