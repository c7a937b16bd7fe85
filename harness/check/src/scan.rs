//! What does the emulator do with every instruction? Each opcode pattern of a target with random operands, each word alone in a
//! program of its own: it goes on, it raises an exception though a disassembler knows the instruction, or it ends the emulator.
//!
//! The words and the programs are made here, so that the worker that executes one and the list of what ended one agree. What was found
//! is kept in `harness/machine/data`, and `runner/tests/suite/emulator.rs` tries it again.

mod aarch64;
mod amd64;
mod s390x;
mod tally;

use isa::Disassembler;
use machine::{End, Plan, run};
use serde::{Deserialize, Serialize};
use types::elf::{PF_R, PF_W, PF_X, PT_LOAD, SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS};
use types::{Abi, Bytes, Image, ImageKind, ImageSection, Pc, Segment, Step, StopReason};

pub use tally::{Line, Outcome, Phase, Tally};

/// How executing one word ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WordEnd {
    /// The next instruction was reached, here or elsewhere.
    Goes,
    /// The run ended at the word.
    Ends(StopReason),
    /// The machine does not execute it.
    Refused,
}

/// Where the program is, and the memory that its registers point into the middle of.
const CODE: u64 = 0x40_0000;
const DATA: u64 = 0x60_0000;
const DATA_SIZE: u64 = 2 << 20;
const POINTER: u32 = 0x70_0000;
/// Bytes kept for a word and what follows it.
const STRIDE: usize = 32;

/// A target's way to set every register to [`POINTER`] and then to branch to the next instruction, so that the word after it
/// is translated by itself.
struct Prologue {
    code: Vec<u8>,
    instructions: u64,
}

fn prologue(abi: Abi) -> Prologue {
    match abi {
        Abi::Amd64 => amd64::prologue(),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::prologue(),
        Abi::S390x => s390x::prologue(),
    }
}

/// An instruction that does nothing, as often as it fits.
fn padding(abi: Abi) -> &'static [u8] {
    match abi {
        Abi::Amd64 => &[0x90],
        Abi::Aarch64 | Abi::Aarch64Be => &[0x1f, 0x20, 0x03, 0xd5],
        Abi::S390x => &[0x07, 0x00],
    }
}

/// The `index`-th word: its opcode follows from the index, its operands from the seed too. So many words show every opcode.
pub fn word(abi: Abi, index: u64, seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ index);
    match abi {
        Abi::Amd64 => amd64::word(index, &mut random),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::word(index, &mut random),
        Abi::S390x => s390x::word(index, &mut random),
    }
}

/// What lines name a word: its mnemonic, or else its opcode.
pub fn name(abi: Abi, word: &[u8], mnemonic: Option<&str>) -> String {
    mnemonic.map_or_else(|| opcode(abi, word), str::to_owned)
}

/// The opcode of a word, for what has no mnemonic.
fn opcode(abi: Abi, word: &[u8]) -> String {
    match abi {
        Abi::Amd64 => amd64::opcode(word),
        Abi::Aarch64 | Abi::Aarch64Be => aarch64::opcode(word),
        Abi::S390x => s390x::opcode(word),
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn byte(&mut self) -> u8 {
        (self.next() >> 56) as u8
    }
}

/// The words of these numbers, each cut to the instruction that a disassembler sees in it, with its mnemonic; none where it sees none.
pub fn words(abi: Abi, indices: std::ops::Range<u64>, seed: u64) -> Vec<(Vec<u8>, Option<String>)> {
    let mut words: Vec<Vec<u8>> = indices.map(|index| word(abi, index, seed)).collect();
    let mut code = Vec::with_capacity(words.len() * STRIDE);
    for word in &words {
        code.extend_from_slice(word);
        let end = code.len().next_multiple_of(STRIDE);
        code.resize(end, 0);
    }
    let image = image(abi, code.into());
    let disassembler = Disassembler::new(&image);
    let decoded = (0..words.len() as u64).map(|at| disassembler.at(CODE + at * STRIDE as u64));
    let named: Vec<_> = decoded.map(|found| found.and_then(|found| Some((found.length, found.mnemonic?)))).collect();
    let pair = |(word, named): (&mut Vec<u8>, Option<(u64, String)>)| {
        if let Some((length, _)) = named {
            word.truncate(length as usize);
        }
        (std::mem::take(word), named.map(|(_, mnemonic)| mnemonic))
    };
    words.iter_mut().zip(named).map(pair).collect()
}

/// Executes a word.
pub(crate) fn execute(abi: Abi, word: &[u8]) -> WordEnd {
    let padded: Vec<u8> = word.iter().chain(padding(abi).iter().cycle().take(STRIDE)).copied().collect();
    if machine::refuses(abi, &padded) {
        return WordEnd::Refused;
    }
    let image = program(abi, word);
    let steps = prologue(abi).instructions;
    // The word is the instruction after these; one more may be seen.
    let plan = Plan { step_limit: steps + 2, stack_size: 64 << 10, ..Plan::new(&image) };
    match run(&plan, &mut |_: &Step<'_>| {}).map(|run| run.end) {
        Ok(End::Undecided { reason: StopReason::StepLimit, .. }) => WordEnd::Goes,
        Ok(End::Undecided { reason, .. }) => WordEnd::Ends(reason),
        Ok(End::Exit(_) | End::Halt(_) | End::Sentinel) => WordEnd::Goes,
        Err(_) => WordEnd::Ends(StopReason::Stopped),
    }
}

/// A program that executes a word with every register pointing into memory.
pub fn program(abi: Abi, word: &[u8]) -> Image {
    let mut code = prologue(abi).code;
    code.extend_from_slice(word);
    code.extend(padding(abi).iter().cycle().take(STRIDE));
    image(abi, code.into())
}

fn image(abi: Abi, code: Bytes) -> Image {
    let segment = |address, flags, memory_size, bytes: Bytes| Segment {
        kind: PT_LOAD,
        flags,
        address,
        memory_size,
        file_offset: 0,
        file_size: bytes.len() as u64,
        bytes,
    };
    let section = ImageSection {
        index: 1,
        name: ".text".to_owned(),
        kind: SHT_PROGBITS,
        flags: SHF_ALLOC | SHF_EXECINSTR,
        address: CODE,
        file_offset: 0,
        align: 1,
        size: code.len() as u64,
        bytes: code.clone(),
        original: None,
        comdat: false,
    };
    Image {
        name: "word".to_owned(),
        abi,
        kind: ImageKind::Executable,
        entry: Pc(CODE),
        sections: vec![section],
        segments: vec![
            segment(CODE, PF_R | PF_X, code.len() as u64, code),
            // Executable too: branches through a register go there.
            segment(DATA, PF_R | PF_W | PF_X, DATA_SIZE, Bytes::new()),
        ],
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
        source_files: 0,
        bias: 0,
    }
}
