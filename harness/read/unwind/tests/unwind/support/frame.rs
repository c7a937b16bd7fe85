//! Registers and a stack whose every word holds its own address.

use types::{Abi, FrameRegs, Reg, Stack};

/// Lowest address of the stack.
pub(crate) const BASE: u64 = 0x7000_0000;

/// Bytes of stack.
pub(crate) const SIZE: usize = 0x1000;

/// The word at an address.
pub(crate) const fn word(address: u64) -> u64 {
    0xa000_0000_0000_0000 | address
}

/// The registers 0 to 39: register n is `0x1000 + n`, SP is [`BASE`] + 0x400 and FP [`BASE`] +
/// 0x600.
pub(crate) fn regs(abi: Abi) -> FrameRegs {
    let mut regs = FrameRegs::none();
    for number in 0..40 {
        regs.set(Reg(number), Some(0x1000 + u64::from(number)));
    }
    regs.set(abi.facts().sp, Some(BASE + 0x400));
    regs.set(abi.facts().fp, Some(BASE + 0x600));
    regs
}

pub(crate) struct Memory {
    abi: Abi,
    bytes: Vec<u8>,
}

impl Memory {
    pub(crate) fn new(abi: Abi) -> Self {
        let mut memory = Memory { abi, bytes: vec![0; SIZE] };
        for address in (BASE..BASE + SIZE as u64).step_by(8) {
            memory.put(address, word(address));
        }
        memory
    }

    pub(crate) fn put(&mut self, address: u64, value: u64) {
        let bytes = match self.abi.facts().order {
            types::ByteOrder::Little => value.to_le_bytes(),
            types::ByteOrder::Big => value.to_be_bytes(),
        };
        let at = (address - BASE) as usize;
        self.bytes[at..at + 8].copy_from_slice(&bytes);
    }

    /// The stack as it is while SP has the value in [`regs`].
    pub(crate) fn stack(&self) -> Stack<'_> {
        let facts = self.abi.facts();
        Stack::new(BASE, &self.bytes, BASE + 0x400 - facts.red_zone, facts.order, &())
    }
}
