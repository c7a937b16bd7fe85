//! Removes functions and rows from a section. The remaining bytes are copied unchanged, except
//! fields that depend on the removed ones: counts, lengths, offsets, and starts relative to their
//! own field.
//!
//! Nothing is re-encoded from its meaning, so the producer's encoding stays visible: a header that
//! counts one row too many still does so afterwards, and bytes that belong to no function stay in
//! place. Offsets are absolute, in bytes from the start of the original section.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use types::ByteOrder;

use crate::header::at;
use crate::{ErrorKind, FuncEntry, ParseError, Section};

/// The functions and rows to remove.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cut {
    /// Positions in the function descriptor table.
    pub functions: BTreeSet<u32>,
    /// Offsets of rows. A row that several functions share is removed from all of them.
    pub rows: BTreeSet<u64>,
}

/// A section after removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remainder {
    /// Bytes of the smaller section.
    pub bytes: Vec<u8>,
    /// Removed ranges, ascending and disjoint, as offsets in the original section.
    pub gone: Vec<Range<u64>>,
}

/// A function that can be removed, with those of its rows that can be removed alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Position in the function descriptor table.
    pub function: u32,
    /// Offsets of the rows that can be read, in file order.
    pub rows: Vec<u64>,
    /// Why some or all rows could not be read: their bytes are removed with the function or kept.
    pub unread: Option<ParseError>,
}

/// Why functions or rows cannot be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// Bytes to be removed also belong to something that is kept.
    #[error("bytes at {0:#x} are also part of what remains")]
    Shared(u64),
    /// The new value of a field does not fit it.
    #[error("the field at {0:#x} cannot hold its new value")]
    Range(u64),
}

/// Maximum number of rows examined in a section: a bound for hostile tables, in which every
/// function claims the rows of all others. Functions beyond it can only be removed whole.
const MOST_ROWS: usize = 1 << 20;

impl<'a> Section<'a> {
    /// Everything that can be removed, in file order.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut left = MOST_ROWS;
        self.entries()
            .map(|entry| {
                let (rows, unread) = self.extents(entry, &mut left);
                let rows = rows.into_iter().map(|row| row.start).collect();
                Piece { function: entry.index, rows, unread }
            })
            .collect()
    }

    /// Returns the section without the functions and rows of `cut`. `from_field` is true for an
    /// entry whose start is relative to the field that holds it, so that the start changes when the
    /// entry moves; a field that a relocation fills does not change.
    ///
    /// # Errors
    /// If bytes to be removed are also part of something kept, or a new value does not fit its
    /// field.
    pub fn without(&self, cut: &Cut, from_field: &dyn Fn(&FuncEntry) -> bool) -> Result<Remainder, CutError> {
        let plan = Plan::new(self, cut)?;
        let mut bytes = plan.copy(self);
        let mut patch = Patch { bytes: &mut bytes, order: self.header.order, plan: &plan };
        patch.header(self)?;
        for kept in &plan.kept {
            patch.function(self, kept, from_field)?;
        }
        Ok(Remainder { bytes, gone: plan.gone })
    }

    /// Byte ranges of a function's rows, as far as they can be read.
    fn extents(&self, entry: FuncEntry, left: &mut usize) -> (Vec<Range<u64>>, Option<ParseError>) {
        let function = match self.function(entry) {
            Ok(function) => function,
            Err(error) => return (Vec::new(), Some(error)),
        };
        let mut extents = Vec::new();
        for row in self.rows(&function) {
            *left = left.saturating_sub(1);
            match row {
                Ok(_) if *left == 0 => {
                    return (extents, Some(ParseError { kind: ErrorKind::Overlap, offset: entry.offset }));
                }
                Ok(row) => extents.push(row.offset..row.end),
                Err(error) => return (extents, Some(error)),
            }
        }
        (extents, None)
    }

    /// Attribute block of a function, if the version has one and it is inside the FRE sub-section.
    fn block(&self, entry: FuncEntry) -> Option<Range<u64>> {
        let size = self.header.format.block_size();
        let at = self.function(entry).ok()?.attributes.offset;
        (size > 0).then(|| at..at.saturating_add(size))
    }
}

/// A function that is kept.
struct Survivor {
    entry: FuncEntry,
    /// Number of rows removed from it.
    fewer: u64,
}

/// What is removed and what is kept.
struct Plan {
    gone: Vec<Range<u64>>,
    kept: Vec<Survivor>,
    functions: u64,
    rows: u64,
}

impl Plan {
    fn new(section: &Section<'_>, cut: &Cut) -> Result<Plan, CutError> {
        let mut left = MOST_ROWS;
        let (mut going, mut staying, mut perhaps) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Plan { gone: Vec::new(), kept: Vec::new(), functions: 0, rows: 0 };
        for entry in section.entries() {
            let (rows, unread) = section.extents(entry, &mut left);
            let own = entry.offset..entry.offset.saturating_add(section.header.format.entry_size());
            if cut.functions.contains(&entry.index) {
                plan.functions = plan.functions.saturating_add(1);
                let claimed = section.function(entry).map_or(0, |function| function.attributes.num_fres);
                plan.rows = plan.rows.saturating_add(u64::from(claimed));
                going.push(own);
                // Another function may use the same rows.
                perhaps.extend(section.block(entry));
                perhaps.extend(rows);
            } else {
                staying.push(own);
                staying.extend(section.block(entry));
                // The end of an unreadable row is unknown; its start is known.
                staying.extend(unread.map(|error| error.offset..error.offset.saturating_add(1)));
                let (fewer, more): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| cut.rows.contains(&row.start));
                let count = fewer.len() as u64;
                going.extend(fewer);
                staying.extend(more);
                plan.rows = plan.rows.saturating_add(count);
                plan.kept.push(Survivor { entry, fewer: count });
            }
        }
        let staying = merged(staying);
        if let Some(range) = going.iter().find(|range| meets(&staying, range)) {
            return Err(CutError::Shared(range.start));
        }
        going.extend(perhaps.into_iter().filter(|range| !meets(&staying, range)));
        plan.gone = merged(going);
        Ok(plan)
    }

    /// New offset of a byte; for a removed byte, that of the next kept one.
    fn moved(&self, offset: u64) -> u64 {
        let before = self.gone.iter().take_while(|range| range.start < offset);
        let length = |range: &Range<u64>| range.end.min(offset).saturating_sub(range.start);
        offset.saturating_sub(before.fold(0, |sum: u64, range| sum.saturating_add(length(range))))
    }

    fn copy(&self, section: &Section<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut from = 0;
        for range in &self.gone {
            bytes.extend(section.bytes(from, range.start.saturating_sub(from)).unwrap_or_default());
            from = range.end;
        }
        bytes.extend(section.bytes(from, section.size().saturating_sub(from)).unwrap_or_default());
        bytes
    }
}

/// Writes integers into the copy.
struct Patch<'p> {
    bytes: &'p mut [u8],
    order: ByteOrder,
    plan: &'p Plan,
}

impl Patch<'_> {
    fn header(&mut self, section: &Section<'_>) -> Result<(), CutError> {
        let (header, plan) = (&section.header, self.plan);
        let (fdes, fres, end) = (header.fdes_at(), header.fres_at(), header.end());
        let fields = [
            (at::NUM_FDES, u64::from(header.num_fdes).saturating_sub(plan.functions)),
            (at::NUM_FRES, u64::from(header.num_fres).saturating_sub(plan.rows)),
            (at::FRE_LEN, plan.moved(header.fres_end()).saturating_sub(plan.moved(fres))),
            (at::FDEOFF, plan.moved(fdes).saturating_sub(end)),
            (at::FREOFF, plan.moved(fres).saturating_sub(end)),
        ];
        fields.into_iter().try_for_each(|(at, value)| self.put(at, 4, value))
    }

    fn function(
        &mut self,
        section: &Section<'_>,
        kept: &Survivor,
        from_field: &dyn Fn(&FuncEntry) -> bool,
    ) -> Result<(), CutError> {
        let (plan, entry) = (self.plan, &kept.entry);
        let back = entry.offset.saturating_sub(plan.moved(entry.offset));
        if back > 0 && from_field(entry) {
            let width = section.start_width();
            let start = entry.start.checked_add_unsigned(back).ok_or(CutError::Range(entry.offset))?;
            if width == 4 && i32::try_from(start).is_err() {
                return Err(CutError::Range(entry.offset));
            }
            self.put_signed(entry.offset, width, start)?;
        }
        let fres = section.header.fres_at();
        let rows = plan.moved(fres.saturating_add(u64::from(entry.fre_off))).saturating_sub(plan.moved(fres));
        // An offset outside the FRE sub-section refers to nothing: it stays unchanged.
        if entry.fre_off <= section.header.fre_len {
            self.put(section.fre_off_at(entry), 4, rows)?;
        }
        if let (Ok(function), true) = (section.function(*entry), kept.fewer > 0) {
            let attributes = function.attributes;
            let count = u64::from(attributes.num_fres).saturating_sub(kept.fewer);
            self.put(attributes.num_fres_at, section.count_width(), count)?;
        }
        Ok(())
    }

    /// Writes an unsigned integer at the new position of an old offset.
    fn put(&mut self, offset: u64, width: u8, value: u64) -> Result<(), CutError> {
        let room = u32::from(width).saturating_mul(8);
        if room < u64::BITS && value.checked_shr(room).is_some_and(|rest| rest > 0) {
            return Err(CutError::Range(offset));
        }
        self.write(offset, width, value)
    }

    fn put_signed(&mut self, offset: u64, width: u8, value: i64) -> Result<(), CutError> {
        self.write(offset, width, value as u64)
    }

    fn write(&mut self, offset: u64, width: u8, value: u64) -> Result<(), CutError> {
        let outside = CutError::Range(offset);
        let from = usize::try_from(self.plan.moved(offset)).map_err(|_| outside)?;
        let upto = from.checked_add(usize::from(width)).ok_or(outside)?;
        let place = self.bytes.get_mut(from..upto).ok_or(outside)?;
        match self.order {
            ByteOrder::Little => place.iter_mut().zip(value.to_le_bytes()).for_each(|(to, byte)| *to = byte),
            ByteOrder::Big => {
                place.iter_mut().rev().zip(value.to_le_bytes()).for_each(|(to, byte)| *to = byte);
            }
        }
        Ok(())
    }
}

/// Sorts ranges and merges those that touch.
fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Returns true if a range intersects one of the ranges, which are sorted and disjoint.
fn meets(ranges: &[Range<u64>], one: &Range<u64>) -> bool {
    let after = ranges.partition_point(|range| range.end <= one.start);
    ranges.get(after).is_some_and(|range| range.start < one.end)
}
