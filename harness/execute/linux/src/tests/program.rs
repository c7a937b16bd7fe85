//! A program's memory and registers for tests of the kernel.

use std::collections::BTreeMap;

use crate::memory::{Access, Denied, Memory};
use crate::registers::{Register, Registers};

/// Maximum number of mapped bytes.
const LIMIT: usize = 64 << 20;

/// Mappings by start address.
#[derive(Default)]
pub(super) struct Pages(BTreeMap<u64, Vec<u8>>);

impl Pages {
    fn rest_mut(&mut self, address: u64) -> Option<&mut [u8]> {
        let (base, bytes) = self.0.range_mut(..=address).next_back()?;
        bytes.get_mut((address - base) as usize..).filter(|rest| !rest.is_empty())
    }

    /// Splits a mapping at an address.
    fn split(&mut self, at: u64) {
        let Some((base, bytes)) = self.0.range_mut(..at).next_back() else { return };
        let offset = (at - base) as usize;
        if offset < bytes.len() {
            let rest = bytes.split_off(offset);
            self.0.insert(at, rest);
        }
    }
}

impl Memory for Pages {
    fn rest(&self, address: u64) -> Option<&[u8]> {
        let (base, bytes) = self.0.range(..=address).next_back()?;
        bytes.get((address - base) as usize..).filter(|rest| !rest.is_empty())
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        if !self.holds(address, bytes.len()) {
            return false;
        }
        let (mut at, mut left) = (address, bytes);
        while let Some(rest) = self.rest_mut(at).filter(|_| !left.is_empty()) {
            let (now, later) = left.split_at(left.len().min(rest.len()));
            rest[..now.len()].copy_from_slice(now);
            (at, left) = (at + now.len() as u64, later);
        }
        true
    }

    fn clear(&mut self, address: u64, size: u64) {
        for (base, bytes) in self.0.range_mut(..address + size) {
            let from = address.saturating_sub(*base) as usize;
            let to = bytes.len().min((address + size - base) as usize);
            if let Some(part) = bytes.get_mut(from..to) {
                part.fill(0);
            }
        }
    }

    fn mappings(&self) -> usize {
        self.0.len()
    }

    fn last_mapping(&self, base: u64, end: u64) -> Option<u64> {
        let (start, bytes) = self.0.range(..end).next_back()?;
        (start + bytes.len() as u64 > base).then_some(*start)
    }

    fn map(&mut self, base: u64, size: u64, _: Access) -> Result<(), Denied> {
        let used: usize = self.0.values().map(Vec::len).sum();
        if size > (LIMIT - used) as u64 || !self.is_free(base, size) {
            return Err("no room".into());
        }
        self.0.insert(base, vec![0; size as usize]);
        Ok(())
    }

    fn unmap(&mut self, base: u64, size: u64) -> Result<(), Denied> {
        self.split(base);
        self.split(base + size);
        self.0.retain(|start, _| !(base..base + size).contains(start));
        Ok(())
    }

    fn protect(&mut self, _: u64, _: u64, _: Access) -> Result<(), Denied> {
        Ok(())
    }
}

/// Registers that were set; others are 0.
#[derive(Default)]
pub(super) struct Processor(Vec<(Register, [u8; 16])>);

impl Registers for Processor {
    fn read_wide(&self, register: Register) -> [u8; 16] {
        self.0.iter().rfind(|(other, _)| *other == register).map_or([0; 16], |(_, value)| *value)
    }

    fn write_wide(&mut self, register: Register, value: [u8; 16]) -> Result<(), Denied> {
        self.0.push((register, value));
        Ok(())
    }
}
