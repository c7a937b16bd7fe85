//! The stack of a stopped program. Bytes near SP are read at each step, others on demand.

use std::cell::RefCell;
use std::ops::Range;

use types::{ByteOrder, Extent, Fault, FrameRegs, OuterStacks, Stack};

use crate::error::RemoteError;
use crate::stub::Stub;

/// Maximum size in bytes of the stack: the limit of a Linux process.
const MOST: u64 = 8 << 20;
/// Bytes above the initial SP that are searched: arguments, environment and auxiliary data.
const ABOVE: u64 = 64 << 10;

/// The initial stack of a program, and the stub that it is read from.
pub(crate) struct LiveStack {
    stub: RefCell<Stub>,
    /// End of the stack.
    end: u64,
    red_zone: u64,
    order: ByteOrder,
    /// Address of the first prefetched byte, and the prefetched bytes.
    at_hand: (u64, Vec<u8>),
    /// The error of the last failed read since the last refresh.
    failed: RefCell<Option<RemoteError>>,
}

impl LiveStack {
    /// Creates the stack, whose SP is `sp` before the first instruction.
    pub(crate) fn new(mut stub: Stub, sp: u64, red_zone: u64, order: ByteOrder) -> Result<LiveStack, RemoteError> {
        let end = end_of(&mut stub, sp)?;
        let at_hand = (sp, Vec::new());
        Ok(LiveStack { stub: RefCell::new(stub), end, red_zone, order, at_hand, failed: RefCell::default() })
    }

    /// Switches to another stack before the first instruction.
    pub(crate) fn move_to(&mut self, sp: u64) -> Result<(), RemoteError> {
        self.end = self.end_of(sp)?;
        Ok(())
    }

    /// Replaces the current stack with the one that ends at `end`. Returns the end of the previous
    /// stack.
    pub(crate) fn change(&mut self, end: u64) -> u64 {
        std::mem::replace(&mut self.end, end)
    }

    /// The end of the stack with this SP.
    pub(crate) fn end_of(&mut self, sp: u64) -> Result<u64, RemoteError> {
        end_of(self.stub.get_mut(), sp)
    }

    pub(crate) fn stub(&mut self) -> &mut Stub {
        self.stub.get_mut()
    }

    /// Returns true if SP is on the stack.
    pub(crate) fn holds(&self, sp: u64) -> bool {
        self.extent().contains(&sp)
    }

    fn extent(&self) -> Range<u64> {
        self.end.saturating_sub(MOST)..self.end
    }

    /// Number of bytes from SP to the end.
    pub(crate) fn above(&self, sp: u64) -> usize {
        self.end.saturating_sub(sp) as usize
    }

    /// Reads bytes near SP: the red zone and `above` bytes.
    pub(crate) fn refresh(&mut self, sp: u64, above: u64) -> Result<(), RemoteError> {
        if let Some(error) = self.failed.get_mut().take() {
            return Err(error);
        }
        let from = if above > 8 { sp.saturating_sub(self.red_zone) } else { sp };
        let length = sp.saturating_add(above).min(self.end).saturating_sub(from);
        self.at_hand = (from, self.stub.get_mut().read(from, length as usize)?);
        Ok(())
    }

    /// The stack for a step with this SP.
    pub(crate) fn at(&self, sp: u64) -> Stack<'_> {
        let (from, bytes) = (self.at_hand.0, self.at_hand.1.as_slice());
        Stack::partly_at_hand(self.extent(), (from, bytes), sp.saturating_sub(self.red_zone), self.order, self)
    }

    /// Returns true if an aligned word of the range `live` equals `value`.
    pub(crate) fn has(&self, live: Range<u64>, value: u64) -> bool {
        let stack = self.at(live.start);
        live.step_by(8).any(|address| stack.read(address) == Ok(value))
    }
}

/// The end of the stack, searched page by page: a stub returns nothing if a part cannot be read.
fn end_of(stub: &mut Stub, sp: u64) -> Result<u64, RemoteError> {
    const PAGE: u64 = 4096;
    let mut end = sp;
    while end - sp < ABOVE {
        let rest = (PAGE - end % PAGE) as usize;
        let read = stub.read(end, rest)?.len();
        end = end.saturating_add(read as u64);
        if read < rest {
            break;
        }
    }
    Ok(end)
}

impl OuterStacks for LiveStack {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Fault> {
        let unreadable = Err(Fault::UnreadableMemory { address });
        if !self.extent().contains(&address) {
            return unreadable;
        }
        match self.stub.borrow_mut().read(address, bytes.len()) {
            Ok(read) if read.len() == bytes.len() => {
                bytes.copy_from_slice(&read);
                Ok(())
            }
            Ok(_) => unreadable,
            Err(error) => {
                self.failed.borrow_mut().get_or_insert(error);
                unreadable
            }
        }
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
