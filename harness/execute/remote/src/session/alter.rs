//! Changes of a stopped program: setting registers and memory, and injected system calls.

use types::{Reg, RegFile};

use super::Session;
use crate::arch::Names;
use crate::calls::Calls;
use crate::error::RemoteError;
use crate::stub::Stopped;

/// `PROT_READ | PROT_WRITE`, `MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS` (Linux
/// `include/uapi/asm-generic/mman-common.h`, the same on all targets).
pub(crate) const READ_WRITE: u64 = 3;
pub(crate) const PRIVATE_FIXED_ANONYMOUS: u64 = 0x32;

impl Session {
    /// Sets a register.
    pub(crate) fn set(&mut self, register: Reg, value: u64) -> Result<(), RemoteError> {
        if !self.stub().set(register, value)? {
            return Err(RemoteError::Refused("to set registers"));
        }
        self.registers.all.set(register, Some(value));
        Ok(())
    }

    /// Sets registers to the values of another engine.
    pub(crate) fn take_over(&mut self, others: &dyn RegFile, registers: &[Reg]) -> Result<(), RemoteError> {
        for register in registers {
            if let Some(value) = others.read(*register).filter(|value| *value != self.register(*register)) {
                self.set(*register, value)?;
            }
        }
        Ok(())
    }

    /// Skips the current instruction.
    pub(crate) fn skip(&mut self) -> Result<(), RemoteError> {
        let pc = self.pc();
        let size = self.code.at(self.stack.stub(), pc)?.size.unwrap_or(0);
        self.go_to(pc.wrapping_add(size))
    }

    pub(crate) fn go_to(&mut self, pc: u64) -> Result<(), RemoteError> {
        if !self.stub().set_pc(pc)? {
            return Err(RemoteError::Refused("to set registers"));
        }
        self.registers.pc = pc;
        Ok(())
    }

    /// Sets the initial SP.
    pub(crate) fn begin_at(&mut self, sp: u64) -> Result<(), RemoteError> {
        self.registers = self.stub().registers()?;
        self.stack.move_to(sp)
    }

    /// Injects a system call between two instructions, and returns its result.
    pub(crate) fn inject(&mut self, number: u64, arguments: &[u64]) -> Result<u64, RemoteError> {
        let calls = Calls::of_abi(self.abi);
        let (saved, pc) = (self.registers, self.pc());
        self.set(calls.convention.number, number)?;
        for (register, value) in calls.convention.arguments.iter().zip(arguments) {
            self.set(*register, *value)?;
        }
        self.step_in(calls.convention.code)?;
        let result = self.stub().registers()?.all.read(calls.convention.result).unwrap_or_default();
        self.registers = self.stub().registers()?;
        let everything: Vec<Reg> = (0..self.facts.general_registers).map(Reg).collect();
        self.take_over(&saved.all, &everything)?;
        self.go_to(pc)?;
        Ok(result)
    }

    /// Maps memory at an address.
    pub(crate) fn map(&mut self, address: u64, size: u64, protection: u64) -> Result<(), RemoteError> {
        let calls = Calls::of_abi(self.abi);
        let arguments = [address, size, protection, PRIVATE_FIXED_ANONYMOUS, u64::MAX, 0];
        let result = if calls.convention.mmap_in_memory {
            let below = self.sp().wrapping_sub(self.facts.red_zone.max(160) + 64) & !7;
            let saved = self.stub().read(below, 48)?;
            let bytes: Vec<u8> = arguments.iter().flat_map(|word| self.facts.order.bytes_of(*word)).collect();
            self.stub().write(below, &bytes)?;
            let result = self.inject(calls.mmap, &[below])?;
            self.stub().write(below, &saved)?;
            result
        } else {
            self.inject(calls.mmap, &arguments)?
        };
        if result == address { Ok(()) } else { Err(RemoteError::NoMemory { address, size }) }
    }

    /// An argument of `mmap`.
    pub(crate) fn mmap_argument(&mut self, number: usize) -> Result<u64, RemoteError> {
        let calls = Calls::of_abi(self.abi);
        if !calls.convention.mmap_in_memory {
            return Ok(self.register(calls.convention.arguments[number]));
        }
        let at = self.register(calls.convention.arguments[0]).wrapping_add(8 * number as u64);
        let bytes = self.stub().read(at, 8)?;
        Ok(bytes.first_chunk().map_or(0, |word| self.facts.order.u64(*word)))
    }

    /// Sets an argument of `mmap`.
    pub(crate) fn set_mmap_argument(&mut self, number: usize, value: u64) -> Result<(), RemoteError> {
        let calls = Calls::of_abi(self.abi);
        if !calls.convention.mmap_in_memory {
            return self.set(calls.convention.arguments[number], value);
        }
        let at = self.register(calls.convention.arguments[0]).wrapping_add(8 * number as u64);
        let bytes = self.facts.order.bytes_of(value);
        self.stub().write(at, &bytes)?;
        Ok(())
    }

    pub(crate) fn argument(&self, number: usize) -> u64 {
        self.register(Names::of_abi(self.abi).convention.arguments[number])
    }

    /// Executes one instruction from `code` at the program counter.
    pub(crate) fn step_in(&mut self, code: &[u8]) -> Result<Stopped, RemoteError> {
        let pc = self.pc();
        let usual = self.stub().read(pc, code.len())?;
        if !self.stub().write(pc, code)? {
            return Err(RemoteError::Refused("to write code"));
        }
        let stopped = self.stub().step(None)?;
        if !matches!(stopped, Stopped::Exited(_) | Stopped::Killed(_)) {
            self.stub().write(pc, &usual)?;
        }
        Ok(stopped)
    }
}
