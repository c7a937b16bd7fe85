//! Reads functions and their rows for a table: each row is decoded once, and equal meanings are
//! stored once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::num::NonZeroU8;

use types::Abi;

use crate::budget::Budget;
use crate::function::FunctionFacts;
use crate::meaning::{self, Rules};
use crate::recent::{Recent, Words};
use crate::table::{Placement, StoredRow, UNREAD};
use crate::{ErrorKind, FrameRow, FuncDesc, ParseError, Section};

/// Offset of the first row, number of rows, FRE type, FDE type.
type RowsKey = (u64, u32, u8, u8);

pub(crate) struct Reader<'s, 'a> {
    section: &'s Section<'a>,
    abi: Abi,
    place: Placement,
    budget: Budget,
    rows: Vec<StoredRow>,
    meanings: Vec<Rules>,
    /// An ordered map, so that no words in a hostile file make look-ups slow.
    by_words: BTreeMap<Words, u32>,
    recent: Recent<u32>,
    /// Row offsets that more than one function has, ascending.
    claimed: Vec<u32>,
    /// Rows of these functions, keyed by everything that determines their bytes and meaning.
    shared: BTreeMap<RowsKey, Decoded>,
}

/// The rows of a function.
#[derive(Clone, Copy)]
struct Decoded {
    /// Index of the first row, and one past the last.
    rows: (u32, u32),
    /// Length in bytes.
    length: u64,
    /// Error of the first row whose words mean nothing.
    unread: Option<ParseError>,
}

impl<'s, 'a> Reader<'s, 'a> {
    pub(crate) fn new(section: &'s Section<'a>, abi: Abi, place: Placement) -> Self {
        Reader {
            section,
            abi,
            place,
            budget: Budget::new(section),
            rows: Vec::new(),
            meanings: Vec::new(),
            by_words: BTreeMap::new(),
            recent: Recent::new(),
            claimed: claimed(section),
            shared: BTreeMap::new(),
        }
    }

    /// The rows of all functions read, and the distinct meanings.
    pub(crate) fn finish(mut self) -> (Vec<StoredRow>, Vec<Rules>) {
        self.rows.shrink_to_fit();
        (self.rows, self.meanings)
    }

    /// A function, with the error of its first row whose words mean nothing.
    pub(crate) fn function(&mut self, function: &FuncDesc) -> Result<(FunctionFacts, Option<ParseError>), ParseError> {
        let FuncDesc { entry, attributes } = function;
        let address = ParseError::new(ErrorKind::Address, entry.offset);
        let start = self.place.start_of(&self.section.header, entry).ok_or(address)?;
        let end = start.checked_add(u64::from(entry.size)).ok_or(address)?;
        if attributes.info2.fde_type() > 1 {
            let at = attributes.info_at.saturating_add(1);
            return Err(ParseError::new(ErrorKind::FdeType(attributes.info2.fde_type()), at));
        }
        let mask = match attributes.block() {
            Some(size) => {
                Some(NonZeroU8::new(size).ok_or(ParseError::new(ErrorKind::BlockSize, attributes.rep_size_at))?)
            }
            None => None,
        };
        let Decoded { rows, unread, .. } = self.rows(function)?;
        let facts = FunctionFacts {
            start,
            end,
            fde_index: entry.index,
            signal: self.section.header.is_signal(attributes.info),
            key: function.key(self.abi),
            mask,
            rows,
        };
        Ok((facts, unread))
    }

    fn rows(&mut self, function: &FuncDesc) -> Result<Decoded, ParseError> {
        if self.claimed.binary_search(&function.entry.fre_off).is_err() {
            return self.fresh(function);
        }
        let attributes = &function.attributes;
        let key = (attributes.rows_at, attributes.num_fres, attributes.info.fre_type(), attributes.info2.fde_type());
        if let Some(known) = self.shared.get(&key) {
            self.budget.walk(function, known.length)?;
            return Ok(*known);
        }
        let read = self.fresh(function)?;
        self.shared.insert(key, read);
        Ok(read)
    }

    /// Decodes and stores the rows of a function.
    fn fresh(&mut self, function: &FuncDesc) -> Result<Decoded, ParseError> {
        let before = self.rows.len();
        let read = self.decode(function, before);
        if read.is_err() {
            self.rows.truncate(before);
        }
        read
    }

    fn decode(&mut self, function: &FuncDesc, before: usize) -> Result<Decoded, ParseError> {
        let section = self.section;
        let area = section.header.fres_at();
        let mut last = None;
        let mut raw = section.rows(function);
        let mut index = 0_u32;
        let mut unread = None;
        for row in raw.by_ref() {
            let row = row?;
            self.budget.decode(function, row.end.saturating_sub(row.offset))?;
            if last.is_some_and(|last| last > row.start) {
                return Err(ParseError::new(ErrorKind::RowOrder { row: index, start: row.start }, row.offset));
            }
            last = Some(row.start);
            let meaning = match self.meaning_of(function, &row) {
                Err(error) if error.kind != ErrorKind::Overlap => {
                    unread = unread.or(Some(error));
                    UNREAD
                }
                meaning => meaning?,
            };
            // A row is inside the FRE sub-section, whose length is a 32-bit number.
            let at = row.offset.saturating_sub(area) as u32;
            self.rows.push(StoredRow { start: row.start, at, meaning });
            index = index.saturating_add(1);
        }
        let length = raw.position().saturating_sub(function.attributes.rows_at);
        self.budget.walk(function, length)?;
        let number = |rows: usize| number(function, rows);
        Ok(Decoded { rows: (number(before)?, number(self.rows.len())?), length, unread })
    }

    /// Index of the row's meaning.
    fn meaning_of(&mut self, function: &FuncDesc, row: &FrameRow<'_>) -> Result<u32, ParseError> {
        let words = row.packed().map(|words| (function.attributes.info2.flex(), row.info.0, words));
        let slot = words.and_then(|words| self.recent.slot(words));
        if let (Some(Some((before, meaning))), Some(words)) = (&slot, words)
            && *before == words
        {
            return Ok(*meaning);
        }
        let known = words.and_then(|words| self.by_words.get(&words).copied());
        let meaning = match known {
            Some(meaning) => meaning,
            None => {
                let rules = meaning::rules(&self.section.header, self.abi, function, row)?;
                let meaning = number(function, self.meanings.len())?;
                self.meanings.push(rules);
                self.by_words.extend(words.map(|words| (words, meaning)));
                meaning
            }
        };
        if let (Some(slot), Some(words)) = (slot, words) {
            *slot = Some((words, meaning));
        }
        Ok(meaning)
    }
}

/// Converts a row index to 32 bits. More rows fit the FRE sub-section only if functions share them.
fn number(function: &FuncDesc, count: usize) -> Result<u32, ParseError> {
    u32::try_from(count).map_err(|_| ParseError::new(ErrorKind::Overlap, function.entry.offset))
}

/// Row offsets that more than one function has, ascending. Producers write row offsets in ascending
/// order, each once.
fn claimed(section: &Section<'_>) -> Vec<u32> {
    let offsets = || section.entries().map(|entry| entry.fre_off);
    if offsets().is_sorted_by(|a, b| a < b) {
        return Vec::new();
    }
    let mut sorted: Vec<u32> = offsets().collect();
    sorted.sort_unstable();
    let twice = |pair: &[u32]| if let [a, b] = pair { (a == b).then_some(*a) } else { None };
    let mut claimed: Vec<u32> = sorted.windows(2).filter_map(twice).collect();
    claimed.dedup();
    claimed
}
