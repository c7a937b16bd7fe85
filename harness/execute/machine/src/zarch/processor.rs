//! The program's registers and memory, as the instructions of this module access them.

use isa::zarch::Address;
use unicorn_engine::RegisterS390X as R;

use super::float::{Control, DIVISION, INVALID, Rounding};
use crate::engine::Engine;
use crate::layout::Access;
use crate::memory::Memory;
use crate::s390x;
use crate::substitute::{Executed, Fault};

pub(super) struct Processor<'a> {
    pub(super) engine: &'a mut Engine,
    pub(super) memory: &'a mut Memory,
    /// Address of the instruction.
    pub(super) pc: u64,
}

/// Shift of the condition code in the PSW (SA22-7832, chapter 4).
const CONDITION: u32 = 44;
/// Shift of the flags in FPC, and of its masks (chapter 9).
const FLAGS: u32 = 16;
const MASKS: u32 = 24;

impl Processor<'_> {
    pub(super) fn general(&self, number: u8) -> u64 {
        self.engine.read(R::R0 as i32 + i32::from(number & 15))
    }

    pub(super) fn set_general(&mut self, number: u8, value: u64) -> Result<(), Executed> {
        self.set(R::R0 as i32 + i32::from(number & 15), value)
    }

    /// Sets the low 32 bits; the high ones are unchanged.
    pub(super) fn set_low(&mut self, number: u8, value: u32) -> Result<(), Executed> {
        self.set_general(number, self.general(number) & !0xffff_ffff | u64::from(value))
    }

    fn set(&mut self, id: i32, value: u64) -> Result<(), Executed> {
        self.engine.write(id, value).map_err(|_| Executed::Not)
    }

    /// The value of a floating-point register: the high half of a vector register.
    pub(super) fn float(&self, number: u8) -> u64 {
        self.engine.read(R::F0 as i32 + i32::from(number & 15))
    }

    pub(super) fn set_float(&mut self, number: u8, value: u64) -> Result<(), Executed> {
        self.set(R::F0 as i32 + i32::from(number & 15), value)
    }

    /// The value of a vector register; the leftmost byte is the most significant.
    pub(super) fn vector(&self, number: u8) -> u128 {
        let [high, low] = halves(number).map(|id| u128::from(self.engine.read(id)));
        high << 64 | low
    }

    pub(super) fn set_vector(&mut self, number: u8, value: u128) -> Result<(), Executed> {
        let [high, low] = halves(number);
        self.set(high, (value >> 64) as u64)?;
        self.set(low, value as u64)
    }

    pub(super) fn condition(&self) -> u8 {
        (self.engine.read(R::PSWM as i32) >> CONDITION) as u8 & 3
    }

    pub(super) fn set_condition(&mut self, code: u8) -> Result<(), Executed> {
        let others = self.engine.read(R::PSWM as i32) & !(3 << CONDITION);
        self.set(R::PSWM as i32, others | u64::from(code) << CONDITION)
    }

    /// The rounding mode of an instruction's modifier; 0 means the mode in FPC. A specification
    /// exception for an undefined modifier.
    pub(super) fn control(&self, modifier: u8) -> Result<Control, Executed> {
        const FROM_FPC: [u8; 8] = [4, 5, 6, 7, 0, 0, 0, 3];
        let fpc = self.engine.read(R::FPC as i32);
        let modifier = match modifier {
            0 => FROM_FPC.get(usize::from(fpc as u8 & 7)).copied().unwrap_or(0),
            other => other,
        };
        let rounding = match modifier {
            1 => Rounding::NearestAway,
            3 => Rounding::Odd,
            4 => Rounding::Nearest,
            5 => Rounding::Zero,
            6 => Rounding::Up,
            7 => Rounding::Down,
            _ => return Err(Executed::SPECIFICATION),
        };
        Ok(Control { rounding, flags: 0 })
    }

    /// Raises flags. If the program has unmasked one: a data exception if that suppresses the
    /// result, else the instruction is not executed.
    pub(super) fn raise(&mut self, control: &Control) -> Result<(), Executed> {
        let fpc = self.engine.read(R::FPC as i32);
        match (fpc >> MASKS) as u8 & control.flags {
            0 => self.set(R::FPC as i32, fpc | u64::from(control.flags) << FLAGS),
            trapped if trapped & (INVALID | DIVISION) != 0 => Err(self.data_exception(trapped & (INVALID | DIVISION))),
            _ => Err(Executed::Not),
        }
    }

    /// Sets the data-exception code in FPC; returns the interruption.
    pub(super) fn data_exception(&mut self, code: u8) -> Executed {
        const CODE: u32 = 8;
        let fpc = self.engine.read(R::FPC as i32) & !(0xff << CODE);
        match self.set(R::FPC as i32, fpc | u64::from(code) << CODE) {
            Ok(()) => Executed::Raises(s390x::DATA),
            Err(executed) => executed,
        }
    }

    pub(super) fn address(&self, of: Address) -> u64 {
        let part = |number: u8| if number == 0 { 0 } else { self.general(number) };
        part(of.base).wrapping_add(part(of.index)).wrapping_add_signed(of.displacement.into())
    }

    /// Loads an operand of at most 16 bytes.
    pub(super) fn load(&self, at: Address, size: usize) -> Result<u128, Executed> {
        let bytes = self.bytes(self.address(at), size)?;
        Ok(bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte)))
    }

    pub(super) fn store(&mut self, at: Address, size: usize, value: u128) -> Result<(), Executed> {
        let all = value.to_be_bytes();
        self.set_bytes(self.address(at), all.get(all.len() - size..).unwrap_or_default())
    }

    pub(super) fn bytes(&self, address: u64, size: usize) -> Result<Vec<u8>, Executed> {
        if let Some(all) = self.memory.accessible(address, size, Access::READ) {
            return Ok(all.to_vec());
        }
        let byte = |at: u64| self.memory.accessible(at, 1, Access::READ).and_then(|one| one.first().copied());
        let all = (0..size as u64).map(|at| address.wrapping_add(at));
        all.map(|at| byte(at).ok_or_else(|| self.fault(at, size, false))).collect()
    }

    pub(super) fn set_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Executed> {
        let at = |offset: usize| address.wrapping_add(offset as u64);
        let lacking = (0..bytes.len()).map(at).find(|at| self.memory.accessible(*at, 1, Access::WRITE).is_none());
        if let Some(lacking) = lacking {
            return Err(self.fault(lacking, bytes.len(), true));
        }
        self.memory.write(address, bytes);
        let last = at(bytes.len().saturating_sub(1));
        if [address, last].iter().any(|at| self.memory.accessible(*at, 1, Access::EXECUTE).is_some()) {
            // The emulator does not notice the store.
            let _ = self.engine.forget_stretch(address, last);
        }
        Ok(())
    }

    fn fault(&self, address: u64, size: usize, writes: bool) -> Executed {
        Executed::Fault(Fault { address, size, writes, is_mapped: self.memory.holds(address, 1) })
    }
}

/// The emulator's numbers of a vector register's two halves: the first halves of the first sixteen
/// are the floating-point registers.
fn halves(number: u8) -> [i32; 2] {
    let number = i32::from(number & 31);
    match number {
        0..16 => [R::F0 as i32 + number, R::F0_HI as i32 + number],
        _ => [R::F16 as i32 + number - 16, R::F16_HI as i32 + number - 16],
    }
}
