//! The memory of the stacks of an executed step.

use core::ops::Range;

use crate::{ByteOrder, Fault, FrameRegs};

/// The stack's memory. Bytes below the red zone are dead: a signal handler may overwrite them, so
/// reading them is a fault.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    /// First address of the stack, and first address after it.
    extent: (u64, u64),
    /// Address of `at_hand[0]`.
    at_hand_from: u64,
    /// Part of the stack, or all of it. The rest is read from `outer`.
    at_hand: &'a [u8],
    /// First live address: SP less the red zone.
    pub live_from: u64,
    /// Order of bytes in data.
    pub order: ByteOrder,
    /// The interrupted stacks.
    pub outer: &'a dyn OuterStacks,
}

/// Stacks below a signal handler that executes on another stack or below what it
/// interrupted.
pub trait OuterStacks {
    /// Copies bytes of an interrupted stack, or live bytes of the one in use that are not at hand.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone of where that stack was left,
    /// [`Fault::UnreadableMemory`] on none of them.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault>;

    /// The stack that a frame is on, by the number of frames around it; `None` if that is the one
    /// in use.
    fn extent(&self, frame: usize) -> Option<Extent>;

    /// The registers of the function that a signal interrupted with this many frames around it, as
    /// the kernel saved them; `None` if it was not.
    fn interrupted(&self, frame: usize) -> Option<&FrameRegs>;

    /// Where the kernel keeps PC, SP and FP of that function, and as which words: addresses and
    /// what was there. The program may set others, and continues with these.
    fn kept(&self, frame: usize) -> &[(u64, u64)];
}

/// An interrupted stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// SP at the interruption.
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
    /// A stack whose bytes are all at hand, from `base` on.
    #[inline(always)]
    pub fn new(base: u64, bytes: &'a [u8], live_from: u64, order: ByteOrder, outer: &'a dyn OuterStacks) -> Self {
        let extent = (base, base.saturating_add(bytes.len() as u64));
        Stack { extent, at_hand_from: base, at_hand: bytes, live_from, order, outer }
    }

    /// A stack of which some bytes are at hand, from `from` on; `outer` reads the rest.
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

    /// Its addresses.
    pub fn extent(&self) -> Range<u64> {
        self.extent.0..self.extent.1
    }

    /// The 8-byte word at an address, live or not, if it is at hand.
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

    /// Reads what is not at hand.
    fn copy_outer(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let last = address.saturating_add(bytes.len() as u64).saturating_sub(1);
        let is_dead = self.extent().contains(&address) && self.extent().contains(&last) && address < self.live_from;
        if is_dead { Err(Fault::DeadMemory { address }) } else { self.outer.read(address, bytes) }
    }

    /// The bytes at an address, in the order of memory.
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

    /// A stack from 0x1000 on whose words are their addresses, known to another process.
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
