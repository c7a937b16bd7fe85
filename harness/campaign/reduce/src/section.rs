//! A section given to a reader, as parts: functions, their rows and, if no answer depends on the
//! section as a whole, its bytes. Of `.eh_frame` its entries, and the bytes of their instructions.

use std::collections::BTreeSet;

use readers::WrongAnswer;
use results::bundle::{Size, Unit};
use sframe::{FuncEntry, Section, cut};
use types::{ByteOrder, TableFormat};

use super::bench::BenchError;
use super::entries::Entries;
use super::parts::{Cut, Files, Parts, Set};
use super::search::{Bounds, Watch};
use super::{Reduced, search};

/// File name of the reduced section.
pub fn kept_name(format: TableFormat) -> String {
    format!("repro{}", format.section())
}

/// A section in its current state.
#[derive(Clone, Debug)]
pub struct SectionParts {
    bytes: Vec<u8>,
    may_break: bool,
    format: TableFormat,
    order: ByteOrder,
}

/// A part, by its position in the current section.
enum Part {
    Function(u32),
    Row { at: u64, alone: bool },
    Byte(usize),
}

impl SectionParts {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn files(&self) -> Files {
        Files::from([(kept_name(self.format), self.bytes.clone())])
    }

    /// The entries of an `.eh_frame` that is reduced as such.
    fn entries(&self) -> Option<Entries<'_>> {
        let is_read = self.format == TableFormat::EhFrame && !self.may_break;
        is_read.then(|| Entries::new(&self.bytes, self.order)).flatten()
    }

    fn parts(&self) -> Vec<Part> {
        if let Some(entries) = self.entries() {
            let whole = (0..).take(entries.all.len()).map(Part::Function);
            let bytes = entries.all.iter().flat_map(|entry| entry.program..entry.end).map(Part::Byte);
            return whole.chain(bytes).collect();
        }
        let mut parts = Vec::new();
        let mut listed = BTreeSet::new();
        for piece in Section::parse(&self.bytes).map(|section| section.pieces()).unwrap_or_default() {
            parts.push(Part::Function(piece.function));
            let alone = piece.rows.len() == 1 && piece.unread.is_none();
            let fresh = piece.rows.into_iter().filter(|row| listed.insert(*row));
            parts.extend(fresh.map(|at| Part::Row { at, alone }));
        }
        let bytes = if self.may_break { self.bytes.len() } else { 0 };
        parts.extend((0..bytes).map(Part::Byte));
        parts
    }

    fn with(&self, bytes: Vec<u8>) -> SectionParts {
        SectionParts { bytes, ..*self }
    }
}

impl Parts for SectionParts {
    fn size(&self) -> Size {
        let bytes = (self.bytes.len(), Unit::Bytes);
        // Of `.eh_frame` entries and bytes are parts, which its bytes count.
        if self.format == TableFormat::EhFrame {
            return Size(vec![bytes]);
        }
        let parts = self.parts();
        let count = |wanted: fn(&Part) -> bool| parts.iter().filter(|part| wanted(part)).count();
        Size(vec![
            (count(|part| matches!(part, Part::Function(_))), Unit::Functions),
            (count(|part| matches!(part, Part::Row { .. })), Unit::Rows),
            bytes,
        ])
    }

    fn len(&self) -> usize {
        self.parts().len()
    }

    fn sets(&self, cut: Cut) -> Vec<Set> {
        let wanted = |part: &Part| match (cut, part) {
            (Cut::Functions, Part::Function(_)) | (Cut::Bytes, Part::Byte(_)) => true,
            // A function without rows has another meaning than one with few.
            (Cut::Rows, Part::Row { alone, .. }) => !alone,
            _ => false,
        };
        let parts = self.parts();
        parts.iter().enumerate().filter(|(_, part)| wanted(part)).map(|(at, _)| Set::from([at])).collect()
    }

    fn without(&self, parts: &Set) -> Option<SectionParts> {
        let (mut cut, mut bytes) = (cut::Cut::default(), BTreeSet::new());
        for (_, part) in self.parts().into_iter().enumerate().filter(|(at, _)| parts.contains(at)) {
            match part {
                Part::Function(function) => drop(cut.functions.insert(function)),
                Part::Row { at, .. } => drop(cut.rows.insert(at)),
                Part::Byte(at) => drop(bytes.insert(at)),
            }
        }
        if let Some(entries) = self.entries() {
            let whole = cut.functions.iter().map(|entry| *entry as usize).collect();
            return Some(self.with(entries.without(&whole, &bytes)?));
        }
        if bytes.is_empty() {
            let section = Section::parse(&self.bytes).ok()?;
            let pcrel = section.header.flags.pcrel();
            let from_field = |_: &FuncEntry| pcrel;
            return Some(self.with(section.without(&cut, &from_field).ok()?.bytes));
        }
        let left = self.bytes.iter().enumerate().filter(|(at, _)| !bytes.contains(at)).map(|(_, byte)| *byte);
        Some(self.with(left.collect()))
    }

    fn bare(&self) -> Vec<SectionParts> {
        Vec::new()
    }

    /// A byte 0 is simpler than any other.
    fn plainer(&self, part: usize) -> Vec<SectionParts> {
        let Some(Part::Byte(at)) = self.parts().into_iter().nth(part) else { return Vec::new() };
        let mut bytes = self.bytes.clone();
        match bytes.get_mut(at) {
            Some(byte) if *byte != 0 => *byte = 0,
            _ => return Vec::new(),
        }
        vec![self.with(bytes)]
    }

    fn key(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Reduces a section about which a reader is wrong.
pub fn reduce_section(
    wrong: &WrongAnswer<'_>,
    bounds: Bounds,
    watch: &mut dyn Watch,
) -> Result<Reduced<SectionParts>, BenchError> {
    let whole = SectionParts {
        bytes: wrong.vector.bytes.clone(),
        may_break: wrong.may_break(),
        format: wrong.vector.format,
        order: wrong.vector.abi.facts().order,
    };
    let shows = |candidate: &SectionParts| wrong.shown_by(&candidate.bytes).map(|_| candidate.files());
    search(whole.clone(), &whole.files(), &shows, bounds, watch)
}
