//! Registers and memory of the emulated program, for its kernel.

use linux::{Access, Denied, Register, Registers};

use crate::engine::Engine;
use crate::layout::Span;
use crate::memory::Memory;

/// The registers of an emulated processor.
pub(crate) struct EmulatedRegisters<'a>(pub &'a Engine);

impl Registers for EmulatedRegisters<'_> {
    fn read_wide(&self, register: Register) -> [u8; 16] {
        if let Register::VectorUpper(number) = register {
            return *self.0.read_vector(number.into())[16..].first_chunk().unwrap_or(&[0; 16]);
        }
        self.0.target().id(register).map_or([0; 16], |id| self.0.read_wide(id))
    }

    fn write_wide(&mut self, register: Register, value: [u8; 16]) -> Result<(), Denied> {
        if let Register::VectorUpper(number) = register {
            let mut whole = self.0.read_vector(number.into());
            whole[16..32].copy_from_slice(&value);
            return Ok(self.0.write_vector(number.into(), &whole)?);
        }
        let id = self.0.target().id(register).ok_or("unknown register")?;
        Ok(self.0.write_wide(id, value)?)
    }
}

/// The memory of a guest, and the processor that has it mapped.
pub(crate) struct EmulatedMemory<'a> {
    pub engine: &'a Engine,
    pub memory: &'a mut Memory,
}

impl linux::Memory for EmulatedMemory<'_> {
    fn rest(&self, address: u64) -> Option<&[u8]> {
        let window = self.memory.window(address)?;
        self.memory.read(address, window.len - (address - window.base) as usize)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        self.memory.write(address, bytes)
    }

    fn clear(&mut self, address: u64, size: u64) {
        self.memory.clear(address, size);
    }

    fn mappings(&self) -> usize {
        self.memory.spans().count()
    }

    fn last_mapping(&self, base: u64, end: u64) -> Option<u64> {
        self.memory.spans().filter(|span| span.base < end && span.end() > base).last().map(|span| span.base)
    }

    fn map(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied> {
        Ok(self.memory.map(self.engine, Span::uniform(base, size, access))?)
    }

    fn unmap(&mut self, base: u64, size: u64) -> Result<(), Denied> {
        Ok(self.memory.unmap(self.engine, base, size)?)
    }

    fn protect(&mut self, base: u64, size: u64, access: Access) -> Result<(), Denied> {
        Ok(self.memory.protect(self.engine, base, size, access)?)
    }
}
