//! One function as a table answers for it: its range, its rows with their meaning, which row covers a pc.

use std::num::NonZeroU8;
use std::sync::Arc;

use model::{PacKey, Pc, UnwindRow};

use crate::Rules;

/// A function of a table. Addresses are absolute.
#[derive(Clone, Debug)]
pub struct Function {
    /// Address of the first byte of code.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// Position in the function descriptor table.
    pub fde_index: u32,
    /// Byte offset of the descriptor in the section.
    pub offset: u64,
    /// The caller was interrupted, so its pc is exact. Always false before V3.
    pub signal: bool,
    /// Key that signs return addresses (AArch64).
    pub key: PacKey,
    /// PCMASK: size of the repeating block that rows count in.
    pub mask: Option<NonZeroU8>,
    pub(crate) rows: Arc<[Row]>,
}

/// A row and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Bytes from the function's start, or from the start of the repeating block.
    pub start: u32,
    /// Byte offset of the row in the section.
    pub offset: u64,
    /// How the caller is found.
    pub rules: Rules,
}

impl Function {
    /// The rows in file order, starts not decreasing. None: the function has no rule (a V3 signal frame that could not
    /// be described, or an empty description).
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// True when the address lies in the function.
    pub fn covers(&self, pc: u64) -> bool {
        self.start <= pc && pc < self.end
    }

    /// The row for an address in the function: the last whose start is not above the address's offset in function or
    /// block. None outside the function and before the first row.
    pub fn row_at(&self, pc: u64) -> Option<&Row> {
        let offset = self.offset_in_block(pc)?;
        let after = self.rows.partition_point(|row| u64::from(row.start) <= offset);
        self.rows.get(after.checked_sub(1)?)
    }

    /// A row of this function with the addresses around `pc` that it holds for: up to the next row, the end of the
    /// function, or the end of the repeating block.
    pub fn instantiate(&self, row: &Row, pc: u64) -> UnwindRow {
        let block = pc.saturating_sub(self.offset_in_block(pc).unwrap_or(0));
        let after = self.rows.partition_point(|other| other.start <= row.start);
        let limit = match self.mask {
            Some(size) => block.saturating_add(u64::from(size.get())).min(self.end),
            None => self.end,
        };
        let next = self.rows.get(after).map_or(limit, |next| block.saturating_add(u64::from(next.start)));
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

    /// The row for an address, with the addresses it holds for.
    pub fn unwind_row(&self, pc: u64) -> Option<UnwindRow> {
        self.row_at(pc).map(|row| self.instantiate(row, pc))
    }

    /// Every address in the function where a row begins, ascending. Lazy: a PCMASK function repeats its rows in every
    /// block, and there can be as many blocks as the function has bytes.
    pub fn boundaries(&self) -> impl Iterator<Item = u64> + '_ {
        let size = self.end.saturating_sub(self.start);
        let step = self.mask.map_or(size, |block| u64::from(block.get())).max(1);
        // Rows ascend. Without one inside the block there is nothing to look for in four billion blocks.
        let inside = self.rows.partition_point(|row| u64::from(row.start) < step);
        let blocks = if inside == 0 { 0 } else { size.div_ceil(step) };
        let starts = self.rows.iter().take(inside).enumerate().filter(move |(index, row)| {
            // Of rows with one start the last holds, and it is one boundary.
            self.rows.get(index.saturating_add(1)).is_none_or(|next| next.start != row.start)
        });
        (0..blocks)
            .flat_map(move |block| {
                let base = self.start.saturating_add(block.saturating_mul(step));
                starts.clone().map(move |(_, row)| base.saturating_add(u64::from(row.start)))
            })
            .filter(|pc| *pc < self.end)
    }

    /// Offset of an address in the function, or in its repeating block: (pc - start) mod block.
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
