//! Disassembly as text, for all targets.

use types::Image;

use crate::arch::Reader;
use crate::flow;

/// A disassembler of one image's code.
pub struct Disassembler<'a> {
    pub(crate) image: &'a Image,
    reader: Reader,
}

/// One disassembled instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Address of the first byte.
    pub pc: u64,
    /// Length in bytes; if not even that could be decoded, the instruction alignment.
    pub length: u64,
    /// The mnemonic, without prefixes on AMD64; `None` if the bytes could not be decoded.
    pub mnemonic: Option<String>,
    /// Mnemonic and operands, or `(undecoded BYTES)`.
    pub text: String,
}

/// Length in bytes of the longest instruction of any target (AMD64).
pub(crate) const LONGEST: usize = 15;

impl<'a> Disassembler<'a> {
    /// Creates a disassembler for an image's code.
    pub fn new(image: &'a Image) -> Self {
        Disassembler { image, reader: Reader::new(image.abi) }
    }

    /// The instruction at address `pc`; `None` if the image has no bytes there.
    pub fn at(&self, pc: u64) -> Option<Instruction> {
        let bytes = self.image.bytes_at(pc)?;
        let window = bytes.get(..LONGEST.min(bytes.len()))?;
        Some(self.reader.instruction(window, pc).unwrap_or_else(|| self.undecoded(window, pc)))
    }

    /// An instruction without a name, with its bytes. Its length may be known all the same.
    fn undecoded(&self, bytes: &[u8], pc: u64) -> Instruction {
        let known = flow::decode(self.image.abi, bytes, pc).map(|insn| u64::from(insn.length));
        let length = known.unwrap_or(self.image.abi.facts().instruction_alignment);
        let hex: String = bytes.iter().take(length as usize).map(|byte| format!("{byte:02x}")).collect();
        Instruction { pc, length, mnemonic: None, text: format!("(undecoded {hex})") }
    }

    /// The address after the instruction at `pc`.
    pub fn end_of(&self, pc: u64) -> u64 {
        let unit = self.image.abi.facts().instruction_alignment;
        pc.saturating_add(self.at(pc).map_or(unit, |instruction| instruction.length))
    }

    /// The instructions around `pc`: up to `before` earlier ones and up to `after` later ones. An
    /// instruction is known to begin at `start`.
    pub fn around(&self, start: u64, pc: u64, before: usize, after: usize) -> Vec<Instruction> {
        // Variable-length code can only be decoded forward from a known start. Starts farther away
        // than this are ignored, to save time.
        const FARTHEST: u64 = 1 << 16;
        let mut at = if pc.saturating_sub(start) > FARTHEST { pc } else { start.min(pc) };
        let mut window = std::collections::VecDeque::new();
        while let Some(instruction) = self.at(at) {
            let next = at.saturating_add(instruction.length);
            if at >= pc && window.len() > before + after {
                break;
            }
            let is_before = at < pc;
            window.push_back(instruction);
            if is_before && window.len() > before {
                window.pop_front();
            }
            let passed = window.iter().filter(|one: &&Instruction| one.pc > pc).count();
            if passed >= after {
                break;
            }
            at = next;
        }
        window.into()
    }
}
