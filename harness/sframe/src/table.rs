//! All functions of a section at their addresses: what an unwinder looks up.
//!
//! Only the first SFrame element of a section is read. A function that cannot be read is left out and listed in
//! [`Table::broken`]; the others answer. Memory and time are bounded by the bytes of the section; see `budget.rs`.

use std::collections::HashMap;
use std::num::NonZeroU8;
use std::sync::Arc;

use model::{Abi, SframeVersion};

use crate::budget::Budget;
use crate::meaning;
use crate::spans::Spans;
use crate::{ErrorKind, FuncDesc, Function, Header, ParseError, Row, Section};

/// Where a section is, and what its function starts count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Address of the section's first byte.
    pub section_address: u64,
    /// Base of function starts.
    pub starts: StartBase,
}

/// What function starts count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartBase {
    /// As the header's PCREL flag says: the field that holds the value, or the section's first byte.
    Header,
    /// The field, whatever the flag says: GNU as before 2.45 placed a PC-relative relocation there and left the flag
    /// clear, so the relocated value in an ET_REL file counts from the field.
    FieldRelative,
    /// The section's first byte, whatever the flag says.
    SectionRelative,
}

impl Placement {
    /// The base of starts in a file: relocated fields of ET_REL count from the field when the relocation is
    /// PC-relative, which every producer's is; linked files go by the flag.
    pub fn in_file(kind: model::ImageKind, section_address: u64) -> Placement {
        let starts = match kind {
            model::ImageKind::Relocatable => StartBase::FieldRelative,
            _ => StartBase::Header,
        };
        Placement { section_address, starts }
    }

    /// The address of a function, or none where it leaves the address space.
    pub fn start_of(&self, header: &Header, entry: &crate::Entry) -> Option<u64> {
        let from_field = match self.starts {
            StartBase::Header => header.flags.pcrel(),
            StartBase::FieldRelative => true,
            StartBase::SectionRelative => false,
        };
        let base = self.section_address.checked_add(if from_field { entry.offset } else { 0 })?;
        base.checked_add_signed(entry.start)
    }
}

/// The functions of a section, sorted by address.
#[derive(Clone, Debug)]
pub struct Table {
    abi: Abi,
    version: SframeVersion,
    functions: Vec<Function>,
    spans: Spans,
    broken: Vec<(u32, ParseError)>,
}

impl Table {
    /// Reads all functions of a section.
    ///
    /// # Errors
    /// [`ErrorKind::Abi`]: rows have no meaning without an ABI.
    pub fn new(section: &Section<'_>, place: Placement) -> Result<Table, ParseError> {
        let header = &section.header;
        let unknown = ParseError::new(ErrorKind::Abi(header.abi_arch), crate::header::at::ABI);
        let abi = header.abi().ok_or(unknown)?;
        let mut reader = Reader { section, abi, place, budget: Budget::of(section), shared: HashMap::new() };
        let mut functions = Vec::new();
        let mut broken = Vec::new();
        for entry in section.entries() {
            match section.function(entry).and_then(|function| reader.function(&function)) {
                Ok(function) => functions.push(function),
                Err(error) => broken.push((entry.index, error)),
            }
        }
        functions.sort_by_key(|function| (function.start, function.fde_index));
        let spans = Spans::of(&functions);
        Ok(Table { abi, version: header.version(), functions, spans, broken })
    }

    /// The header's ABI.
    pub fn abi(&self) -> Abi {
        self.abi
    }

    /// The version; V2 is errata 1 where the section shows it.
    pub fn version(&self) -> SframeVersion {
        self.version
    }

    /// All readable functions by start address, and by position in the file where starts are equal.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function that covers an address. Where several do: the one that starts last, of those the first in the file.
    pub fn find(&self, pc: u64) -> Option<&Function> {
        self.functions.get(self.spans.find(pc)?)
    }

    /// Functions that could not be read, by position in the file, and why.
    pub fn broken(&self) -> &[(u32, ParseError)] {
        &self.broken
    }
}

/// Offset of the first row, number of rows, FRE type, FDE type.
type RowsKey = (u64, u32, u8, u8);

struct Reader<'s, 'a> {
    section: &'s Section<'a>,
    abi: Abi,
    place: Placement,
    budget: Budget,
    /// Rows by what decides their bytes and meaning, and their length in bytes.
    shared: HashMap<RowsKey, (Arc<[Row]>, u64)>,
}

impl Reader<'_, '_> {
    fn function(&mut self, function: &FuncDesc) -> Result<Function, ParseError> {
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
        Ok(Function {
            start,
            end,
            fde_index: entry.index,
            offset: entry.offset,
            signal: self.section.header.is_signal(attributes.info),
            key: meaning::key(self.abi, function),
            mask,
            rows: self.rows(function)?,
        })
    }

    fn rows(&mut self, function: &FuncDesc) -> Result<Arc<[Row]>, ParseError> {
        let attributes = &function.attributes;
        let key = (attributes.rows_at, attributes.num_fres, attributes.info.fre_type(), attributes.info2.fde_type());
        if let Some((rows, length)) = self.shared.get(&key) {
            self.budget.walk(function, *length)?;
            return Ok(Arc::clone(rows));
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut raw = self.section.rows(function);
        let mut index = 0_u32;
        for row in raw.by_ref() {
            let row = row?;
            self.budget.decode(function, row.end.saturating_sub(row.offset))?;
            if rows.last().is_some_and(|previous| previous.start > row.start) {
                return Err(ParseError::new(ErrorKind::RowOrder { row: index, start: row.start }, row.offset));
            }
            let rules = meaning::rules(&self.section.header, self.abi, function, &row)?;
            rows.push(Row { start: row.start, offset: row.offset, rules });
            index = index.saturating_add(1);
        }
        let length = raw.position().saturating_sub(attributes.rows_at);
        self.budget.walk(function, length)?;
        let rows: Arc<[Row]> = rows.into();
        self.shared.insert(key, (Arc::clone(&rows), length));
        Ok(rows)
    }
}
