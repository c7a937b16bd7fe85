//! Memory as the kernel sees it: bytes at addresses, in mappings of whole pages.

use types::elf::{PF_R, PF_W, PF_X};

/// Size in bytes of a page, on every target.
pub const PAGE: u64 = 4096;
/// First address after the user half of the address space on AMD64, the narrowest of the targets.
pub const USER_END: u64 = 1 << 47;

/// Access to a page, as a bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access(pub u32);

impl Access {
    /// Instructions may be fetched.
    pub const EXECUTE: Access = Access(PF_X);
    /// Bytes may be written.
    pub const WRITE: Access = Access(PF_W);
    /// Bytes may be read.
    pub const READ: Access = Access(PF_R);
    /// Bytes may be read and written.
    pub const READ_WRITE: Access = Access(PF_R | PF_W);

    /// Returns true if everything that `other` allows is allowed.
    #[must_use]
    pub const fn has(self, other: Access) -> bool {
        self.0 & other.0 == other.0
    }
}

/// An error of the implementation of memory or registers.
pub type Denied = Box<dyn std::error::Error>;

/// The memory of a program between two instructions. Mappings begin and end at pages and do not
/// overlap; new mappings are zero.
pub trait Memory {
    /// The bytes from an address to the end of its mapping.
    fn rest(&self, address: u64) -> Option<&[u8]>;

    /// Copies bytes into memory. Returns false, and writes nothing, if they are not all in memory
    /// that the program may write.
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool;

    /// Clears the mapped parts of `[address, address + size)`.
    fn clear(&mut self, address: u64, size: u64);

    fn mappings(&self) -> usize;

    /// Start of the last mapping that has a byte of `[base, end)`.
    fn last_mapping(&self, base: u64, end: u64) -> Option<u64>;

    /// Maps zeroed memory.
    fn map(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied>;

    /// Unmaps the mapped parts of `[base, base + size)`.
    fn unmap(&mut self, base: u64, size: u64) -> Result<(), Denied>;

    /// Changes the access to the mapped parts of `[base, base + size)`.
    fn protect(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied>;

    /// The bytes at an address, if all are in one mapping.
    fn read(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.rest(address)?.get(..len)
    }

    /// Returns true if all `len` bytes from an address are in memory, in one mapping or in adjacent
    /// ones.
    fn holds(&self, address: u64, len: usize) -> bool {
        let mut at = address;
        let mut left = len;
        loop {
            let Some(rest) = self.rest(at) else { return false };
            if left <= rest.len() {
                return true;
            }
            left -= rest.len();
            at += rest.len() as u64;
        }
    }

    /// A copy of the bytes at an address, if all are in memory, in one mapping or in adjacent ones.
    fn copy(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        if !self.holds(address, len) {
            return None;
        }
        let mut bytes = Vec::with_capacity(len);
        while bytes.len() < len {
            let rest = self.rest(address + bytes.len() as u64)?;
            bytes.extend_from_slice(rest.get(..rest.len().min(len - bytes.len()))?);
        }
        Some(bytes)
    }

    /// Returns true if nothing is mapped in `[base, base + size)`.
    fn is_free(&self, base: u64, size: u64) -> bool {
        let end = base.checked_add(size).filter(|end| *end <= USER_END);
        end.is_some_and(|end| self.last_mapping(base, end).is_none())
    }
}
