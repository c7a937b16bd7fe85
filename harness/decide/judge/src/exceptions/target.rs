//! What an encoded pointer leads to.

use std::fmt;

use types::{Image, Import};
use unwind::EncodedPointer;

/// What a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target<'a> {
    /// Nothing: the pointer is null.
    Null,
    /// An address of the file.
    Address(u64),
    /// A symbol of another file.
    Import(&'a Import),
    /// An address that this file does not show.
    Unknown,
    /// No word: the pointer is indirect, and there is none at its address.
    NoWord(u64),
}

/// Size and alignment of a word in bytes.
pub(super) const WORD: u64 = 8;

impl Target<'_> {
    pub(super) fn new(image: &Image, pointer: EncodedPointer) -> Target<'_> {
        if let Some(known) = outside(image, pointer.field) {
            return known;
        }
        if pointer.is_null() {
            return Target::Null;
        }
        match pointer.encoding.is_indirect() {
            true => Target::in_word(image, pointer.value),
            false => Target::Address(pointer.value),
        }
    }

    /// What the pointer in a word of the file leads to.
    pub(super) fn in_word(image: &Image, at: u64) -> Target<'_> {
        if let Some(known) = outside(image, at) {
            return known;
        }
        let word = image.loaded_at(at).and_then(|bytes| bytes.first_chunk::<{ WORD as usize }>());
        match word.filter(|_| at.is_multiple_of(WORD)).map(|word| image.abi.facts().order.number(word)) {
            Some(0) => Target::Null,
            // Words hold addresses of the file.
            Some(address) => Target::Address(address.wrapping_add(image.bias)),
            None => Target::NoWord(at),
        }
    }
}

/// What a field holds whose value another file decides.
fn outside(image: &Image, field: u64) -> Option<Target<'_>> {
    let import = image.import_at(field).map(Target::Import);
    import.or_else(|| image.unresolved.binary_search(&field).is_ok().then_some(Target::Unknown))
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Null => f.write_str("null"),
            Target::Address(address) => write!(f, "{address:#x}"),
            Target::Import(Import { symbol, addend: 0, .. }) => f.write_str(symbol),
            Target::Import(Import { symbol, addend, .. }) => write!(f, "{}{addend:+#x}", symbol.as_str()),
            Target::Unknown => f.write_str("an address of another file"),
            Target::NoWord(at) => write!(f, "the address at {at:#x}, where there is no word"),
        }
    }
}
