//! The `.sframe` sections of a file as parts: functions and their rows.
//!
//! The rest of the file does not change: code, addresses and `.eh_frame` stay, so that every
//! candidate is executed and judged like the original.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use elf::{self, LoadError, SmallerSection};
use sframe::cut::{self, CutError, Piece, Remainder};
use sframe::{FuncEntry, ParseError, Section};
use types::{Bytes, ImageKind};

use results::bundle::{Size, Unit};

use super::parts::{Cut, Parts, Set};

/// Why rows of a file cannot be removed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Cut(#[from] CutError),
    #[error(transparent)]
    File(#[from] LoadError),
}

/// The tables of a file without the removed parts.
#[derive(Clone, Debug)]
pub struct Table {
    file: Arc<File>,
    /// Removed parts, by index of the section.
    gone: BTreeMap<usize, cut::Cut>,
}

/// A file with its original tables.
#[derive(Debug)]
struct File {
    bytes: Bytes,
    sections: Vec<Home>,
}

/// One section.
#[derive(Debug)]
struct Home {
    /// Index in the file's section table.
    index: usize,
    name: String,
    /// Contents as in the file, not relocated.
    bytes: Bytes,
    /// Removable parts; an error if its header or tables cannot be read.
    pieces: Result<Vec<Piece>, ParseError>,
    /// Which starts are relative to their field.
    starts: Starts,
}

/// The functions whose starts change when their entry moves.
#[derive(Debug)]
enum Starts {
    /// A linked file: all functions or none, as the header's flags define.
    Linked,
    /// An object: functions without a relocation, given by the offsets of those that have one.
    Relocated(BTreeSet<u64>),
}

/// A part: a function, or one of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Function { section: usize, function: u32 },
    Row { section: usize, row: u64, alone: bool },
}

impl Table {
    /// The tables of a file.
    pub fn new(name: &str, bytes: Bytes) -> Result<Table, LoadError> {
        let image = elf::load(name, &bytes)?;
        let home = |section: &types::ImageSection| {
            let bytes = section.original.clone().unwrap_or_else(|| section.bytes.clone());
            let relocations =
                image.sframe_relocations.iter().filter(|relocation| relocation.section as usize == section.index);
            let starts = match image.kind {
                ImageKind::Relocatable => Starts::Relocated(relocations.map(|relocation| relocation.offset).collect()),
                _ => Starts::Linked,
            };
            let pieces = Section::parse(&bytes).map(|section| section.pieces());
            Home { index: section.index, name: section.name.clone(), bytes, pieces, starts }
        };
        let sections = image.sframe_sections().map(home).collect();
        Ok(Table { file: Arc::new(File { bytes, sections }), gone: BTreeMap::new() })
    }

    /// The file in its current state.
    pub fn bytes(&self) -> Result<Vec<u8>, TableError> {
        let mut shrunk = Vec::new();
        for (position, cut) in &self.gone {
            let Some(home) = self.file.sections.get(*position) else { continue };
            let Remainder { bytes, gone } = home.without(cut)?;
            shrunk.push(SmallerSection { section: home.index, bytes, gone });
        }
        Ok(elf::shrink(&self.file.bytes, &shrunk)?)
    }

    /// Remarks about the result, one sentence each: parts that could not be read and so not
    /// removed, or that nothing was needed.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.gone.is_empty() && self.parts().is_empty() {
            remarks
                .push("no function of .sframe is needed: the finding is about something else in the file".to_owned());
        }
        for (position, home) in self.file.sections.iter().enumerate() {
            let pieces = match &home.pieces {
                Ok(pieces) => pieces,
                Err(error) => {
                    let why = "its functions cannot be distinguished, and nothing of it was dropped";
                    remarks.push(format!("{}: {why}: {error}", home.name));
                    continue;
                }
            };
            let stays = |piece: &&Piece| !self.cut(position).is_some_and(|cut| cut.functions.contains(&piece.function));
            let unread: Vec<ParseError> = pieces.iter().filter(stays).filter_map(|piece| piece.unread).collect();
            if let Some(first) = unread.first() {
                let count = Size(vec![(unread.len(), Unit::Functions)]);
                remarks.push(format!(
                    "{}: {count} with rows that cannot be read, which go as a whole only: {first}",
                    home.name
                ));
            }
        }
        remarks
    }

    fn cut(&self, position: usize) -> Option<&cut::Cut> {
        self.gone.get(&position)
    }

    /// All remaining parts, functions before their rows.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (section, home) in self.file.sections.iter().enumerate() {
            let none = cut::Cut::default();
            let gone = self.cut(section).unwrap_or(&none);
            let mut listed = BTreeSet::new();
            for piece in home.pieces.iter().flatten().filter(|piece| !gone.functions.contains(&piece.function)) {
                parts.push(Part::Function { section, function: piece.function });
                let left: Vec<u64> = piece.rows.iter().filter(|row| !gone.rows.contains(row)).copied().collect();
                let alone = left.len() == 1 && piece.unread.is_none();
                let fresh = left.into_iter().filter(|row| listed.insert(*row));
                parts.extend(fresh.map(|row| Part::Row { section, row, alone }));
            }
        }
        parts
    }
}

impl Home {
    fn without(&self, cut: &cut::Cut) -> Result<Remainder, TableError> {
        let section = Section::parse(&self.bytes)?;
        let pcrel = section.header.flags.pcrel();
        let from_field = |entry: &FuncEntry| match &self.starts {
            Starts::Linked => pcrel,
            Starts::Relocated(filled) => !filled.contains(&entry.offset),
        };
        Ok(section.without(cut, &from_field)?)
    }
}

impl Parts for Table {
    fn size(&self) -> Size {
        let parts = self.parts();
        let functions = parts.iter().filter(|part| matches!(part, Part::Function { .. })).count();
        Size(vec![(functions, Unit::Functions), (parts.len() - functions, Unit::Rows)])
    }

    fn len(&self) -> usize {
        self.parts().len()
    }

    fn sets(&self, cut: Cut) -> Vec<Set> {
        let wanted = |part: &Part| match (cut, part) {
            (Cut::Functions, Part::Function { .. }) => true,
            // A function without rows has another meaning than one with few.
            (Cut::Rows, Part::Row { alone, .. }) => !alone,
            _ => false,
        };
        let parts = self.parts();
        parts.iter().enumerate().filter(|(_, part)| wanted(part)).map(|(at, _)| Set::from([at])).collect()
    }

    fn without(&self, parts: &Set) -> Option<Table> {
        let mut table = self.clone();
        for (_, part) in self.parts().into_iter().enumerate().filter(|(at, _)| parts.contains(at)) {
            match part {
                Part::Function { section, function } => {
                    table.gone.entry(section).or_default().functions.insert(function);
                }
                Part::Row { section, row, .. } => drop(table.gone.entry(section).or_default().rows.insert(row)),
            }
        }
        table.has_rows_where_there_were().then_some(table)
    }

    fn bare(&self) -> Vec<Table> {
        Vec::new()
    }

    fn plainer(&self, _: usize) -> Vec<Table> {
        Vec::new()
    }

    fn key(&self) -> String {
        format!("{:?}", self.gone)
    }
}

impl Table {
    /// Returns true if no remaining function has lost its last row.
    fn has_rows_where_there_were(&self) -> bool {
        self.gone.iter().all(|(section, gone)| {
            let pieces = self.file.sections.get(*section).and_then(|home| home.pieces.as_ref().ok());
            pieces.into_iter().flatten().all(|piece| {
                gone.functions.contains(&piece.function)
                    || piece.rows.is_empty()
                    || piece.unread.is_some()
                    || piece.rows.iter().any(|row| !gone.rows.contains(row))
            })
        })
    }
}
