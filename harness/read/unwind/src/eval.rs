//! The arithmetic of unwinding, for both tables: computes the caller from rules, registers and
//! stack.
//!
//! The equations: CFA from its rule; RA = the value that its rule gives, without the authentication
//! code if the row marks it as signed; the caller's SP = CFA + the ABI's distance, unless the table
//! has a rule for SP. Addresses beyond 64 bits are [`Fault::Overflow`]; only DWARF expressions
//! wrap.
//!
//! This runs for both tables at every executed step: its functions are inlined completely into the
//! caller, which saves 40 % of the instructions.

use types::{AbiFacts, Answer, Caller, CfaRule, CodePoint, ExprId, Fault, PacKey, Pc, Reg, RegFile, Stack, ValueRule};

use crate::program::{Binary, Domain, Unary, run};
use crate::programs::Programs;
use crate::symbol::Purpose;

/// The rules of a row in the form used at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    pub(crate) cfa: CfaRule,
    pub(crate) ra: ValueRule,
    pub(crate) fp: ValueRule,
    /// Rule for the caller's SP; `None`: the ABI's distance from the CFA.
    pub(crate) sp: Option<ValueRule>,
    pub(crate) ra_column: Reg,
    /// Key that signed the return address, if it is signed in the row.
    pub(crate) signed_by: Option<PacKey>,
    /// True if the address of the signing instruction is part of the signature.
    pub(crate) signed_with_pc: bool,
    /// True if the function is a signal trampoline.
    pub(crate) signal: bool,
}

/// A frame to evaluate rules in.
pub(crate) struct Frame<'a, R: ?Sized> {
    facts: &'static AbiFacts,
    pc_register: Reg,
    pc: Pc,
    regs: &'a R,
    stack: &'a Stack<'a>,
    programs: &'a Programs,
}

impl<'a, R: RegFile + ?Sized> Frame<'a, R> {
    #[inline(always)]
    pub(crate) fn new(
        machine: &'a Machine,
        at: CodePoint,
        regs: &'a R,
        stack: &'a Stack<'a>,
        programs: &'a Programs,
    ) -> Self {
        Frame { facts: machine.facts, pc_register: machine.pc_register, pc: at.pc(), regs, stack, programs }
    }

    /// Returns the caller of this frame according to the rules.
    ///
    /// # Errors
    /// The first rule of CFA, RA, SP that cannot be evaluated; an error of the FP rule is returned
    /// with the caller.
    #[inline(always)]
    pub(crate) fn answer(&self, rules: &Rules) -> Result<Answer, Fault> {
        if rules.ra == ValueRule::Undefined {
            return Ok(Answer::Outermost);
        }
        let cfa = self.cfa(rules.cfa)?;
        let raw_ra = self.return_address(rules, cfa)?;
        let ra = if rules.signed_by.is_some() { raw_ra & self.facts.address_mask } else { raw_ra };
        let fp = match rules.fp {
            ValueRule::Undefined => Ok(None),
            // A value that is unknown here stays unknown: this is an error only if a rule needs it.
            ValueRule::SameValue => Ok(self.regs.read(self.facts.fp)),
            rule => self.value(rule, cfa, self.facts.fp).map(Some),
        };
        let sp = match rules.sp {
            None => offset(cfa, self.facts.caller_sp_minus_cfa)?,
            Some(rule) => self.value(rule, cfa, self.facts.sp)?,
        };
        // On ABIs with a distance between the CFA and SP, a table whose SP rule is relative to the
        // CFA may use CFA = SP: Go's for s390x does.
        let cfa = match rules.sp {
            Some(ValueRule::CfaPlus(_)) if self.facts.caller_sp_minus_cfa != 0 => {
                sp.wrapping_sub(self.facts.caller_sp_minus_cfa as u64)
            }
            _ => cfa,
        };
        let Rules { signed_by, signed_with_pc, signal, .. } = *rules;
        Ok(Answer::Caller(Caller { cfa, ra, raw_ra, signed_by, signed_with_pc, fp, sp, signal }))
    }

    #[inline(always)]
    fn return_address(&self, rules: &Rules, cfa: u64) -> Result<u64, Fault> {
        // AMD64's column 16 is not a register: unchanged, it would give the frame's own PC as its
        // return address.
        if rules.ra == ValueRule::SameValue && rules.ra_column == self.pc_register {
            return Err(Fault::UnknownRegister { reg: rules.ra_column });
        }
        self.value(rules.ra, cfa, rules.ra_column)
    }

    #[inline(always)]
    fn cfa(&self, rule: CfaRule) -> Result<u64, Fault> {
        match rule {
            CfaRule::Register { reg, offset: n } => offset(self.read(reg)?, n),
            CfaRule::Memory { reg, offset: n } => self.stack.read(offset(self.read(reg)?, n)?),
            CfaRule::Expression(id) => self.expression(id, None),
            CfaRule::Unspecified => Err(Fault::NoCfa),
        }
    }

    /// Returns the value that a rule gives; `own` is the register that the rule is for.
    ///
    /// # Errors
    /// Also for an undefined value: callers that do not need it check first.
    #[inline(always)]
    pub(crate) fn value(&self, rule: ValueRule, cfa: u64, own: Reg) -> Result<u64, Fault> {
        match rule {
            ValueRule::SameValue => self.read(own),
            ValueRule::Undefined => Err(Fault::UnknownRegister { reg: own }),
            ValueRule::AtCfa(n) => self.stack.read(offset(cfa, n)?),
            ValueRule::CfaPlus(n) => offset(cfa, n),
            ValueRule::Register { reg, offset: n } => offset(self.read(reg)?, n),
            ValueRule::Memory { reg, offset: n } => self.stack.read(offset(self.read(reg)?, n)?),
            ValueRule::Expression(id) => self.expression(id, Some(cfa)),
        }
    }

    #[inline(always)]
    fn read(&self, reg: Reg) -> Result<u64, Fault> {
        if reg == self.pc_register {
            return Ok(self.pc.0);
        }
        self.regs.read(reg).ok_or(Fault::UnknownRegister { reg })
    }

    #[cold]
    #[inline(never)]
    fn expression(&self, id: ExprId, cfa: Option<u64>) -> Result<u64, Fault> {
        let (ops, purpose) = self.programs.get(id).ok_or(Fault::Expression)?;
        let result = run(ops, self, cfa)?;
        match purpose {
            Purpose::Cfa | Purpose::Value => Ok(result),
            Purpose::Address => self.stack.read(result),
        }
    }
}

/// ABI data for evaluation, looked up once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub(crate) facts: &'static AbiFacts,
    pub(crate) pc_register: Reg,
}

impl<R: RegFile + ?Sized> Domain for Frame<'_, R> {
    type Value = u64;

    const STEPS: usize = 1024;

    fn constant(&self, value: u64) -> u64 {
        value
    }

    fn register(&self, reg: Reg, offset: i64) -> Result<u64, Fault> {
        Ok(self.read(reg)?.wrapping_add_signed(offset))
    }

    fn load(&self, address: u64, size: u8) -> Result<u64, Fault> {
        if size == 8 {
            return self.stack.read(address);
        }
        narrow(self.stack, address, size)
    }

    fn unary(&self, op: Unary, value: u64) -> Result<u64, Fault> {
        Ok(op.apply(value))
    }

    fn binary(&self, op: Binary, left: u64, right: u64) -> Result<u64, Fault> {
        op.apply(left, right).ok_or(Fault::Expression)
    }

    fn number(&self, value: u64) -> Option<u64> {
        Some(value)
    }
}

/// Zero-extended load of fewer than 8 bytes at an address (`DW_OP_deref_size`).
fn narrow(stack: &Stack<'_>, address: u64, size: u8) -> Result<u64, Fault> {
    let mut bytes = [0; 8];
    let read = bytes.get_mut(..usize::from(size)).ok_or(Fault::Expression)?;
    stack.copy(address, read)?;
    Ok(stack.order.number(read))
}

#[inline]
fn offset(base: u64, offset: i64) -> Result<u64, Fault> {
    base.checked_add_signed(offset).ok_or(Fault::Overflow)
}
