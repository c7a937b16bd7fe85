//! A directive as it was logged (GNU as manual, "CFI directives"; LLVM accepts the same).

use types::{Abi, Reg};

use crate::log::Record;
use crate::register;
use crate::state::Unclear;

/// A directive. Offsets are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `.cfi_startproc`; `simple` gives no initial rules.
    Start {
        simple: bool,
    },
    End,
    DefCfa(Reg, i64),
    DefCfaOffset(i64),
    AdjustCfaOffset(i64),
    DefCfaRegister(Reg),
    Offset(Reg, i64),
    /// From the CFA's register.
    RelOffset(Reg, i64),
    ValOffset(Reg, i64),
    /// The first is saved in the second.
    Register(Reg, Reg),
    Restore(Vec<Reg>),
    Undefined(Vec<Reg>),
    SameValue(Vec<Reg>),
    RememberState,
    RestoreState,
    ReturnColumn(Reg),
    SignalFrame,
    /// AArch64.
    NegateRaState,
    /// AArch64.
    NegateRaStateWithPc,
    /// AArch64.
    BKeyFrame,
    /// Bytes of DW_CFA instructions.
    Escape(Vec<u8>),
    /// Changes no row.
    None,
}

impl Directive {
    pub(crate) fn parse(record: &Record, abi: Abi) -> Result<Directive, Unclear> {
        use Directive as D;
        let (name, operands) = record.text.split_once(char::is_whitespace).unwrap_or((&record.text, ""));
        let operands = without_comments(operands);
        let list: Vec<&str> = operands.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
        let unclear = || Unclear::Operand(record.text.clone());
        let reg = |nth: usize| list.get(nth).and_then(|text| register::number(text, abi)).ok_or_else(unclear);
        let number = || record.number.ok_or_else(unclear);
        let regs = || {
            list.iter()
                .map(|text| register::number(text, abi).ok_or_else(unclear))
                .collect::<Result<Vec<Reg>, Unclear>>()
        };
        Ok(match name {
            "startproc" => D::Start { simple: list.first() == Some(&"simple") },
            "endproc" => D::End,
            "def_cfa" => D::DefCfa(reg(0)?, number()?),
            "def_cfa_offset" => D::DefCfaOffset(number()?),
            "adjust_cfa_offset" => D::AdjustCfaOffset(number()?),
            "def_cfa_register" => D::DefCfaRegister(reg(0)?),
            "offset" => D::Offset(reg(0)?, number()?),
            "rel_offset" => D::RelOffset(reg(0)?, number()?),
            "val_offset" => D::ValOffset(reg(0)?, number()?),
            "register" => D::Register(reg(0)?, reg(1)?),
            "restore" => D::Restore(regs()?),
            "undefined" => D::Undefined(regs()?),
            "same_value" => D::SameValue(regs()?),
            "remember_state" => D::RememberState,
            "restore_state" => D::RestoreState,
            "return_column" => D::ReturnColumn(reg(0)?),
            "signal_frame" => D::SignalFrame,
            // On AArch64 the two are one operation (DW_CFA 0x2d).
            "negate_ra_state" | "window_save" if abi.facts().pointer_authentication => D::NegateRaState,
            "negate_ra_state_with_pc" => D::NegateRaStateWithPc,
            "b_key_frame" => D::BKeyFrame,
            "escape" => D::Escape(list.iter().map(|text| byte(text).ok_or_else(unclear)).collect::<Result<_, _>>()?),
            "sections" | "personality" | "personality_id" | "lsda" | "inline_lsda" | "fde_data" | "label"
            | "mte_tagged_frame" | "GNU_args_size" => D::None,
            _ => return Err(Unclear::Directive(name.to_owned())),
        })
    }
}

/// A byte of an escape.
fn byte(text: &str) -> Option<u8> {
    match text.strip_prefix('-') {
        Some(digits) => {
            let number = i16::try_from(register::unsigned(digits.trim())?).ok()?;
            (number <= 128).then(|| number.wrapping_neg().to_le_bytes()[0])
        }
        None => u8::try_from(register::unsigned(text)?).ok(),
    }
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}
