//! Choice of the disassembler for each ABI. Each architecture has its own file.

use capstone::Capstone;
use types::Abi;

use crate::disassembler::{Instruction, LONGEST};
use crate::zarch;
use crate::{aarch64, amd64, s390x};

/// The disassembler of an ABI.
pub(crate) enum Reader {
    /// iced-x86, for AMD64.
    Iced,
    /// capstone, for the other ABIs; `None` if it failed to initialize.
    Capstone(Option<Capstone>, Abi),
}

impl Reader {
    pub(crate) fn new(abi: Abi) -> Reader {
        match abi {
            Abi::Amd64 => Reader::Iced,
            Abi::Aarch64 | Abi::Aarch64Be => Reader::Capstone(aarch64::capstone().ok(), abi),
            Abi::S390x => Reader::Capstone(s390x::capstone().ok(), abi),
        }
    }

    /// The instruction at the start of `bytes`, located at `pc`; `None` if it cannot be decoded.
    pub(crate) fn instruction(&self, bytes: &[u8], pc: u64) -> Option<Instruction> {
        let (engine, abi) = match self {
            Reader::Iced => return amd64::instruction(bytes, pc),
            Reader::Capstone(engine, abi) => (engine.as_ref()?, abi),
        };
        let decoded = engine.disasm_count(bytes, pc, 1).ok()?;
        let Some(instruction) = decoded.first() else { return unknown_to_capstone(*abi, bytes, pc) };
        Some(Instruction {
            pc,
            length: instruction.len().max(1) as u64,
            mnemonic: instruction.mnemonic().map(str::to_owned),
            text: format!("{} {}", instruction.mnemonic().unwrap_or("?"), instruction.op_str().unwrap_or("")),
        })
    }
}

/// An instruction that the disassembler does not know yet: mnemonic and length, without operands.
fn unknown_to_capstone(abi: Abi, bytes: &[u8], pc: u64) -> Option<Instruction> {
    let (mnemonic, length) = match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => return None,
        Abi::S390x => zarch::name(bytes)?,
    };
    Some(Instruction { pc, length, mnemonic: Some(mnemonic.to_owned()), text: mnemonic.to_owned() })
}

/// The mnemonic of the instruction at the start of `bytes`; `None` if it cannot be decoded.
#[must_use]
pub fn mnemonic(abi: Abi, bytes: &[u8]) -> Option<String> {
    let bytes = bytes.get(..LONGEST.min(bytes.len()))?;
    Reader::new(abi).instruction(bytes, 0).and_then(|instruction| instruction.mnemonic)
}
