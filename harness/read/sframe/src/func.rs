//! A function descriptor as on disk: the table entry and the attributes (SFrame V2 errata 1,
//! "SFrame FDE"). V3 stores the attributes in a separate block before the rows.

use types::{Abi, PacKey};

/// An entry of the function descriptor table: the fields that are there in every version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuncEntry {
    /// Position in the table.
    pub index: u32,
    /// Absolute offset of the entry, which is also the offset of its start field.
    pub offset: u64,
    /// Value of the start field; the header's PCREL flag defines its base.
    pub start: i64,
    /// Size of the function in bytes.
    pub size: u32,
    /// Offset of the rows (V3: of the attribute block) in the FRE sub-section.
    pub fre_off: u32,
}

/// Attributes of a function: the fields of its descriptor other than its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Absolute offset of the structure that holds these fields: the entry, or the V3 attribute
    /// block.
    pub offset: u64,
    /// Absolute offset of `num_fres`.
    pub num_fres_at: u64,
    /// Absolute offset of `info`.
    pub info_at: u64,
    /// Absolute offset of `rep_size`; of `info` in V1, which has no `rep_size`.
    pub rep_size_at: u64,
    /// Number of rows.
    pub num_fres: u32,
    /// Info byte, all bits.
    pub info: Info,
    /// Second info byte, all bits; 0 before V3.
    pub info2: Info2,
    /// Size of the repeating block in bytes; `None` in V1.
    pub rep_size: Option<u8>,
    /// Padding field, V2 only.
    pub padding: Option<u16>,
    /// Absolute offset of the first row.
    pub rows_at: u64,
}

/// A function descriptor (FDE): table entry and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuncDesc {
    /// Entry in the function descriptor table.
    pub entry: FuncEntry,
    /// Attributes, from the entry or from the block before the rows (V3).
    pub attributes: Attributes,
}

impl FuncDesc {
    /// Key that signs return addresses in rows marked as signed; A on an ABI without pointer
    /// authentication.
    pub fn key(&self, abi: Abi) -> PacKey {
        if abi.facts().pointer_authentication && self.attributes.info.key_b() { PacKey::B } else { PacKey::A }
    }
}

/// The info byte (SFrame V2 errata 1, "The SFrame FDE Info Word").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Info(pub u8);

impl Info {
    /// FRE type: 0, 1, 2 for row starts of 1, 2, 4 bytes; other values are reserved.
    #[inline]
    pub fn fre_type(self) -> u8 {
        self.0 & 0x0f
    }

    /// Size of a row's start field in bytes; `None` for a reserved type.
    #[inline]
    pub fn start_width(self) -> Option<u8> {
        match self.fre_type() {
            0 => Some(1),
            1 => Some(2),
            2 => Some(4),
            _ => None,
        }
    }

    /// Returns true for PCMASK: row starts are relative to a repeating block.
    #[inline]
    pub fn pcmask(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// AArch64: returns true if return addresses are signed with the B key.
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
    /// FDE type: 0 default, 1 flex; other values are reserved.
    #[inline]
    pub fn fde_type(self) -> u8 {
        self.0 & 0x1f
    }

    /// Returns true if the rows are flex rows: control and offset pairs.
    #[inline]
    pub fn flex(self) -> bool {
        self.fde_type() == 1
    }
}

/// Block size of PCMASK functions in V1, which has no field for it: readers used the size of an
/// x86-64 PLT entry.
pub(crate) const V1_BLOCK: u8 = 16;

impl Attributes {
    /// Size of the repeating block of a PCMASK function, which may be 0; `None` for PCINC.
    #[inline]
    pub fn block(&self) -> Option<u8> {
        self.info.pcmask().then(|| self.rep_size.unwrap_or(V1_BLOCK))
    }
}
