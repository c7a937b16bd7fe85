//! The picture of a frame: 8-byte words of the stack, and the positions of CFA, return address and
//! caller's FP by the truth and by each table.
//!
//! Pure layout: the page draws it as SVG, [`Picture::text`] as lines of text. Without execution
//! there are no addresses; then both rows are placed relative to their base register, if it is the
//! same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::columns::aligned;
use results::{Finding, Values};
use spec::RuleGroup;
use types::{Aspect, CfaRule, Equations, Location, Reg, ValueRule};

/// Bytes of a word on every target.
const WORD: i128 = 8;

/// Maximum number of words between two marks that are drawn one by one; more are a gap.
const CLOSE: i128 = 4;

/// The sources of rows, in the order of columns.
pub const SOURCES: [&str; 3] = ["truth", ".sframe", ".eh_frame"];

/// The stack layout of one finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The register that addresses are relative to; `None` if they are absolute.
    pub base: Option<String>,
    /// Words and gaps, addresses descending.
    pub lines: Vec<Line>,
    /// Positions of CFA, return address, FP and SP.
    pub marks: Vec<Mark>,
    /// Values that are not on the stack: index in [`SOURCES`], text, and whether the value is
    /// wrong.
    pub off_stack: Vec<(usize, String, Agreement)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A word: its lowest address (or offset from [`Picture::base`]), its offset from the CFA, and
    /// its known value.
    Word {
        /// Lowest address of the word's 8 bytes.
        at: i128,
        /// Offset in bytes from the true CFA, or from that of the first table that has one.
        from_cfa: i128,
        /// The value in hex, if it was read.
        value: String,
    },
    /// A gap of this many bytes.
    Gap(i128),
}

/// The position of one value by one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Index of the marked word in [`Picture::lines`].
    pub line: usize,
    /// Index of the source in [`SOURCES`].
    pub source: usize,
    /// `CFA`, `RA`, `FP` or `SP`. CFA and SP mark an address, RA and FP a word.
    pub what: &'static str,
    /// Offset in bytes from the word's lowest address.
    pub above: i128,
    /// Whether the value agrees with the truth.
    pub standing: Agreement,
}

/// The agreement of a value with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The value agrees, or there is nothing to compare it with.
    Sound,
    /// The value differs, or the finding is about it.
    Wrong,
}

/// A value, and its position by a source.
struct Placement {
    source: usize,
    what: &'static str,
    at: i128,
    value: Option<u64>,
    standing: Agreement,
}

impl Picture {
    /// The picture of a finding; `None` if it is not about a frame, no row is available as
    /// equations, or the rows have no common base.
    pub fn new(found: &Finding) -> Option<Picture> {
        let sources = [&found.evidence.truth, &found.evidence.sframe, &found.evidence.eh_frame].map(Option::as_ref);
        let rows = sources.map(|values| values.and_then(|values| values.row.equations()));
        if rows.iter().all(Option::is_none) {
            return None;
        }
        let absolute = sources.iter().flatten().any(|values| values.cfa.is_some());
        let base = if absolute { None } else { Some(common_base(&rows)?) };
        let cfas: [Option<i128>; 3] = std::array::from_fn(|source| match (base, rows[source].map(|row| row.cfa)) {
            (None, _) => sources[source].and_then(|values| values.cfa).map(i128::from),
            (Some(_), Some(CfaRule::Register { offset, .. })) => Some(i128::from(offset)),
            (Some(_), _) => None,
        });
        let mut registers = registers(&rows, &cfas);
        // If the truth has the caller's FP still in its register, the position is the register's
        // value.
        if let (Some(row), Some(fp)) = (rows[0], sources[0].and_then(|values| values.fp))
            && row.fp == Location::Rule(ValueRule::SameValue)
        {
            registers.entry(row.abi.facts().fp).or_insert(i128::from(fp));
        }
        let name = |reg: Reg| rows.iter().flatten().next().and_then(|row| row.abi.register_name(reg));
        let mut picture = Picture { base: base.map(|reg| name(reg).unwrap_or_default()), ..Picture::default() };
        let mut placed = Vec::new();
        if let (Some(cfa), Some(CfaRule::Register { offset, .. })) = (cfas[0], rows[0].map(|row| row.cfa))
            && picture.base.is_none()
        {
            // The truth's row is always relative to the stack pointer.
            let at = cfa - i128::from(offset);
            placed.push(Placement { source: 0, what: "SP", at, value: None, standing: Agreement::Sound });
        }
        for (source, values) in sources.iter().enumerate() {
            let Some(values) = values else { continue };
            let Some(cfa) = cfas[source] else {
                picture.off_stack.push((source, values.row.to_string(), blamed(found, source, None)));
                continue;
            };
            let standing = stands(found, sources, source, Aspect::Cfa);
            placed.push(Placement { source, what: "CFA", at: cfa, value: None, standing });
            let row = rows[source];
            let slots = [
                ("RA", Aspect::Ra, row.map(|row| row.ra), values.ra),
                ("FP", Aspect::Fp, row.map(|row| row.fp), values.fp),
            ];
            for (what, field, home, value) in slots {
                let standing = stands(found, sources, source, field);
                match place(home, cfa, &registers) {
                    Some(at) => placed.push(Placement { source, what, at, value, standing }),
                    None => picture.off_stack.push((source, off_stack(what, row, home, value), standing)),
                }
            }
        }
        if placed.is_empty() {
            return None;
        }
        let anchor = cfas.iter().flatten().next().copied().unwrap_or_default();
        picture.lay_out(&placed, anchor);
        Some(picture)
    }

    /// Lays out words from the highest mark to the lowest, with gaps, and the marks on them.
    fn lay_out(&mut self, placed: &[Placement], anchor: i128) {
        let word_of = |at: i128| at - (at - anchor).rem_euclid(WORD);
        let mut drawn: BTreeSet<i128> = placed.iter().map(|item| word_of(item.at)).collect();
        let marked: Vec<i128> = drawn.iter().copied().collect();
        for pair in marked.windows(2) {
            if let [low, high] = pair
                && (high - low) / WORD <= CLOSE
            {
                drawn.extend((1..(high - low) / WORD).map(|nth| low + nth * WORD));
            }
        }
        let mut values: BTreeMap<i128, String> = BTreeMap::new();
        // The truth's value of a word has priority: it is the first source.
        for item in placed {
            if let Some(value) = item.value {
                values.entry(item.at).or_insert_with(|| format!("{value:#x}"));
            }
        }
        let mut index = BTreeMap::new();
        let mut above: Option<i128> = None;
        for at in drawn.iter().rev().copied() {
            if let Some(above) = above
                && above - at > WORD
            {
                self.lines.push(Line::Gap(above - at - WORD));
            }
            index.insert(at, self.lines.len());
            let value = values.get(&at).cloned().unwrap_or_default();
            self.lines.push(Line::Word { at, from_cfa: at - anchor, value });
            above = Some(at);
        }
        self.marks = placed
            .iter()
            .filter_map(|item| {
                let word = word_of(item.at);
                let line = *index.get(&word)?;
                Some(Mark {
                    line,
                    source: item.source,
                    what: item.what,
                    above: item.at - word,
                    standing: item.standing,
                })
            })
            .collect();
    }

    /// The text of a line's address.
    pub fn address(&self, at: i128) -> String {
        match &self.base {
            Some(base) => format!("{base}{}", offset(at)),
            None if at < 0 => format!("-{:#x}", -at),
            None => format!("{at:#x}"),
        }
    }

    /// The picture as lines of text, addresses descending; `!` marks wrong values.
    pub fn text(&self) -> String {
        let mut rows = vec![["", "", ""].map(str::to_owned).to_vec()];
        rows[0].extend(SOURCES.map(str::to_owned));
        for (index, line) in self.lines.iter().enumerate() {
            let mut row = match line {
                Line::Gap(bytes) => vec![format!(": {bytes} bytes"), String::new(), String::new()],
                Line::Word { at, from_cfa, value } => {
                    vec![self.address(*at), format!("CFA{}", offset(*from_cfa)), value.clone()]
                }
            };
            for source in 0..SOURCES.len() {
                let here = self.marks.iter().filter(|mark| mark.line == index && mark.source == source);
                let words: Vec<String> = here.map(Mark::text).collect();
                row.push(words.join(" "));
            }
            rows.push(row);
        }
        // Without an execution the column of the truth is empty.
        if rows.iter().skip(1).all(|row| row[3].is_empty()) {
            rows.iter_mut().for_each(|row| drop(row.remove(3)));
        }
        let mut text = aligned(&rows, |_| false).join("\n") + "\n";
        for (source, off_stack, standing) in &self.off_stack {
            let wrong = if *standing == Agreement::Wrong { "!" } else { "" };
            let _ = writeln!(text, "{}: {off_stack}{wrong}", SOURCES.get(*source).copied().unwrap_or_default());
        }
        text
    }
}

impl Mark {
    /// The text of a mark, with the offset from the word's start and a `!` if it is wrong.
    pub fn text(&self) -> String {
        let above = if self.above == 0 { String::new() } else { offset(self.above) };
        let wrong = if self.standing == Agreement::Wrong { "!" } else { "" };
        format!("{}{above}{wrong}", self.what)
    }
}

/// The base register that all rows with a known CFA share.
fn common_base(rows: &[Option<&Equations>; 3]) -> Option<Reg> {
    let mut bases = rows.iter().flatten().filter_map(|row| match row.cfa {
        CfaRule::Register { reg, .. } => Some(reg),
        CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => None,
    });
    let first = bases.next()?;
    bases.all(|base| base == first).then_some(first)
}

/// The values of base registers that follow from a computed CFA: the base was the CFA less the
/// offset.
fn registers(rows: &[Option<&Equations>; 3], cfas: &[Option<i128>; 3]) -> BTreeMap<Reg, i128> {
    let mut known = BTreeMap::new();
    for (row, cfa) in rows.iter().zip(cfas) {
        if let (Some(CfaRule::Register { reg, offset }), Some(cfa)) = (row.map(|row| row.cfa), cfa) {
            known.entry(reg).or_insert(cfa - i128::from(offset));
        }
    }
    known
}

/// The address of the word that holds a value.
fn place(home: Option<Location>, cfa: i128, registers: &BTreeMap<Reg, i128>) -> Option<i128> {
    match home? {
        Location::Rule(ValueRule::AtCfa(offset)) => Some(cfa + i128::from(offset)),
        Location::Rule(ValueRule::Memory { reg, offset }) => Some(registers.get(&reg)? + i128::from(offset)),
        Location::Rule(
            ValueRule::SameValue
            | ValueRule::Undefined
            | ValueRule::CfaPlus(_)
            | ValueRule::Register { .. }
            | ValueRule::Expression(_),
        )
        | Location::Elsewhere => None,
    }
}

/// The agreement of a field with the truth; without execution, by the finding itself. A wrong CFA
/// moves the slots too; yet a slot is wrong only if the value read from it is wrong.
fn stands(found: &Finding, sources: [Option<&Values>; 3], source: usize, field: Aspect) -> Agreement {
    let get = |values: &Values| match field {
        Aspect::Cfa => values.cfa,
        Aspect::Ra => values.ra,
        Aspect::Fp | Aspect::Registers | Aspect::Structure | Aspect::Coverage => values.fp,
    };
    match (sources[0].map(get), sources[source].map(get)) {
        (Some(truth), Some(given)) if source > 0 && truth.is_some() => match given == truth {
            true => Agreement::Sound,
            false => Agreement::Wrong,
        },
        _ => blamed(found, source, Some(field)),
    }
}

/// Marks the field as wrong if the finding is about this table and field.
fn blamed(found: &Finding, source: usize, field: Option<Aspect>) -> Agreement {
    let charged = if found.rule().group() == RuleGroup::EhFrame { 2 } else { 1 };
    let field_matches = field.is_none_or(|field| field == found.evidence.field);
    if source == charged && field_matches { Agreement::Wrong } else { Agreement::Sound }
}

fn off_stack(what: &str, row: Option<&Equations>, home: Option<Location>, value: Option<u64>) -> String {
    let value = value.map(|value| format!(" ({value:#x})")).unwrap_or_default();
    let name = |reg: Reg| row.and_then(|row| row.abi.register_name(reg)).unwrap_or_else(|| reg.to_string());
    let sum = |base: &str, by: i64| {
        format!("{what} = {base}{}{value}", if by == 0 { String::new() } else { offset(by.into()) })
    };
    match home {
        Some(Location::Rule(ValueRule::SameValue)) => format!("{what} still in its register{value}"),
        Some(Location::Rule(ValueRule::Undefined)) => format!("{what} undefined"),
        Some(Location::Rule(ValueRule::Register { reg, offset: by })) => sum(&name(reg), by),
        Some(Location::Rule(ValueRule::CfaPlus(by))) => sum("cfa", by),
        Some(Location::Rule(ValueRule::Memory { reg, offset: by })) => {
            format!("{what} in [{}{}]{value}", name(reg), offset(by.into()))
        }
        Some(Location::Rule(ValueRule::AtCfa(by))) => format!("{what} in [cfa{}]{value}", offset(by.into())),
        Some(Location::Rule(ValueRule::Expression(_)) | Location::Elsewhere) | None => {
            format!("{what} elsewhere{value}")
        }
    }
}

fn offset(bytes: i128) -> String {
    format!("{bytes:+}")
}
