//! The contents of a file: both tables as decoded by this module's own readers.

use types::Abi;

use super::cfi::{self, Cfi};
use super::elf::{self, ElfFile};
use super::flaw::{self, BrokenClause, Subject};
use super::hdr::{self, Hdr};
use crate::reader::anatomy::{self, Anatomy};
use crate::reader::{DecodedSection, Starts, Version, decode};

/// A decoded file.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) file: ElfFile,
    /// `.sframe`; `None` without the section.
    pub(super) sframe: Option<Sframe>,
    /// `.eh_frame`; `None` without the section.
    pub(super) cfi: Option<Cfi>,
    /// The search table of `.eh_frame`; `None` if there is none, or it cannot be read.
    pub(super) hdr: Option<Hdr>,
}

/// A decoded `.sframe` section.
#[derive(Clone, Debug)]
pub(super) struct Sframe {
    /// Index of the section header.
    pub(super) section: usize,
    /// The section's bytes with relocations applied.
    pub(super) bytes: Vec<u8>,
    pub(super) anatomy: Option<Anatomy>,
    /// The decoded rows; `None` if nothing can be read.
    pub(super) table: Option<DecodedSection>,
    pub(super) flaws: Vec<(BrokenClause, u64)>,
    /// Broken clauses of the headers around the section.
    pub(super) container: Vec<(BrokenClause, u64)>,
}

/// Decodes a file. `None` if it is not ELF64 of a known machine, or a table is outside of the file.
pub(super) fn view(bytes: &[u8]) -> Option<View> {
    let file = elf::read(bytes)?;
    let abi = file.abi;
    let sframe = match file.sframe() {
        Some(index) => Some(sframe(&file, bytes, index)?),
        None => None,
    };
    let cfi = match file.named(b".eh_frame") {
        Some(index) => Some(cfi::read(abi, &file.contents(bytes, index)?, file.sections.get(index)?.address)),
        None => None,
    };
    let hdr = cfi.as_ref().and_then(|cfi| hdr::read(&file, bytes, cfi));
    Some(View { file, sframe, cfi, hdr })
}

fn sframe(file: &ElfFile, bytes: &[u8], section: usize) -> Option<Sframe> {
    let contents = file.contents(bytes, section)?;
    let address = file.sections.get(section)?.address;
    let starts = if file.relocatable { Starts::Field } else { Starts::Flag };
    let anatomy = anatomy::dissect(file.abi.facts().order, &contents);
    // An empty section describes nothing, and breaks no clause.
    let empty = contents.is_empty();
    let table = if empty { Some(DecodedSection::default()) } else { decode(file.abi, &contents, address, starts) };
    let relocations = if file.relocatable { file.relocations(bytes, section)? } else { Vec::new() };
    let flaws = match &anatomy {
        Some(anatomy) => {
            flaw::flaws(&Subject { file, address, size: contents.len() as u64, anatomy, relocations: &relocations })
        }
        None if empty => Vec::new(),
        None => vec![(BrokenClause::Header, 0)],
    };
    let precedes_type = anatomy.as_ref().is_some_and(|anatomy| anatomy.header.version.precedes_type);
    let container = flaw::container(file, section, precedes_type);
    Some(Sframe { section, bytes: contents, anatomy, table, flaws, container })
}

impl View {
    pub(super) fn abi(&self) -> Abi {
        self.file.abi
    }

    /// The version of `.sframe`.
    pub(super) fn version(&self) -> Option<&'static Version> {
        Some(self.sframe.as_ref()?.anatomy.as_ref()?.header.version)
    }
}
