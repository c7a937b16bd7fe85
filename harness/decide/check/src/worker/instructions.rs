//! What the judge asks of instructions, decoded from an image.

use isa::effects;
use isa::flow::{self, Flow, Insn};
use judge::saves::Instructions;
use types::{Image, Pc, Reg, SavedAt};

/// The instructions of an image.
pub(super) struct Decoded<'a>(pub(super) &'a Image);

impl Instructions for Decoded<'_> {
    fn saves(&self, pc: Pc, reg: Reg) -> Option<SavedAt> {
        /// No instruction of any ABI is longer.
        const LONGEST: usize = 15;
        let bytes = self.0.bytes_at(pc.0)?;
        let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
        effects::saves(self.0.abi, bytes, pc.0, reg)
    }

    fn is_in_stub(&self, pc: Pc, ra: Pc) -> bool {
        /// Most instructions of a stub before its jump: BTI and MOV on AArch64.
        const MOST_BEFORE: usize = 2;
        let decode = |at: u64| flow::decode(self.0.abi, self.0.bytes_at(at)?, at);
        let called = |length: u64| match decode(ra.0.wrapping_sub(length))? {
            Insn { flow: Flow::Call(target), length: own, .. } if u64::from(own) == length => Some(target),
            _ => None,
        };
        let Some(mut at) = [4, 6, 2].into_iter().find_map(called) else { return false };
        let mut passes = false;
        for _ in 0..=MOST_BEFORE {
            passes |= at == pc.0;
            match decode(at) {
                Some(insn) if insn.flow == Flow::Next => at = at.wrapping_add(u64::from(insn.length)),
                Some(insn) => return passes && insn.flow == Flow::IndirectJump,
                None => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use types::{Abi, Bytes, ImageKind, ImageSection};

    use super::*;

    const TEXT: u64 = 0x1000;

    fn image(abi: Abi, bytes: &[u8]) -> Image {
        let text = ImageSection {
            index: 1,
            name: ".text".to_owned(),
            kind: 1,
            flags: 6,
            address: TEXT,
            file_offset: 0,
            align: 4,
            size: bytes.len() as u64,
            bytes: Bytes::copy_from_slice(bytes),
            original: None,
            comdat: false,
        };
        Image {
            name: String::new(),
            abi,
            kind: ImageKind::Relocatable,
            entry: Pc(TEXT),
            sections: vec![text],
            segments: Vec::new(),
            symbols: Vec::new(),
            sframe_relocations: Vec::new(),
            unresolved: Vec::new(),
            source_files: 0,
            bias: 0,
        }
    }

    /// The offsets of 16 bytes that are in a stub to which the call before offset 4 leads.
    fn in_stub(words: [u32; 4]) -> Vec<u64> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let image = image(Abi::Aarch64, &bytes);
        (0..16).step_by(4).filter(|at| Decoded(&image).is_in_stub(Pc(TEXT + at), Pc(TEXT + 4))).collect()
    }

    #[test]
    fn a_stub_is_what_a_call_leads_to_up_to_a_jump_by_register() {
        // bl of two instructions on; nop; mov x16, x1; br x16; ret.
        let [bl, nop, mov, br, ret] = [0x9400_0002, 0xd503_201f, 0xaa01_03f0, 0xd61f_0200, 0xd65f_03c0];
        assert_eq!(in_stub([bl, nop, mov, br]), [8, 12]);
        assert_eq!(in_stub([bl - 1, nop, mov, br]), [4, 8, 12], "bti, or none");
        assert_eq!(in_stub([bl, nop, mov, ret]), [0; 0], "a function");
        assert_eq!(in_stub([nop, nop, mov, br]), [0; 0], "no call");
    }
}
