//! Words of every opcode of a target, with random operands.

use check::worker::words::program;
use isa::Disassembler;
use types::Abi;
use types::Rng;

use super::{aarch64, amd64, s390x};

/// Number of bytes stored for a word.
const STRIDE: usize = 32;

/// Bytes of an instruction, with its mnemonic if a disassembler knows it.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) bytes: Vec<u8>,
    pub(super) mnemonic: Option<String>,
}

impl Word {
    /// Name of a word in a line: its mnemonic, or else its opcode.
    pub(super) fn name(&self, abi: Abi) -> String {
        self.mnemonic.clone().unwrap_or_else(|| match abi {
            Abi::Amd64 => amd64::opcode(&self.bytes),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64::opcode(&self.bytes),
            Abi::S390x => s390x::opcode(&self.bytes),
        })
    }

    pub(super) fn hex(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Parses [`Word::hex`].
    pub(super) fn parse(hex: &str) -> Option<Word> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        Some(Word { bytes: hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?, mnemonic: None })
    }
}

/// The word with this index: the index determines its opcode, the seed also its operands. All
/// opcodes occur.
fn word(abi: Abi, index: u64, seed: u64) -> Vec<u8> {
    let mut random = Rng::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index);
    match abi {
        Abi::Amd64 => amd64::word(index, &mut random),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::word(index, &mut random),
        Abi::S390x => s390x::word(index, &mut random),
    }
}

/// The words with these indices, each truncated to the instruction that a disassembler finds in it,
/// with its mnemonic; `None` if it finds none.
pub(super) fn words(abi: Abi, indices: impl Iterator<Item = u64>, seed: u64) -> Vec<Word> {
    let mut words: Vec<Vec<u8>> = indices.map(|index| word(abi, index, seed)).collect();
    let mut code = Vec::with_capacity(words.len() * STRIDE);
    for word in &words {
        code.extend_from_slice(word);
        let end = code.len().next_multiple_of(STRIDE);
        code.resize(end, 0);
    }
    let image = program(abi, code.into());
    let disassembler = Disassembler::new(&image);
    let decoded = (0..words.len() as u64).map(|at| disassembler.at(image.entry.0 + at * STRIDE as u64));
    let named: Vec<_> = decoded.map(|found| found.and_then(|found| Some((found.length, found.mnemonic?)))).collect();
    let pair = |(word, named): (&mut Vec<u8>, Option<(u64, String)>)| {
        if let Some((length, _)) = named {
            word.truncate(length as usize);
        }
        Word { bytes: std::mem::take(word), mnemonic: named.map(|(_, mnemonic)| mnemonic) }
    };
    words.iter_mut().zip(named).map(pair).collect()
}
