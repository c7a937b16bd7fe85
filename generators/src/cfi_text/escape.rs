//! Call frame instructions as raw bytes (DWARF 5, 6.4.2 and 7.24), for `.cfi_escape`.

use types::ByteOrder;

use super::register::Register;
use crate::bytes::Bytes;

/// The content of a `.cfi_escape`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// This number of `DW_CFA_nop`.
    Nop(u8),
    /// `DW_CFA_GNU_args_size`.
    ArgsSize(u64),
    /// `DW_CFA_expression`: the register is saved at [base + offset].
    Expression(Register, Register, i64),
    /// `DW_CFA_val_expression`: the register's value is base + offset.
    ValExpression(Register, Register, i64),
    /// `DW_CFA_def_cfa_expression`: CFA = base + offset.
    CfaSum(Register, i64),
    /// `DW_CFA_def_cfa_expression`: CFA = [base + offset], as after a realigned stack.
    CfaLoad(Register, i64),
    /// `DW_CFA_val_offset` of a small factored offset.
    ValOffset(Register, u8),
    /// `DW_CFA_same_value`.
    SameValue(Register),
    /// `DW_CFA_undefined`.
    Undefined(Register),
    /// A nop and a `DW_CFA_same_value` in one directive.
    NopAndSameValue(Register),
}

impl Escape {
    /// The operands of the directive: one or two encoded instructions.
    pub fn bytes(self) -> Vec<u8> {
        match self {
            Escape::Nop(count) => vec![0x00; usize::from(count.max(1))],
            Escape::ArgsSize(size) => [vec![0x2e], uleb(size)].concat(),
            Escape::Expression(of, base, offset) => with_block(0x10, Some(of), sum(base, offset)),
            Escape::ValExpression(of, base, offset) => with_block(0x16, Some(of), sum(base, offset)),
            Escape::CfaSum(base, offset) => with_block(0x0f, None, sum(base, offset)),
            // DW_OP_deref.
            Escape::CfaLoad(base, offset) => with_block(0x0f, None, [sum(base, offset), vec![0x06]].concat()),
            Escape::ValOffset(of, factored) => [vec![0x14], uleb(of.number.into()), uleb(factored.into())].concat(),
            Escape::SameValue(of) => [vec![0x08], uleb(of.number.into())].concat(),
            Escape::Undefined(of) => [vec![0x07], uleb(of.number.into())].concat(),
            Escape::NopAndSameValue(of) => [vec![0x00, 0x08], uleb(of.number.into())].concat(),
        }
    }

    pub fn kind(self) -> String {
        let role = |register: Register| register.role.word();
        match self {
            Escape::Nop(_) => "nop".to_owned(),
            Escape::ArgsSize(0) => "args_size-0".to_owned(),
            Escape::ArgsSize(_) => "args_size".to_owned(),
            Escape::Expression(of, base, _) => format!("expression.{}.{}", role(of), role(base)),
            Escape::ValExpression(of, base, _) => format!("val_expression.{}.{}", role(of), role(base)),
            Escape::CfaSum(base, _) => format!("cfa_expression-sum.{}", role(base)),
            Escape::CfaLoad(base, _) => format!("cfa_expression-load.{}", role(base)),
            Escape::ValOffset(of, _) => format!("val_offset.{}", role(of)),
            Escape::SameValue(of) => format!("same_value.{}", role(of)),
            Escape::Undefined(of) => format!("undefined.{}", role(of)),
            Escape::NopAndSameValue(of) => format!("nop+same_value.{}", role(of)),
        }
    }
}

/// `DW_OP_breg0` + n for registers up to 31, else `DW_OP_bregx`.
fn sum(base: Register, offset: i64) -> Vec<u8> {
    let operation =
        if base.number < 32 { vec![0x70 + base.number] } else { [vec![0x92], uleb(base.number.into())].concat() };
    [operation, leb(|bytes| bytes.sleb(offset))].concat()
}

fn with_block(operation: u8, of: Option<Register>, block: Vec<u8>) -> Vec<u8> {
    let register = of.map_or_else(Vec::new, |register| uleb(register.number.into()));
    [vec![operation], register, uleb(block.len() as u64), block].concat()
}

fn leb(write: impl FnOnce(&mut Bytes)) -> Vec<u8> {
    // LEB128 has the same bytes in either order.
    let mut bytes = Bytes::new(ByteOrder::Little);
    write(&mut bytes);
    bytes.finish()
}

fn uleb(value: u64) -> Vec<u8> {
    leb(|bytes| bytes.uleb(value))
}
