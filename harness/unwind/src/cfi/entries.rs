//! Where the entries of a CFI section begin, found by their length fields alone, so that one broken
//! entry hides no other.
//!
//! `.eh_frame`: LSB 5.0 core, 10.6; `.debug_frame`: DWARF 5, 6.4.1. Offsets are bytes from the
//! start of the section.

use gimli::{EndianSlice, Reader, RunTimeEndian};

use super::error::CfiError;

/// Which of the two encodings of the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    EhFrame,
    DebugFrame,
}

/// An entry and what kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where its length field begins.
    pub(super) offset: usize,
    /// Where what follows its identifier begins: the version byte of a CIE, the initial location of
    /// an FDE.
    pub(super) body: usize,
    /// First byte after the entry.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Cie,
    /// With the offset of its CIE; none if the pointer leaves the section.
    Fde {
        cie: Option<usize>,
    },
}

/// The entries of a section. They are found anew each time: that takes less than to keep a million.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) order: RunTimeEndian,
    pub(super) flavour: Flavour,
}

impl<'a> Entries<'a> {
    /// The entries in order, up to the first one whose extent is unknown.
    pub(super) fn iter(self) -> impl Iterator<Item = Entry> + use<'a> {
        self.all().map_while(Result::ok)
    }

    /// The offset and error of that one.
    pub(super) fn stop(self) -> Option<(usize, CfiError)> {
        self.all().find_map(Result::err)
    }

    fn all(self) -> impl Iterator<Item = Result<Entry, (usize, CfiError)>> + use<'a> {
        let mut offset = 0;
        std::iter::from_fn(move || {
            while offset < self.bytes.len() {
                match entry(self.bytes, self.order, self.flavour, offset) {
                    // A zero length is a terminator in `.eh_frame`, and padding where linkers join
                    // sections: more may follow.
                    Ok(Next::Zero { end }) => offset = end,
                    Ok(Next::Entry(entry)) => {
                        offset = entry.end;
                        return Some(Ok(entry));
                    }
                    Err(error) => {
                        let at = std::mem::replace(&mut offset, usize::MAX);
                        return Some(Err((at, error)));
                    }
                }
            }
            None
        })
    }
}

enum Next {
    Zero { end: usize },
    Entry(Entry),
}

fn entry(bytes: &[u8], order: RunTimeEndian, flavour: Flavour, offset: usize) -> Result<Next, CfiError> {
    let mut input = EndianSlice::new(bytes.get(offset..).unwrap_or_default(), order);
    let position = |rest: &EndianSlice<'_, RunTimeEndian>| bytes.len().saturating_sub(rest.len());
    let (length, format) = input.read_initial_length()?;
    if length == 0 {
        return Ok(Next::Zero { end: position(&input) });
    }
    let mut rest = input.split(length).map_err(|_| CfiError::Length)?;
    let end = position(&input);
    let id_at = end.saturating_sub(rest.len());
    let (id, cie_id) = match (flavour, format) {
        // Always 4 bytes, also after a 64-bit length.
        (Flavour::EhFrame, _) => (u64::from(rest.read_u32()?), 0),
        (Flavour::DebugFrame, gimli::Format::Dwarf32) => (u64::from(rest.read_u32()?), u64::from(u32::MAX)),
        (Flavour::DebugFrame, gimli::Format::Dwarf64) => (rest.read_u64()?, u64::MAX),
    };
    let kind = match (usize::try_from(id), flavour) {
        _ if id == cie_id => Kind::Cie,
        // Counted back from the field in `.eh_frame`, from the section's start in `.debug_frame`.
        (Ok(pointer), Flavour::EhFrame) => Kind::Fde { cie: id_at.checked_sub(pointer) },
        (pointer, _) => Kind::Fde { cie: pointer.ok() },
    };
    Ok(Next::Entry(Entry { offset, body: end.saturating_sub(rest.len()), end, kind }))
}
