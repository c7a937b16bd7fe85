//! Encodes rules as the words of a row of a default or flexible descriptor.

use types::{Abi, SframeVersion};

use crate::abi::{Facts, facts};
use crate::cfi::{Rules, Value};
use crate::expression::Terms;
use crate::reason::Reason;

/// A row without its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    /// Bits 0 and 7 of the info byte: the CFA is based on SP, the return address is signed.
    pub(crate) bits: u8,
    /// Words as stored; a control word is not negative.
    pub(crate) words: Vec<Word>,
}

/// A word of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// A signed offset.
    Offset(i64),
    /// An unsigned control word of a flexible row.
    Control(u64),
}

/// Bit 0 of the info byte: SP is the base of the CFA ("SFrame FRE Info Word").
const BASE_SP: u8 = 1;
/// Bit 7: the return address is signed.
const SIGNED: u8 = 0x80;

/// Outermost frame: a row without words (SFrame V2 errata 2).
const OUTERMOST: Words = Words { bits: 0, words: Vec::new() };

/// The words of a row of a default descriptor.
pub(crate) fn default_row(abi: Abi, version: SframeVersion, rules: &Rules) -> Result<Words, Reason> {
    let facts = facts(abi);
    if rules.ra == Value::Undefined {
        return Ok(OUTERMOST);
    }
    checked(rules)?;
    let (base, offset) = match rules.cfa {
        Terms::Register(register, offset) if register == facts.sp => (BASE_SP, offset),
        Terms::Register(register, offset) if register == facts.fp => (0, offset),
        Terms::Register(..) => return Err(Reason::CfaRegister),
        Terms::Memory(..) | Terms::Program(_) | Terms::Unknown => return Err(Reason::CfaExpression),
    };
    let mut words = vec![Word::Offset(cfa_word(facts, offset)?)];
    let ra = match (&rules.ra, facts.fixed_ra) {
        (Value::AtCfa(at), 0) if *at != 0 => Some(*at),
        (Value::Same, 0) => None,
        (Value::AtCfa(at), fixed) if fixed != 0 && *at == i64::from(fixed) => None,
        (Value::Terms(Terms::Register(register, 0)), _) if has_register_words(facts, version) => {
            Some(register_word(*register))
        }
        _ => return Err(Reason::ReturnAddress),
    };
    let fp = match &rules.fp {
        Value::Same => None,
        Value::AtCfa(at) => Some(*at),
        Value::Terms(Terms::Register(register, 0)) if has_register_words(facts, version) => {
            Some(register_word(*register))
        }
        Value::Undefined | Value::Terms(_) | Value::Other => return Err(Reason::FramePointer),
    };
    match (ra, fp) {
        _ if facts.fixed_ra != 0 => words.extend(fp.map(Word::Offset)),
        (None, Some(_)) if !facts.has_filler => return Err(Reason::FramePointerAlone),
        (ra, Some(fp)) => words.extend([Word::Offset(ra.unwrap_or(0)), Word::Offset(fp)]),
        (ra, None) => words.extend(ra.map(Word::Offset)),
    }
    Ok(Words { bits: base | if rules.signed { SIGNED } else { 0 }, words })
}

/// The words of a row of a flexible descriptor (SFrame V3, "Flexible FDE").
pub(crate) fn flexible_row(abi: Abi, rules: &Rules) -> Result<Words, Reason> {
    let facts = facts(abi);
    if rules.ra == Value::Undefined {
        return Ok(OUTERMOST);
    }
    checked(rules)?;
    let [control, offset] = match rules.cfa {
        Terms::Register(register, offset) => pair(register, false, cfa_word(facts, offset)?),
        Terms::Memory(register, offset) => pair(register, true, cfa_word(facts, offset)?),
        Terms::Program(_) | Terms::Unknown => return Err(Reason::CfaExpression),
    };
    let mut words = vec![control, offset];
    let ra = match &rules.ra {
        Value::Same if facts.fixed_ra == 0 => None,
        Value::AtCfa(at) if facts.fixed_ra != 0 && *at == i64::from(facts.fixed_ra) => None,
        other => Some(place(other).ok_or(Reason::ReturnAddress)?),
    };
    let fp = match &rules.fp {
        Value::Same => None,
        other => Some(place(other).ok_or(Reason::FramePointer)?),
    };
    match (ra, fp) {
        (None, Some(fp)) => {
            words.push(Word::Control(0));
            words.extend(fp);
        }
        (ra, fp) => words.extend(ra.into_iter().chain(fp).flatten()),
    }
    Ok(Words { bits: 0, words })
}

fn checked(rules: &Rules) -> Result<(), Reason> {
    match (rules.sp_is_plain, rules.signed_with_pc) {
        (false, _) => Err(Reason::StackPointer),
        (true, true) => Err(Reason::SignedWithPc),
        (true, false) => Ok(()),
    }
}

/// Encodes a CFA offset.
fn cfa_word(facts: &Facts, offset: i64) -> Result<i64, Reason> {
    let above = offset.checked_sub(facts.cfa_base).ok_or(Reason::Offset)?;
    match (above.checked_rem(facts.cfa_scale), above.checked_div(facts.cfa_scale)) {
        (Some(0), Some(word)) => Ok(word),
        _ => Err(Reason::Offset),
    }
}

/// Returns true if odd words name registers: only before V3 (SFrame V2 errata 1, "s390x").
fn has_register_words(facts: &Facts, version: SframeVersion) -> bool {
    match version {
        SframeVersion::V1 | SframeVersion::V2 | SframeVersion::V2Errata1 => facts.has_register_words,
        SframeVersion::V3 => false,
    }
}

/// Encodes a register as an odd word: the register's number above bit 0.
fn register_word(register: u16) -> i64 {
    i64::from(register) << 1 | 1
}

/// Encodes a register, and whether memory is read: bit 0 is set for a register, bit 1 for a load.
fn pair(register: u16, loads: bool, offset: i64) -> [Word; 2] {
    [Word::Control(u64::from(register) << 3 | u64::from(loads) << 1 | 1), Word::Offset(offset)]
}

/// Encodes the location of a value as a control word and an offset.
fn place(value: &Value) -> Option<[Word; 2]> {
    match value {
        Value::AtCfa(at) => Some([Word::Control(2), Word::Offset(*at)]),
        Value::Terms(Terms::Register(register, offset)) => Some(pair(*register, false, *offset)),
        Value::Terms(Terms::Memory(register, offset)) => Some(pair(*register, true, *offset)),
        Value::Same | Value::Undefined | Value::Terms(Terms::Program(_) | Terms::Unknown) | Value::Other => None,
    }
}
