//! What call frame information says at a PC, as data: DWARF 5, 6.4.1.

use std::collections::BTreeMap;

use model::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::super::cursor::Cursor;
use crate::mutate::Meaning;

/// How to find the CFA.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::blind) enum Cfa {
    /// No rule.
    #[default]
    Unspecified,
    /// Register and bytes.
    Register(u64, i64),
    /// A DWARF expression: equal if its bytes are.
    Expression(Vec<u8>),
}

/// How to find a register of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::blind) enum Rule {
    Undefined,
    SameValue,
    /// Saved at CFA + n.
    Offset(i64),
    /// The value is CFA + n.
    ValOffset(i64),
    Register(u64),
    /// Saved at the address that a DWARF expression gives.
    Expression(Vec<u8>),
    /// The value of a DWARF expression.
    ValExpression(Vec<u8>),
}

/// All rules at a PC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::blind) struct Rules {
    pub(in crate::blind) cfa: Cfa,
    /// By register number; what is not here has no rule.
    pub(in crate::blind) registers: BTreeMap<u64, Rule>,
    /// AArch64: the return address is signed.
    pub(in crate::blind) signed: bool,
    /// AArch64: it is signed with its own PC too, which no other rule can say.
    pub(in crate::blind) signed_with_pc: bool,
}

impl Rules {
    /// The part that SFrame has too. None where a rule has no form of [`Meaning`].
    pub(in crate::blind) fn meaning(&self, abi: Abi, ra: u64, key: PacKey, signal: bool) -> Option<Meaning> {
        if self.signed_with_pc {
            return None;
        }
        let cfa = match &self.cfa {
            Cfa::Register(reg, offset) => CfaRule::Register { reg: register(*reg)?, offset: *offset },
            Cfa::Expression(bytes) => match simple(abi, bytes)? {
                Simple { reg, offset, loaded: true } => CfaRule::Memory { reg, offset },
                Simple { reg, offset, loaded: false } => CfaRule::Register { reg, offset },
            },
            Cfa::Unspecified => CfaRule::Unspecified,
        };
        let value = |number: u64| {
            Some(match self.registers.get(&number) {
                None | Some(Rule::SameValue) => ValueRule::SameValue,
                Some(Rule::Undefined) => ValueRule::Undefined,
                Some(Rule::Offset(offset)) => ValueRule::AtCfa(*offset),
                Some(Rule::ValOffset(offset)) => ValueRule::CfaPlus(*offset),
                Some(Rule::Register(reg)) => ValueRule::Register { reg: register(*reg)?, offset: 0 },
                Some(Rule::Expression(bytes)) => match simple(abi, bytes)? {
                    Simple { reg, offset, loaded: false } => ValueRule::Memory { reg, offset },
                    Simple { loaded: true, .. } => return None,
                },
                Some(Rule::ValExpression(bytes)) => match simple(abi, bytes)? {
                    Simple { reg, offset, loaded: false } => ValueRule::Register { reg, offset },
                    Simple { reg, offset, loaded: true } => ValueRule::Memory { reg, offset },
                },
            })
        };
        let fp = u64::from(abi.facts().fp.0);
        Some(Meaning { cfa, ra: value(ra)?, fp: value(fp)?, signed: self.signed.then_some(key), signal })
    }
}

fn register(number: u64) -> Option<Reg> {
    u16::try_from(number).ok().map(Reg)
}

/// An expression that is a register plus an offset, or the word there.
struct Simple {
    reg: Reg,
    offset: i64,
    loaded: bool,
}

/// `DW_OP_breg0`-`31` (0x70) or `DW_OP_bregx` (0x92), and `DW_OP_deref` (0x06) or nothing (DWARF 5, 7.7.1).
fn simple(abi: Abi, bytes: &[u8]) -> Option<Simple> {
    let mut cursor = Cursor::new(abi.facts().order, bytes, 0);
    let reg = match cursor.unsigned(1)? {
        op @ 0x70..=0x8f => op - 0x70,
        0x92 => cursor.uleb()?,
        _ => return None,
    };
    let offset = cursor.sleb()?;
    let loaded = !cursor.is_at_end();
    if loaded && cursor.unsigned(1)? != 0x06 {
        return None;
    }
    cursor.is_at_end().then_some(Simple { reg: register(reg)?, offset, loaded })
}
