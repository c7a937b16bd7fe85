//! Augmentation letters of a CIE that gimli rejects: `B` (AArch64: return addresses are signed with
//! the B key) and `G` (AArch64: tagged stack frames). Neither has augmentation data.
//!
//! gimli reads a copy in which these letters are replaced by `S` (signal frame), which has no data
//! either, so that all offsets stay the same; whether the original had `S` is kept here. DWARF for
//! the Arm 64-bit Architecture 2025Q4, 4.3; LSB 5.0 core, 10.6.1.1.1.

use std::borrow::Cow;

use types::{Abi, PacKey};

use super::entries::{Entries, Entry, Flavour, Kind};
use super::error::CfiError;

/// Contents of a CIE's augmentation string other than pointer encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) key: PacKey,
    pub(super) signal: bool,
}

pub(super) fn flags(abi: Abi, bytes: &[u8], cie: &Entry) -> Flags {
    let letters = letters(bytes, cie);
    Flags {
        key: if abi.facts().pointer_authentication && letters.contains(&b'B') { PacKey::B } else { PacKey::A },
        signal: letters.contains(&b'S'),
    }
}

/// Checks the fields that version 4 has after the string: the sizes of an address and of a segment
/// selector (DWARF 5, 6.4.1). libgcc accepts CIEs of version 4 in `.eh_frame` too (unwind-dw2.c).
pub(super) fn check(bytes: &[u8], cie: &Entry) -> Result<(), CfiError> {
    match sizes_at(bytes, cie).and_then(|at| bytes.get(at..)?.first_chunk()) {
        Some([8, 0]) | None => Ok(()),
        Some([8, _]) => Err(CfiError::Invalid("a CIE with segment selectors")),
        Some([_, _]) => Err(CfiError::Invalid("a CIE whose addresses are not of 8 bytes")),
    }
}

/// Offset of the two sizes in a CIE of version 4.
fn sizes_at(bytes: &[u8], cie: &Entry) -> Option<usize> {
    let is_4 = bytes.get(cie.body) == Some(&4);
    let at = string_at(cie).checked_add(letters(bytes, cie).len())?.checked_add(1)?;
    (is_4 && at.checked_add(2)? <= cie.end).then_some(at)
}

/// The section in a form that gimli can read; a copy only if it must differ.
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

/// Offset of the first alignment factor of a CIE of `.eh_frame`.
pub(super) fn after_letters(bytes: &[u8], cie: &Entry) -> Option<usize> {
    let sizes = sizes_at(bytes, cie).and_then(|at| at.checked_add(2));
    sizes.or_else(|| string_at(cie).checked_add(letters(bytes, cie).len())?.checked_add(1))
}

/// The augmentation string without its terminator; empty if there is none.
pub(super) fn letters<'a>(bytes: &'a [u8], cie: &Entry) -> &'a [u8] {
    let string = bytes.get(string_at(cie)..cie.end).unwrap_or_default();
    let end = string.iter().position(|byte| *byte == 0).unwrap_or(0);
    string.get(..end).unwrap_or_default()
}

/// The string begins after the version byte.
const fn string_at(cie: &Entry) -> usize {
    cie.body.saturating_add(1)
}
