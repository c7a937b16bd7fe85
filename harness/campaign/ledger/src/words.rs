//! The words of an assembly text, in order: `def_cfa_offset`, `offset.ra!byte`, `code`. Classes of
//! findings are patterns of words.
//!
//! A word is the directive's name, then the roles of its registers (`sp`, `fp`, `ra`, `other`),
//! then marks for properties of its number that an encoder may get wrong. Any number of
//! instructions and data is `code`; directives for sections and symbols are skipped.

use std::fmt;

use types::{Abi, AbiFacts, Reg, uleb128};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Name and roles: `def_cfa.fp`, `escape.expression.fp.sp`.
    pub name: String,
    /// Marks of its number: `neg`, `zero`, `odd` (not a multiple of 8), `byte`, `short`, `wide`
    /// (more than 8, 16, 32 bits), `entry` (the value at function entry).
    pub marks: Vec<&'static str>,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.marks.iter().try_for_each(|mark| write!(f, "!{mark}"))
    }
}

pub fn words(abi: Abi, text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut functions = 0;
    let mut inside = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or("").trim()) {
        let (operation, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = match operation.strip_prefix(".cfi_") {
            Some("startproc") => {
                inside = true;
                functions += 1;
                if functions > 1 {
                    words.push(plain("next"));
                }
                (operands.trim() == "simple").then(|| plain("simple"))
            }
            Some("endproc") => {
                inside = false;
                None
            }
            Some(_) if !inside => None,
            Some(name) => Some(directive(abi, name, operands)),
            None if inside && operation == ".skip" => Some(Word { marks: skipped(operands), ..plain("code.skip") }),
            None if !inside
                || operation.is_empty()
                || operation.starts_with(['.', '#'])
                || operation.ends_with(':') =>
            {
                None
            }
            None => Some(plain("code")),
        };
        words.extend(word.filter(|word| !(word.name.starts_with("code") && words.last() == Some(word))));
    }
    words
}

/// A fill of zero bytes is not code.
fn skipped(bytes: &str) -> Vec<&'static str> {
    if bytes.trim() == "0" { vec!["zero"] } else { Vec::new() }
}

/// The words, separated by blanks.
pub fn line(words: &[Word]) -> String {
    words.iter().map(Word::to_string).collect::<Vec<_>>().join(" ")
}

fn plain(name: &str) -> Word {
    Word { name: name.to_owned(), marks: Vec::new() }
}

fn directive(abi: Abi, name: &str, operands: &str) -> Word {
    let operands: Vec<&str> = operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
    if name == "escape" {
        let bytes: Vec<u8> = operands.iter().filter_map(|operand| byte(operand)).collect();
        return plain(&format!("escape.{}", escaped(abi, &bytes)));
    }
    if name == "personality" || name == "lsda" {
        return plain(name);
    }
    let mut word = plain(name);
    for operand in operands {
        match operand.parse::<i64>() {
            Ok(number) => word.marks = marks(abi.facts(), &word.name, number),
            Err(_) => word.name = format!("{}.{}", word.name, named(abi, operand)),
        }
    }
    word
}

fn byte(operand: &str) -> Option<u8> {
    match operand.strip_prefix("0x") {
        Some(hexadecimal) => u8::from_str_radix(hexadecimal, 16).ok(),
        None => operand.parse().ok(),
    }
}

/// Role of a register by its name in directives.
fn named(abi: Abi, name: &str) -> &'static str {
    let name = name.strip_prefix('%').unwrap_or(name);
    role(abi, |reg| abi.register_name(reg).as_deref() == Some(name))
}

/// Role of a register by its DWARF number.
fn numbered(abi: Abi, number: u64) -> &'static str {
    role(abi, |reg| u64::from(reg.0) == number)
}

fn role(abi: Abi, is_it: impl Fn(Reg) -> bool) -> &'static str {
    let AbiFacts { sp, fp, ra, .. } = *abi.facts();
    [(sp, "sp"), (fp, "fp"), (ra, "ra")].into_iter().find(|(reg, _)| is_it(*reg)).map_or("other", |(_, word)| word)
}

fn marks(facts: &AbiFacts, word: &str, number: i64) -> Vec<&'static str> {
    let is_at_entry = match word {
        "def_cfa.sp" | "def_cfa_offset" => number == facts.cfa_minus_sp_at_entry,
        "offset.ra" => facts.fixed_ra.is_some_and(|offset| number == i64::from(offset)),
        _ => false,
    };
    let marks = [
        ("neg", number < 0),
        ("zero", number == 0),
        ("odd", number % 8 != 0),
        ("byte", i8::try_from(number).is_err()),
        ("short", i16::try_from(number).is_err()),
        ("wide", i32::try_from(number).is_err()),
        ("entry", is_at_entry),
    ];
    marks.into_iter().filter(|(_, holds)| *holds).map(|(mark, _)| mark).collect()
}

/// Name of the call frame instruction in an escape (DWARF 5, 7.24), if the generator writes it;
/// else `bytes`.
fn escaped(abi: Abi, bytes: &[u8]) -> String {
    let Some((operation, rest)) = bytes.split_first() else { return "bytes".to_owned() };
    let register = |bytes: &[u8]| leb(bytes).map_or("other", |(number, _)| numbered(abi, number));
    let base = |block: &[u8]| match block.split_first() {
        // DW_OP_breg0 to DW_OP_breg31, DW_OP_bregx.
        Some((operation @ 0x70..=0x8f, _)) => numbered(abi, u64::from(operation - 0x70)),
        Some((0x92, rest)) => register(rest),
        _ => "other",
    };
    let after_register = |bytes: &[u8]| leb(bytes).map_or_else(Vec::new, |(_, rest)| rest.to_vec());
    let block = |bytes: &[u8]| leb(bytes).map_or_else(Vec::new, |(_, rest)| rest.to_vec());
    match operation {
        0x00 if rest.iter().all(|byte| *byte == 0) => "nop".to_owned(),
        0x00 => "several".to_owned(),
        0x07 => format!("undefined.{}", register(rest)),
        0x08 => format!("same_value.{}", register(rest)),
        0x0f => {
            let block = block(rest);
            // DW_OP_deref at the end: the CFA is loaded.
            let how = if block.last() == Some(&0x06) { "cfa_load" } else { "cfa_sum" };
            format!("{how}.{}", base(&block))
        }
        0x10 => format!("expression.{}.{}", register(rest), base(&block(&after_register(rest)))),
        0x14 => format!("val_offset.{}", register(rest)),
        0x16 => format!("val_expression.{}.{}", register(rest), base(&block(&after_register(rest)))),
        0x2e if rest == [0] => "args_size.zero".to_owned(),
        0x2e => "args_size".to_owned(),
        _ => "bytes".to_owned(),
    }
}

/// An unsigned LEB128 number, and the remaining bytes.
fn leb(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (value, size) = uleb128(bytes)?;
    Some((value, bytes.get(size..)?))
}
