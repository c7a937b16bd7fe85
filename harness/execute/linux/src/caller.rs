//! The program that makes a system call, as the call sees it: memory in its byte order, and time.

use types::AbiFacts;

use crate::clock::SECOND;
use crate::errno::Errno;
use crate::kernel_abi::KernelAbi;
use crate::memory::Memory;
use crate::record::Record;
use crate::tree::PATH_MAX;

/// The thread that makes a system call.
pub(crate) struct Caller<'a> {
    pub(crate) memory: &'a mut dyn Memory,
    pub(crate) target: &'static KernelAbi,
    pub(crate) facts: &'static AbiFacts,
    /// Time at the beginning of the call: seconds since 1970, and nanoseconds.
    pub(crate) now: (u64, u64),
    /// Bytes that the call has written before it waited.
    pub(crate) written: usize,
    /// The number of its program, and that of the last program.
    pub(crate) program: u32,
    pub(crate) programs: u32,
}

impl Caller<'_> {
    /// Returns an empty structure in the program's byte order.
    pub(crate) fn record(&self) -> Record {
        Record::new(self.facts.order)
    }

    /// Reads 64-bit words at an address.
    pub(crate) fn words(&self, address: u64, count: usize) -> Result<Vec<u64>, Errno> {
        let bytes = self.memory.copy(address, count * 8).ok_or(Errno::Fault)?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|word| self.facts.order.u64(*word)).collect())
    }

    /// Reads a 64-bit word.
    pub(crate) fn word(&self, address: u64) -> Result<u64, Errno> {
        self.words(address, 1)?.first().copied().ok_or(Errno::Fault)
    }

    /// Reads a 32-bit word.
    pub(crate) fn half(&self, address: u64) -> Result<u32, Errno> {
        let bytes = self.memory.copy(address, 4).ok_or(Errno::Fault)?;
        let bytes = *bytes.first_chunk::<4>().ok_or(Errno::Fault)?;
        Ok(self.facts.order.u32(bytes))
    }

    pub(crate) fn store(&mut self, address: u64, bytes: &[u8]) -> Result<u64, Errno> {
        if self.memory.write(address, bytes) { Ok(0) } else { Err(Errno::Fault) }
    }

    /// Stores 64-bit words.
    pub(crate) fn store_words(&mut self, address: u64, words: &[u64]) -> Result<u64, Errno> {
        self.store(address, self.record().words(words).bytes())
    }

    /// Reads a path.
    pub(crate) fn path(&self, address: u64) -> Result<Vec<u8>, Errno> {
        self.string(address, PATH_MAX).and_then(|path| path.ok_or(Errno::NameTooLong))
    }

    /// Reads a string without its zero byte; `None` if that is not among the first `most` bytes.
    pub(crate) fn string(&self, address: u64, most: usize) -> Result<Option<Vec<u8>>, Errno> {
        let mut string = Vec::new();
        while string.len() < most {
            let rest = self.memory.rest(address.wrapping_add(string.len() as u64)).ok_or(Errno::Fault)?;
            let rest = rest.get(..most - string.len()).unwrap_or(rest);
            let end = rest.iter().position(|byte| *byte == 0);
            string.extend(rest.iter().take(end.unwrap_or(rest.len())));
            if end.is_some() {
                return Ok(Some(string));
            }
        }
        Ok(None)
    }

    /// Reads a time of two words, in nanoseconds; the second word is in units of `unit`
    /// nanoseconds.
    pub(crate) fn nanoseconds(&self, address: u64, unit: u64) -> Result<u64, Errno> {
        let (seconds, rest) = (self.word(address)?, self.word(address + 8)?);
        let rest = rest.checked_mul(unit).filter(|rest| *rest < SECOND).ok_or(Errno::Invalid)?;
        if seconds.cast_signed() < 0 {
            return Err(Errno::Invalid);
        }
        Ok(seconds.saturating_mul(SECOND).saturating_add(rest))
    }
}
