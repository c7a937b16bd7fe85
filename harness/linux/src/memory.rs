//! Memory as the kernel sees it: bytes at addresses, in mappings of whole pages.

use types::elf::{PF_R, PF_W, PF_X};

/// Bytes of a page, on every target.
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
    /// Both.
    pub const READ_WRITE: Access = Access(PF_R | PF_W);

    /// Returns true if all that `other` allows is allowed.
    #[must_use]
    pub const fn has(self, other: Access) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Why memory or registers refused, in the words of their owner.
pub type Denied = Box<dyn std::error::Error>;

/// The memory of a program between two of its instructions. Mappings begin and end at pages and do
/// not overlap; what is mapped is zeroes at first.
pub trait Memory {
    /// The bytes from an address to the end of the mapping that it lies in.
    fn rest(&self, address: u64) -> Option<&[u8]>;

    /// Copies bytes in. Returns false, and writes nothing, if they do not all lie in memory that
    /// the program may write.
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool;

    /// Makes what is mapped of `[address, address + size)` zeroes.
    fn clear(&mut self, address: u64, size: u64);

    /// Number of mappings.
    fn mappings(&self) -> usize;

    /// Where the last mapping begins that has a byte of `[base, end)`.
    fn last_mapping(&self, base: u64, end: u64) -> Option<u64>;

    /// Maps zeroes.
    ///
    /// # Errors
    /// The place is taken, or there is no more memory.
    fn map(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied>;

    /// Unmaps what is mapped of `[base, base + size)`.
    ///
    /// # Errors
    /// The processor refuses.
    fn unmap(&mut self, base: u64, size: u64) -> Result<(), Denied>;

    /// Changes how what is mapped of `[base, base + size)` may be accessed.
    ///
    /// # Errors
    /// The processor refuses.
    fn protect(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied>;

    /// Bytes at an address, where they all lie in one mapping.
    fn read(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.rest(address)?.get(..len)
    }

    /// Returns true if that many bytes from an address are all in memory, in one mapping or in
    /// neighbours.
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

    /// A copy of bytes at an address, where they all lie in memory, in one mapping or in
    /// neighbours.
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
