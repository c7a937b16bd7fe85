//! Answers as lines of text, in the corpus and from readers under test.
//!
//! `CFA RA FP [signed-a|signed-b] [signal]`, `outer [signal]`, `none`, `err`, or `caller PC SP FP`.
//! A register is `sp`, `fp` or `rN` with its DWARF number; offsets have a sign. CFA: `sp+16`, or
//! `[fp-8]` if it is loaded. RA and FP: `same`; `cfa-8`, loaded from CFA-8; `=cfa-8`, the sum
//! itself; `r17+0`, from a register; `[r6+8]`, loaded from memory.

use std::fmt;
use std::str::FromStr;

use generators::vectors::Row;
use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerLine {
    Row {
        /// Rule for the CFA.
        cfa: AnswerValue,
        /// Rule for the return address.
        ra: AnswerValue,
        /// Rule for the caller's FP.
        fp: AnswerValue,
        /// Key of a signed return address.
        signed: Option<PacKey>,
        /// True for a frame that the kernel pushed.
        signal: bool,
    },
    /// The frame has no caller.
    Outer {
        /// True for a frame that the kernel pushed.
        signal: bool,
    },
    /// No descriptor covers the address.
    None,
    /// The descriptor or row for the address cannot be read.
    Err,
    /// The caller's values.
    Caller {
        /// PC at which the caller continues.
        pc: u64,
        /// The caller's SP.
        sp: u64,
        /// The caller's FP.
        fp: u64,
    },
}

/// A word of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerValue {
    /// The value is unchanged.
    Same,
    /// CFA + n, or the word there.
    Cfa {
        /// Bytes.
        offset: i64,
        /// True if the sum is an address to load from.
        load: bool,
    },
    /// Register + n, or the word there.
    Register {
        /// The register.
        reg: Name,
        /// Bytes.
        offset: i64,
        /// True if the sum is an address to load from.
        load: bool,
    },
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    Sp,
    Fp,
    Number(u16),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an answer line: {0:?}")]
pub struct LineError(pub String);

impl AnswerLine {
    /// The line of a row. Register numbers of SP and FP are written as `sp` and `fp`.
    pub fn new(abi: Abi, row: &Row) -> AnswerLine {
        let frame = row.frame;
        let cfa = match frame.cfa {
            CfaRule::Register { reg, offset } => {
                AnswerValue::Register { reg: Name::new(abi, reg), offset, load: false }
            }
            CfaRule::Memory { reg, offset } => AnswerValue::Register { reg: Name::new(abi, reg), offset, load: true },
            CfaRule::Expression(_) | CfaRule::Unspecified => return AnswerLine::Outer { signal: row.signal },
        };
        if frame.ra == ValueRule::Undefined {
            return AnswerLine::Outer { signal: row.signal };
        }
        let value = |rule| match rule {
            ValueRule::SameValue | ValueRule::Undefined | ValueRule::Expression(_) => AnswerValue::Same,
            ValueRule::AtCfa(offset) => AnswerValue::Cfa { offset, load: true },
            ValueRule::CfaPlus(offset) => AnswerValue::Cfa { offset, load: false },
            ValueRule::Register { reg, offset } => {
                AnswerValue::Register { reg: Name::new(abi, reg), offset, load: false }
            }
            ValueRule::Memory { reg, offset } => AnswerValue::Register { reg: Name::new(abi, reg), offset, load: true },
        };
        AnswerLine::Row { cfa, ra: value(frame.ra), fp: value(frame.fp), signed: row.key, signal: row.signal }
    }

    /// The answer with SP and FP by name, however they were written.
    #[must_use]
    pub fn named(self, abi: Abi) -> AnswerLine {
        let name = |value| match value {
            AnswerValue::Register { reg: Name::Number(number), offset, load } => {
                AnswerValue::Register { reg: Name::new(abi, Reg(number)), offset, load }
            }
            value => value,
        };
        match self {
            AnswerLine::Row { cfa, ra, fp, signed, signal } => {
                AnswerLine::Row { cfa: name(cfa), ra: name(ra), fp: name(fp), signed, signal }
            }
            line => line,
        }
    }
}

impl Name {
    fn new(abi: Abi, reg: Reg) -> Name {
        let facts = abi.facts();
        match reg {
            reg if reg == facts.sp => Name::Sp,
            reg if reg == facts.fp => Name::Fp,
            Reg(number) => Name::Number(number),
        }
    }
}

impl fmt::Display for AnswerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signal = |signal: &bool| if *signal { " signal" } else { "" };
        match self {
            AnswerLine::None => f.write_str("none"),
            AnswerLine::Err => f.write_str("err"),
            AnswerLine::Outer { signal: is } => write!(f, "outer{}", signal(is)),
            AnswerLine::Caller { pc, sp, fp } => write!(f, "caller {pc:#x} {sp:#x} {fp:#x}"),
            AnswerLine::Row { cfa, ra, fp, signed, signal: is } => {
                let key = match signed {
                    None => "",
                    Some(PacKey::A) => " signed-a",
                    Some(PacKey::B) => " signed-b",
                };
                write!(f, "{cfa} {ra} {fp}{key}{}", signal(is))
            }
        }
    }
}

impl fmt::Display for AnswerValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AnswerValue::Same => f.write_str("same"),
            AnswerValue::Cfa { offset, load } => write!(f, "{}cfa{offset:+}", if load { "" } else { "=" }),
            AnswerValue::Register { reg, offset, load } => {
                let name = match reg {
                    Name::Sp => "sp".to_owned(),
                    Name::Fp => "fp".to_owned(),
                    Name::Number(number) => format!("r{number}"),
                };
                if load { write!(f, "[{name}{offset:+}]") } else { write!(f, "{name}{offset:+}") }
            }
        }
    }
}

impl FromStr for AnswerLine {
    type Err = LineError;

    fn from_str(text: &str) -> Result<AnswerLine, LineError> {
        let wrong = || LineError(text.chars().take(80).collect());
        let mut words = text.split_ascii_whitespace();
        let line = match words.next().ok_or_else(wrong)? {
            "none" => AnswerLine::None,
            "err" => AnswerLine::Err,
            "outer" => AnswerLine::Outer { signal: words.next().map(|word| word == "signal").unwrap_or(false) },
            "caller" => {
                let mut number = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
                let (pc, sp, fp) = (number(), number(), number());
                AnswerLine::Caller { pc: pc.ok_or_else(wrong)?, sp: sp.ok_or_else(wrong)?, fp: fp.ok_or_else(wrong)? }
            }
            cfa => {
                let cfa = value(cfa).filter(|value| matches!(value, AnswerValue::Register { .. })).ok_or_else(wrong)?;
                let ra = words.next().and_then(value).ok_or_else(wrong)?;
                let fp = words.next().and_then(value).ok_or_else(wrong)?;
                let (mut signed, mut signal) = (None, false);
                for word in words.by_ref() {
                    match word {
                        "signed-a" => signed = Some(PacKey::A),
                        "signed-b" => signed = Some(PacKey::B),
                        "signal" => signal = true,
                        _ => return Err(wrong()),
                    }
                }
                AnswerLine::Row { cfa, ra, fp, signed, signal }
            }
        };
        words.next().map_or(Ok(line), |_| Err(wrong()))
    }
}

fn value(word: &str) -> Option<AnswerValue> {
    if word == "same" {
        return Some(AnswerValue::Same);
    }
    let loaded = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
    let bare = loaded.or_else(|| word.strip_prefix('=')).unwrap_or(word);
    let at = bare.find(['+', '-'])?;
    let (name, offset) = bare.split_at_checked(at)?;
    let offset = offset.parse().ok()?;
    let reg = match name {
        "cfa" if loaded.is_none() => return Some(AnswerValue::Cfa { offset, load: !word.starts_with('=') }),
        "sp" => Name::Sp,
        "fp" => Name::Fp,
        name => Name::Number(name.strip_prefix('r')?.parse().ok()?),
    };
    (!word.starts_with('=')).then_some(AnswerValue::Register { reg, offset, load: loaded.is_some() })
}

#[cfg(test)]
mod tests {
    use super::AnswerLine;

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "sp+16 cfa-8 same",
            "[fp-8] cfa-8 [r10-16] signal",
            "r10+0 r17+0 =cfa+8 signed-b",
            "outer signal",
            "outer",
            "none",
            "err",
            "caller 0x1 0xffffffffffffffff 0x0",
        ] {
            assert_eq!(text.parse::<AnswerLine>().map(|line| line.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "sp",
            "sp+8 same",
            "sp+8 same same more",
            "none at all",
            "caller 1 2 3",
            "cfa+8 same same",
            "[cfa-8] same same",
        ] {
            assert!(text.parse::<AnswerLine>().is_err(), "{text}");
        }
    }
}
