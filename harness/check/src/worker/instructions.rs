//! What the judge asks of instructions, decoded from an image.

use isa::effects;
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
}
