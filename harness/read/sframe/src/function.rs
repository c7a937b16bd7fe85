//! A function of a table: its range, its rows with their meaning, and the row for a PC.

use core::num::NonZeroU8;
use core::ops::Deref;

use types::{PacKey, Pc, UnwindRow};

use crate::Rules;
use crate::table::{StoredRow, Table, UNREAD};

/// Data that a table stores for a function. Addresses are absolute.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// Address of the first byte of code.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// Position in the function descriptor table.
    pub fde_index: u32,
    /// True for a signal frame: the caller was interrupted, so its PC is exact. Always false before
    /// V3.
    pub signal: bool,
    /// Key that signs return addresses (AArch64).
    pub key: PacKey,
    /// PCMASK: size of the repeating block that row starts are relative to.
    pub mask: Option<NonZeroU8>,
    /// Index of the first row in the table's rows, and one past the last.
    pub(crate) rows: (u32, u32),
}

/// A function of a table, with its rows.
#[derive(Clone, Copy, Debug)]
pub struct Function<'t> {
    pub(crate) table: &'t Table,
    pub(crate) facts: &'t FunctionFacts,
}

impl Deref for Function<'_> {
    type Target = FunctionFacts;

    fn deref(&self) -> &FunctionFacts {
        self.facts
    }
}

/// A row with its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Start in bytes from the function's start, or from the start of the repeating block.
    pub start: u32,
    /// Byte offset of the row in the section.
    pub offset: u64,
    /// Rules for the caller.
    pub rules: Rules,
}

impl FunctionFacts {
    /// Returns true if the address lies in the function.
    #[inline]
    pub fn covers(&self, pc: u64) -> bool {
        self.start <= pc && pc < self.end
    }

    /// Offset of an address in the function, or in its repeating block: (pc - start) mod block.
    #[inline]
    fn offset_in_block(&self, pc: u64) -> Option<u64> {
        if !self.covers(pc) {
            return None;
        }
        let offset = pc.checked_sub(self.start)?;
        match self.mask {
            Some(block) => offset.checked_rem(u64::from(block.get())),
            None => Some(offset),
        }
    }
}

impl<'t> Function<'t> {
    /// Byte offset of the descriptor in the section.
    pub fn offset(&self) -> u64 {
        self.table.descriptor_at(self.fde_index)
    }

    /// The rows in file order, starts not decreasing. Empty if the FDE has no FREs. One whose words
    /// mean nothing has no rules for the caller ([`Self::is_unread`]).
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + Clone + use<'t> {
        let table = self.table;
        self.kept().iter().map(move |kept| table.row(kept))
    }

    /// Starts of the rows, in bytes from the start of the function or of the repeating block; not
    /// decreasing.
    pub fn row_starts(&self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'t> {
        self.kept().iter().map(|kept| kept.start)
    }

    /// The row at this position.
    #[inline]
    pub fn row(&self, index: usize) -> Option<Row> {
        self.kept().get(index).map(|kept| self.table.row(kept))
    }

    /// Number of rows that start before an offset.
    pub fn rows_before(&self, offset: u64) -> usize {
        self.kept().partition_point(|row| u64::from(row.start) < offset)
    }

    /// Position of the row for an address: the last row whose start is not above the address's
    /// offset in the function or block. `None` outside the function, before the first row, and
    /// where the words of the row mean nothing.
    #[inline]
    pub fn row_index_at(&self, pc: u64) -> Option<usize> {
        let index = self.last_before(pc)?;
        self.kept().get(index).filter(|row| row.meaning != UNREAD).map(|_| index)
    }

    /// Returns true if the words of the row for an address mean nothing.
    pub fn is_unread(&self, pc: u64) -> bool {
        let row = self.last_before(pc).and_then(|index| self.kept().get(index));
        row.is_some_and(|row| row.meaning == UNREAD)
    }

    #[inline]
    fn last_before(&self, pc: u64) -> Option<usize> {
        let offset = self.offset_in_block(pc)?;
        self.kept().partition_point(|row| u64::from(row.start) <= offset).checked_sub(1)
    }

    /// The row for an address, as [`Self::row_index_at`] finds it.
    #[inline]
    pub fn row_at(&self, pc: u64) -> Option<Row> {
        self.row(self.row_index_at(pc)?)
    }

    /// A row of this function with the range of addresses around `pc` that it is valid for: up to
    /// the next row, the end of the function, or the end of the repeating block.
    pub fn instantiate(&self, row: &Row, pc: u64) -> UnwindRow {
        let block = pc.saturating_sub(self.offset_in_block(pc).unwrap_or(0));
        let rows = self.kept();
        let after = rows.partition_point(|other| other.start <= row.start);
        let limit = match self.mask {
            Some(size) => block.saturating_add(u64::from(size.get())).min(self.end),
            None => self.end,
        };
        let next = rows.get(after).map_or(limit, |next| block.saturating_add(u64::from(next.start)));
        let Rules { cfa, ra, fp, signed } = row.rules;
        UnwindRow {
            start: Pc(block.saturating_add(u64::from(row.start))),
            end: Pc(next.min(limit)),
            cfa,
            ra,
            fp,
            signed,
            key: self.key,
            signed_with_pc: false,
            sp: None,
            signal: self.signal,
        }
    }

    /// The row for an address, with the range of addresses that it is valid for.
    pub fn unwind_row(&self, pc: u64) -> Option<UnwindRow> {
        self.row_at(pc).map(|row| self.instantiate(&row, pc))
    }

    /// All addresses in the function at which a row begins, ascending. Lazy: a PCMASK function
    /// repeats its rows in every block, and there can be as many blocks as the function has bytes.
    pub fn boundaries(&self) -> impl Iterator<Item = u64> + use<'t> {
        let (rows, start, end) = (self.kept(), self.start, self.end);
        let size = end.saturating_sub(start);
        let step = self.mask.map_or(size, |block| u64::from(block.get())).max(1);
        // Rows ascend. If none begins inside the block, up to four billion blocks need not be
        // searched.
        let inside = self.rows_before(step);
        let blocks = if inside == 0 { 0 } else { size.div_ceil(step) };
        let starts = rows.iter().take(inside).enumerate().filter(move |(index, row)| {
            // Of rows with the same start the last is valid; together they are one boundary.
            rows.get(index.saturating_add(1)).is_none_or(|next| next.start != row.start)
        });
        (0..blocks)
            .flat_map(move |block| {
                let base = start.saturating_add(block.saturating_mul(step));
                starts.clone().map(move |(_, row)| base.saturating_add(u64::from(row.start)))
            })
            .filter(move |pc| *pc < end)
    }

    #[inline]
    fn kept(&self) -> &'t [StoredRow] {
        self.table.kept(self.facts.rows)
    }
}
