//! Edits of a section in text: `f1.info = 0x40; num_fres = rows + 1`.
//!
//! | Statement | Does |
//! |---|---|
//! | `FIELD = VALUE` | overrides a field, or with `+=` adds to it |
//! | `set flags BITS`, `clear flags BITS` | changes the flags |
//! | `swap A B` | exchanges two functions, or two rows |
//! | `add ADDRESS SIZE` | appends a function without rows |
//! | `copy A B` | inserts a copy of function A at B |
//! | `remove A B` | removes the functions from A to B |
//! | `keep COUNT FIELD` | truncates rows or words |
//! | `rows-reversed` | writes the functions' rows in the reverse order |
//! | `rows-first` | puts the rows before the descriptors |
//! | `second PADDING` | appends another section, after zero bytes (`aligned`: up to a multiple of 8) |
//!
//! A field is that of the header, of a function (`f1.size`; `last.size`; `f*`: of all) or of a row
//! (`f0.r2.start`; `f0.r2.w1`: its second word). A value is a sum of numbers and fields; words are
//! numbers and control words (`16 #0x37`, `#sp` for SP as the base), rows a start, a base and words
//! (`4 sp 16 -8, 9 flex #sp 8`; without base and words: outermost).

use types::Abi;

use super::encode::{SectionAddress, encode};
use super::field::{Field, FunctionAt, set_function, set_header, set_row, value};
use super::flex::{Control, control};
use super::spec::{Base, FunctionSpec, RowSpec, SectionSpec, Word};

impl SectionSpec {
    /// The section after statements that are separated by `;`.
    ///
    /// # Panics
    /// If a statement means nothing.
    #[must_use]
    pub fn edited(mut self, statements: &str) -> Self {
        for statement in statements.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            edit(&mut self, SectionAddress::Relocatable, statement).unwrap_or_else(|| panic!("{statement:?}"));
        }
        self
    }
}

/// Applies a statement; a second section is encoded for `place`. `None` if it means nothing.
#[must_use]
pub(crate) fn edit(section: &mut SectionSpec, place: SectionAddress, statement: &str) -> Option<()> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    match words[..] {
        ["set", "flags", bits] => section.flags |= integer(bits)? as u8,
        ["clear", "flags", bits] => section.flags &= !(integer(bits)? as u8),
        ["swap", one, other] => swap(section, Field::parse(one), Field::parse(other))?,
        ["add", address, size] => {
            let (address, size) = (integer(address)? as u64, integer(size)? as u32);
            section.functions.push(FunctionSpec::new(address, size, Vec::new()));
        }
        ["copy", from, to] => {
            let copy = section.functions.get(Field::parse(from).index(section)?)?.clone();
            section.functions.insert(Field::parse(to).index(section)?, copy);
        }
        ["remove", first, last] => {
            let range = Field::parse(first).index(section)?..=Field::parse(last).index(section)?;
            section.functions.drain(range);
        }
        ["keep", count, field] => {
            let (field, count) = (Field::parse(field), count.parse().ok()?);
            let index = field.index(section)?;
            let function = section.functions.get_mut(index)?;
            match field.row {
                None => function.rows.truncate(count),
                Some(row) => function.rows.get_mut(row)?.words.truncate(count),
            }
        }
        ["rows-first"] => rows_first(section, place),
        ["rows-reversed"] => section.row_order = Some((0..section.functions.len()).rev().collect()),
        ["second", padding] => append_second(section, place, padding)?,
        _ => {
            let (name, value) = statement.split_once('=')?;
            let (name, adds) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
            assign(section, Field::parse(name.trim()), adds, value.trim())?;
        }
    }
    Some(())
}

fn swap(section: &mut SectionSpec, one: Field<'_>, other: Field<'_>) -> Option<()> {
    let (first, second) = (one.index(section)?, other.index(section)?);
    match (one.row, other.row) {
        (Some(one), Some(other)) => section.functions.get_mut(first)?.rows.swap(one, other),
        _ => section.functions.swap(first, second),
    }
    Some(())
}

/// Moves the rows into the gap before the descriptors.
fn rows_first(section: &mut SectionSpec, place: SectionAddress) {
    let whole = encode(section, place).expect("a correct section").bytes;
    let rows = whole[whole.len() - section.row_bytes()..].to_vec();
    section.header.fre_len = Some(rows.len() as u32);
    section.header.freoff = Some(0);
    section.fde_gap = rows;
    let mut offset = 0;
    for function in &mut section.functions {
        function.overrides.fre_offset = Some(offset);
        function.overrides.no_blob = true;
        offset += function.row_bytes(section.layout) as u32;
    }
}

/// Appends a section with the first function alone.
fn append_second(section: &mut SectionSpec, place: SectionAddress, padding: &str) -> Option<()> {
    let size = encode(section, SectionAddress::Relocatable).expect("a correct section").bytes.len();
    let padding = if padding == "aligned" { size.next_multiple_of(8) - size } else { padding.parse().ok()? };
    let mut second = section.clone();
    second.functions.truncate(1);
    section.trailing = vec![0; padding];
    section.trailing.extend(encode(&second, place).expect("a section that is correct elsewhere").bytes);
    Some(())
}

fn assign(section: &mut SectionSpec, field: Field<'_>, adds: bool, text: &str) -> Option<()> {
    if field.function == Some(FunctionAt::Each) {
        for index in 0..section.functions.len() {
            assign(section, Field { function: Some(FunctionAt::Index(index)), ..field }, adds, text)?;
        }
        return Some(());
    }
    let abi = section.abi;
    if let Some(bytes) = match (field.function, field.name) {
        (None, "aux") => Some(&mut section.aux),
        (None, "fde_gap") => Some(&mut section.fde_gap),
        (None, "fre_gap") => Some(&mut section.fre_gap),
        (None, "trailing") => Some(&mut section.trailing),
        _ => None,
    } {
        *bytes = parse_bytes(text)?;
        return Some(());
    }
    let index = field.index(section);
    let function = index.and_then(|index| section.functions.get_mut(index));
    match (function, field.row, field.name) {
        (Some(function), None, "rows") => {
            function.rows =
                text.split(',').filter(|row| !row.is_empty()).map(|row| parse_row(abi, row)).collect::<Option<_>>()?;
        }
        (Some(function), Some(row), "") => {
            let row_spec = parse_row(abi, text)?;
            match function.rows.get_mut(row) {
                Some(old) => *old = row_spec,
                None => function.rows.push(row_spec),
            }
        }
        (Some(function), Some(row), name) if name.starts_with('w') && name != "width" => {
            let words = text.split_whitespace().map(|word| parse_word(abi, word)).collect::<Option<Vec<_>>>()?;
            let row = function.rows.get_mut(row)?;
            match (adds, name.strip_prefix('w')?.parse::<usize>()) {
                (true, _) => row.words.extend(words),
                (_, Ok(position)) => *row.words.get_mut(position)? = *words.first()?,
                (_, Err(_)) => row.words = words,
            }
        }
        _ => {
            let before = if adds { value(section, field)? } else { 0 };
            let value = before.wrapping_add(number(section, text)?);
            match (index, field.row) {
                (None, _) => set_header(section, field.name, value)?,
                (Some(index), None) => set_function(section.functions.get_mut(index)?, field.name, value)?,
                (Some(index), Some(row)) => {
                    set_row(section.functions.get_mut(index)?.rows.get_mut(row)?, field.name, value)?;
                }
            }
        }
    }
    Some(())
}

/// The value of a sum of numbers and fields.
fn number(section: &SectionSpec, text: &str) -> Option<i64> {
    let (mut sum, mut sign) = (0_i64, 1);
    for word in text.split_whitespace() {
        match word {
            "+" => sign = 1,
            "-" => sign = -1,
            term => {
                let rows = || section.functions.iter().map(|function| function.rows.len()).sum::<usize>() as i64;
                let fde = section.layout.fde_size() as u64;
                let term = match term {
                    "rows" => rows(),
                    "row_bytes" => section.row_bytes() as i64,
                    "fde_bytes" => section.functions.len() as i64 * fde as i64,
                    // Of FDEs that take 4 GiB: the 32-bit product wraps to few bytes.
                    "wrapping_fdes" => (1_u64 << 32).div_ceil(fde) as i64,
                    term => integer(term).or_else(|| value(section, Field::parse(term)))?,
                };
                sum = sum.wrapping_add(term.wrapping_mul(sign));
            }
        }
    }
    Some(sum)
}

/// A decimal or hexadecimal number of up to 64 bits.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text).replace('_', "");
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => digits.parse().ok()?,
    };
    Some(if text.starts_with('-') { magnitude.wrapping_neg() } else { magnitude })
}

/// Bytes: `0 0xff`, `16*0`.
fn parse_bytes(text: &str) -> Option<Vec<u8>> {
    let run = |word: &str| {
        let (count, byte) = word.split_once('*').unwrap_or(("1", word));
        Some(vec![integer(byte)? as u8; count.parse().ok()?])
    };
    Some(text.split_whitespace().map(run).collect::<Option<Vec<_>>>()?.concat())
}

fn parse_word(abi: u8, text: &str) -> Option<Word> {
    match text.strip_prefix('#') {
        Some("sp") => Some(control(Control::Register(Abi::from_sframe_id(abi)?.facts().sp))),
        Some(number) => Some(Word::Control(integer(number)? as u32)),
        None => Some(Word::Offset(integer(text)? as i32)),
    }
}

fn parse_row(abi: u8, text: &str) -> Option<RowSpec> {
    let mut parts = text.split_whitespace();
    let start = integer(parts.next()?)? as u32;
    let Some(base) = parts.next() else { return Some(RowSpec::outermost(start)) };
    let words = parts.map(|word| parse_word(abi, word)).collect::<Option<Vec<_>>>()?;
    let row = RowSpec::flex(start, words);
    match base {
        "flex" | "fp" => Some(row),
        "sp" => Some(RowSpec { base: Base::Sp, ..row }),
        _ => None,
    }
}
