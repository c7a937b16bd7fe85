//! The directive of an edit.

use std::fmt;

use types::{Abi, CfaRule, Reg, ValueRule};

use crate::row::{Part, Value};

/// A directive that changes rows (GNU as manual, "CFI directives").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Directive {
    /// `.cfi_def_cfa`.
    DefCfa(Reg, i64),
    /// `.cfi_adjust_cfa_offset`, with the offset that results.
    AdjustCfaOffset {
        /// Bytes added.
        by: i64,
        /// Offset after it.
        to: i64,
    },
    /// `.cfi_def_cfa_register`.
    DefCfaRegister(Reg),
    /// `.cfi_offset`.
    Offset(Reg, i64),
    /// `.cfi_val_offset`.
    ValOffset(Reg, i64),
    /// `.cfi_register`: the first is saved in the second.
    Register(Reg, Reg),
    /// `.cfi_restore`.
    Restore(Reg),
    /// `.cfi_undefined`.
    Undefined(Reg),
    /// `.cfi_same_value`.
    SameValue(Reg),
    /// `.cfi_negate_ra_state`.
    NegateRaState,
    /// `.cfi_remember_state`.
    RememberState,
    /// `.cfi_restore_state`.
    RestoreState,
    /// `.cfi_escape` of an expression, or of what no directive can express.
    Escape(Part),
}

impl Directive {
    /// The directive that changes a part from one value to another, with the value that the CIE
    /// gives.
    pub(crate) fn new(part: Part, from: Value, to: Value, initial: Value) -> Directive {
        use Directive as D;
        match (part, to) {
            (Part::Cfa, Value::Cfa(CfaRule::Register { reg, offset })) => match from {
                Value::Cfa(CfaRule::Register { reg: before, offset: old }) if before == reg => {
                    D::AdjustCfaOffset { by: offset.wrapping_sub(old), to: offset }
                }
                Value::Cfa(CfaRule::Register { offset: old, .. }) if old == offset => D::DefCfaRegister(reg),
                _ => D::DefCfa(reg, offset),
            },
            (Part::Signing, _) => D::NegateRaState,
            (Part::Register(reg), _) if to == initial => D::Restore(reg),
            (Part::Register(reg), Value::Rule(rule)) => match rule {
                ValueRule::AtCfa(offset) => D::Offset(reg, offset),
                ValueRule::CfaPlus(offset) => D::ValOffset(reg, offset),
                ValueRule::Register { reg: place, offset: 0 } => D::Register(reg, place),
                ValueRule::Undefined => D::Undefined(reg),
                ValueRule::SameValue => D::SameValue(reg),
                ValueRule::Register { .. } | ValueRule::Memory { .. } | ValueRule::Expression(_) => D::Escape(part),
            },
            (Part::Cfa | Part::Register(_), _) => D::Escape(part),
        }
    }

    /// The directive with roles in place of registers, and `N` in place of numbers.
    pub fn normal_form(self, abi: Abi) -> String {
        self.write(|reg| role(abi, reg), |number| if number < 0 { "-N".to_owned() } else { "N".to_owned() })
    }

    /// The directive as a source has it; `AdjustCfaOffset` as `.cfi_def_cfa_offset`.
    pub fn text(self, abi: Abi) -> String {
        let name = |reg: Reg| match abi.register_name(reg) {
            Some(name) if matches!(abi, Abi::Amd64 | Abi::S390x) => format!("%{name}"),
            // GNU as has no name for a whole vector register in directives.
            Some(name) if name.starts_with('v') => name.replace('v', "d"),
            Some(name) => name,
            None => reg.0.to_string(),
        };
        match self {
            Directive::AdjustCfaOffset { to, .. } => format!(".cfi_def_cfa_offset {to}"),
            other => other.write(name, |number| number.to_string()),
        }
    }

    fn write(self, reg: impl Fn(Reg) -> String, number: impl Fn(i64) -> String) -> String {
        use Directive as D;
        match self {
            D::DefCfa(one, offset) => format!(".cfi_def_cfa {}, {}", reg(one), number(offset)),
            D::AdjustCfaOffset { by, .. } => format!(".cfi_adjust_cfa_offset {}", number(by)),
            D::DefCfaRegister(one) => format!(".cfi_def_cfa_register {}", reg(one)),
            D::Offset(one, offset) => format!(".cfi_offset {}, {}", reg(one), number(offset)),
            D::ValOffset(one, offset) => format!(".cfi_val_offset {}, {}", reg(one), number(offset)),
            D::Register(one, place) => format!(".cfi_register {}, {}", reg(one), reg(place)),
            D::Restore(one) => format!(".cfi_restore {}", reg(one)),
            D::Undefined(one) => format!(".cfi_undefined {}", reg(one)),
            D::SameValue(one) => format!(".cfi_same_value {}", reg(one)),
            D::NegateRaState => ".cfi_negate_ra_state".to_owned(),
            D::RememberState => ".cfi_remember_state".to_owned(),
            D::RestoreState => ".cfi_restore_state".to_owned(),
            D::Escape(Part::Register(one)) => format!(".cfi_escape of {}", reg(one)),
            D::Escape(Part::Cfa | Part::Signing) => ".cfi_escape of the CFA".to_owned(),
        }
    }
}

/// The role of a register in frames: `SP`, `FP`, `RA`, `S` if a call preserves it, else `R`.
pub(crate) fn role(abi: Abi, reg: Reg) -> String {
    let facts = abi.facts();
    let role = match reg {
        reg if reg == facts.sp => "SP",
        reg if reg == facts.fp => "FP",
        reg if reg == facts.ra => "RA",
        reg if facts.callee_saved.contains(&reg.0) => "S",
        _ => "R",
    };
    role.to_owned()
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Cfa => write!(f, "CFA"),
            Part::Register(reg) => write!(f, "{reg}"),
            Part::Signing => write!(f, "signing"),
        }
    }
}
