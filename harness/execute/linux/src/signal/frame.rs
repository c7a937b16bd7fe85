//! The bytes of a signal frame, and the transfer of registers to and from it.

use types::ByteOrder;

use crate::alt_stack::AltStack;
use crate::memory::Denied;
use crate::registers::{Register, Registers, low, wide};

/// A register in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Saved {
    /// Offset from the frame's first byte.
    pub at: u64,
    pub register: Register,
    /// Size of the register in bytes.
    pub bytes: usize,
    /// Mask of the bits that a program may set, for registers of at most 64 bits; the kernel's own
    /// bits are in `fixed`.
    pub mask: u64,
    pub fixed: u64,
}

impl Saved {
    /// A 64-bit register.
    pub(crate) const fn word(at: u64, register: Register) -> Saved {
        Saved::new(at, register, 8)
    }

    pub(crate) const fn new(at: u64, register: Register, bytes: usize) -> Saved {
        Saved { at, register, bytes, mask: u64::MAX, fixed: 0 }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct FrameBytes {
    order: ByteOrder,
    bytes: Vec<u8>,
}

impl FrameBytes {
    pub(crate) fn new(order: ByteOrder, size: u64) -> FrameBytes {
        FrameBytes { order, bytes: vec![0; size as usize] }
    }

    pub(crate) fn from_bytes(order: ByteOrder, bytes: Vec<u8>) -> FrameBytes {
        FrameBytes { order, bytes }
    }

    pub(crate) fn all(&self) -> &[u8] {
        &self.bytes
    }

    /// Stores bytes.
    pub(crate) fn bytes(&mut self, at: u64, bytes: &[u8]) {
        let place = self.bytes.get_mut(at as usize..).and_then(|rest| rest.get_mut(..bytes.len()));
        if let Some(place) = place {
            place.copy_from_slice(bytes);
        }
    }

    /// Stores a number of `bytes` bytes, given in little-endian order.
    fn number(&mut self, at: u64, mut number: [u8; 16], bytes: usize) {
        let number = &mut number[..bytes];
        if self.order == ByteOrder::Big {
            number.reverse();
        }
        self.bytes(at, number);
    }

    pub(crate) fn word(&mut self, at: u64, word: u64) {
        self.number(at, wide(word), 8);
    }

    pub(crate) fn half(&mut self, at: u64, half: u32) {
        self.number(at, wide(half.into()), 4);
    }

    pub(crate) fn save(&mut self, saved: &Saved, registers: &dyn Registers) {
        let mut value = registers.read_wide(saved.register);
        if saved.bytes <= 8 {
            value = wide(low(value) & saved.mask | saved.fixed);
        }
        self.number(saved.at, value, saved.bytes);
    }

    fn number_at(&self, at: u64, bytes: usize) -> [u8; 16] {
        let mut number = [0; 16];
        let found = self.bytes.get(at as usize..).and_then(|rest| rest.get(..bytes));
        if let Some(found) = found {
            number[..bytes].copy_from_slice(found);
            if self.order == ByteOrder::Big {
                number[..bytes].reverse();
            }
        }
        number
    }

    pub(crate) fn word_at(&self, at: u64) -> u64 {
        low(self.number_at(at, 8))
    }

    /// Reads `stack_t`: base, flags (4 bytes and 4 of padding), size.
    pub(crate) fn stack_at(&self, at: u64) -> Option<AltStack> {
        let flags = low(self.number_at(at + 8, 4)) as u32;
        Some(AltStack::new(self.word_at(at), flags, self.word_at(at + 16)))
    }

    /// Sets the register to its value in the frame, if that differs.
    pub(crate) fn restore(&self, saved: &Saved, registers: &mut dyn Registers) -> Result<(), Denied> {
        let (now, mut value) = (registers.read_wide(saved.register), self.number_at(saved.at, saved.bytes));
        if saved.bytes <= 8 {
            value = wide(low(now) & !saved.mask | low(value) & saved.mask);
        }
        if value[..saved.bytes] == now[..saved.bytes] { Ok(()) } else { registers.write_wide(saved.register, value) }
    }
}
