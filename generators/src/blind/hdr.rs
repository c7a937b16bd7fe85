//! A small reader of `.eh_frame_hdr` (LSB 5.0 core, 10.6.2), as GNU ld writes it: its entries, and
//! the broken clauses.
//!
//! It shares nothing with the reader under test.

use types::ByteOrder;

use super::cfi::{Cfi, Encoding, Function};
use super::elf::ElfFile;
use super::flaw::BrokenClause;
use crate::reader::cursor::Cursor;

/// Size in bytes of the part before the entries.
pub(super) const HEAD: u64 = 12;
/// Size in bytes of an entry: function start and FDE address.
pub(super) const ENTRY: u64 = 8;
/// Version 1; `eh_frame_ptr` pcrel sdata4, `fde_count` udata4, entries datarel sdata4.
const ENCODINGS: [u8; 4] = [1, 0x1b, 0x03, 0x3b];

/// DW_EH_PE_datarel: relative to the start of the section.
const DATA_RELATIVE: u8 = 0x30;

/// A decoded section.
#[derive(Clone, Debug)]
pub(super) struct Hdr {
    /// Index of the section header.
    pub(super) section: usize,
    /// Start and FDE address of each counted entry.
    pub(super) entries: Vec<(u64, u64)>,
    /// At most one broken clause of each kind, with its offset in the section.
    pub(super) flaws: Vec<(BrokenClause, u64)>,
    /// The encodings are those of GNU ld; others may be right as well.
    pub(super) usual: bool,
}

/// Reads the section of a linked file. `None` if there is none, or `.eh_frame` is not fully
/// readable.
pub(super) fn read(file: &ElfFile, bytes: &[u8], cfi: &Cfi) -> Option<Hdr> {
    let section = file.named(b".eh_frame_hdr").filter(|_| !file.relocatable && cfi.flaws.is_empty())?;
    let (home, eh_frame) = (file.sections.get(section)?, file.sections.get(file.named(b".eh_frame")?)?);
    let words = Words { order: file.abi.facts().order, bytes: file.raw(bytes, home)? };
    let mut hdr = Hdr { section, entries: Vec::new(), flaws: Vec::new(), usual: false };
    hdr.usual = words.bytes.get(..4)? == ENCODINGS;
    if words.bytes.first() != Some(&1) {
        hdr.flaws.push((BrokenClause::HdrVersion, 0));
    }
    let Some([eh_frame_ptr, count, entry]) = words.encodings() else {
        hdr.flaws.push((BrokenClause::HdrEncoding, 1));
        return Some(hdr);
    };
    let mut cursor = words.cursor().to(4);
    if words.pointer(eh_frame_ptr, &mut cursor, home.address) != Some(eh_frame.address) {
        hdr.flaws.push((BrokenClause::HdrPointer, 4));
    }
    let count = words.pointer(count, &mut cursor, home.address);
    let read = |_| {
        let mut address = || words.pointer(entry, &mut cursor, home.address);
        Some((address()?, address()?))
    };
    let entries: Vec<(u64, u64)> = (0..home.size / 2).map_while(read).collect();
    let room = entries.len() as u64;
    let counted = usize::try_from(count.unwrap_or(u64::MAX).min(room)).ok()?;
    if count.is_none_or(|count| count > room) {
        hdr.flaws.push((BrokenClause::HdrCount, 8));
    }
    hdr.entries = entries.get(..counted)?.to_vec();
    let code = file.code();
    table(&hdr.entries, eh_frame.address, cfi, &code, &mut hdr.flaws);
    Some(hdr)
}

/// Checks the clauses about the entries: sorted, one for an existing FDE each, every FDE of code
/// has one.
fn table(entries: &[(u64, u64)], eh_frame: u64, cfi: &Cfi, code: &[(u64, u64)], flaws: &mut Vec<(BrokenClause, u64)>) {
    let place = |index: usize| HEAD + index as u64 * ENTRY;
    if let Some(index) = entries.windows(2).position(|pair| pair[0].0 > pair[1].0) {
        flaws.push((BrokenClause::HdrSorted, place(index)));
    }
    let of = |fde: u64| cfi.functions.iter().find(|function| eh_frame.wrapping_add(function.at) == fde);
    let wrong = |(start, fde): &(u64, u64)| of(*fde).is_none_or(|function| function.start != *start);
    if let Some(index) = entries.iter().position(wrong) {
        flaws.push((BrokenClause::HdrEntry, place(index)));
    }
    let is_code = |pc: u64| code.iter().any(|(start, end)| *start <= pc && pc < *end);
    let is_lost = |function: &&Function| {
        function.start < function.end
            && is_code(function.start)
            && !entries.iter().any(|(start, _)| *start == function.start)
    };
    if cfi.functions.iter().any(|function| is_lost(&function)) {
        flaws.push((BrokenClause::HdrCovers, HEAD));
    }
    // A search finds the last of several entries with one address.
    let hides = |(index, (start, fde)): (usize, &(u64, u64))| {
        let is_last = entries.get(index + 1).is_none_or(|(next, _)| next != start);
        let is_empty = of(*fde).is_some_and(|function| (function.start, function.end) == (*start, *start));
        is_last && is_empty && cfi.functions.iter().any(|other| other.start <= *start && *start < other.end)
    };
    if let Some(index) = entries.iter().enumerate().position(hides) {
        flaws.push((BrokenClause::HdrEmpty, place(index)));
    }
}

struct Words<'a> {
    order: ByteOrder,
    bytes: &'a [u8],
}

impl Words<'_> {
    fn cursor(&self) -> Cursor<'_> {
        Cursor::new(self.order, self.bytes, 0)
    }

    /// The encodings of pointer, count and entries; `None` if a reader cannot evaluate them.
    fn encodings(&self) -> Option<[u8; 3]> {
        let encodings = *self.bytes.get(1..4)?.first_chunk()?;
        let is_known = |byte: u8| Encoding::from_byte(byte & !DATA_RELATIVE).is_some();
        encodings.into_iter().all(is_known).then_some(encodings)
    }

    /// A value in this encoding, in a section at an address.
    fn pointer(&self, encoding: u8, cursor: &mut Cursor<'_>, section: u64) -> Option<u64> {
        match encoding & 0x70 {
            DATA_RELATIVE => {
                let value = Encoding::from_byte(encoding & !DATA_RELATIVE)?.read(cursor, section)?;
                Some(section.wrapping_add(value))
            }
            _ => Encoding::from_byte(encoding)?.read(cursor, section),
        }
    }
}
