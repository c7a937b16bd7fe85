//! Stack memory at an executed step.

use core::ops::Range;

use crate::{ByteOrder, Fault, FrameRegs};

/// Stack memory. Bytes below the red zone are dead: a signal handler may overwrite them, so reading
/// them is a fault.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    /// First address of the stack, and first address after it.
    extent: (u64, u64),
    /// Address of `at_hand[0]`.
    at_hand_from: u64,
    /// Bytes of the stack, or of a part of it. Other addresses are read from `outer`.
    at_hand: &'a [u8],
    /// First live address: SP minus the size of the red zone.
    pub live_from: u64,
    /// Byte order of data.
    pub order: ByteOrder,
    /// The interrupted stacks.
    pub outer: &'a dyn OuterStacks,
}

/// Stacks that a signal interrupted: their handler executes on another stack, or below the frames
/// it interrupted.
pub trait OuterStacks {
    /// Copies bytes of an interrupted stack, or live bytes of the current stack that are not at
    /// hand.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone of the interrupted SP, [`Fault::UnreadableMemory`]
    /// if the address is on no stack.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault>;

    /// The stack of a frame, given by the number of frames around it; `None` if it is the current
    /// stack.
    fn extent(&self, frame: usize) -> Option<Extent>;

    /// The registers that the kernel saved of the function that a signal interrupted with this many
    /// frames around it; `None` if no signal did.
    fn interrupted(&self, frame: usize) -> Option<&FrameRegs>;

    /// Addresses and saved values of the words in which the kernel keeps PC, SP and FP of that
    /// function. The program may change these words, and continues with the new values.
    fn kept(&self, frame: usize) -> &[(u64, u64)];
}

/// An interrupted stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// SP when the stack was interrupted.
    pub sp: u64,
}

/// No interrupted stacks.
impl OuterStacks for () {
    fn read(&self, address: u64, _bytes: &mut [u8]) -> Result<(), Fault> {
        Err(Fault::UnreadableMemory { address })
    }

    fn extent(&self, _frame: usize) -> Option<Extent> {
        None
    }

    fn interrupted(&self, _frame: usize) -> Option<&FrameRegs> {
        None
    }

    fn kept(&self, _frame: usize) -> &[(u64, u64)] {
        &[]
    }
}

impl<'a> Stack<'a> {
    /// A stack whose bytes from `base` on are all at hand.
    #[inline(always)]
    pub fn new(base: u64, bytes: &'a [u8], live_from: u64, order: ByteOrder, outer: &'a dyn OuterStacks) -> Self {
        let extent = (base, base.saturating_add(bytes.len() as u64));
        Stack { extent, at_hand_from: base, at_hand: bytes, live_from, order, outer }
    }

    /// A stack of which the bytes from `from` on are at hand; `outer` reads the rest.
    pub fn partly_at_hand(
        extent: Range<u64>,
        (from, bytes): (u64, &'a [u8]),
        live_from: u64,
        order: ByteOrder,
        outer: &'a dyn OuterStacks,
    ) -> Self {
        let extent = (extent.start, extent.end);
        Stack { extent, at_hand_from: from, at_hand: bytes, live_from, order, outer }
    }

    /// Address range of the stack.
    pub fn extent(&self) -> Range<u64> {
        self.extent.0..self.extent.1
    }

    /// The 8-byte word at an address, live or dead, if it is at hand.
    #[inline(always)]
    pub fn at_hand(&self, address: u64) -> Option<u64> {
        let offset = usize::try_from(address.wrapping_sub(self.at_hand_from)).ok()?;
        self.at_hand.get(offset..)?.first_chunk::<8>().map(|bytes| self.order.u64(*bytes))
    }

    /// The 8-byte word at an address.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone, [`Fault::UnreadableMemory`] outside the stack.
    #[inline]
    pub fn read(&self, address: u64) -> Result<u64, Fault> {
        match self.at_hand(address) {
            None => self.outer_word(address),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(word) => Ok(word),
        }
    }

    #[cold]
    fn outer_word(&self, address: u64) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.copy_outer(address, &mut bytes).map(|()| self.order.u64(bytes))
    }

    /// Reads bytes that are not at hand.
    fn copy_outer(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let last = address.saturating_add(bytes.len() as u64).saturating_sub(1);
        let is_dead = self.extent().contains(&address) && self.extent().contains(&last) && address < self.live_from;
        if is_dead { Err(Fault::DeadMemory { address }) } else { self.outer.read(address, bytes) }
    }

    /// Copies the bytes at an address, in memory order.
    ///
    /// # Errors
    /// As [`Stack::read`].
    pub fn copy(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let found = address
            .checked_sub(self.at_hand_from)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.at_hand.get(offset..)?.get(..bytes.len()));
        match found {
            None => self.copy_outer(address, bytes),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(found) => {
                bytes.copy_from_slice(found);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack from 0x1000 on whose words equal their addresses, and which another process holds.
    struct Elsewhere;

    impl OuterStacks for Elsewhere {
        fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
            match (0x1000..0x1ff9).contains(&address) {
                true => bytes.copy_from_slice(&address.to_le_bytes()),
                false => return Err(Fault::UnreadableMemory { address }),
            }
            Ok(())
        }

        fn extent(&self, _frame: usize) -> Option<Extent> {
            None
        }

        fn interrupted(&self, _frame: usize) -> Option<&FrameRegs> {
            None
        }

        fn kept(&self, _frame: usize) -> &[(u64, u64)] {
            &[]
        }
    }

    #[test]
    fn what_is_not_at_hand_is_read_beneath() {
        let near: [[u8; 8]; 2] = [0x1810u64, 0x1818].map(u64::to_le_bytes);
        let (order, live_from) = (ByteOrder::Little, 0x1808);
        let stack = Stack::partly_at_hand(0x1000..0x2000, (0x1810, near.as_flattened()), live_from, order, &Elsewhere);
        for address in [0x1808, 0x1810, 0x1818, 0x1820, 0x1ff8] {
            assert_eq!(stack.read(address), Ok(address));
        }
        let at_hand = [0x1808, 0x1810, 0x1811, 0x1818, 0x1820].map(|address| stack.at_hand(address));
        assert_eq!([at_hand[0], at_hand[1], at_hand[3], at_hand[4]], [None, Some(0x1810), Some(0x1818), None]);
        for address in [0x1000, 0x1800] {
            assert_eq!(stack.read(address), Err(Fault::DeadMemory { address }));
        }
        for address in [0xff8, 0x1ff9, 0x2000] {
            assert_eq!(stack.read(address), Err(Fault::UnreadableMemory { address }));
        }
    }
}
