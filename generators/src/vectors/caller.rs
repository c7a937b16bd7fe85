//! The caller that a row gives for known registers and memory.
//!
//! Register n holds a value that identifies it, and each 8-byte word of memory one that follows
//! from its address, so that a value from the wrong source is never right by chance. For
//! `.eh_frame`, whose readers also check that a stack grows downwards, SP is the least of all.

use types::{Abi, CfaRule, Reg, TableFormat, ValueRule};

use super::expected::Row;

/// Registers and memory as input, and the caller as expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// SP, FP, the link register if the target has one, and others that the row needs, with their
    /// values.
    pub registers: Vec<(Reg, u64)>,
    /// The words of memory that the row loads.
    pub memory: Vec<Word>,
    pub pc: u64,
    pub sp: u64,
    pub fp: u64,
}

/// 8 bytes of memory, in the target's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub address: u64,
    pub value: u64,
}

/// The caller that a row of a table gives, with the value of a register in place of FP; `None` for
/// the outermost frame.
pub(super) fn call(format: TableFormat, abi: Abi, register: Option<Reg>, row: &Row) -> Option<Caller> {
    let facts = abi.facts();
    let register = register.unwrap_or(facts.fp);
    let mut machine = Machine::new(format, abi);
    let link = facts.link_register.then_some(facts.ra);
    let cfa = match row.frame.cfa {
        CfaRule::Register { reg, offset } => machine.register(reg).wrapping_add_signed(offset),
        CfaRule::Memory { reg, offset } => {
            let at = machine.register(reg).wrapping_add_signed(offset);
            machine.load(at)
        }
        CfaRule::Expression(_) | CfaRule::Unspecified => return None,
    };
    let pc = machine.value(row.frame.ra, cfa, link)?;
    let fp = machine.value(row.frame.fp, cfa, Some(register))?;
    let sp = cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
    Some(Caller { registers: machine.registers, memory: machine.memory, pc, sp, fp })
}

/// Registers of a frame without a caller: SP, FP and the link register.
pub(super) fn outermost(format: TableFormat, abi: Abi) -> Vec<(Reg, u64)> {
    Machine::new(format, abi).registers
}

/// The stack pointer for `.eh_frame`.
const STACK: u64 = 0x7ffc_0000_0000;

struct Machine {
    format: TableFormat,
    sp: Reg,
    registers: Vec<(Reg, u64)>,
    memory: Vec<Word>,
}

impl Machine {
    /// SP, FP and the link register.
    fn new(format: TableFormat, abi: Abi) -> Machine {
        let facts = abi.facts();
        let mut machine = Machine { format, sp: facts.sp, registers: Vec::new(), memory: Vec::new() };
        let link = facts.link_register.then_some(facts.ra);
        for reg in [Some(facts.sp), Some(facts.fp), link].into_iter().flatten() {
            machine.register(reg);
        }
        machine
    }

    fn register(&mut self, reg: Reg) -> u64 {
        let value = match self.format {
            TableFormat::Sframe(_) => 0x7fff_0000_0000 + 0x1_0000_0000 * u64::from(reg.0),
            TableFormat::EhFrame if reg == self.sp => STACK,
            TableFormat::EhFrame => STACK + 0x100_0000 * (u64::from(reg.0) + 1),
        };
        if !self.registers.contains(&(reg, value)) {
            self.registers.push((reg, value));
        }
        value
    }

    fn load(&mut self, address: u64) -> u64 {
        let value = match self.format {
            TableFormat::Sframe(_) => 0x2000_0000_0000 + (address & 0xff_ffff_fff8),
            TableFormat::EhFrame => STACK + 0x1_0000_0000 + (address & 0xffff_fff8),
        };
        let word = Word { address, value };
        if !self.memory.contains(&word) {
            self.memory.push(word);
        }
        value
    }

    fn value(&mut self, rule: ValueRule, cfa: u64, same: Option<Reg>) -> Option<u64> {
        Some(match rule {
            ValueRule::SameValue => self.register(same?),
            ValueRule::AtCfa(offset) => self.load(cfa.wrapping_add_signed(offset)),
            ValueRule::CfaPlus(offset) => cfa.wrapping_add_signed(offset),
            ValueRule::Register { reg, offset } => self.register(reg).wrapping_add_signed(offset),
            ValueRule::Memory { reg, offset } => {
                let at = self.register(reg).wrapping_add_signed(offset);
                self.load(at)
            }
            ValueRule::Undefined | ValueRule::Expression(_) => return None,
        })
    }
}
