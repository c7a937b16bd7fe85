//! The memory of the stacks of an executed step.

use crate::{ByteOrder, Fault, FrameRegs};

/// The stack's memory. Bytes below the red zone are dead: a signal handler may overwrite them, so
/// reading them is a fault.
#[derive(Clone, Copy)]
pub struct Stack<'a> {
    /// Address of `bytes[0]`.
    pub base: u64,
    /// The whole mapped stack.
    pub bytes: &'a [u8],
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
    /// Copies bytes of an interrupted stack.
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
    /// what was there. The program may set others, and goes on with these.
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

impl Stack<'_> {
    /// The 8-byte word at an address.
    ///
    /// # Errors
    /// [`Fault::DeadMemory`] below the red zone, [`Fault::UnreadableMemory`] outside the stack.
    #[inline]
    pub fn read(&self, address: u64) -> Result<u64, Fault> {
        let word = address
            .checked_sub(self.base)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.bytes.get(offset..)?.first_chunk::<8>());
        match word {
            None => self.outer_word(address),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(bytes) => Ok(self.order.u64(*bytes)),
        }
    }

    #[cold]
    fn outer_word(&self, address: u64) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.outer.read(address, &mut bytes).map(|()| self.order.u64(bytes))
    }

    /// The bytes at an address, in the order of memory.
    ///
    /// # Errors
    /// As [`Stack::read`].
    pub fn copy(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let found = address
            .checked_sub(self.base)
            .and_then(|offset| usize::try_from(offset).ok())
            .and_then(|offset| self.bytes.get(offset..)?.get(..bytes.len()));
        match found {
            None => self.outer.read(address, bytes),
            Some(_) if address < self.live_from => Err(Fault::DeadMemory { address }),
            Some(found) => {
                bytes.copy_from_slice(found);
                Ok(())
            }
        }
    }
}
