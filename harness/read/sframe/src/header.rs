//! The 28-byte header of a section as on disk, and the offsets derived from it (SFrame V2 errata 1,
//! "SFrame Header"). Offsets count from the first byte of the section.

use types::{Abi, ByteOrder, SframeVersion};

use crate::bytes::Bytes;
use crate::{ErrorKind, Format, Info, ParseError, RowInfo};

/// Offsets of the header's fields, for errors and breaches.
pub mod at {
    /// `sfp_magic`.
    pub const MAGIC: u64 = 0x00;
    /// `sfp_version`.
    pub const VERSION: u64 = 0x02;
    /// `sfp_flags`.
    pub const FLAGS: u64 = 0x03;
    /// `sfh_abi_arch`.
    pub const ABI: u64 = 0x04;
    /// `sfh_cfa_fixed_fp_offset`.
    pub const FIXED_FP: u64 = 0x05;
    /// `sfh_cfa_fixed_ra_offset`.
    pub const FIXED_RA: u64 = 0x06;
    /// `sfh_auxhdr_len`.
    pub const AUX_LEN: u64 = 0x07;
    /// `sfh_num_fdes`.
    pub const NUM_FDES: u64 = 0x08;
    /// `sfh_num_fres`.
    pub const NUM_FRES: u64 = 0x0c;
    /// `sfh_fre_len`.
    pub const FRE_LEN: u64 = 0x10;
    /// `sfh_fdeoff`.
    pub const FDEOFF: u64 = 0x14;
    /// `sfh_freoff`.
    pub const FREOFF: u64 = 0x18;
    /// First byte after the fixed header: the auxiliary header.
    pub const END: u64 = 0x1c;
}

/// The header as on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Byte order, from the magic.
    pub order: ByteOrder,
    /// `sfp_version`.
    pub format: Format,
    /// Flags byte, all bits.
    pub flags: Flags,
    /// `sfh_abi_arch`, known or not.
    pub abi_arch: u8,
    /// Fixed offset of the FP slot from the CFA; 0 for none.
    pub fixed_fp: i8,
    /// Fixed offset of the RA slot from the CFA; 0 for none.
    pub fixed_ra: i8,
    /// Size of the auxiliary header in bytes.
    pub aux_len: u8,
    /// Number of entries of the function descriptor table.
    pub num_fdes: u32,
    /// Number of rows of all functions.
    pub num_fres: u32,
    /// Size of the FRE sub-section in bytes.
    pub fre_len: u32,
    /// Offset of the function descriptors from the end of header and auxiliary header.
    pub fdeoff: u32,
    /// Offset of the FRE sub-section from the end of header and auxiliary header.
    pub freoff: u32,
}

/// The flags byte (SFrame V2 errata 1, "SFrame Flags").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// SFRAME_F_FDE_SORTED.
    pub const SORTED: u8 = 0x1;
    /// SFRAME_F_FRAME_POINTER, up to V2.
    pub const FRAME_POINTER: u8 = 0x2;
    /// SFRAME_F_FDE_FUNC_START_PCREL, from V2 errata 1.
    pub const PCREL: u8 = 0x4;

    /// Returns true if the flag is set that functions are sorted by address.
    pub fn sorted(self) -> bool {
        self.0 & Self::SORTED != 0
    }

    /// Returns true if the flag is set that every function keeps a frame pointer.
    pub fn frame_pointer(self) -> bool {
        self.0 & Self::FRAME_POINTER != 0
    }

    /// Returns true if function starts are relative to the field that holds them.
    pub fn pcrel(self) -> bool {
        self.0 & Self::PCREL != 0
    }
}

impl Header {
    /// Reads the header alone; the section after it may be broken.
    ///
    /// # Errors
    /// Wrong magic, unknown version, or fewer than 28 bytes. An unknown version is reported after
    /// four bytes, the only ones that all versions share.
    pub fn parse(section: &[u8]) -> Result<Header, ParseError> {
        let have = section.len() as u64;
        let short = |need| ParseError::new(ErrorKind::Truncated { need, have }, have);
        let &[m0, m1, version, flags] = section.first_chunk::<4>().ok_or_else(|| short(4))?;
        let order = match [m0, m1] {
            [0xe2, 0xde] => ByteOrder::Little,
            [0xde, 0xe2] => ByteOrder::Big,
            magic => return Err(ParseError::new(ErrorKind::Magic(magic), at::MAGIC)),
        };
        let format = Format::from_byte(version).ok_or(ParseError::new(ErrorKind::Version(version), at::VERSION))?;
        let bytes = Bytes::new(section, order);
        let byte = |at| bytes.unsigned(at, 1).map(|value| value as u8).ok_or_else(|| short(at::END));
        let word = |at| bytes.unsigned(at, 4).map(|value| value as u32).ok_or_else(|| short(at::END));
        Ok(Header {
            order,
            format,
            flags: Flags(flags),
            abi_arch: byte(at::ABI)?,
            fixed_fp: byte(at::FIXED_FP)? as i8,
            fixed_ra: byte(at::FIXED_RA)? as i8,
            aux_len: byte(at::AUX_LEN)?,
            num_fdes: word(at::NUM_FDES)?,
            num_fres: word(at::NUM_FRES)?,
            fre_len: word(at::FRE_LEN)?,
            fdeoff: word(at::FDEOFF)?,
            freoff: word(at::FREOFF)?,
        })
    }

    /// The ABI of the ABI byte, if it is known.
    pub fn abi(&self) -> Option<Abi> {
        Abi::from_sframe_id(self.abi_arch)
    }

    /// The version including errata: V2 is errata 1 if it uses an addition of errata 1, the PCREL
    /// flag or an ABI.
    pub fn version(&self) -> SframeVersion {
        let first = self.abi().map_or(SframeVersion::V2, |abi| abi.facts().first_sframe);
        match self.format {
            Format::V1 => SframeVersion::V1,
            Format::V2 if self.flags.pcrel() => SframeVersion::V2Errata1,
            Format::V2 => first.clamp(SframeVersion::V2, SframeVersion::V2Errata1),
            Format::V3 => SframeVersion::V3,
        }
    }

    /// Returns true if the info byte marks the function as a signal frame and the version has this
    /// bit.
    #[inline]
    pub fn is_signal(&self, info: Info) -> bool {
        info.bit_7() && self.version().has_signal_bit()
    }

    /// Returns true if bit 7 of the row's info byte marks its return address as signed and the
    /// version has this bit.
    #[inline]
    pub fn is_signed(&self, info: RowInfo) -> bool {
        info.bit_7() && self.version().has_signed_row_bit()
    }

    /// End of header and auxiliary header: the base of `fdeoff` and `freoff`.
    pub fn end(&self) -> u64 {
        at::END.saturating_add(u64::from(self.aux_len))
    }

    /// First byte of the function descriptor table.
    pub fn fdes_at(&self) -> u64 {
        self.end().saturating_add(u64::from(self.fdeoff))
    }

    /// First byte after the function descriptor table.
    pub fn fdes_end(&self) -> u64 {
        self.fdes_at().saturating_add(u64::from(self.num_fdes).saturating_mul(self.format.entry_size()))
    }

    /// First byte of the FRE sub-section.
    pub fn fres_at(&self) -> u64 {
        self.end().saturating_add(u64::from(self.freoff))
    }

    /// First byte after the FRE sub-section.
    pub fn fres_end(&self) -> u64 {
        self.fres_at().saturating_add(u64::from(self.fre_len))
    }

    /// Checks that all tables of the header lie in a section of `have` bytes.
    ///
    /// # Errors
    /// The first table that is out of bounds, at the header field that gives its position.
    pub fn check_geometry(&self, have: u64) -> Result<(), ParseError> {
        if self.end() > have {
            return Err(ParseError::new(ErrorKind::AuxHeader(self.aux_len), at::AUX_LEN));
        }
        let end = self.fdes_end();
        if end > have {
            let at = if self.fdes_at() > have { at::FDEOFF } else { at::NUM_FDES };
            return Err(ParseError::new(ErrorKind::FdeTable { count: self.num_fdes, end, have }, at));
        }
        let end = self.fres_end();
        if end > have {
            let at = if self.fres_at() > have { at::FREOFF } else { at::FRE_LEN };
            return Err(ParseError::new(ErrorKind::FreArea { length: self.fre_len, end, have }, at));
        }
        Ok(())
    }
}
