//! Frames as call frame instructions: the changes from one offset to the next.

use types::{Abi, CfaRule, Reg, ValueRule};

use super::{FrameAt, FrameState, Function};
use crate::eh_frame::Cfi;

/// The instructions of the function's FDE, for a plain CIE. `None` if a frame has an expression and
/// no CFI is given.
pub fn cfi_program(abi: Abi, function: &Function) -> Option<Vec<(u64, Cfi)>> {
    if let Some(own) = &function.cfi {
        return Some(own.program.clone());
    }
    changes(abi, &function.frames)
}

/// The instructions that lead from frame to frame, for a plain CIE. `None` if a frame has an
/// expression.
pub(crate) fn changes(abi: Abi, frames: &[FrameAt]) -> Option<Vec<(u64, Cfi)>> {
    let facts = abi.facts();
    let entry = FrameState::at_entry(abi);
    let mut before = entry;
    let mut program = Vec::new();
    for at in frames {
        let (now, offset) = (at.frame, u64::from(at.offset));
        if now.cfa != before.cfa {
            program.push((offset, cfa(before.cfa, now.cfa)?));
        }
        for (reg, initial, old, new) in
            [(facts.ra, entry.ra, before.ra, now.ra), (facts.fp, entry.fp, before.fp, now.fp)]
        {
            if new != old {
                program.push((offset, if new == initial { Cfi::Restore(reg) } else { value(reg, new)? }));
            }
        }
        if now.signed != before.signed {
            program.push((offset, Cfi::NegateRaState));
        }
        before = now;
    }
    Some(program)
}

fn cfa(before: CfaRule, now: CfaRule) -> Option<Cfi> {
    match (before, now) {
        (CfaRule::Register { reg: old, .. }, CfaRule::Register { reg, offset }) if old == reg => {
            Some(Cfi::DefCfaOffset(offset))
        }
        (CfaRule::Register { offset: old, .. }, CfaRule::Register { reg, offset }) if old == offset => {
            Some(Cfi::DefCfaRegister(reg))
        }
        (_, CfaRule::Register { reg, offset }) => Some(Cfi::DefCfa(reg, offset)),
        (_, CfaRule::Memory { reg, offset }) => Some(Cfi::DefCfaExpression(loaded(reg, offset))),
        (_, CfaRule::Expression(_) | CfaRule::Unspecified) => None,
    }
}

fn value(register: Reg, rule: ValueRule) -> Option<Cfi> {
    Some(match rule {
        ValueRule::SameValue => Cfi::SameValue(register),
        ValueRule::Undefined => Cfi::Undefined(register),
        ValueRule::AtCfa(offset) => Cfi::Offset(register, offset),
        ValueRule::CfaPlus(offset) => Cfi::ValOffset(register, offset),
        ValueRule::Register { reg, offset: 0 } => Cfi::Register(register, reg),
        ValueRule::Register { reg, offset } => Cfi::ValExpression(register, sum(reg, offset)),
        ValueRule::Memory { reg, offset } => Cfi::Expression(register, sum(reg, offset)),
        ValueRule::Expression(_) => return None,
    })
}

/// DW_OP_bregN offset (DWARF 5, 2.5.1.2); N up to 31.
pub(crate) fn sum(reg: Reg, offset: i64) -> Vec<u8> {
    let mut out = crate::bytes::Bytes::new(types::ByteOrder::Little);
    if reg.0 < 32 {
        out.u8(0x70 + reg.0 as u8);
    } else {
        // DW_OP_bregx
        out.u8(0x92);
        out.uleb(u64::from(reg.0));
    }
    out.sleb(offset);
    out.finish()
}

/// The sum, followed by DW_OP_deref.
pub(crate) fn loaded(reg: Reg, offset: i64) -> Vec<u8> {
    let mut expression = sum(reg, offset);
    expression.push(0x06);
    expression
}
