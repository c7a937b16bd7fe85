//! Flex rows (SFrame V3, "Flexible FDE"): each value is a control word and an offset; an untracked
//! RA before a tracked FP is a single control word 0.
//!
//! Control word, unsigned: bit 0 the base is a register (else the CFA), bit 1 the value is loaded
//! from base + offset, bit 2 zero, bits 3 and up the DWARF register. On s390x the CFA's offset is
//! scaled as in default rows.

use types::{Abi, CfaRule, ValueRule};

use super::arch::{arch, register};
use super::{Three, fp_untracked, ra_untracked};
use crate::{ErrorKind, FrameRow, Header, ParseError};

/// A control word and its offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Position of the control word in the row.
    pub(crate) index: u8,
    pub(crate) control: u32,
    pub(crate) offset: i64,
}

impl Item {
    pub(crate) fn has_base_register(self) -> bool {
        self.control & 1 != 0
    }

    pub(crate) fn loads(self) -> bool {
        self.control & 2 != 0
    }

    pub(crate) fn register(self) -> u32 {
        self.control >> 3
    }
}

/// The tracked values of a flex row, uninterpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlexRow {
    pub(crate) cfa: Item,
    pub(crate) ra: Option<Item>,
    pub(crate) fp: Option<Item>,
    /// Position of the RA filler.
    pub(crate) filler: Option<u8>,
}

impl FlexRow {
    /// Splits a row's words into pairs. A filler without FP after it is accepted and ignored.
    pub(crate) fn split(row: &FrameRow<'_>) -> Result<FlexRow, ErrorKind> {
        let count = row.info.word_count();
        let mut next = 0_u8;
        let mut pair = |index: u8| {
            let item =
                Item { index, control: row.control_word(index)?, offset: row.offset_word(index.checked_add(1)?)? };
            next = index.checked_add(2)?;
            Some(item)
        };
        let cfa = pair(0).ok_or(ErrorKind::WordCount(count))?;
        let filler = (row.control_word(2) == Some(0)).then_some(2_u8);
        let ra = if filler.is_some() { None } else { pair(2) };
        let fp = pair(if filler.is_some() { 3 } else { 4 });
        let read = match (fp, filler) {
            (None, Some(index)) => index.saturating_add(1),
            _ => next,
        };
        if read != count {
            let known = matches!(count, 2..=6);
            return Err(if known { ErrorKind::FlexWords } else { ErrorKind::WordCount(count) });
        }
        Ok(FlexRow { cfa, ra, fp, filler })
    }
}

pub(crate) fn rules(header: &Header, abi: Abi, row: &FrameRow<'_>) -> Result<Three, ParseError> {
    let items = FlexRow::split(row).map_err(|kind| ParseError::new(kind, row.info_at))?;
    let cfa = {
        let FlexRow { cfa, .. } = items;
        let at = |kind| ParseError::new(kind, row.word_at(cfa.index));
        if !cfa.has_base_register() {
            return Err(at(ErrorKind::CfaControl(cfa.control)));
        }
        let reg = known_register(abi, cfa).map_err(at)?;
        let offset = abi.facts().cfa_word.decode(cfa.offset);
        if cfa.loads() { CfaRule::Memory { reg, offset } } else { CfaRule::Register { reg, offset } }
    };
    let rule = |item: Item| value(abi, item).map_err(|kind| ParseError::new(kind, row.word_at(item.index)));
    let ra = items.ra.map_or_else(|| ra_untracked(header, abi, row), rule)?;
    let fp = items.fp.map_or_else(|| Ok(fp_untracked(header)), rule)?;
    Ok((cfa, ra, fp))
}

fn value(abi: Abi, item: Item) -> Result<ValueRule, ErrorKind> {
    let offset = item.offset;
    Ok(match (item.has_base_register(), item.loads()) {
        (false, true) => ValueRule::AtCfa(offset),
        (false, false) => ValueRule::CfaPlus(offset),
        (true, false) => ValueRule::Register { reg: known_register(abi, item)?, offset },
        (true, true) => ValueRule::Memory { reg: known_register(abi, item)?, offset },
    })
}

fn known_register(abi: Abi, item: Item) -> Result<types::Reg, ErrorKind> {
    let number = item.register();
    if (arch(abi).has_register)(number) { register(number) } else { Err(ErrorKind::Register(i64::from(number))) }
}
