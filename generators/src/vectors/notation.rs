//! Frames as text: `cfa=fp+16 fp=[cfa-32] ra=undefined signed`, what differs from the frame at
//! entry.
//!
//! Registers are numbers, `sp`, `fp`, `ra`, two that calls do not use, `high` (not preserved) and
//! `other` (preserved), and `last`, which has the highest number that a control word can name. In
//! numbers `entry` is the distance of SP from the CFA at entry, `bias` that of stored CFA offsets,
//! and `step` 4 bytes in units of the code alignment factor.

use types::{Abi, CfaRule, Reg, ValueRule};

use crate::arch::target;
use crate::code::FrameState;
use crate::sframe::integer;

/// The notation of an ABI's frames. Functions return `None` for text that means nothing.
#[derive(Clone, Copy)]
pub(super) struct Notation {
    pub(super) abi: Abi,
    /// The register that `fp` names, if it is another one.
    pub(super) register: Option<Reg>,
}

impl Notation {
    /// What a frame changes: `entry` nothing, `cfa=fp+16 fp=[cfa-32] ra=undefined signed`.
    pub(super) fn frame(self, text: &str) -> Option<FrameState> {
        let mut frame = FrameState::at_entry(self.abi);
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some(("cfa", value)) => {
                    let (in_memory, reg, offset) = self.place(value)?;
                    let reg = reg?;
                    frame.cfa = match in_memory {
                        true => CfaRule::Memory { reg, offset },
                        false => CfaRule::Register { reg, offset },
                    };
                }
                Some(("ra", value)) => frame.ra = self.rule(value)?,
                Some(("fp", value)) => frame.fp = self.rule(value)?,
                None if word == "signed" => frame.signed = true,
                None if word == "entry" => {}
                _ => return None,
            }
        }
        Some(frame)
    }

    fn rule(self, text: &str) -> Option<ValueRule> {
        if text == "undefined" {
            return Some(ValueRule::Undefined);
        }
        Some(match self.place(text)? {
            (true, None, offset) => ValueRule::AtCfa(offset),
            (false, None, offset) => ValueRule::CfaPlus(offset),
            (true, Some(reg), offset) => ValueRule::Memory { reg, offset },
            (false, Some(reg), offset) => ValueRule::Register { reg, offset },
        })
    }

    /// A register (`None`: the CFA) and an offset, and whether they are an address to load from:
    /// `[cfa-32]`, `sp+entry+8`.
    fn place(self, text: &str) -> Option<(bool, Option<Reg>, i64)> {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let place = inner.unwrap_or(text);
        let (base, offset) = place.split_at(place.find(['+', '-']).unwrap_or(place.len()));
        let reg = if base == "cfa" { None } else { Some(self.reg(base)?) };
        Some((inner.is_some(), reg, if offset.is_empty() { 0 } else { self.number(offset)? }))
    }

    pub(super) fn reg(self, name: &str) -> Option<Reg> {
        let facts = self.abi.facts();
        let (high, other) = match self.abi {
            Abi::Amd64 => (10, 12),
            Abi::Aarch64 | Abi::Aarch64Be => (9, 20),
            Abi::S390x => (1, 8),
        };
        Some(match name {
            "sp" => facts.sp,
            "fp" => self.register.unwrap_or(facts.fp),
            "ra" => facts.ra,
            "high" => Reg(high),
            "other" => Reg(other),
            "last" => target(self.abi).flex_registers?.1,
            number => Reg(number.parse().ok()?),
        })
    }

    /// A sum without blanks: `entry+16`, `-32`.
    pub(super) fn number(self, text: &str) -> Option<i64> {
        let text = text.trim_start_matches('+');
        match text.split_once('+') {
            Some((first, rest)) => Some(self.number(first)? + self.number(rest)?),
            None if text == "entry" => Some(self.abi.facts().cfa_minus_sp_at_entry),
            None if text == "bias" => Some(target(self.abi).cfa_bias),
            None if text == "step" => Some(4 / target(self.abi).code_alignment as i64),
            None => integer(text),
        }
    }
}
