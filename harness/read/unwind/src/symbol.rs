//! Simplifies DWARF expressions: evaluates them with registers and memory as symbols and only the
//! program counter known.
//!
//! The PLT's `rsp + 8 + ((rip & 15) >= 11) << 3` is `rsp+8` or `rsp+16` at any given PC; a
//! realigned frame's `[rbp-8]` is a load; a `DW_CFA_expression` that starts from the CFA on the
//! stack is a slot. An expression without such a form stays an expression.

use types::{CfaRule, Fault, Pc, Reg, ValueRule};

use crate::program::{Binary, Domain, Op, Unary, run};

/// Use of an expression's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// `DW_CFA_def_cfa_expression`: the result is the CFA; the stack starts empty.
    Cfa,
    /// `DW_CFA_expression`: the result is the address of the value; the stack starts with the CFA.
    Address,
    /// `DW_CFA_val_expression`: the result is the value; the stack starts with the CFA.
    Value,
}

/// The CFA rule equivalent to an expression at a PC, if there is one.
pub(crate) fn cfa_rule(ops: &[Op], at: PcContext) -> Option<CfaRule> {
    match run(ops, &at, None).ok()? {
        Symbol::Plus { base: Base::Register(reg), offset } => Some(CfaRule::Register { reg, offset }),
        Symbol::At { base: Base::Register(reg), offset } => Some(CfaRule::Memory { reg, offset }),
        _ => None,
    }
}

/// The value rule equivalent to an expression at a PC, if there is one.
pub(crate) fn value_rule(ops: &[Op], purpose: Purpose, at: PcContext) -> Option<ValueRule> {
    let symbol = run(ops, &at, Some(Symbol::Plus { base: Base::Cfa, offset: 0 })).ok()?;
    match (purpose, symbol) {
        (Purpose::Cfa, _) => None,
        (Purpose::Address, Symbol::Plus { base, offset }) | (Purpose::Value, Symbol::At { base, offset }) => {
            Some(match base {
                Base::Cfa => ValueRule::AtCfa(offset),
                Base::Register(reg) => ValueRule::Memory { reg, offset },
            })
        }
        (Purpose::Value, Symbol::Plus { base, offset }) => Some(match base {
            Base::Cfa => ValueRule::CfaPlus(offset),
            Base::Register(reg) => ValueRule::Register { reg, offset },
        }),
        (_, Symbol::Number(_) | Symbol::Opaque) | (Purpose::Address, Symbol::At { .. }) => None,
    }
}

/// The constant that a value expression evaluates to, if it is constant.
pub(crate) fn constant(ops: &[Op], at: PcContext) -> Option<u64> {
    match run(ops, &at, Some(Symbol::Plus { base: Base::Cfa, offset: 0 })).ok()? {
        Symbol::Number(value) => Some(value),
        _ => None,
    }
}

/// Known values while an expression is simplified.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PcContext {
    /// The register that reads as the program counter.
    pub(crate) pc_register: Reg,
    /// Value of the program counter; `None` if the result must hold at every PC.
    pub(crate) pc: Option<Pc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Cfa,
    Register(Reg),
}

/// An item of the symbolic stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Number(u64),
    /// base + offset.
    Plus {
        base: Base,
        offset: i64,
    },
    /// [base + offset].
    At {
        base: Base,
        offset: i64,
    },
    Opaque,
}

impl Domain for PcContext {
    type Value = Symbol;

    /// Fewer steps than for values, since forms are computed at every PC of a row.
    const STEPS: usize = 256;

    fn constant(&self, value: u64) -> Symbol {
        Symbol::Number(value)
    }

    fn register(&self, reg: Reg, offset: i64) -> Result<Symbol, Fault> {
        Ok(match self.pc {
            _ if reg != self.pc_register => Symbol::Plus { base: Base::Register(reg), offset },
            Some(pc) => Symbol::Number(pc.0.wrapping_add_signed(offset)),
            None => Symbol::Opaque,
        })
    }

    fn load(&self, address: Symbol, size: u8) -> Result<Symbol, Fault> {
        Ok(match address {
            Symbol::Plus { base, offset } if size == 8 => Symbol::At { base, offset },
            _ => Symbol::Opaque,
        })
    }

    fn unary(&self, op: Unary, value: Symbol) -> Result<Symbol, Fault> {
        Ok(match value {
            Symbol::Number(number) => Symbol::Number(op.apply(number)),
            _ => Symbol::Opaque,
        })
    }

    fn binary(&self, op: Binary, left: Symbol, right: Symbol) -> Result<Symbol, Fault> {
        use Symbol::{Number, Opaque, Plus};
        let plus = |base, offset: Option<i64>| offset.map_or(Opaque, |offset| Plus { base, offset });
        Ok(match (op, left, right) {
            (_, Number(left), Number(right)) => Number(op.apply(left, right).ok_or(Fault::Expression)?),
            (Binary::Plus, other, Number(0)) | (Binary::Plus, Number(0), other) | (Binary::Minus, other, Number(0)) => {
                other
            }
            (Binary::Plus, Plus { base, offset }, Number(n)) | (Binary::Plus, Number(n), Plus { base, offset }) => {
                plus(base, offset.checked_add(n.cast_signed()))
            }
            (Binary::Minus, Plus { base, offset }, Number(n)) => plus(base, offset.checked_sub(n.cast_signed())),
            _ => Opaque,
        })
    }

    fn number(&self, value: Symbol) -> Option<u64> {
        match value {
            Symbol::Number(number) => Some(number),
            _ => None,
        }
    }
}
