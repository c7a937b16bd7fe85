//! The pointers of CIEs and FDEs to a personality routine and to a language-specific data area,
//! with their own addresses, which gimli does not give: LSB 5.0 core, 10.6.1.1 and 10.6.1.2.

use gimli::{BaseAddresses, CommonInformationEntry, EndianSlice, FrameDescriptionEntry, Pointer, RunTimeEndian};
use types::{PointerEncoding, uleb128};

use super::augmentation;
use super::entries::Entry;
use crate::EncodedPointer;

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;

/// The pointer of a CIE to its personality routine; `None` if it has none, or variable encodings.
pub(super) fn of_personality(
    cie: &CommonInformationEntry<Bytes<'_>>,
    bytes: &[u8],
    entry: &Entry,
    bases: &BaseAddresses,
) -> Option<EncodedPointer> {
    let (encoding, pointer) = cie.personality_with_encoding()?;
    // Alignment factors, return-address column, length of the augmentation data.
    let at = after_number(bytes, augmentation::after_letters(bytes, entry)?)?;
    let at = after_number(bytes, at)?;
    let at = if cie.version() == 1 { at.checked_add(1)? } else { after_number(bytes, at)? };
    let data = after_number(bytes, at)?;
    let letters = augmentation::letters(bytes, entry);
    let before = letters.iter().take_while(|letter| **letter != b'P').filter(|letter| matches!(letter, b'L' | b'R'));
    let field = data.checked_add(before.count())?.checked_add(1)?;
    Some(encoded(PointerEncoding(encoding.0), pointer, address(bases, field)?))
}

/// The pointer of an FDE to its language-specific data area; `None` if it has none, or variable
/// encodings.
pub(super) fn of_lsda(
    fde: &FrameDescriptionEntry<Bytes<'_>>,
    bytes: &[u8],
    entry: &Entry,
    bases: &BaseAddresses,
) -> Option<EncodedPointer> {
    let (encoding, pointer) = (fde.cie().lsda_encoding()?, fde.lsda()?);
    let size = fde.cie().fde_address_encoding().map_or(Some(8), |encoding| PointerEncoding(encoding.0).size())?;
    // The range of code, and the length of the augmentation data.
    let field = after_number(bytes, entry.body.checked_add(size)?.checked_add(size)?)?;
    Some(encoded(PointerEncoding(encoding.0), pointer, address(bases, field)?))
}

/// The offset after a LEB128 number.
fn after_number(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(uleb128(bytes.get(at..)?)?.1)
}

/// The address of an offset in the section.
fn address(bases: &BaseAddresses, offset: usize) -> Option<u64> {
    bases.eh_frame.section?.checked_add(offset as u64)
}

fn encoded(encoding: PointerEncoding, pointer: Pointer, field: u64) -> EncodedPointer {
    let (Pointer::Direct(value) | Pointer::Indirect(value)) = pointer;
    EncodedPointer { encoding, field, value }
}
