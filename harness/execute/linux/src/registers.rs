//! Registers for the kernel, named independently of an emulator.

use types::Reg;

use crate::memory::Denied;

/// A register of a program's processor. Which ones a target has is in its own files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A general register or the stack pointer, by its DWARF number.
    General(u8),
    /// The program counter.
    Pc,
    /// Condition flags, or the mask of the program status word.
    Flags,
    /// The thread pointer: FS base on AMD64.
    ThreadPointer,
    /// Floating-point control word; with the status if the target has one word for both.
    FloatControl,
    /// Floating-point status word.
    FloatStatus,
    /// MXCSR.
    VectorControl,
    /// A register of the x87 stack, 80 bits.
    X87(u8),
    /// A vector register, 128 bits.
    Vector(u8),
    /// Bits 128 to 255 of a vector register of AMD64.
    VectorUpper(u8),
    /// The first 64 bits of a vector register, for a target whose signal frames store it in halves.
    VectorHigh(u8),
    /// The last 64 bits of a vector register, for such a target.
    VectorLow(u8),
    /// An access register, 32 bits.
    Access(u8),
}

impl From<Reg> for Register {
    /// A general register. Every general register has a number below 256.
    fn from(reg: Reg) -> Register {
        Register::General(reg.0 as u8)
    }
}

/// The registers of a program between two instructions.
pub trait Registers {
    /// The bytes of a register, lowest first; missing bytes are 0.
    fn read_wide(&self, register: Register) -> [u8; 16];

    /// Sets a register from its lowest bytes.
    fn write_wide(&mut self, register: Register, value: [u8; 16]) -> Result<(), Denied>;

    /// The lowest 64 bits of a register.
    fn read(&self, register: Register) -> u64 {
        low(self.read_wide(register))
    }

    /// Sets a register of at most 64 bits.
    fn write(&mut self, register: Register, value: u64) -> Result<(), Denied> {
        self.write_wide(register, wide(value))
    }
}

/// A word as the lowest bytes of a register.
pub(crate) fn wide(word: u64) -> [u8; 16] {
    u128::from(word).to_le_bytes()
}

/// The lowest word of a register's bytes.
pub(crate) fn low(number: [u8; 16]) -> u64 {
    u128::from_le_bytes(number) as u64
}
