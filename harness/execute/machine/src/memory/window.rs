//! The host memory of a range of guest memory.
#![allow(
    unsafe_code,
    reason = "the emulator writes through host pointers to memory that Rust reads between instructions"
)]

use std::ptr::NonNull;

/// A region's bytes on the host, for the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Guest address of the first byte.
    pub base: u64,
    pub len: usize,
    pub(super) host: NonNull<u8>,
}

impl Window {
    /// Returns true if the address is inside.
    #[inline]
    pub(crate) fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.len as u64
    }

    /// The part of the window between two addresses.
    pub(crate) fn part(self, from: u64, to: u64) -> Option<Window> {
        let end = self.base + self.len as u64;
        let (from, to) = (from.max(self.base), to.min(end));
        let len = usize::try_from(to.checked_sub(from)?).ok()?;
        // SAFETY: the part lies inside the window, at most at its end.
        let host = unsafe { self.host.add((from - self.base) as usize) };
        Some(Window { base: from, len, host })
    }

    /// Returns true if a stack pointer with this value may belong to a stack in the window: an
    /// empty stack begins at the end.
    #[inline]
    pub(crate) fn holds_sp(&self, sp: u64) -> bool {
        sp.wrapping_sub(self.base) <= self.len as u64
    }

    /// The bytes of the window.
    ///
    /// # Safety
    /// The region stays mapped and the guest does not run while the slice is used.
    #[inline]
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: `host` points to `len` initialised bytes; the rest by this function's contract.
        unsafe { std::slice::from_raw_parts(self.host.as_ptr(), self.len) }
    }
}
