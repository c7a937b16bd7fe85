//! Readers of `.sframe` as data: their clauses, each with its source.

use results::ClauseEffect;
use results::yaml::{self, SyntaxError};
use sframe::{Flags, Header};
use types::Abi;

use super::condition::Condition;

/// The readers that are known.
const READERS: &str = include_str!("readers.yaml");

/// A reader of `.sframe`: what it takes.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableReader {
    /// Its name for `check --for`.
    pub name: String,
    /// A line about it.
    pub about: String,
    /// The reader under test with which predictions are compared: an entry of `ci/consumers.yaml`.
    #[serde(default)]
    pub tested: Option<String>,
    /// The reader whose clauses hold too, but for those whose conditions it names itself.
    #[serde(default)]
    like: Option<String>,
    /// Architectures; empty for all.
    #[serde(default)]
    pub abis: Vec<Abi>,
    /// Version bytes that it reads.
    #[serde(default)]
    pub versions: Vec<u8>,
    /// Flags that it knows.
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// What it does with sections, files and functions.
    pub clauses: Vec<Clause>,
}

/// What a reader does if a condition holds.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    pub when: Condition,
    /// What follows.
    pub then: ClauseEffect,
    /// Function and file of the reader's source.
    pub source: String,
    /// Version bytes of the sections that it is about; empty for all.
    #[serde(default)]
    pub versions: Vec<u8>,
    /// Architectures that it is about; empty for all.
    #[serde(default)]
    pub abis: Vec<Abi>,
}

/// A flag of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// SFRAME_F_FDE_SORTED.
    Sorted,
    /// SFRAME_F_FRAME_POINTER.
    FramePointer,
    /// SFRAME_F_FDE_FUNC_START_PCREL.
    Pcrel,
}

impl Flag {
    fn bit(self) -> u8 {
        match self {
            Flag::Sorted => Flags::SORTED,
            Flag::FramePointer => Flags::FRAME_POINTER,
            Flag::Pcrel => Flags::PCREL,
        }
    }
}

/// The readers that are known.
pub fn table_readers() -> Result<Vec<TableReader>, SyntaxError> {
    let mut readers: Vec<TableReader> = yaml::parse(READERS)?;
    // A reader follows the one that it is like.
    for index in 0..readers.len() {
        let (before, rest) = readers.split_at_mut(index);
        let Some(reader) = rest.first_mut() else { continue };
        let like = before.iter().find(|other| Some(&other.name) == reader.like.as_ref());
        let others = like.map_or(&[][..], |other| &other.clauses);
        let is_own = |clause: &&Clause| reader.clauses.iter().any(|own| own.when == clause.when);
        let mut clauses: Vec<Clause> = others.iter().filter(|clause| !is_own(clause)).cloned().collect();
        clauses.append(&mut reader.clauses);
        reader.clauses = clauses;
    }
    Ok(readers)
}

impl TableReader {
    /// Returns true if it reads tables of this architecture.
    pub(super) fn reads_abi(&self, abi: Abi) -> bool {
        self.abis.is_empty() || self.abis.contains(&abi)
    }

    /// Mask of the flags that it knows.
    pub(super) fn known_flags(&self) -> u8 {
        self.flags.iter().fold(0, |all, flag| all | flag.bit())
    }
}

impl Clause {
    /// Returns true if the clause is about sections like this one.
    pub(super) fn applies(&self, header: &Header) -> bool {
        (self.versions.is_empty() || self.versions.contains(&header.format.byte()))
            && (self.abis.is_empty() || header.abi().is_some_and(|abi| self.abis.contains(&abi)))
    }
}
