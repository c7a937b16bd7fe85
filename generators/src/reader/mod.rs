//! A second reader of `.sframe`, which decides the meaning of changed bytes. It is written from the
//! format's text, independently of both the encoder and the reader under test, so that a bug in
//! either cannot hide a mutant: `Version` and `Target` repeat the format's facts about a version
//! and a target.
//!
//! `anatomy` splits a section into its parts, `decode` computes their [`Meaning`], `cursor` reads
//! numbers.

pub(crate) mod anatomy;
pub(crate) mod cursor;
mod decode;
mod meaning;
mod version;

use std::ops::RangeInclusive;

pub(crate) use decode::{DecodedSection, RowAt, Starts, decode};
pub(crate) use meaning::Meaning;
pub(crate) use version::Version;

/// Facts about a target from the format's text and the ABI.
pub(crate) struct ReaderFacts {
    /// "SFrame ABI/arch Identifier".
    pub(crate) id: u64,
    /// Number of the first version that supports the target.
    pub(crate) since: u64,
    /// "CFA fixed RA offset".
    pub(crate) fixed_ra: i64,
    /// Maximum number of words of a default row.
    pub(crate) most_words: usize,
    /// "s390x": CFA offsets are stored as (offset - 160) / 8, 0 means a register that is not saved,
    /// and in V2 an odd word names a register.
    pub(crate) scaled: bool,
    /// Return addresses may be signed.
    pub(crate) signs: bool,
    /// Valid DWARF numbers.
    pub(crate) registers: &'static [RangeInclusive<u64>],
    /// Relocation types in objects' tables.
    pub(crate) relocations: &'static [(u64, Form)],
}

/// The formula of a relocation's value, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Symbol plus addend.
    Absolute(usize),
    /// Symbol plus addend, relative to the field.
    Relative(usize),
}

impl ReaderFacts {
    /// The CFA offset that a word encodes.
    pub(crate) fn cfa(&self, word: i64) -> i64 {
        if self.scaled { word * 8 + 160 } else { word }
    }

    /// The formula of a relocation type; `None` for types that do not occur in tables.
    pub(crate) fn form(&self, kind: u64) -> Option<Form> {
        self.relocations.iter().find(|(known, _)| *known == kind).map(|(_, form)| *form)
    }
}
