//! Executes call frame instructions: DWARF 5, 6.4.2 and 7.24; GNU extensions (LSB 5.0 core,
//! 10.5.2), and those for signed return addresses (DWARF for the Arm 64-bit Architecture 2025Q4,
//! 4.4).

use super::CfiFlaw;
use super::entry::Cie;
use super::rule::{Cfa, Rule, Rules, SIGNED, WITH_PC};
use crate::reader::cursor::Cursor;

/// The rules from a PC on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::blind) struct CfiRow {
    pub(in crate::blind) start: u64,
    pub(in crate::blind) rules: Rules,
}

/// Offset and size of an instruction in the section.
#[derive(Clone, Copy, Debug)]
pub(in crate::blind) struct Instruction {
    pub(in crate::blind) at: u64,
    pub(in crate::blind) size: u64,
    /// The PC from which its effect counts.
    pub(in crate::blind) pc: u64,
}

/// The executed instructions of a function.
pub(super) struct Program {
    pub(super) rows: Vec<CfiRow>,
    /// The instructions of the CIE, and those of the FDE.
    pub(super) initial: Vec<Instruction>,
    pub(super) own: Vec<Instruction>,
}

/// The rows of a function from `start`, and all instructions.
pub(super) fn rows(cie: &Cie, start: u64, initial: Cursor<'_>, own: Cursor<'_>) -> Result<Program, CfiFlaw> {
    let row = CfiRow { start, rules: Rules::default() };
    let mut machine = Machine { cie, rows: Vec::new(), row, stack: Vec::new(), initial: None };
    let initial = machine.run(initial)?;
    machine.initial = Some(machine.row.rules.clone());
    let own = machine.run(own)?;
    machine.rows.push(machine.row);
    Ok(Program { rows: machine.rows, initial, own })
}

struct Machine<'a> {
    cie: &'a Cie,
    /// Finished rows, before the current one.
    rows: Vec<CfiRow>,
    row: CfiRow,
    stack: Vec<Rules>,
    /// The rules of the CIE; `None` while they are computed.
    initial: Option<Rules>,
}

impl Machine<'_> {
    fn run(&mut self, mut code: Cursor<'_>) -> Result<Vec<Instruction>, CfiFlaw> {
        let mut instructions = Vec::new();
        while !code.is_at_end() {
            let at = code.at();
            self.step(&mut code)?;
            instructions.push(Instruction { at, size: code.at().saturating_sub(at), pc: self.row.start });
        }
        Ok(instructions)
    }

    /// Starts a new row at a higher PC.
    fn move_to(&mut self, pc: u64) -> Result<(), CfiFlaw> {
        if pc < self.row.start || self.initial.is_none() {
            return Err(CfiFlaw::Location);
        }
        if pc > self.row.start {
            self.rows.push(self.row.clone());
            self.row.start = pc;
        }
        Ok(())
    }

    fn advance(&mut self, delta: u64) -> Result<(), CfiFlaw> {
        let bytes = delta.checked_mul(self.cie.code_alignment).and_then(|bytes| self.row.start.checked_add(bytes));
        self.move_to(bytes.ok_or(CfiFlaw::Location)?)
    }

    fn set(&mut self, register: u64, rule: Rule) {
        self.row.rules.registers.insert(register, rule);
    }

    fn restore(&mut self, register: u64) -> Result<(), CfiFlaw> {
        let initial = self.initial.as_ref().ok_or(CfiFlaw::Operation)?.registers.get(&register).cloned();
        match initial {
            Some(rule) => self.set(register, rule),
            None => {
                self.row.rules.registers.remove(&register);
            }
        }
        Ok(())
    }

    fn factored(&self, offset: i64) -> Result<i64, CfiFlaw> {
        offset.checked_mul(self.cie.data_alignment).ok_or(CfiFlaw::Operand)
    }

    /// Register and offset of the CFA rule, if it has this form.
    fn cfa_register(&self) -> Result<(u64, i64), CfiFlaw> {
        match &self.row.rules.cfa {
            Cfa::Register(register, offset) => Ok((*register, *offset)),
            Cfa::Unspecified | Cfa::Expression(_) => Err(CfiFlaw::NoCfaRegister),
        }
    }

    fn step(&mut self, code: &mut Cursor<'_>) -> Result<(), CfiFlaw> {
        let op = code.unsigned(1).ok_or(CfiFlaw::Truncated)?;
        let low = op & 0x3f;
        match op >> 6 {
            // DW_CFA_advance_loc, DW_CFA_offset, DW_CFA_restore
            1 => return self.advance(low),
            2 => {
                let offset = unsigned(code)?;
                let offset = self.factored(offset)?;
                self.set(low, Rule::Offset(offset));
                return Ok(());
            }
            3 => return self.restore(low),
            _ => {}
        }
        match op {
            // DW_CFA_nop
            0x00 => {}
            // DW_CFA_set_loc
            0x01 => {
                let pc = self.cie.pointers.read(code, self.cie.section).ok_or(CfiFlaw::Truncated)?;
                self.move_to(pc)?;
            }
            // DW_CFA_advance_loc1, 2, 4 and DW_CFA_MIPS_advance_loc8
            0x02 => self.advance_by(code, 1)?,
            0x03 => self.advance_by(code, 2)?,
            0x04 => self.advance_by(code, 4)?,
            0x1d => self.advance_by(code, 8)?,
            // DW_CFA_offset_extended, _sf, DW_CFA_GNU_negative_offset_extended
            0x05 | 0x11 | 0x2f => {
                let register = register(code)?;
                let offset = match op {
                    0x05 => unsigned(code)?,
                    0x11 => code.sleb().ok_or(CfiFlaw::Truncated)?,
                    _ => unsigned(code)?.wrapping_neg(),
                };
                let offset = self.factored(offset)?;
                self.set(register, Rule::Offset(offset));
            }
            // DW_CFA_restore_extended
            0x06 => {
                let register = register(code)?;
                self.restore(register)?;
            }
            // DW_CFA_undefined
            0x07 => {
                let register = register(code)?;
                self.set(register, Rule::Undefined);
            }
            // DW_CFA_same_value
            0x08 => {
                let register = register(code)?;
                self.set(register, Rule::SameValue);
            }
            // DW_CFA_register
            0x09 => {
                let (register, home) = (register(code)?, register(code)?);
                self.set(register, Rule::Register(home));
            }
            // DW_CFA_remember_state
            0x0a => self.stack.push(self.row.rules.clone()),
            // DW_CFA_restore_state
            0x0b => self.row.rules = self.stack.pop().ok_or(CfiFlaw::NothingRemembered)?,
            // DW_CFA_def_cfa, _sf
            0x0c | 0x12 => {
                let register = register(code)?;
                let offset = if op == 0x0c { unsigned(code)? } else { self.signed_offset(code)? };
                self.row.rules.cfa = Cfa::Register(register, offset);
            }
            // DW_CFA_def_cfa_register
            0x0d => {
                let (_, offset) = self.cfa_register()?;
                self.row.rules.cfa = Cfa::Register(register(code)?, offset);
            }
            // DW_CFA_def_cfa_offset, _sf
            0x0e | 0x13 => {
                let (register, _) = self.cfa_register()?;
                let offset = if op == 0x0e { unsigned(code)? } else { self.signed_offset(code)? };
                self.row.rules.cfa = Cfa::Register(register, offset);
            }
            // DW_CFA_def_cfa_expression
            0x0f => self.row.rules.cfa = Cfa::Expression(block(code)?),
            // DW_CFA_expression, DW_CFA_val_expression
            0x10 | 0x16 => {
                let (register, bytes) = (register(code)?, block(code)?);
                let rule = if op == 0x10 { Rule::Expression(bytes) } else { Rule::ValExpression(bytes) };
                self.set(register, rule);
            }
            // DW_CFA_val_offset, _sf
            0x14 | 0x15 => {
                let register = register(code)?;
                let offset = if op == 0x14 { unsigned(code)? } else { code.sleb().ok_or(CfiFlaw::Truncated)? };
                let offset = self.factored(offset)?;
                self.set(register, Rule::ValOffset(offset));
            }
            // DW_CFA_AARCH64_negate_ra_state
            0x2d if self.cie.signs => self.row.rules.ra_state ^= SIGNED,
            // DW_CFA_AARCH64_negate_ra_state_with_pc
            0x2c if self.cie.signs => self.row.rules.ra_state ^= SIGNED | WITH_PC,
            // DW_CFA_AARCH64_set_ra_state: the state, and the distance to the instruction that
            // signed
            0x2b if self.cie.signs => {
                let state = code.uleb().ok_or(CfiFlaw::Truncated)?;
                code.sleb().ok_or(CfiFlaw::Truncated)?;
                self.row.rules.ra_state = state & (SIGNED | WITH_PC);
            }
            // DW_CFA_GNU_args_size: has no effect on registers
            0x2e => {
                unsigned(code)?;
            }
            _ => return Err(CfiFlaw::Operation),
        }
        Ok(())
    }

    fn advance_by(&mut self, code: &mut Cursor<'_>, size: u64) -> Result<(), CfiFlaw> {
        let delta = code.unsigned(size).ok_or(CfiFlaw::Truncated)?;
        self.advance(delta)
    }

    fn signed_offset(&self, code: &mut Cursor<'_>) -> Result<i64, CfiFlaw> {
        self.factored(code.sleb().ok_or(CfiFlaw::Truncated)?)
    }
}

/// Reads an unsigned offset. Readers keep 64 bits of it, signed.
fn unsigned(code: &mut Cursor<'_>) -> Result<i64, CfiFlaw> {
    code.uleb().map(u64::cast_signed).ok_or(CfiFlaw::Truncated)
}

/// Reads a register number, of at most 16 bits.
fn register(code: &mut Cursor<'_>) -> Result<u64, CfiFlaw> {
    let number = code.uleb().ok_or(CfiFlaw::Truncated)?;
    u16::try_from(number).map(u64::from).map_err(|_| CfiFlaw::Operand)
}

fn block(code: &mut Cursor<'_>) -> Result<Vec<u8>, CfiFlaw> {
    let size = code.uleb().ok_or(CfiFlaw::Truncated)?;
    code.take(size).map(<[u8]>::to_vec).ok_or(CfiFlaw::Truncated)
}
