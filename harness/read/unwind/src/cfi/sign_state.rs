//! Translates AArch64 call frame instructions for signed return addresses that gimli does not
//! support to ones that it does.
//!
//! In the copy that gimli reads, of the same length, `DW_CFA_AARCH64_negate_ra_state_with_pc` (no
//! operands) becomes `DW_CFA_restore` of the column [`SET_RA_STATE`], for which no table has a
//! rule; a real restore of that column, which has no effect, becomes a nop.
//! `DW_CFA_AARCH64_set_ra_state` (ULEB128 state, SLEB128 distance to the signing instruction)
//! becomes `DW_CFA_register` of [`SET_RA_STATE`] with the state as its register, then nops. DWARF
//! for the Arm 64-bit Architecture 2025Q4, 4.4.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use gimli::{DwEhPe, EndianSlice, Reader, RunTimeEndian, constants};

use super::entries::{Entries, Entry, Flavour, Kind};

/// Column in a translated `DW_CFA_AARCH64_set_ra_state`. The ABI reserves it (4.1), so no table has
/// a rule for it.
pub(super) const SET_RA_STATE: u8 = 45;

/// Bits of RA_SIGN_STATE (same document, 4.1): the return address contains an authentication code;
/// the address of the signing instruction is part of the signature.
pub(super) const SIGNED: u64 = 1;
pub(super) const WITH_PC: u64 = 2;

/// Value of RA_SIGN_STATE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SignState(u64);

impl SignState {
    /// The state with this value; undefined bits are ignored.
    pub(super) const fn new(value: u64) -> Self {
        SignState(value & (SIGNED | WITH_PC))
    }

    /// `DW_CFA_AARCH64_negate_ra_state`.
    pub(super) const fn negate(&mut self) {
        self.0 ^= SIGNED;
    }

    /// `DW_CFA_AARCH64_negate_ra_state_with_pc`.
    pub(super) const fn negate_with_pc(&mut self) {
        self.0 ^= SIGNED | WITH_PC;
    }

    pub(super) const fn is_signed(self) -> bool {
        self.0 & SIGNED != 0
    }

    pub(super) const fn is_with_pc(self) -> bool {
        self.0 == SIGNED | WITH_PC
    }
}

const SET: u8 = 0x2b;
const NEGATE_WITH_PC: u8 = 0x2c;
const NEGATE: u8 = 0x2d;
const REGISTER: u8 = 0x09;
const NOP: u8 = 0x00;
/// `DW_CFA_restore` of [`SET_RA_STATE`].
const RESTORE: u8 = 0xc0 | SET_RA_STATE;

type Bytes<'a> = EndianSlice<'a, RunTimeEndian>;

/// The section with both instructions translated in every FDE; a copy only if one occurs. From a
/// point where an FDE cannot be parsed it is unchanged: gimli reports the error.
pub(super) fn readable<'a>(
    mut bytes: Cow<'a, [u8]>,
    order: RunTimeEndian,
    flavour: Flavour,
    entries: Entries<'_>,
) -> Cow<'a, [u8]> {
    let body = |entry: Entry| EndianSlice::new(bytes.get(entry.body..entry.end).unwrap_or_default(), order);
    let cies: BTreeMap<usize, Shape> = entries
        .iter()
        .filter(|entry| entry.kind == Kind::Cie)
        .filter_map(|entry| Some((entry.offset, shape(body(entry), flavour)?)))
        .collect();
    let mut found = Vec::new();
    for fde in entries.iter() {
        let Kind::Fde { cie: Some(cie) } = fde.kind else { continue };
        let Some(shape) = cies.get(&cie) else { continue };
        let mut input = body(fde);
        if shape.skip_header(&mut input).is_some() {
            // An instruction of unknown length ends the walk; the instructions before it are still
            // translated.
            let _ = shape.walk(&mut input, fde.end, &mut found);
        }
    }
    for instruction in found {
        if let Some(place) = bytes.to_mut().get_mut(instruction) {
            translate(place);
        }
    }
    bytes
}

/// Rewrites one instruction in place.
fn translate(instruction: &mut [u8]) {
    match instruction {
        [opcode] => *opcode = if *opcode == RESTORE { NOP } else { RESTORE },
        [opcode, operands @ ..] => {
            *opcode = REGISTER;
            // The state moves by one byte to make room for the register; the rest of the distance
            // becomes padding.
            let state = operands.iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last.saturating_add(1));
            operands.rotate_right(1);
            if let Some((register, rest)) = operands.split_first_mut() {
                *register = SET_RA_STATE;
                rest.get_mut(state..).unwrap_or_default().fill(NOP);
            }
        }
        [] => {}
    }
}

/// Properties of a CIE that determine the layout of its FDEs.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Encoding of initial location, range and `DW_CFA_set_loc`.
    pointers: DwEhPe,
    address_size: u8,
    /// True if FDEs have augmentation data.
    data: bool,
}

/// Parses a CIE from its version byte on, as far as its FDEs depend on it.
fn shape(mut input: Bytes<'_>, flavour: Flavour) -> Option<Shape> {
    let version = input.read_u8().ok()?;
    let letters = input.read_null_terminated_slice().ok()?;
    let mut shape =
        Shape { pointers: constants::DW_EH_PE_absptr, address_size: 8, data: letters.first() == Some(&b'z') };
    if flavour == Flavour::DebugFrame && version == 4 {
        shape.address_size = input.read_u8().ok()?;
        input.read_u8().ok()?;
    }
    input.skip_leb128().ok()?;
    input.skip_leb128().ok()?;
    if version == 1 {
        input.skip(1).ok()?
    } else {
        input.skip_leb128().ok()?
    }
    if shape.data {
        input.skip_leb128().ok()?;
        for letter in letters.iter() {
            match letter {
                b'L' => input.skip(1).ok()?,
                b'P' => {
                    let personality = Shape { pointers: DwEhPe(input.read_u8().ok()?), ..shape };
                    personality.skip_pointer(&mut input)?;
                }
                b'R' => shape.pointers = DwEhPe(input.read_u8().ok()?),
                _ => {}
            }
        }
    }
    Some(shape)
}

impl Shape {
    /// Skips the initial location, the range and the augmentation data of an FDE.
    fn skip_header(&self, input: &mut Bytes<'_>) -> Option<()> {
        self.skip_pointer(input)?;
        self.skip_pointer(input)?;
        if self.data {
            let length = input.read_uleb128().ok()?;
            input.skip(usize::try_from(length).ok()?).ok()?;
        }
        Some(())
    }

    fn skip_pointer(&self, input: &mut Bytes<'_>) -> Option<()> {
        // The low half encodes the format; the high half the base.
        match self.pointers.format() {
            constants::DW_EH_PE_absptr => input.skip(usize::from(self.address_size)).ok(),
            constants::DW_EH_PE_udata2 | constants::DW_EH_PE_sdata2 => input.skip(2).ok(),
            constants::DW_EH_PE_udata4 | constants::DW_EH_PE_sdata4 => input.skip(4).ok(),
            constants::DW_EH_PE_udata8 | constants::DW_EH_PE_sdata8 => input.skip(8).ok(),
            constants::DW_EH_PE_uleb128 | constants::DW_EH_PE_sleb128 => input.skip_leb128().ok(),
            _ => None,
        }
    }

    /// Collects the ranges of the instructions to translate, up to the end of the entry. Operands:
    /// DWARF 5, table 7.29, and the GNU extensions of LSB 5.0 core, 10.5.2.
    fn walk(&self, input: &mut Bytes<'_>, end: usize, found: &mut Vec<Range<usize>>) -> Option<()> {
        while !input.is_empty() {
            let at = end.checked_sub(input.len())?;
            let opcode = input.read_u8().ok()?;
            match opcode {
                NEGATE_WITH_PC | RESTORE => found.push(at..at.checked_add(1)?),
                SET => {
                    input.skip_leb128().ok()?;
                    input.skip_leb128().ok()?;
                    found.push(at..end.checked_sub(input.len())?);
                }
                0x00 | 0x0a | 0x0b | NEGATE | 0x40..=0x7f | 0xc0..=0xff => {}
                0x01 => self.skip_pointer(input)?,
                0x02 => input.skip(1).ok()?,
                0x03 => input.skip(2).ok()?,
                0x04 => input.skip(4).ok()?,
                0x06..=0x08 | 0x0d | 0x0e | 0x13 | 0x2e | 0x80..=0xbf => input.skip_leb128().ok()?,
                0x05 | 0x09 | 0x0c | 0x11 | 0x12 | 0x14 | 0x15 => {
                    input.skip_leb128().ok()?;
                    input.skip_leb128().ok()?;
                }
                0x0f | 0x10 | 0x16 => {
                    if opcode != 0x0f {
                        input.skip_leb128().ok()?;
                    }
                    let length = input.read_uleb128().ok()?;
                    input.skip(usize::try_from(length).ok()?).ok()?;
                }
                _ => return None,
            }
        }
        Some(())
    }
}
