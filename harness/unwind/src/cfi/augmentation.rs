//! The augmentation letters of a CIE that gimli does not read on from: `B` (AArch64: return
//! addresses are signed with the B key) and `G` (AArch64: tagged stack frames). Neither carries
//! augmentation data.
//!
//! gimli is handed a copy in which they read `S` (signal frame), which carries none either, so that
//! every offset stays the same; whether `S` itself was there is kept here. DWARF for the Arm 64-bit
//! Architecture 2025Q4, 4.3; LSB 5.0 core, 10.6.1.1.1.

use std::borrow::Cow;

use types::{Abi, PacKey};

use super::entries::{Entries, Entry, Flavour, Kind};
use super::error::CfiError;

/// The contents of a CIE's augmentation string besides the encoding of pointers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) key: PacKey,
    pub(super) signal: bool,
}

/// The flags of a CIE.
pub(super) fn flags(abi: Abi, bytes: &[u8], cie: &Entry) -> Flags {
    let letters = letters(bytes, cie);
    Flags {
        key: if abi.facts().pointer_authentication && letters.contains(&b'B') { PacKey::B } else { PacKey::A },
        signal: letters.contains(&b'S'),
    }
}

/// Checks what version 4 has after the string: the size of an address and that of a segment selector
/// (DWARF 5, 6.4.1). libgcc takes CIEs of version 4 in `.eh_frame` too (unwind-dw2.c).
pub(super) fn check(bytes: &[u8], cie: &Entry) -> Result<(), CfiError> {
    match sizes_at(bytes, cie).and_then(|at| bytes.get(at..)?.first_chunk()) {
        Some([8, 0]) | None => Ok(()),
        Some([8, _]) => Err(CfiError::Invalid("a CIE with segment selectors")),
        Some([_, _]) => Err(CfiError::Invalid("a CIE whose addresses are not of 8 bytes")),
    }
}

/// Where the two sizes of a CIE of version 4 are.
fn sizes_at(bytes: &[u8], cie: &Entry) -> Option<usize> {
    let is_4 = bytes.get(cie.body) == Some(&4);
    let at = string_at(cie).checked_add(letters(bytes, cie).len())?.checked_add(1)?;
    (is_4 && at.checked_add(2)? <= cie.end).then_some(at)
}

/// The section as gimli can read it; a copy only where it must differ.
pub(super) fn readable<'a>(abi: Abi, bytes: &'a [u8], entries: Entries<'_>) -> Cow<'a, [u8]> {
    let mut copy = Cow::Borrowed(bytes);
    for cie in entries.iter().filter(|entry| entry.kind == Kind::Cie) {
        let letters = letters(bytes, &cie);
        let is_unread = |letter: &u8| abi.facts().pointer_authentication && matches!(letter, b'B' | b'G');
        for (index, _) in letters.iter().enumerate().filter(|(_, letter)| is_unread(letter)) {
            if let Some(letter) = copy.to_mut().get_mut(string_at(&cie).saturating_add(index)) {
                *letter = b'S';
            }
        }
        // In `.eh_frame` gimli does not expect the two sizes. Version 3 is the same without them.
        if let Some(at) = sizes_at(bytes, &cie).filter(|_| entries.flavour == Flavour::EhFrame) {
            let entry = copy.to_mut().get_mut(cie.body..cie.end).unwrap_or_default();
            if let Some(version) = entry.first_mut() {
                *version = 3;
            }
            if let Some(rest @ [_, _, ..]) = entry.get_mut(at.saturating_sub(cie.body)..) {
                rest.rotate_left(2);
                rest.iter_mut().rev().take(2).for_each(|nop| *nop = gimli::constants::DW_CFA_nop.0);
            }
        }
    }
    copy
}

/// The augmentation string without its terminator; empty where it has none.
fn letters<'a>(bytes: &'a [u8], cie: &Entry) -> &'a [u8] {
    let string = bytes.get(string_at(cie)..cie.end).unwrap_or_default();
    let end = string.iter().position(|byte| *byte == 0).unwrap_or(0);
    string.get(..end).unwrap_or_default()
}

/// The string begins after the version byte.
const fn string_at(cie: &Entry) -> usize {
    cie.body.saturating_add(1)
}
