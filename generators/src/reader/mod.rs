//! A second reader of `.sframe`, to decide what a change of bytes means. It is written from the
//! format's text, apart from both the encoder and the reader under test, so that no bug of theirs
//! hides a mutant: `Version` and `Target` repeat what the format has for a version and for a
//! target.
//!
//! `anatomy` cuts a section into its parts, `decode` finds their [`Meaning`], `cursor` reads
//! numbers.

pub(crate) mod anatomy;
pub(crate) mod cursor;
mod decode;
mod meaning;
mod version;

use std::ops::RangeInclusive;

pub use decode::{DecodedSection, Said, Starts, decode};
pub use meaning::Meaning;
pub(crate) use version::Version;

/// What the format's text and the ABI have for a target.
pub(crate) struct Target {
    /// "SFrame ABI/arch Identifier".
    pub(crate) id: u64,
    /// Number of the first version that has it.
    pub(crate) since: u64,
    /// "CFA fixed RA offset".
    pub(crate) fixed_ra: i64,
    /// Most words of a default row.
    pub(crate) most_words: usize,
    /// "s390x": CFA offsets are stored as (offset - 160) / 8, 0 means a register that is not
    /// saved, and in V2 an odd word for a register.
    pub(crate) scaled: bool,
    /// Return addresses can be mangled.
    pub(crate) signs: bool,
    /// A function saves in an area of its caller's, or in registers, and leaves it there when it
    /// has loaded it back.
    pub(crate) leaves_saved: bool,
    /// DWARF numbers that exist.
    pub(crate) registers: &'static [RangeInclusive<u64>],
    /// Relocation types that occur in tables of objects.
    pub(crate) relocations: &'static [(u64, Form)],
}

/// How a relocation's value is formed, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Symbol plus addend.
    Absolute(usize),
    /// The same, from the place.
    Relative(usize),
}

impl Target {
    /// The CFA offset that a word encodes.
    pub(crate) fn cfa(&self, word: i64) -> i64 {
        if self.scaled { word * 8 + 160 } else { word }
    }

    /// What a relocation type does; `None` for those that do not occur in tables.
    pub(crate) fn form(&self, kind: u64) -> Option<Form> {
        self.relocations.iter().find(|(known, _)| *known == kind).map(|(_, form)| *form)
    }
}
