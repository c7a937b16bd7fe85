//! z/Architecture instructions after z13 (z14, z15, z16, z17), and a few older ones that the
//! emulator executes wrongly: names of all, and operands of those that compilers emit for ordinary
//! code, so that a driver can execute them in place of the emulator. (z/Architecture Principles of
//! Operation SA22-7832-13, chapters 7 and 21 to 24; formats: chapter 5.)

mod names;
mod operation;

pub use names::name;
pub use operation::{Group, Instruction, Operation, decode};

/// Address of a memory operand: base register, index register and displacement. Register number 0
/// means no register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The base register.
    pub base: u8,
    /// The index register.
    pub index: u8,
    /// The displacement in bytes.
    pub displacement: i32,
}

/// Operand fields by their position in the format, whether registers, masks or addresses. Numbers
/// of vector registers include the RXB bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    code: [u8; 6],
}

impl Fields {
    pub(crate) const fn new(code: [u8; 6]) -> Fields {
        Fields { code }
    }

    /// The four bits that begin at bit `from`; bit 0 is the most significant.
    #[must_use]
    pub fn bits(&self, from: u8) -> u8 {
        let byte = self.code.get(usize::from(from / 8)).copied().unwrap_or_default();
        if from.is_multiple_of(8) { byte >> 4 } else { byte & 15 }
    }

    /// The number of the vector register whose field begins at bit 8, 12, 16 or 32.
    #[must_use]
    pub fn vector(&self, from: u8) -> u8 {
        let extension = match from {
            8 => 8,
            12 => 4,
            16 => 2,
            _ => 1,
        };
        self.bits(from) | if self.bits(36) & extension != 0 { 16 } else { 0 }
    }

    /// The eight bits that begin at bit `from`, a multiple of eight.
    #[must_use]
    pub fn byte(&self, from: u8) -> u8 {
        self.code.get(usize::from(from / 8)).copied().unwrap_or_default()
    }

    /// The address with base, index and 20-bit displacement (RXY).
    #[must_use]
    pub fn long(&self) -> Address {
        let high = i32::from(self.byte(32) as i8) << 12;
        Address { displacement: high | self.short().displacement, ..self.short() }
    }

    /// The address with base, index and 12-bit displacement (RX, VRX).
    #[must_use]
    pub fn short(&self) -> Address {
        Address { index: self.bits(12), ..self.based(16) }
    }

    /// The last 32 bits, signed (RIL).
    #[must_use]
    pub fn relative(&self) -> i32 {
        let [_, _, constant @ ..] = self.code;
        i32::from_be_bytes(constant)
    }

    /// The address with base and 12-bit displacement whose fields begin at bit `from` (SSE, VRS).
    #[must_use]
    pub fn based(&self, from: u8) -> Address {
        let displacement = i32::from(self.bits(from + 4)) << 8 | i32::from(self.byte(from + 8));
        Address { base: self.bits(from), index: 0, displacement }
    }
}
