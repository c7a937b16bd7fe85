//! The meaning of a section at a PC. It decodes as a consumer for the target would, and fails where
//! a consumer must.

use types::{Abi, AbiFacts, CfaRule, PacKey, Reg, ValueRule};

use super::anatomy::{Anatomy, Descriptor, Header, Row, dissect};
use super::{Meaning, ReaderFacts};
use crate::arch::arch;

/// The rules of a function at a PC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowAt {
    /// The meaning of the row; `None` if the bytes are not a valid row.
    pub(crate) row: Option<Meaning>,
    /// The key of the function, even if the return address is not signed here.
    pub(crate) key: PacKey,
    /// The function is a signal frame, even without rows.
    pub(crate) signal: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DecodedSection {
    functions: Vec<Function>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Function {
    start: u64,
    size: u64,
    key: PacKey,
    signal: bool,
    /// Size in bytes of a block, for functions whose rows apply to each block.
    block: Option<u64>,
    /// Start and meaning of each row; `None` if the bytes are not a valid row.
    rows: Vec<(u64, Option<Meaning>)>,
    /// The meaning if there are no rows at all.
    rowless: Option<Meaning>,
}

/// The anchor of the start fields of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Starts {
    /// By the header's flag, as defined for linked files.
    Flag,
    /// The field, as in relocatable objects, whose relocations for start fields are PC-relative
    /// with or without the flag.
    Field,
}

/// Decodes a section at `address`. `None` if a consumer cannot read any of it.
pub(crate) fn decode(abi: Abi, bytes: &[u8], address: u64, starts: Starts) -> Option<DecodedSection> {
    let Anatomy { header, descriptors } = dissect(abi.facts().order, bytes)?;
    let rows_end = header.rows_at.checked_add(header.row_bytes)?;
    let whole = descriptors.len() as u64 == header.functions && rows_end <= bytes.len() as u64;
    if header.abi != arch(abi).reader().id || !whole {
        return None;
    }
    let pcrel = header.version.counts_from_field(header.flags);
    let mut functions = Vec::new();
    for descriptor in &descriptors {
        let start = match starts {
            Starts::Flag if !pcrel => address.wrapping_add_signed(descriptor.start),
            Starts::Flag | Starts::Field => address.wrapping_add(descriptor.at).wrapping_add_signed(descriptor.start),
        };
        functions.push(function(abi, &header, descriptor, start)?);
    }
    Some(DecodedSection { functions })
}

impl DecodedSection {
    /// The rules of each function that covers a PC.
    pub(crate) fn rows_at(&self, pc: u64) -> impl Iterator<Item = RowAt> {
        let covering = self.functions.iter().filter(move |function| pc.wrapping_sub(function.start) < function.size);
        covering.map(move |function| RowAt {
            row: function.row(pc.wrapping_sub(function.start)),
            key: function.key,
            signal: function.signal,
        })
    }

    /// PCs at which the rules can change; at most `most` blocks of a function of blocks.
    pub(crate) fn boundaries(&self, most: usize) -> impl Iterator<Item = u64> {
        self.functions.iter().flat_map(move |function| {
            let (start, size) = (function.start, function.size);
            let step = usize::try_from(function.block.unwrap_or(size)).unwrap_or(usize::MAX).max(1);
            let blocks = (0..size).step_by(step).take(most);
            let rows = blocks.flat_map(|block| function.rows.iter().map(move |(row, _)| block.saturating_add(*row)));
            let within = rows.filter(move |offset| *offset < size).map(move |offset| start.saturating_add(offset));
            [start, start.saturating_add(size)].into_iter().chain(within)
        })
    }

    /// Start and size of each function that the other section does not have with the same rows.
    pub(crate) fn differing(&self, other: &DecodedSection) -> impl Iterator<Item = (u64, u64)> {
        let mut same: Vec<&Function> = other.functions.iter().collect();
        same.sort_by_key(|function| (function.start, function.size));
        let is_same = move |function: &&Function| {
            let key = (function.start, function.size);
            let from = same.partition_point(|one| (one.start, one.size) < key);
            same.iter().skip(from).take_while(|one| (one.start, one.size) == key).any(|one| one == function)
        };
        let differing = self.functions.iter().filter(move |function| !is_same(function));
        differing.map(|function| (function.start, function.size))
    }

    /// Start and size of each function, in the order of the FDEs.
    pub(crate) fn extents(&self) -> impl Iterator<Item = (u64, u64)> {
        self.functions.iter().map(|function| (function.start, function.size))
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

/// Decodes a function. `None` if its attributes are outside the section.
fn function(abi: Abi, header: &Header, descriptor: &Descriptor, start: u64) -> Option<Function> {
    let Descriptor { size, info, info2, row_count, .. } = *descriptor;
    if !descriptor.complete {
        return None;
    }
    let signal = header.version.attributes && info & 0x80 != 0;
    let key = if info & 0x20 != 0 { PacKey::B } else { PacKey::A };
    let context = Context { facts: abi.facts(), target: arch(abi).reader(), header, key, signal };
    let meaning = |row: &Row| match (row.words.is_empty(), info2 & 0x1f) {
        (_, 2..) => None,
        (true, _) => Some(Meaning::outermost(signal)),
        (false, 1) => context.flexible(&row.words),
        (false, _) => context.plain(row.info, &row.words),
    };
    let mut rows: Vec<(u64, Option<Meaning>)> = descriptor.rows.iter().map(|row| (row.start, meaning(row))).collect();
    // The rows before an unreadable one are still valid.
    if (rows.len() as u64) < row_count || descriptor.start_size().is_none() {
        rows.push((rows.last().map_or(0, |(start, _)| *start), None));
    }
    let rowless = (header.version.attributes && row_count == 0 && !signal).then(|| Meaning::outermost(false));
    // Without a field, consumers assume a block size of 16.
    let block = descriptor.in_blocks().then(|| descriptor.block.unwrap_or(16));
    Some(Function { start, size, key, signal, block, rows, rowless })
}

/// The context for decoding a function's rows.
struct Context<'a> {
    facts: &'static AbiFacts,
    target: &'static ReaderFacts,
    header: &'a Header,
    key: PacKey,
    signal: bool,
}

impl Context<'_> {
    /// Decodes a default row. The words are CFA, return address if not fixed, FP.
    fn plain(&self, info: u64, words: &[(u64, i64)]) -> Option<Meaning> {
        let Context { facts, target, header, .. } = *self;
        let reg = if info & 1 != 0 { facts.sp } else { facts.fp };
        let (_, cfa) = words.first()?;
        let (scaled, offset) = (target.scaled, target.cfa(*cfa));
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
        let fp = values.next().unwrap_or(self.fixed_fp());
        let signed = (info & 0x80 != 0 && target.signs && header.version.signed_bit).then_some(self.key);
        Some(Meaning { cfa: CfaRule::Register { reg, offset }, ra, fp, signed, signal: self.signal })
    }

    /// The rule by "CFA fixed FP offset", for rows whose FP has no word.
    fn fixed_fp(&self) -> ValueRule {
        let fixed = self.header.fixed_fp;
        if fixed == 0 { ValueRule::SameValue } else { ValueRule::AtCfa(fixed) }
    }

    /// Decodes a flexible row: pairs of control and offset for CFA, return address and FP.
    fn flexible(&self, words: &[(u64, i64)]) -> Option<Meaning> {
        let mut words = words.iter();
        let mut item = || -> Option<Option<(u64, i64)>> {
            match words.next() {
                None | Some((0, _)) => Some(None),
                Some((control, _)) => Some(Some((*control, words.next()?.1))),
            }
        };
        let (cfa, ra, fp) = (item()??, item()?, item()?);
        let offset = self.target.cfa(cfa.1);
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
        let fixed = self.header.fixed_ra;
        let default = if fixed == 0 { ValueRule::SameValue } else { ValueRule::AtCfa(fixed) };
        let ra = ra.map_or(Some(default), rule)?;
        let fp = fp.map_or(Some(self.fixed_fp()), rule)?;
        Some(Meaning { cfa, ra, fp, signed: None, signal: self.signal })
    }
}
