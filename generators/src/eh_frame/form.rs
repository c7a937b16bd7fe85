//! Forms in which CIEs and FDEs can be written: versions, augmentation, pointer encodings (LSB 5.0,
//! 10.5.1 and 10.6.1).

use types::Abi;

use super::directive::Factors;
use crate::arch::target;
use crate::bytes::Bytes;

/// DW_EH_PE_pcrel | DW_EH_PE_sdata4.
pub const PCREL_SDATA4: u8 = 0x1b;
/// DW_EH_PE_absptr.
pub const ABSPTR: u8 = 0x00;
/// DW_EH_PE_aligned: zero bytes up to the alignment of a pointer, then the pointer.
pub const ALIGNED: u8 = 0x50;
/// DW_EH_PE_textrel | DW_EH_PE_sdata4.
pub const TEXTREL_SDATA4: u8 = 0x2b;
/// DW_EH_PE_datarel | DW_EH_PE_sdata4.
pub const DATAREL_SDATA4: u8 = 0x3b;
/// DW_EH_PE_omit: no pointer.
pub const OMIT: u8 = 0xff;

/// How a CIE and its FDEs are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Version of the CIE: 1, 3 or 4.
    pub version: u8,
    /// Letters of the augmentation after `z`; `None` for an empty string.
    pub letters: Option<Vec<Letter>>,
    /// Alignment factors.
    pub factors: Factors,
    /// Lengths are in the extended form of 64 bits.
    pub wide: bool,
    /// Bytes of DW_CFA_nop at the end of each entry, before those that align it.
    pub padding: usize,
    /// Augmentation data of FDEs after that of the letters.
    pub fde_data: Vec<u8>,
    /// The address that pointers of DW_EH_PE_textrel and DW_EH_PE_datarel are relative to.
    pub base: u64,
    /// A zero word follows the FDEs of the CIE, as at the end of a section.
    pub ends: bool,
}

/// Addresses that pointers are relative to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bases {
    /// That of the section, for pointers relative to themselves.
    pub(super) section: u64,
    pub(super) other: u64,
}

/// A letter of an augmentation string, with its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letter {
    /// `R`: encoding of the pointers of FDEs.
    Pointers(u8),
    /// `P`: encoding and address of the personality routine.
    Personality(u8, u64),
    /// `L`: encoding of LSDA pointers; the FDEs have none.
    Lsda(u8),
    /// `S`: signal frames.
    Signal,
    /// `B`: return addresses are signed with key B (AArch64).
    BKey,
}

impl Form {
    /// The form that compilers use: version 1, `zR`.
    pub fn usual(abi: Abi) -> Form {
        Form {
            version: 1,
            letters: Some(vec![Letter::Pointers(PCREL_SDATA4)]),
            factors: Factors { code: target(abi).code_alignment, data: -8 },
            wide: false,
            padding: 0,
            fde_data: Vec::new(),
            base: 0,
            ends: false,
        }
    }
}

impl Letter {
    pub(super) fn byte(&self) -> u8 {
        match self {
            Letter::Pointers(_) => b'R',
            Letter::Personality(..) => b'P',
            Letter::Lsda(_) => b'L',
            Letter::Signal => b'S',
            Letter::BKey => b'B',
        }
    }

    /// The encoding of the pointers of FDEs.
    pub(super) fn pointers(letters: Option<&[Letter]>) -> u8 {
        let encoding = |letter: &Letter| if let Letter::Pointers(encoding) = letter { Some(*encoding) } else { None };
        letters.and_then(|letters| letters.iter().find_map(encoding)).unwrap_or(ABSPTR)
    }

    /// Appends its augmentation data in a CIE.
    pub(super) fn cie_data(&self, out: &mut Bytes, bases: Bases) {
        match self {
            Letter::Pointers(encoding) | Letter::Lsda(encoding) => out.u8(*encoding),
            Letter::Personality(encoding, routine) => {
                out.u8(*encoding);
                // Any bytes will do for a routine that is not called.
                let _ = pointer(out, *encoding, bases, *routine);
            }
            Letter::Signal | Letter::BKey => {}
        }
    }

    /// Appends its augmentation data in an FDE: a null pointer in place of a LSDA.
    pub(super) fn fde_data(&self, out: &mut Bytes) {
        if let Letter::Lsda(encoding) = self
            && *encoding != OMIT
        {
            size_field(out, *encoding, 0);
        }
    }
}

/// Appends an address in an encoding; `None` if it does not fit.
#[must_use]
pub(super) fn pointer(out: &mut Bytes, encoding: u8, bases: Bases, address: u64) -> Option<()> {
    if encoding == ALIGNED {
        while !(bases.section + out.len() as u64).is_multiple_of(8) {
            out.u8(0);
        }
    }
    // DW_EH_PE_pcrel, textrel, datarel; other values count from 0.
    let base = match encoding & 0x70 {
        0x10 => bases.section.wrapping_add(out.len() as u64),
        0x20 | 0x30 => bases.other,
        _ => 0,
    };
    let value = address.wrapping_sub(base);
    let fits = match encoding & 0x0f {
        0x01 => value < 1 << 32,
        0x02 => u16::try_from(value).is_ok(),
        0x03 => u32::try_from(value).is_ok(),
        0x0a => i16::try_from(value as i64).is_ok(),
        0x0b => i32::try_from(value as i64).is_ok(),
        _ => true,
    };
    match encoding & 0x0f {
        0x01 => out.uleb(value),
        0x09 => out.sleb(value as i64),
        format => out.low_bytes(value, width(format)),
    }
    fits.then_some(())
}

/// Appends a size in the format of an encoding.
pub(super) fn size_field(out: &mut Bytes, encoding: u8, size: u32) {
    match encoding & 0x0f {
        0x01 => out.uleb(u64::from(size)),
        0x09 => out.sleb(i64::from(size)),
        format => out.low_bytes(u64::from(size), width(format)),
    }
}

/// Size in bytes of a format: udata2, udata4 and their signed forms; else a pointer.
fn width(format: u8) -> usize {
    match format & 0x07 {
        2 => 2,
        3 => 4,
        _ => 8,
    }
}
