//! Instructions that s390x has had since z13 was replaced (z14, z15, z16, z17), and a few older ones
//! that the emulator executes wrongly: their names, and
//! the operands of those that compilers emit for ordinary code, so that a driver can execute them
//! where an emulator lacks them. (z/Architecture Principles of Operation SA22-7832-13, chapters 7
//! and 21 to 24; formats: chapter 5.)

mod names;
mod operation;

pub use names::later_name;
pub use operation::{Later, Operation, later};

/// Where an operand in memory is: a base and an index register, of which number 0 is none, and a
/// displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The base register.
    pub base: u8,
    /// The index register.
    pub index: u8,
    /// What is added to them.
    pub displacement: i32,
}

/// Operands by their place in the format, whatever they are: registers, masks, addresses. Vector
/// registers have the bit of RXB in their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    code: [u8; 6],
}

impl Fields {
    /// The four bits that begin at a bit of the instruction, from the left.
    #[must_use]
    pub fn bits(&self, from: u8) -> u8 {
        let byte = self.code.get(usize::from(from / 8)).copied().unwrap_or_default();
        if from.is_multiple_of(8) { byte >> 4 } else { byte & 15 }
    }

    /// The vector register whose number begins at a bit: 8, 12, 16 or 32.
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

    /// The eight bits that begin at a bit which is a multiple of eight.
    #[must_use]
    pub fn byte(&self, from: u8) -> u8 {
        self.code.get(usize::from(from / 8)).copied().unwrap_or_default()
    }

    /// Base, index and displacement of 20 bits (RXY).
    #[must_use]
    pub fn long(&self) -> Address {
        let high = i32::from(self.byte(32) as i8) << 12;
        Address { displacement: high | self.short().displacement, ..self.short() }
    }

    /// Base, index and displacement of 12 bits (RX, VRX).
    #[must_use]
    pub fn short(&self) -> Address {
        Address { index: self.bits(12), ..self.based(16) }
    }

    /// The last 32 bits (RIL).
    #[must_use]
    pub fn relative(&self) -> i32 {
        let [_, _, constant @ ..] = self.code;
        i32::from_be_bytes(constant)
    }

    /// Base and displacement of 12 bits that begin at a bit (SSE, VRS).
    #[must_use]
    pub fn based(&self, from: u8) -> Address {
        let displacement = i32::from(self.bits(from + 4)) << 8 | i32::from(self.byte(from + 8));
        Address { base: self.bits(from), index: 0, displacement }
    }
}
