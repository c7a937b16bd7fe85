//! All functions of a section with their addresses, for look-up by an unwinder.
//!
//! Only the first SFrame element of a section is read. Functions that cannot be read, or of which a
//! row has no meaning, are listed in [`Table::broken`]; all other functions and rows can be looked
//! up. Memory and time are bounded by the size of the
//! section; see `budget.rs`.
//!
//! Each distinct meaning of a row is stored once: the million rows of a large library have a few
//! hundred.

use alloc::vec::Vec;
use types::{Abi, SframeVersion};

use crate::cover::{Cover, Piece};
use crate::function::FunctionFacts;
use crate::reader::Reader;
use crate::{ErrorKind, Function, Header, ParseError, Row, Rules, Section};

/// Address of a section, and base of its function starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Address of the section's first byte.
    pub section_address: u64,
    /// Base of function starts.
    pub starts: StartBase,
}

/// Base of function starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartBase {
    /// As the PCREL flag in the header defines: the field that holds the value, or the section's
    /// first byte.
    Header,
    /// The field, regardless of the flag: GNU as before 2.45 emitted a PC-relative relocation for
    /// it and left the flag clear, so the relocated value in an ET_REL file is relative to the
    /// field.
    FieldRelative,
    /// The section's first byte, regardless of the flag.
    SectionRelative,
}

impl Placement {
    /// The placement in a file: relocated fields of ET_REL are relative to the field if the
    /// relocation is PC-relative, as every producer's is; linked files follow the flag.
    pub fn in_file(kind: types::ImageKind, section_address: u64) -> Placement {
        let starts = match kind {
            types::ImageKind::Relocatable => StartBase::FieldRelative,
            _ => StartBase::Header,
        };
        Placement { section_address, starts }
    }

    /// The address of a function, or `None` if it exceeds the 64-bit address space.
    pub fn start_of(&self, header: &Header, entry: &crate::FuncEntry) -> Option<u64> {
        let from_field = match self.starts {
            StartBase::Header => header.flags.pcrel(),
            StartBase::FieldRelative => true,
            StartBase::SectionRelative => false,
        };
        let base = self.section_address.checked_add(if from_field { entry.offset } else { 0 })?;
        base.checked_add_signed(entry.start)
    }
}

/// A look-up table: the functions of a section, sorted by address.
#[derive(Clone, Debug)]
pub struct Table {
    abi: Abi,
    version: SframeVersion,
    place: Placement,
    functions: Vec<FunctionFacts>,
    /// The rows of all functions; those of one function are contiguous.
    rows: Vec<StoredRow>,
    meanings: Vec<Rules>,
    /// Byte offsets of the function descriptor table and of the FRE sub-section in the section.
    descriptors: u64,
    area: u64,
    /// Size of an entry of the function descriptor table in bytes.
    entry_size: u64,
    cover: Cover,
    broken: Vec<(u32, ParseError)>,
}

/// Data that a table stores for a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredRow {
    pub(crate) start: u32,
    /// Byte offset in the FRE sub-section.
    pub(crate) at: u32,
    /// Index of the meaning, or [`UNREAD`].
    pub(crate) meaning: u32,
}

/// [`StoredRow::meaning`] of a row whose words mean nothing.
pub(crate) const UNREAD: u32 = u32::MAX;

impl Table {
    /// Reads all functions of a section.
    ///
    /// # Errors
    /// [`ErrorKind::Abi`]: rows have no meaning without a known ABI.
    pub fn new(section: &Section<'_>, place: Placement) -> Result<Table, ParseError> {
        let header = &section.header;
        let unknown = ParseError::new(ErrorKind::Abi(header.abi_arch), crate::header::at::ABI);
        let abi = header.abi().ok_or(unknown)?;
        let mut reader = Reader::new(section, abi, place);
        let mut functions = Vec::with_capacity(header.num_fdes as usize);
        let mut broken = Vec::new();
        for entry in section.entries() {
            match section.function(entry).and_then(|function| reader.function(&function)) {
                Ok((function, unread)) => {
                    functions.push(function);
                    broken.extend(unread.map(|error| (entry.index, error)));
                }
                Err(error) => broken.push((entry.index, error)),
            }
        }
        functions.sort_by_key(|function| (function.start, function.fde_index));
        let cover = Cover::new(functions.iter().map(|function| (function.start, function.end)));
        let (rows, meanings) = reader.finish();
        Ok(Table {
            abi,
            version: header.version(),
            place,
            functions,
            rows,
            meanings,
            descriptors: header.fdes_at(),
            area: header.fres_at(),
            entry_size: header.format.entry_size(),
            cover,
            broken,
        })
    }

    /// The header's ABI.
    pub fn abi(&self) -> Abi {
        self.abi
    }

    /// The version; V2 with errata 1 if the section shows it.
    pub fn version(&self) -> SframeVersion {
        self.version
    }

    /// The placement that addresses were computed with.
    pub fn place(&self) -> Placement {
        self.place
    }

    /// All readable functions by start address, and by position in the file where starts are equal.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = Function<'_>> + Clone {
        self.functions.iter().map(|facts| Function { table: self, facts })
    }

    /// The function at this position.
    #[inline]
    pub fn function(&self, index: usize) -> Option<Function<'_>> {
        self.functions.get(index).map(|facts| Function { table: self, facts })
    }

    /// The functions that do not start before an address.
    pub fn functions_from(&self, address: u64) -> impl Iterator<Item = Function<'_>> {
        let first = self.functions.partition_point(|function| function.start < address);
        (first..self.functions.len()).filter_map(|index| self.function(index))
    }

    /// The function that covers an address. If several do, the one that starts last; among those
    /// with the same start, the first in the file.
    #[inline]
    pub fn find(&self, pc: u64) -> Option<Function<'_>> {
        self.function(self.position(pc)?)
    }

    /// Position of the function that [`Self::find`] returns.
    #[inline]
    pub fn position(&self, pc: u64) -> Option<usize> {
        self.cover.find(pc, |index| self.range(index))
    }

    /// The ranges between two addresses in which one function is found, ascending.
    pub fn pieces(&self, start: u64, end: u64) -> impl Iterator<Item = Piece> + '_ {
        self.cover.pieces(start, end, |index| self.range(index))
    }

    /// Positions in the file of functions that could not be read, or of which a row could not, with
    /// the first error of each.
    pub fn broken(&self) -> &[(u32, ParseError)] {
        &self.broken
    }

    pub(crate) fn descriptor_at(&self, index: u32) -> u64 {
        self.descriptors.saturating_add(self.entry_size.saturating_mul(u64::from(index)))
    }

    #[inline]
    fn range(&self, index: usize) -> Option<(u64, u64)> {
        self.functions.get(index).map(|function| (function.start, function.end))
    }

    #[inline]
    pub(crate) fn kept(&self, (first, end): (u32, u32)) -> &[StoredRow] {
        self.rows.get(first as usize..end as usize).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn row(&self, kept: &StoredRow) -> Row {
        // The reader assigns every row that it can read the index of an existing meaning.
        let rules = self.meanings.get(kept.meaning as usize).copied().unwrap_or(Rules::NOTHING);
        Row { start: kept.start, offset: self.area.saturating_add(u64::from(kept.at)), rules }
    }
}
