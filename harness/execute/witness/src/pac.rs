//! AArch64 pointer authentication of the link register: instructions that sign, authenticate or
//! strip X30. (Arm Architecture Reference Manual DDI 0487, C6.2 PACIA, PACIB, AUTIA, AUTIB, XPAC.)
//! Their effect is derived from LR's value before and after, not from the instruction.

use types::PacKey;

/// The effect of an instruction on the link register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacOp {
    /// Adds an authentication code made with this key.
    Sign(PacKey),
    /// Adds an authentication code made with this key, with the PC as a second modifier
    /// (FEAT_PAuth_LR).
    SignWithPc(PacKey),
    /// Checks and removes a code made with this key.
    Authenticate(PacKey),
    /// Removes a code unchecked.
    Strip,
}

/// `PACM`: the next instruction that signs or authenticates uses the PC as a second modifier. A
/// processor without FEAT_PAuth_LR, such as the emulator's, executes it as a no-op; the meaning of
/// the code is the same.
const PACM: u32 = 0xd503_24ff;

impl PacOp {
    /// The operation if it follows the instruction `word`, which may be `PACM`.
    #[must_use]
    pub const fn after(self, word: Option<u32>) -> PacOp {
        match (self, word) {
            (PacOp::Sign(key), Some(PACM)) => PacOp::SignWithPc(key),
            _ => self,
        }
    }

    /// Returns true if the frame's return address is unchanged while another register holds the
    /// value. An authenticated value is the one that the function returns with: then only a copy in
    /// the frame counts.
    #[must_use]
    pub const fn spares_registers(self) -> bool {
        match self {
            PacOp::Sign(_) | PacOp::SignWithPc(_) | PacOp::Strip => true,
            PacOp::Authenticate(_) => false,
        }
    }
}

/// The operation of an instruction word on X30; `None` for other instructions. `RETAA` and `RETAB`
/// authenticate a copy and leave X30 unchanged.
#[inline]
pub fn on_link_register(word: u32) -> Option<PacOp> {
    // Two groups: hints (CRm:op2 in bits 11:5) and data processing with one source (opcode in bits
    // 15:10, Rd in bits 4:0).
    match word & 0xffff_f01f {
        0xd503_201f => hint(word >> 5 & 0x7f),
        _ if word & 0xffff_0000 == 0xdac1_0000 && word & 0x1f == 30 => one_source(word >> 10 & 0x3f, word >> 5 & 0x1f),
        _ => None,
    }
}

fn hint(number: u32) -> Option<PacOp> {
    match number {
        7 => Some(PacOp::Strip),                         // xpaclri
        24 | 25 => Some(PacOp::Sign(PacKey::A)),         // paciaz, paciasp
        26 | 27 => Some(PacOp::Sign(PacKey::B)),         // pacibz, pacibsp
        28 | 29 => Some(PacOp::Authenticate(PacKey::A)), // autiaz, autiasp
        30 | 31 => Some(PacOp::Authenticate(PacKey::B)), // autibz, autibsp
        _ => None,
    }
}

fn one_source(opcode: u32, source: u32) -> Option<PacOp> {
    match (opcode, source) {
        (0b00_0000, _) | (0b00_1000, 31) => Some(PacOp::Sign(PacKey::A)), // pacia, paciza
        (0b00_0001, _) | (0b00_1001, 31) => Some(PacOp::Sign(PacKey::B)), // pacib, pacizb
        (0b00_0100, _) | (0b00_1100, 31) => Some(PacOp::Authenticate(PacKey::A)), // autia, autiza
        (0b00_0101, _) | (0b00_1101, 31) => Some(PacOp::Authenticate(PacKey::B)), // autib, autizb
        (0b01_0000, 31) => Some(PacOp::Strip),                            // xpaci
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pacm_adds_the_pc() {
        let sign = PacOp::Sign(PacKey::B);
        assert_eq!(sign.after(Some(PACM)), PacOp::SignWithPc(PacKey::B));
        assert_eq!([sign.after(None), sign.after(Some(0xd503_245f))], [sign; 2]);
        assert_eq!(PacOp::Strip.after(Some(PACM)), PacOp::Strip);
    }

    #[test]
    fn encodings() {
        use PacKey::{A, B};
        use PacOp::{Authenticate, Sign, Strip};
        // Encodings are those of GNU as for armv8.5-a.
        let table = [
            (0xd503_231f, Some(Sign(A))),         // paciaz
            (0xd503_233f, Some(Sign(A))),         // paciasp
            (0xd503_235f, Some(Sign(B))),         // pacibz
            (0xd503_237f, Some(Sign(B))),         // pacibsp
            (0xd503_239f, Some(Authenticate(A))), // autiaz
            (0xd503_23bf, Some(Authenticate(A))), // autiasp
            (0xd503_23df, Some(Authenticate(B))), // autibz
            (0xd503_23ff, Some(Authenticate(B))), // autibsp
            (0xd503_20ff, Some(Strip)),           // xpaclri
            (0xdac1_03fe, Some(Sign(A))),         // pacia x30, sp
            (0xdac1_047e, Some(Sign(B))),         // pacib x30, x3
            (0xdac1_23fe, Some(Sign(A))),         // paciza x30
            (0xdac1_27fe, Some(Sign(B))),         // pacizb x30
            (0xdac1_13fe, Some(Authenticate(A))), // autia x30, sp
            (0xdac1_17fe, Some(Authenticate(B))), // autib x30, sp
            (0xdac1_33fe, Some(Authenticate(A))), // autiza x30
            (0xdac1_37fe, Some(Authenticate(B))), // autizb x30
            (0xdac1_43fe, Some(Strip)),           // xpaci x30
            (0xdac1_47fe, None),                  // xpacd x30
            (0xdac1_0bfe, None),                  // pacda x30, sp
            (0xdac1_03fd, None),                  // pacia x29, sp
            (0xd503_211f, None),                  // pacia1716
            (0xd503_219f, None),                  // autia1716
            (0xd65f_0bff, None),                  // retaa
            (0xd65f_0fff, None),                  // retab
            (0xd503_245f, None),                  // bti c
            (0xd503_201f, None),                  // nop
            (0xd503_3fdf, None),                  // isb
        ];
        for (word, expected) in table {
            assert_eq!(on_link_register(word), expected, "{word:#x}");
        }
    }
}
