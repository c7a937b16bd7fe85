//! Call frame instructions and their encodings (DWARF 5, 6.4.2 and 7.24).

use types::Reg;

use crate::bytes::Bytes;

/// A call frame instruction. Offsets are bytes, not multiples of the data alignment factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cfi {
    /// CFA = register + offset.
    DefCfa(Reg, i64),
    /// CFA's base = register; the offset is unchanged.
    DefCfaRegister(Reg),
    /// CFA's offset = offset; the base is unchanged.
    DefCfaOffset(i64),
    DefCfaExpression(Vec<u8>),
    /// The register was saved at CFA + offset.
    Offset(Reg, i64),
    /// The register's value was CFA + offset.
    ValOffset(Reg, i64),
    /// The first register's value is in the second register.
    Register(Reg, Reg),
    /// The register was saved at the address that the expression gives.
    Expression(Reg, Vec<u8>),
    /// The register's value is the result of the expression.
    ValExpression(Reg, Vec<u8>),
    /// The register cannot be recovered.
    Undefined(Reg),
    /// The register still holds its value.
    SameValue(Reg),
    /// The register has the rule of the CIE again.
    Restore(Reg),
    /// Pushes all rules.
    RememberState,
    /// Pops all rules.
    RestoreState,
    /// AArch64: toggles between a signed and a plain return address (AADWARF64,
    /// DW_CFA_AARCH64_negate_ra_state).
    NegateRaState,
    /// Number of bytes of arguments on the stack (GNU).
    GnuArgsSize(u64),
    /// These bytes.
    Raw(Vec<u8>),
}

/// Alignment factors of a CIE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// Bytes of code by which locations advance.
    pub code: u64,
    /// Bytes of which offsets are multiples.
    pub data: i64,
}

impl Cfi {
    /// Appends the instruction; returns false if an offset is not a multiple of the data alignment
    /// factor.
    #[must_use]
    pub(crate) fn encode(&self, out: &mut Bytes, factors: Factors) -> bool {
        match self {
            Cfi::DefCfa(reg, offset) => match u64::try_from(*offset) {
                Ok(offset) => register_and(out, 0x0c, *reg, |out| out.uleb(offset)),
                Err(_) => return factored(*offset, factors, |n| register_and(out, 0x12, *reg, |out| out.sleb(n))),
            },
            Cfi::DefCfaRegister(reg) => register_and(out, 0x0d, *reg, |_| ()),
            Cfi::DefCfaOffset(offset) => match u64::try_from(*offset) {
                Ok(offset) => {
                    out.u8(0x0e);
                    out.uleb(offset);
                }
                Err(_) => {
                    return factored(*offset, factors, |n| {
                        out.u8(0x13);
                        out.sleb(n);
                    });
                }
            },
            Cfi::DefCfaExpression(expression) => {
                out.u8(0x0f);
                block(out, expression);
            }
            Cfi::Offset(reg, offset) => {
                return factored(*offset, factors, |n| match u64::try_from(n) {
                    Ok(n) if reg.0 < 0x40 => {
                        out.u8(0x80 | reg.0 as u8);
                        out.uleb(n);
                    }
                    Ok(n) => register_and(out, 0x05, *reg, |out| out.uleb(n)),
                    Err(_) => register_and(out, 0x11, *reg, |out| out.sleb(n)),
                });
            }
            Cfi::ValOffset(reg, offset) => {
                return factored(*offset, factors, |n| match u64::try_from(n) {
                    Ok(n) => register_and(out, 0x14, *reg, |out| out.uleb(n)),
                    Err(_) => register_and(out, 0x15, *reg, |out| out.sleb(n)),
                });
            }
            Cfi::Register(reg, holder) => register_and(out, 0x09, *reg, |out| out.uleb(u64::from(holder.0))),
            Cfi::Expression(reg, expression) => register_and(out, 0x10, *reg, |out| block(out, expression)),
            Cfi::ValExpression(reg, expression) => register_and(out, 0x16, *reg, |out| block(out, expression)),
            Cfi::Undefined(reg) => register_and(out, 0x07, *reg, |_| ()),
            Cfi::SameValue(reg) => register_and(out, 0x08, *reg, |_| ()),
            Cfi::Restore(reg) if reg.0 < 0x40 => out.u8(0xc0 | reg.0 as u8),
            Cfi::Restore(reg) => register_and(out, 0x06, *reg, |_| ()),
            Cfi::RememberState => out.u8(0x0a),
            Cfi::RestoreState => out.u8(0x0b),
            Cfi::NegateRaState => out.u8(0x2d),
            Cfi::GnuArgsSize(size) => {
                out.u8(0x2e);
                out.uleb(*size);
            }
            Cfi::Raw(bytes) => out.raw(bytes),
        }
        true
    }
}

/// Appends DW_CFA_advance_loc in the narrowest form; returns false if the distance is not a
/// multiple of the code alignment factor or exceeds 32 bits.
#[must_use]
pub(crate) fn advance(out: &mut Bytes, bytes: u64, factors: Factors) -> bool {
    let delta = bytes / factors.code;
    match delta {
        0 => {}
        1..=0x3f => out.u8(0x40 | delta as u8),
        0x40..=0xff => {
            out.u8(0x02);
            out.u8(delta as u8);
        }
        0x100..=0xffff => {
            out.u8(0x03);
            out.u16(delta as u16);
        }
        _ => {
            out.u8(0x04);
            out.low_bytes(delta, 4);
        }
    }
    bytes.is_multiple_of(factors.code) && delta <= u64::from(u32::MAX)
}

fn register_and(out: &mut Bytes, opcode: u8, reg: Reg, operand: impl FnOnce(&mut Bytes)) {
    out.u8(opcode);
    out.uleb(u64::from(reg.0));
    operand(out);
}

fn block(out: &mut Bytes, bytes: &[u8]) {
    out.uleb(bytes.len() as u64);
    out.raw(bytes);
}

fn factored(offset: i64, factors: Factors, write: impl FnOnce(i64)) -> bool {
    write(offset / factors.data);
    offset % factors.data == 0
}
