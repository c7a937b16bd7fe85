//! Finds the entries (CIEs and FDEs) of a CFI section by their length fields alone, so that one
//! broken entry does not hide others.
//!
//! `.eh_frame`: LSB 5.0 core, 10.6; `.debug_frame`: DWARF 5, 6.4.1. Offsets are bytes from the
//! start of the section.

use gimli::{EndianSlice, Reader, RunTimeEndian};

use super::error::CfiError;

/// The encoding of a CFI section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    EhFrame,
    DebugFrame,
}

/// An entry of a CFI section, with its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Offset of the length field.
    pub(super) offset: usize,
    /// Offset after the identifier: the version byte of a CIE, the initial location of an FDE.
    pub(super) body: usize,
    /// Offset of the first byte after the entry.
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Cie,
    /// An FDE, with the offset of its CIE; `None` if the pointer is out of bounds of the section.
    Fde {
        cie: Option<usize>,
    },
}

/// The entries of a section. They are not stored: finding them again takes less than keeping a
/// million.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) order: RunTimeEndian,
    pub(super) flavour: Flavour,
}

impl<'a> Entries<'a> {
    /// The entries in order, up to the first one with an unknown extent.
    pub(super) fn iter(self) -> impl Iterator<Item = Entry> + use<'a> {
        self.all().map_while(Result::ok)
    }

    /// Offset and error of the entry at which the iteration stopped.
    pub(super) fn stop(self) -> Option<(usize, CfiError)> {
        self.all().find_map(Result::err)
    }

    /// Offset of the terminator of `.eh_frame` that entries follow, and of the first of them.
    pub(super) fn early_terminator(self) -> Option<(usize, usize)> {
        let mut offset = 0;
        let mut terminator = None;
        while self.flavour == Flavour::EhFrame && offset < self.bytes.len() {
            match (entry(self.bytes, self.order, self.flavour, offset), terminator) {
                (Ok(Next::Zero { end }), _) => {
                    terminator.get_or_insert(offset);
                    offset = end;
                }
                (Ok(Next::Entry(entry)), None) => offset = entry.end,
                (Ok(Next::Entry(entry)), Some(terminator)) => return Some((terminator, entry.offset)),
                (Err(_), _) => return None,
            }
        }
        None
    }

    fn all(self) -> impl Iterator<Item = Result<Entry, (usize, CfiError)>> + use<'a> {
        let mut offset = 0;
        std::iter::from_fn(move || {
            while offset < self.bytes.len() {
                match entry(self.bytes, self.order, self.flavour, offset) {
                    // A zero length is a terminator in `.eh_frame`, and padding where linkers
                    // concatenate sections: more entries may follow.
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
        // The identifier is always 4 bytes, also after a 64-bit length.
        (Flavour::EhFrame, _) => (u64::from(rest.read_u32()?), 0),
        (Flavour::DebugFrame, gimli::Format::Dwarf32) => (u64::from(rest.read_u32()?), u64::from(u32::MAX)),
        (Flavour::DebugFrame, gimli::Format::Dwarf64) => (rest.read_u64()?, u64::MAX),
    };
    let kind = match (usize::try_from(id), flavour) {
        _ if id == cie_id => Kind::Cie,
        // Relative to the field in `.eh_frame`, backwards; relative to the section's start in
        // `.debug_frame`.
        (Ok(pointer), Flavour::EhFrame) => Kind::Fde { cie: id_at.checked_sub(pointer) },
        (pointer, _) => Kind::Fde { cie: pointer.ok() },
    };
    Ok(Next::Entry(Entry { offset, body: end.saturating_sub(rest.len()), end, kind }))
}
