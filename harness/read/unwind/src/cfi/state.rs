//! Register rules of a row while CFI instructions change them (DWARF 5, 6.4.2).

use gimli::{CallFrameInstruction, Encoding, Reader, UnwindExpression, UnwindSection};
use types::{Abi, CfaRule, Reg, ValueRule};

use super::compile::compile;
use super::error::CfiError;
use super::sign_state::{SET_RA_STATE, SIGNED, SignState, WITH_PC};
use crate::aarch64::RA_SIGN_STATE;
use crate::programs::Programs;
use crate::symbol::{self, PcContext, Purpose};

/// Maximum number of registers with a rule in one row. The largest register files in use have fewer
/// columns.
const MAX_REGISTERS: usize = 192;

/// Maximum number of remembered states. Compilers nest one or two.
const MAX_REMEMBERED: usize = 256;

/// Rules at a location, as set by the instructions before it.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) cfa: CfaRule,
    /// True if the CFA is a register and an offset, so that an instruction can change one of the
    /// two.
    adjustable: bool,
    /// Registers with a rule, in the order in which they got their first rule.
    pub(super) rules: Vec<(Reg, ValueRule)>,
    /// AArch64: RA_SIGN_STATE.
    pub(super) signing: SignState,
}

impl State {
    /// The state without any rule.
    pub(super) const fn empty() -> Self {
        State { cfa: CfaRule::Unspecified, adjustable: false, rules: Vec::new(), signing: SignState::new(0) }
    }

    /// Copies another state into this one, reusing its memory.
    fn assign(&mut self, State { cfa, adjustable, rules, signing }: &State) {
        (self.cfa, self.adjustable, self.signing) = (*cfa, *adjustable, *signing);
        self.rules.clone_from(rules);
    }

    /// The register's rule, if it has one.
    pub(super) fn rule(&self, reg: Reg) -> Option<ValueRule> {
        self.rules.iter().find(|(each, _)| *each == reg).map(|(_, rule)| *rule)
    }

    fn set(&mut self, reg: Reg, rule: ValueRule) -> Result<(), CfiError> {
        if let Some((_, old)) = self.rules.iter_mut().find(|(each, _)| *each == reg) {
            *old = rule;
        } else if self.rules.len() < MAX_REGISTERS {
            self.rules.push((reg, rule));
        } else {
            return Err(CfiError::TooMany("registers with a rule"));
        }
        Ok(())
    }
}

/// Constants while the instructions of a CIE or FDE run.
pub(super) struct Scope<'a, S> {
    pub(super) abi: Abi,
    pub(super) section: &'a S,
    pub(super) encoding: Encoding,
    /// Address of the section's first byte; `None` for `.debug_frame`, which is not loaded.
    pub(super) base: Option<u64>,
    pub(super) data_alignment: i64,
    /// State after the CIE's instructions, to which `DW_CFA_restore` returns; `None` while they
    /// run.
    pub(super) initial: Option<&'a State>,
    pub(super) pc_register: Reg,
}

/// The current state and the remembered ones.
#[derive(Debug)]
pub(super) struct Machine {
    pub(super) state: State,
    remembered: Vec<State>,
    /// True if some register's rule may have changed since the flag was last cleared.
    pub(super) touched: bool,
    /// `DW_CFA_GNU_args_size`: bytes of arguments on the stack, which are removed at the landing
    /// pad of a throw. Not part of a row.
    pub(super) pushed: u64,
}

impl Machine {
    pub(super) const fn new(state: State) -> Self {
        Machine { state, remembered: Vec::new(), touched: true, pushed: 0 }
    }

    /// Restarts from a state, reusing memory.
    pub(super) fn begin(&mut self, state: &State) {
        self.state.assign(state);
        self.remembered.clear();
        self.touched = true;
        self.pushed = 0;
    }

    /// Applies an instruction that is not an advance.
    pub(super) fn apply<R, S>(
        &mut self,
        instruction: CallFrameInstruction<usize>,
        scope: &Scope<'_, S>,
        programs: &mut Programs,
    ) -> Result<(), CfiError>
    where
        R: Reader<Offset = usize>,
        S: UnwindSection<R>,
    {
        use CallFrameInstruction as I;
        // Readers store an unsigned offset as a signed 64-bit number (libgcc, unwind-dw2.c; gdb,
        // dwarf2/frame.c; LLVM, DwarfParser.hpp): llvm-mc encodes negative offsets that way.
        let factored = |offset: i64| {
            offset.checked_mul(scope.data_alignment).ok_or(CfiError::Invalid("an offset that leaves 64 bits"))
        };
        let state = &mut self.state;
        match instruction {
            I::DefCfa { register, offset } => state.define_cfa(scope.base(register)?, offset.cast_signed()),
            I::DefCfaSf { register, factored_offset } => {
                state.define_cfa(scope.base(register)?, factored(factored_offset)?);
            }
            I::DefCfaRegister { register } => {
                let (_, offset) = state.adjustable_cfa()?;
                state.define_cfa(scope.base(register)?, offset);
            }
            I::DefCfaOffset { offset } => {
                let (reg, _) = state.adjustable_cfa()?;
                state.define_cfa(reg, offset.cast_signed());
            }
            I::DefCfaOffsetSf { factored_offset } => {
                let (reg, _) = state.adjustable_cfa()?;
                state.define_cfa(reg, factored(factored_offset)?);
            }
            I::DefCfaExpression { expression } => {
                state.adjustable = false;
                state.cfa = scope.cfa_expression(expression, programs)?;
            }
            I::Restore { register }
                if scope.abi.facts().pointer_authentication && register.0 == u16::from(SET_RA_STATE) =>
            {
                state.signing.negate_with_pc();
            }
            I::Restore { register } => {
                let initial = scope.initial.ok_or(CfiError::Invalid("DW_CFA_restore in a CIE"))?;
                let reg = Reg(register.0);
                self.touched = true;
                if scope.is_sign_state(reg) {
                    state.signing = initial.signing;
                }
                match initial.rule(reg) {
                    Some(rule) => state.set(reg, rule)?,
                    None => state.rules.retain(|(each, _)| *each != reg),
                }
            }
            I::RememberState => {
                if self.remembered.len() >= MAX_REMEMBERED {
                    return Err(CfiError::TooMany("remembered states"));
                }
                self.remembered.push(state.clone());
            }
            I::RestoreState => {
                self.touched = true;
                let empty = CfiError::Invalid("DW_CFA_restore_state without DW_CFA_remember_state");
                *state = self.remembered.pop().ok_or(empty)?;
            }
            I::NegateRaState => state.signing.negate(),
            I::ValExpression { register, expression } if scope.is_sign_state(Reg(register.0)) => {
                let ops = compile(expression.get(scope.section)?, scope.encoding, scope.address(expression));
                let value = symbol::constant(&ops, scope.pc_context());
                let value = value.ok_or(CfiError::Meaningless("a value of RA_SIGN_STATE that is no constant"))?;
                state.signing = SignState::new(value);
            }
            I::ArgsSize { size } => self.pushed = size,
            I::Nop => {}
            I::SetLoc { .. } | I::AdvanceLoc { .. } => return Err(CfiError::Invalid("an advance in a CIE")),
            I::Undefined { register } => self.set(register, ValueRule::Undefined)?,
            I::SameValue { register } => self.set(register, ValueRule::SameValue)?,
            I::Offset { register, factored_offset } => {
                self.set(register, ValueRule::AtCfa(factored(factored_offset.cast_signed())?))?;
            }
            I::OffsetExtendedSf { register, factored_offset } => {
                self.set(register, ValueRule::AtCfa(factored(factored_offset)?))?;
            }
            I::ValOffset { register, factored_offset } => {
                self.set(register, ValueRule::CfaPlus(factored(factored_offset.cast_signed())?))?;
            }
            I::ValOffsetSf { register, factored_offset } => {
                self.set(register, ValueRule::CfaPlus(factored(factored_offset)?))?;
            }
            I::Register { dest_register, src_register }
                if scope.abi.facts().pointer_authentication && dest_register.0 == u16::from(SET_RA_STATE) =>
            {
                // 1: signed with SP; 2: with SP and the address of the signing instruction.
                state.signing = match src_register.0 {
                    0 => SignState::default(),
                    1 => SignState::new(SIGNED),
                    2 => SignState::new(SIGNED | WITH_PC),
                    _ => return Err(CfiError::Meaningless("a value of RA_SIGN_STATE that has no meaning")),
                };
            }
            I::Register { dest_register, src_register } => {
                self.set(dest_register, ValueRule::Register { reg: Reg(src_register.0), offset: 0 })?;
            }
            I::Expression { register, expression } => {
                let rule = scope.value_expression(expression, Purpose::Address, programs)?;
                self.set(register, rule)?;
            }
            I::ValExpression { register, expression } => {
                let rule = scope.value_expression(expression, Purpose::Value, programs)?;
                self.set(register, rule)?;
            }
        }
        Ok(())
    }

    fn set(&mut self, register: gimli::Register, rule: ValueRule) -> Result<(), CfiError> {
        self.touched = true;
        self.state.set(Reg(register.0), rule)
    }
}

impl State {
    fn define_cfa(&mut self, reg: Reg, offset: i64) {
        self.adjustable = true;
        self.cfa = CfaRule::Register { reg, offset };
    }

    fn adjustable_cfa(&self) -> Result<(Reg, i64), CfiError> {
        match self.cfa {
            CfaRule::Register { reg, offset } if self.adjustable => Ok((reg, offset)),
            _ => Err(CfiError::Meaningless("a change of one part of a CFA that is not register and offset")),
        }
    }
}

impl<S> Scope<'_, S> {
    /// A register for the CFA, which must hold addresses: no reader keeps the value of others.
    fn base(&self, register: gimli::Register) -> Result<Reg, CfiError> {
        let reg = Reg(register.0);
        let known = self.abi.holds_addresses(reg).then_some(reg);
        known.ok_or(CfiError::Meaningless("a CFA in a register that holds no addresses"))
    }

    const fn pc_context(&self) -> PcContext {
        PcContext { pc_register: self.pc_register, pc: None }
    }

    /// Returns the address at which an expression is loaded.
    fn address(&self, at: UnwindExpression<usize>) -> Option<u64> {
        Some(self.base?.wrapping_add(at.offset as u64))
    }

    fn is_sign_state(&self, reg: Reg) -> bool {
        self.abi.facts().pointer_authentication && reg == RA_SIGN_STATE
    }

    fn cfa_expression<R>(&self, at: UnwindExpression<usize>, programs: &mut Programs) -> Result<CfaRule, CfiError>
    where
        R: Reader<Offset = usize>,
        S: UnwindSection<R>,
    {
        let ops = compile(at.get(self.section)?, self.encoding, self.address(at));
        if let Some(rule) = symbol::cfa_rule(&ops, self.pc_context()) {
            return Ok(rule);
        }
        let id = programs.add(&ops, Purpose::Cfa, self.abi);
        id.map(CfaRule::Expression).ok_or(CfiError::TooMany("expressions"))
    }

    fn value_expression<R>(
        &self,
        at: UnwindExpression<usize>,
        purpose: Purpose,
        programs: &mut Programs,
    ) -> Result<ValueRule, CfiError>
    where
        R: Reader<Offset = usize>,
        S: UnwindSection<R>,
    {
        let ops = compile(at.get(self.section)?, self.encoding, self.address(at));
        if let Some(rule) = symbol::value_rule(&ops, purpose, self.pc_context()) {
            return Ok(rule);
        }
        let id = programs.add(&ops, purpose, self.abi);
        id.map(ValueRule::Expression).ok_or(CfiError::TooMany("expressions"))
    }
}
