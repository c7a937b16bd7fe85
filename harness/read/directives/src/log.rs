//! The log of directives: added to a source, and read from the object that it was assembled to.
//!
//! A record is the address at which the directive stands (8 bytes), its text without `.cfi_`, as
//! the assembler expanded it (ends with a zero byte), and the value of its number (8 bytes, present
//! if [`number_of`] finds one). Numbers are in the target's byte order. It is a line of its own, so
//! that whatever happens to the directive's line, even in a stand-in that edits lines, leaves it.

use std::fmt::Write as _;

use types::{Abi, ByteOrder, Image, ImageSection, elf};

use crate::source::cfi_statements;

/// Name of the section.
const SECTION: &str = ".sframe_conformance.log";

/// The symbol that holds the current address.
const HERE: &str = ".Lsframe_conformance_here";

/// Why a log cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// The objects differ in more than the log.
    #[error("with the log the code of {0} is another one")]
    OtherCode(String),
    /// The log is not what was added to the source.
    #[error("{SECTION}+{0:#x} is no record")]
    Malformed(usize),
}

/// The source with a log of its directives.
pub fn logged(source: &str, abi: Abi) -> String {
    let mut text = String::with_capacity(source.len() * 2);
    let mut from = 0;
    for statement in cfi_statements(source, abi) {
        let directive = source.get(statement.clone()).unwrap_or_default();
        text.push_str(source.get(from..statement.start).unwrap_or_default());
        from = statement.start;
        let line = directive.replace('\n', " ").replace('"', "'");
        let line = line.strip_prefix(".cfi_").unwrap_or(&line);
        let number = number_of(line).map(|number| format!(".8byte ({number}); ")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n.set {HERE}, .; .pushsection {SECTION}, \"a\"; .8byte {HERE}; .asciz \"{line}\"; {number}.popsection\n"
        );
    }
    text.push_str(source.get(from..).unwrap_or_default());
    text
}

/// The operand of a directive that is a number, as an expression.
fn number_of(directive: &str) -> Option<&str> {
    let (name, operands) = directive.split_once(char::is_whitespace)?;
    let number = match name {
        "def_cfa_offset" | "adjust_cfa_offset" => operands,
        "def_cfa" | "offset" | "rel_offset" | "val_offset" => operands.split_once(',')?.1,
        _ => return None,
    };
    Some(number.trim()).filter(|number| !number.is_empty())
}

/// A directive as it was assembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Position of its section among the executable ones.
    pub(crate) section: usize,
    /// Offset in that section.
    pub(crate) offset: u64,
    pub(crate) text: String,
    /// The value of its number.
    pub(crate) number: Option<i64>,
}

/// The executable sections of an object, in order.
pub(crate) fn code(image: &Image) -> Vec<&ImageSection> {
    image.sections.iter().filter(|section| section.flags & elf::SHF_EXECINSTR != 0).collect()
}

/// The records of the object with the log, if its code is that of the other one.
pub(crate) fn records(plain: &Image, logged: &Image) -> Result<Vec<Record>, LogError> {
    let (before, after) = (code(plain), code(logged));
    let bytes = |section: &ImageSection| section.original.clone().unwrap_or_else(|| section.bytes.clone());
    for (nth, section) in before.iter().enumerate() {
        let is_equal = after.get(nth).is_some_and(|other| other.name == section.name && bytes(other) == bytes(section));
        if !is_equal || before.len() != after.len() {
            return Err(LogError::OtherCode(section.name.clone()));
        }
    }
    let mut records: Vec<Record> = Vec::new();
    let Some(log) = logged.sections.iter().find(|section| section.name == SECTION) else { return Ok(records) };
    let order = logged.abi.facts().order;
    let mut rest = &log.bytes[..];
    while !rest.is_empty() {
        let malformed = LogError::Malformed(log.bytes.len() - rest.len());
        let address = word(&mut rest, order).ok_or_else(|| malformed.clone())?;
        let end = rest.iter().position(|byte| *byte == 0).ok_or_else(|| malformed.clone())?;
        let text = rest.get(..end).and_then(|text| std::str::from_utf8(text).ok()).ok_or_else(|| malformed.clone())?;
        rest = rest.get(end + 1..).unwrap_or_default();
        let place = log.address + (log.bytes.len() - rest.len()) as u64;
        let number = match number_of(text) {
            Some(_) => Some(word(&mut rest, order).ok_or_else(|| malformed.clone())?.cast_signed()),
            None => None,
        };
        // A symbol of another file has no value.
        let number = number.filter(|_| logged.unresolved.binary_search(&place).is_err());
        // The end of a function may be the end of its section: that of the directive before it.
        let offset_in = |section: &ImageSection| address.checked_sub(section.address);
        let ends_in = |section: &ImageSection| offset_in(section).is_some_and(|offset| offset <= section.size);
        let is_in = |section: &ImageSection| offset_in(section).is_some_and(|offset| offset < section.size);
        let last = records.last().map(|record| record.section).filter(|_| !text.starts_with("startproc"));
        let last = last.filter(|nth| after.get(*nth).is_some_and(|section| ends_in(section)));
        let found = last.or_else(|| after.iter().position(|section| is_in(section)));
        // CFI of what is no code.
        let Some(section) = found.or_else(|| after.iter().position(|section| ends_in(section))) else { continue };
        let offset = after.get(section).and_then(|section| offset_in(section)).unwrap_or_default();
        records.push(Record { section, offset, text: text.to_owned(), number });
    }
    Ok(records)
}

/// Takes eight bytes.
fn word(rest: &mut &[u8], order: ByteOrder) -> Option<u64> {
    let (bytes, after) = rest.split_first_chunk::<8>()?;
    *rest = after;
    Some(order.u64(*bytes))
}
