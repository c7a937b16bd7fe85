//! DW_CFA instructions of `.cfi_escape` (DWARF 5, 6.4.2 and 7.24; LSB 5.0, 10.6; DWARF for the Arm
//! 64-bit Architecture, 4.4).

use types::{Abi, Reg, sleb128, uleb128};

use crate::directive::Directive;
use crate::state::{Cfa, Rule};

/// What an escape does to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    As(Directive),
    /// Sets the CFA.
    Cfa(Cfa),
    /// Sets the rule of a register.
    Rule(Reg, Rule),
}

/// The effects of some bytes; `None` if they are unknown, not whole, or move the location.
pub(crate) fn effects(bytes: &[u8], abi: Abi) -> Option<Vec<Effect>> {
    let mut input = Input(bytes);
    let mut found = Vec::new();
    // The factor is that of the CIE that the assembler writes; on AArch64 GNU as has -8, LLVM -4.
    let factored = |offset: i64| offset.checked_mul(-8).filter(|_| !abi.facts().pointer_authentication);
    while let Some(code) = input.byte() {
        let low = Reg(u16::from(code & 0x3f));
        let effect = match code {
            0x00 => continue,
            0x80..=0xbf => Effect::Rule(low, Rule::AtCfa(factored(input.unsigned()?.cast_signed())?)),
            0xc0.. => Effect::As(Directive::Restore(vec![low])),
            0x05 => Effect::Rule(input.reg()?, Rule::AtCfa(factored(input.unsigned()?.cast_signed())?)),
            0x06 => Effect::As(Directive::Restore(vec![input.reg()?])),
            0x07 => Effect::Rule(input.reg()?, Rule::Undefined),
            0x08 => Effect::Rule(input.reg()?, Rule::SameValue),
            0x09 => Effect::Rule(input.reg()?, Rule::Register(input.reg()?)),
            0x0a => Effect::As(Directive::RememberState),
            0x0b => Effect::As(Directive::RestoreState),
            0x0c => Effect::As(Directive::DefCfa(input.reg()?, input.unsigned()?.cast_signed())),
            0x0d => Effect::As(Directive::DefCfaRegister(input.reg()?)),
            0x0e => Effect::As(Directive::DefCfaOffset(input.unsigned()?.cast_signed())),
            0x0f => Effect::Cfa(Cfa::Expression(input.block()?)),
            0x10 => Effect::Rule(input.reg()?, Rule::Expression(input.block()?)),
            0x11 => Effect::Rule(input.reg()?, Rule::AtCfa(factored(input.signed()?)?)),
            0x12 => Effect::As(Directive::DefCfa(input.reg()?, factored(input.signed()?)?)),
            0x13 => Effect::As(Directive::DefCfaOffset(factored(input.signed()?)?)),
            0x14 => Effect::Rule(input.reg()?, Rule::CfaPlus(factored(input.unsigned()?.cast_signed())?)),
            0x15 => Effect::Rule(input.reg()?, Rule::CfaPlus(factored(input.signed()?)?)),
            0x16 => Effect::Rule(input.reg()?, Rule::ValueExpression(input.block()?)),
            0x2c if abi.facts().pointer_authentication => Effect::As(Directive::NegateRaStateWithPc),
            0x2d if abi.facts().pointer_authentication => Effect::As(Directive::NegateRaState),
            // DW_CFA_GNU_args_size.
            0x2e => {
                input.unsigned()?;
                continue;
            }
            _ => return None,
        };
        found.push(effect);
    }
    Some(found)
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn unsigned(&mut self) -> Option<u64> {
        self.number(uleb128)
    }

    fn signed(&mut self) -> Option<i64> {
        self.number(sleb128)
    }

    fn number<T>(&mut self, decode: fn(&[u8]) -> Option<(T, usize)>) -> Option<T> {
        let (value, size) = decode(self.0)?;
        self.0 = self.0.get(size..)?;
        Some(value)
    }

    fn reg(&mut self) -> Option<Reg> {
        u16::try_from(self.unsigned()?).ok().map(Reg)
    }

    fn block(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.unsigned()?).ok()?;
        let (block, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(block.to_vec())
    }
}

/// The register and offset of an expression that is only a sum, and whether the word there is
/// loaded: `DW_OP_bregN`, perhaps with `DW_OP_deref`.
pub(crate) fn sum(expression: &[u8]) -> Option<(Reg, i64, Loads)> {
    let mut input = Input(expression);
    let reg = match input.byte()? {
        code @ 0x70..=0x8f => Reg(u16::from(code - 0x70)),
        // DW_OP_bregx.
        0x92 => input.reg()?,
        _ => return None,
    };
    let offset = input.signed()?;
    match input.0 {
        [] => Some((reg, offset, Loads::Nothing)),
        [0x06] => Some((reg, offset, Loads::Word)),
        _ => None,
    }
}

/// Whether an expression loads the word at its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loads {
    Nothing,
    Word,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_instructions() {
        let of = |bytes: &[u8]| effects(bytes, Abi::Amd64);
        assert_eq!(of(&[0x86, 2]), Some(vec![Effect::Rule(Reg(6), Rule::AtCfa(-16))]));
        assert_eq!(of(&[0x13, 0x7e, 0]), Some(vec![Effect::As(Directive::DefCfaOffset(16))]));
        assert_eq!(of(&[0x0f, 3, 0x76, 0x78, 6]), Some(vec![Effect::Cfa(Cfa::Expression(vec![0x76, 0x78, 6]))]));
        assert_eq!(sum(&[0x76, 0x78, 6]), Some((Reg(6), -8, Loads::Word)));
        // Not whole; an advance; of another target.
        assert_eq!((of(&[0x0f, 3, 0x76]), of(&[0x41]), of(&[0x2d])), (None, None, None));
    }
}
