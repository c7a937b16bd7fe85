//! The augmentation letters of a CIE that gimli does not read on from: `B` (AArch64: return
//! addresses are signed with the B key) and `G` (AArch64: tagged stack frames). Neither carries
//! augmentation data.
//!
//! gimli is handed a copy in which they read `S` (signal frame), which carries none either, so that
//! every offset stays the same; whether `S` itself was there is kept here. DWARF for the Arm 64-bit
//! Architecture 2025Q4, 4.3; LSB 5.0 core, 10.6.1.1.1.

use std::borrow::Cow;

use types::{Abi, PacKey};

use super::entries::{Entries, Entry, Kind};

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

/// The section as gimli can read it; a copy only where it must differ.
pub(super) fn readable<'a>(abi: Abi, bytes: &'a [u8], entries: Entries<'_>) -> Cow<'a, [u8]> {
    let mut copy = Cow::Borrowed(bytes);
    if !abi.facts().pointer_authentication {
        return copy;
    }
    for cie in entries.iter().filter(|entry| entry.kind == Kind::Cie) {
        let letters = letters(bytes, &cie);
        let unread = letters.iter().enumerate().filter(|(_, letter)| matches!(letter, b'B' | b'G'));
        for (index, _) in unread {
            if let Some(letter) = copy.to_mut().get_mut(string_at(&cie).saturating_add(index)) {
                *letter = b'S';
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
