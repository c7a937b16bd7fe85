//! What a section encodes for one function, as on disk: the table entry and the attributes (SFrame
//! V2 errata 1, "SFrame FDE"; V3 keeps the attributes in a block of their own in front of the
//! rows).

use types::{Abi, PacKey};

/// An entry of the function descriptor table: the part that every version keeps there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuncEntry {
    /// Position in the table.
    pub index: u32,
    /// Absolute offset of the entry, which is the offset of its start field too.
    pub offset: u64,
    /// The start field's value; the header's PCREL flag gives its base.
    pub start: i64,
    /// Bytes of code.
    pub size: u32,
    /// Offset of the rows (V3: of the attribute block) in the FRE sub-section.
    pub fre_off: u32,
}

/// What a section encodes for a function, besides its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Absolute offset of the structure these fields are in: the entry, or the V3 attribute block.
    pub offset: u64,
    /// Absolute offset of `num_fres`.
    pub num_fres_at: u64,
    /// Absolute offset of `info`.
    pub info_at: u64,
    /// Absolute offset of `rep_size`; of `info` in V1, which has none.
    pub rep_size_at: u64,
    /// Rows of the function.
    pub num_fres: u32,
    /// Info byte, all bits.
    pub info: Info,
    /// Second info byte, all bits; 0 before V3.
    pub info2: Info2,
    /// Size of the repeating block; none in V1.
    pub rep_size: Option<u8>,
    /// Padding, V2 only.
    pub padding: Option<u16>,
    /// Absolute offset of the first row.
    pub rows_at: u64,
}

/// A function descriptor: table entry and attributes, wherever the version keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuncDesc {
    /// Its entry in the function descriptor table.
    pub entry: FuncEntry,
    /// Its attributes: in the entry, or in front of its rows (V3).
    pub attributes: Attributes,
}

impl FuncDesc {
    /// The key that signs return addresses in rows marked as signed; A on an ABI without pointer
    /// authentication.
    pub fn key(&self, abi: Abi) -> PacKey {
        if abi.facts().pointer_authentication && self.attributes.info.key_b() { PacKey::B } else { PacKey::A }
    }
}

/// The info byte (SFrame V2 errata 1, "The SFrame FDE Info Word").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Info(pub u8);

impl Info {
    /// FRE type: 0, 1, 2 for row starts of 1, 2, 4 bytes; others reserved.
    #[inline]
    pub fn fre_type(self) -> u8 {
        self.0 & 0x0f
    }

    /// Bytes of a row's start field; `None` for a reserved type.
    #[inline]
    pub fn start_width(self) -> Option<u8> {
        match self.fre_type() {
            0 => Some(1),
            1 => Some(2),
            2 => Some(4),
            _ => None,
        }
    }

    /// PCMASK: row starts count inside a repeating block.
    #[inline]
    pub fn pcmask(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// AArch64: return addresses are signed with the B key.
    #[inline]
    pub fn key_b(self) -> bool {
        self.0 & 0x20 != 0
    }

    /// Bit 7. Its meaning depends on the version:
    /// [`Header::is_signal`](crate::Header::is_signal).
    #[inline]
    pub fn bit_7(self) -> bool {
        self.0 & 0x80 != 0
    }
}

/// The second info byte of V3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Info2(pub u8);

impl Info2 {
    /// FDE type: 0 default, 1 flex; others reserved.
    #[inline]
    pub fn fde_type(self) -> u8 {
        self.0 & 0x1f
    }

    /// Rows are control and offset pairs.
    #[inline]
    pub fn flex(self) -> bool {
        self.fde_type() == 1
    }
}

/// The block of PCMASK functions in V1, which has no field for it: consumers took x86-64's PLT
/// entry size.
pub(crate) const V1_BLOCK: u8 = 16;

impl Attributes {
    /// The repeating block's size of a PCMASK function, 0 included; `None` for PCINC.
    #[inline]
    pub fn block(&self) -> Option<u8> {
        self.info.pcmask().then(|| self.rep_size.unwrap_or(V1_BLOCK))
    }
}
