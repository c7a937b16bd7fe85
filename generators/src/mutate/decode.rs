//! The meaning of a `.sframe` section's bytes at a PC, to separate mutants that change meaning from those that do not. Written
//! from the format's text, apart from both the encoder and the reader under test, so that no mistake of theirs hides a mutant.
//!
//! It reads as a consumer of the target would, and gives up where that must.

use types::{Abi, ByteOrder, CfaRule, PacKey, Reg, SframeVersion, ValueRule};

use super::meaning::Meaning;

/// What a function says at a PC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// Of its row; none where the bytes make none.
    pub row: Option<Meaning>,
    /// The key of the function, whether or not the return address is signed here.
    pub key: PacKey,
    /// The function is that of frames that the kernel pushed, also where it has no row.
    pub signal: bool,
}

/// A section as read.
#[derive(Clone, Debug, Default)]
pub struct DecodedSection {
    functions: Vec<Function>,
}

#[derive(Clone, Debug)]
struct Function {
    start: u64,
    size: u64,
    key: PacKey,
    signal: bool,
    /// Bytes of a block, for functions whose rows hold for each block.
    block: Option<u64>,
    /// Starts and meanings; none where the bytes make no row.
    rows: Vec<(u64, Option<Meaning>)>,
    /// What holds where there is no row at all.
    rowless: Option<Meaning>,
}

/// What the start fields of functions count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts<'a> {
    /// What the header's flag says: the rule in linked files.
    Flag,
    /// The field: the rule in relocatable objects, whose relocations for them are PC-relative whatever the flag.
    Field,
    /// These values, one for each function: what the relocations of a relocatable object come to.
    Addends(&'a [u64]),
}

/// Reads a section at `address`. None where a consumer cannot read any of it.
pub fn decode(abi: Abi, bytes: &[u8], address: u64, starts: Starts<'_>) -> Option<DecodedSection> {
    let reader = Reader { order: abi.facts().order, bytes };
    if reader.unsigned(0, 2)? != 0xdee2 {
        return None;
    }
    let version = version(reader.unsigned(2, 1)?)?;
    if reader.unsigned(4, 1)? != target(abi).id {
        return None;
    }
    let header = Header {
        abi,
        version,
        pcrel: version.pcrel_flag && reader.unsigned(3, 1)? & 4 != 0,
        fixed_fp: reader.signed(5, 1)?,
        fixed_ra: reader.signed(6, 1)?,
        rows: 0,
        row_bytes: reader.unsigned(16, 4)?,
    };
    let base = 28 + reader.unsigned(7, 1)?;
    let (count, table) = (reader.unsigned(8, 4)?, base + reader.unsigned(20, 4)?);
    let header = Header { rows: base + reader.unsigned(24, 4)?, ..header };
    let end = table.checked_add(count.checked_mul(version.entry)?)?;
    if end > bytes.len() as u64 || header.rows.checked_add(header.row_bytes)? > bytes.len() as u64 {
        return None;
    }
    let mut functions = Vec::new();
    for index in 0..count {
        let at = table + index * version.entry;
        let field = reader.signed(at, version.start)?;
        let start = match starts {
            Starts::Addends(addends) => addends.get(index as usize)?.wrapping_add_signed(field),
            Starts::Flag if !header.pcrel => address.wrapping_add_signed(field),
            Starts::Flag | Starts::Field => address.wrapping_add(at).wrapping_add_signed(field),
        };
        functions.push(function(&reader, &header, at, start)?);
    }
    Some(DecodedSection { functions })
}

impl DecodedSection {
    /// The row's meaning at a PC: empty where no function covers it, `None` where one does but has no row, several where
    /// functions overlap.
    pub fn at(&self, pc: u64) -> Vec<Option<Meaning>> {
        let mut answers: Vec<Option<Meaning>> = Vec::new();
        for said in self.said(pc) {
            if !answers.contains(&said.row) {
                answers.push(said.row);
            }
        }
        answers
    }

    /// What each function that covers a PC says there.
    pub fn said(&self, pc: u64) -> impl Iterator<Item = Said> {
        let covering = self.functions.iter().filter(move |function| pc.wrapping_sub(function.start) < function.size);
        covering.map(move |function| Said {
            row: function.row(pc - function.start),
            key: function.key,
            signal: function.signal,
        })
    }

    /// PCs at which what is said can change; of a function made of blocks at most so many.
    pub fn boundaries(&self, most: usize) -> impl Iterator<Item = u64> {
        self.boundaries_between(0, u64::MAX, most)
    }

    /// The same for functions that begin in a range.
    pub fn boundaries_between(&self, from: u64, to: u64, most: usize) -> impl Iterator<Item = u64> {
        let wanted = self.functions.iter().filter(move |function| (from..to).contains(&function.start));
        wanted.flat_map(move |function| {
            let (start, size) = (function.start, function.size);
            let step = usize::try_from(function.block.unwrap_or(size)).unwrap_or(usize::MAX).max(1);
            let blocks = (0..size).step_by(step).take(most);
            let rows = blocks.flat_map(|block| function.rows.iter().map(move |(row, _)| block.saturating_add(*row)));
            let within = rows.filter(move |offset| *offset < size).map(move |offset| start.saturating_add(offset));
            [start, start.saturating_add(size)].into_iter().chain(within)
        })
    }

    /// Start and size of each function, in the order of the table.
    pub fn extents(&self) -> impl Iterator<Item = (u64, u64)> {
        self.functions.iter().map(|function| (function.start, function.size))
    }

    /// Start and size of all functions, ascending, each range once.
    pub fn ranges(&self) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = self
            .functions
            .iter()
            .map(|function| (function.start, function.size))
            .filter(|(_, size)| *size > 0)
            .collect();
        ranges.sort_unstable();
        ranges.dedup();
        ranges
    }
}

impl Function {
    fn row(&self, offset: u64) -> Option<Meaning> {
        let offset = match self.block {
            Some(0) => None,
            Some(block) => Some(offset % block),
            None => Some(offset),
        };
        let row = offset.and_then(|offset| self.rows.iter().rev().find(|(start, _)| *start <= offset));
        row.map_or(self.rowless, |(_, meaning)| *meaning)
    }
}

struct Header {
    abi: Abi,
    version: &'static Version,
    pcrel: bool,
    fixed_fp: i64,
    fixed_ra: i64,
    /// Offset of the row area.
    rows: u64,
    row_bytes: u64,
}

/// What the format's text has for a version. Sizes in bytes.
struct Version {
    number: u64,
    /// An entry of the table of functions.
    entry: u64,
    /// A function's start field.
    start: u64,
    /// "SFrame Flags": starts can count from their own field.
    pcrel_flag: bool,
    /// The attributes of a function stand in front of its rows, with a second info byte and a bit for signal frames; no rows mean
    /// an outermost frame.
    attributes: bool,
    /// There is a field for the size of blocks; without, consumers assume 16.
    block_size: bool,
    /// "s390x": an odd word stands for a register.
    odd_words: bool,
    /// "SFrame FRE Info Word": bit 7 is that of a mangled return address.
    signed_bit: bool,
}

const V1: Version = Version {
    number: 1,
    entry: 17,
    start: 4,
    pcrel_flag: false,
    attributes: false,
    block_size: false,
    odd_words: true,
    signed_bit: true,
};

const V2: Version = Version { number: 2, entry: 20, pcrel_flag: true, block_size: true, ..V1 };

const V3: Version = Version { number: 3, entry: 16, start: 8, attributes: true, odd_words: false, ..V2 };

/// The version of a version byte.
fn version(byte: u64) -> Option<&'static Version> {
    let versions = SframeVersion::ALL.into_iter().map(|version| match version {
        SframeVersion::V1 => &V1,
        SframeVersion::V2 | SframeVersion::V2Errata1 => &V2,
        SframeVersion::V3 => &V3,
    });
    versions.into_iter().find(|version| version.number == byte)
}

/// What the format's text has for a target.
struct Target {
    /// "SFrame ABI/arch Identifier".
    id: u64,
    /// "s390x": CFA offsets are stored as (offset - 160) / 8, 0 stands for a register that is not saved, and in V2 an odd word
    /// for a register.
    scaled: bool,
    /// Return addresses can be mangled.
    signs: bool,
}

const fn target(abi: Abi) -> Target {
    match abi {
        Abi::Aarch64Be => Target { id: 1, scaled: false, signs: true },
        Abi::Aarch64 => Target { id: 2, scaled: false, signs: true },
        Abi::Amd64 => Target { id: 3, scaled: false, signs: false },
        Abi::S390x => Target { id: 4, scaled: true, signs: false },
    }
}

fn function(reader: &Reader<'_>, header: &Header, at: u64, start: u64) -> Option<Function> {
    let Version { start: start_size, attributes, block_size, .. } = *header.version;
    let rest = at + start_size;
    let size = reader.unsigned(rest, 4)?;
    let mut cursor = header.rows + reader.unsigned(rest + 4, 4)?;
    let (count, info, info2, block) = if attributes {
        let fields = (
            reader.unsigned(cursor, 2)?,
            reader.unsigned(cursor + 2, 1)?,
            reader.unsigned(cursor + 3, 1)?,
            reader.unsigned(cursor + 4, 1)?,
        );
        cursor += 5;
        fields
    } else {
        let block = if block_size { reader.unsigned(rest + 13, 1)? } else { 16 };
        (reader.unsigned(rest + 8, 4)?, reader.unsigned(rest + 12, 1)?, 0, block)
    };
    let signal = attributes && info & 0x80 != 0;
    let kind = Kind {
        flex: info2 & 0x1f == 1,
        known: info2 & 0x1f < 2,
        key: if info & 0x20 != 0 { PacKey::B } else { PacKey::A },
        signal,
    };
    let start_bytes = match info & 0xf {
        0 => 1,
        1 => 2,
        2 => 4,
        _ => 0,
    };
    let mut rows = Vec::new();
    if start_bytes != 0 {
        let end = header.rows + header.row_bytes;
        for _ in 0..count {
            match row(reader, header, &kind, cursor, start_bytes, end) {
                Some((next, start, meaning)) => {
                    rows.push((start, meaning));
                    cursor = next;
                }
                // The rows before an unreadable one still hold.
                None => {
                    rows.push((rows.last().map_or(0, |(start, _)| *start), None));
                    break;
                }
            }
        }
    } else {
        rows.push((0, None));
    }
    let rowless = (attributes && count == 0 && !signal).then(|| Meaning::outermost(false));
    Some(Function { start, size, key: kind.key, signal, block: (info & 0x10 != 0).then_some(block), rows, rowless })
}

struct Kind {
    flex: bool,
    known: bool,
    key: PacKey,
    signal: bool,
}

/// The offset behind the row, its start, and what it means.
fn row(
    reader: &Reader<'_>,
    header: &Header,
    kind: &Kind,
    at: u64,
    start_bytes: u64,
    end: u64,
) -> Option<(u64, u64, Option<Meaning>)> {
    let start = reader.unsigned(at, start_bytes)?;
    let info = reader.unsigned(at + start_bytes, 1)?;
    let (count, size) = (info >> 1 & 0xf, [1, 2, 4, 0][(info >> 5 & 3) as usize]);
    let first = at + start_bytes + 1;
    let next = first + count * size;
    if next > end || (size == 0 && count > 0) {
        return None;
    }
    let words: Vec<(u64, i64)> = (0..count)
        .map(|index| Some((reader.unsigned(first + index * size, size)?, reader.signed(first + index * size, size)?)))
        .collect::<Option<_>>()?;
    let meaning = match (words.is_empty(), kind.known, kind.flex) {
        (_, false, _) => None,
        (true, ..) => Some(Meaning::outermost(kind.signal)),
        (false, _, true) => flexible(header, kind, &words),
        (false, _, false) => plain(header, kind, info, &words),
    };
    Some((next, start, meaning))
}

/// A default row. The words are CFA, return address where it is not fixed, FP.
fn plain(header: &Header, kind: &Kind, info: u64, words: &[(u64, i64)]) -> Option<Meaning> {
    let facts = header.abi.facts();
    let reg = if info & 1 != 0 { facts.sp } else { facts.fp };
    let (_, cfa) = words.first()?;
    let Target { scaled, signs, .. } = target(header.abi);
    let offset = if scaled { cfa * 8 + 160 } else { *cfa };
    let mut values = words[1..].iter().map(|(_, word)| match word {
        0 if scaled => ValueRule::SameValue,
        word if scaled && header.version.odd_words && word & 1 != 0 => {
            ValueRule::Register { reg: Reg((word >> 1) as u16), offset: 0 }
        }
        word => ValueRule::AtCfa(*word),
    });
    let ra = match header.fixed_ra {
        0 if facts.link_register => values.next().unwrap_or(ValueRule::SameValue),
        0 => ValueRule::SameValue,
        fixed => ValueRule::AtCfa(fixed),
    };
    let fp = values.next().unwrap_or(fixed_fp(header));
    let signed = (info & 0x80 != 0 && signs && header.version.signed_bit).then_some(kind.key);
    Some(Meaning { cfa: CfaRule::Register { reg, offset }, ra, fp, signed, signal: kind.signal })
}

/// "CFA fixed FP offset": where the row has no word of its own.
fn fixed_fp(header: &Header) -> ValueRule {
    if header.fixed_fp == 0 { ValueRule::SameValue } else { ValueRule::AtCfa(header.fixed_fp) }
}

/// A flexible row: pairs of control and offset for CFA, return address and FP.
fn flexible(header: &Header, kind: &Kind, words: &[(u64, i64)]) -> Option<Meaning> {
    let mut words = words.iter();
    let mut item = || -> Option<Option<(u64, i64)>> {
        match words.next() {
            None | Some((0, _)) => Some(None),
            Some((control, _)) => Some(Some((*control, words.next()?.1))),
        }
    };
    let (cfa, ra, fp) = (item()??, item()?, item()?);
    let offset = if target(header.abi).scaled { cfa.1 * 8 + 160 } else { cfa.1 };
    let reg = Reg((cfa.0 >> 3) as u16);
    let cfa = match cfa.0 & 7 {
        1 => CfaRule::Register { reg, offset },
        3 => CfaRule::Memory { reg, offset },
        _ => return None,
    };
    let rule = |(control, offset): (u64, i64)| {
        let reg = Reg((control >> 3) as u16);
        match control & 7 {
            0 => Some(ValueRule::CfaPlus(offset)),
            1 => Some(ValueRule::Register { reg, offset }),
            2 => Some(ValueRule::AtCfa(offset)),
            3 => Some(ValueRule::Memory { reg, offset }),
            _ => None,
        }
    };
    let default = if header.fixed_ra == 0 { ValueRule::SameValue } else { ValueRule::AtCfa(header.fixed_ra) };
    let ra = ra.map_or(Some(default), rule)?;
    let fp = fp.map_or(Some(fixed_fp(header)), rule)?;
    Some(Meaning { cfa, ra, fp, signed: None, signal: kind.signal })
}

struct Reader<'a> {
    order: ByteOrder,
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn unsigned(&self, at: u64, size: u64) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(size as usize)?)?;
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(match self.order {
            ByteOrder::Big => bytes.iter().fold(0, fold),
            ByteOrder::Little => bytes.iter().rev().fold(0, fold),
        })
    }

    fn signed(&self, at: u64, size: u64) -> Option<i64> {
        let unused = 64 - 8 * size as u32;
        let value = self.unsigned(at, size)?;
        Some(if unused == 64 { 0 } else { ((value << unused) as i64) >> unused })
    }
}
