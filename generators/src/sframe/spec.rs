//! A `.sframe` section as data. Offsets and sizes are bytes.

use types::{Abi, ByteOrder, PacKey, SframeVersion};

use super::layout::{FLAG_PCREL, FLAG_SORTED, Layout};
use crate::arch::target;
use crate::facts;

/// Header, descriptors and rows of a section.
#[derive(Clone, Debug)]
pub struct SectionSpec {
    /// Structure of the function descriptors.
    pub layout: Layout,
    /// Order of bytes, the magic's included.
    pub order: ByteOrder,
    /// `sfp_flags`.
    pub flags: u8,
    /// `sfh_abi_arch`.
    pub abi: u8,
    /// `sfh_cfa_fixed_fp_offset`.
    pub fixed_fp: i8,
    /// `sfh_cfa_fixed_ra_offset`.
    pub fixed_ra: i8,
    /// The auxiliary header's bytes (`sfh_auxhdr_len`).
    pub aux: Vec<u8>,
    /// Bytes between the header and the function descriptors (`sfh_fdeoff`).
    pub fde_gap: Vec<u8>,
    /// Bytes between the function descriptors and the rows.
    pub fre_gap: Vec<u8>,
    /// Functions, in the order of their descriptors.
    pub functions: Vec<FunctionSpec>,
    /// Order of the functions' rows, as indices of `functions`; none is the order of descriptors.
    /// Functions not named have no rows.
    pub row_order: Option<Vec<usize>>,
    /// What follows the rows.
    pub trailing: Vec<u8>,
    /// What start fields count from; none is what version and flags define.
    pub anchor: Option<Anchor>,
    /// Header fields that are not to follow from the rest.
    pub header: HeaderOverrides,
}

/// Header fields to write in place of the computed ones.
#[derive(Clone, Debug, Default)]
pub struct HeaderOverrides {
    /// `sfp_magic`.
    pub magic: Option<u16>,
    /// `sfp_version`.
    pub version: Option<u8>,
    /// `sfh_auxhdr_len`.
    pub aux_len: Option<u8>,
    /// `sfh_num_fdes`.
    pub num_fdes: Option<u32>,
    /// `sfh_num_fres`.
    pub num_fres: Option<u32>,
    /// `sfh_fre_len`.
    pub fre_len: Option<u32>,
    /// `sfh_fdeoff`.
    pub fdeoff: Option<u32>,
    /// `sfh_freoff`.
    pub freoff: Option<u32>,
}

/// What a function's start field counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The first byte of the section.
    Section,
    /// The first byte of the field.
    Field,
}

/// A function: its descriptor, in V3 its attributes, and its rows.
#[derive(Clone, Debug)]
pub struct FunctionSpec {
    /// Address of the first instruction; in a relocatable object the offset from the symbol that
    /// `target` names.
    pub start: u64,
    /// Which of the caller's code sections holds it. Only relocatable objects use this.
    pub target: usize,
    /// Bytes of code.
    pub size: u32,
    /// Width of row starts (the FRE type).
    pub starts: Width,
    /// Whether rows hold for the function or for each block of it.
    pub pc_type: PcType,
    /// AArch64: key that signs return addresses.
    pub key: PacKey,
    /// V3: a signal frame.
    pub signal: bool,
    /// V3: rows are flexible, words come as control and offset.
    pub flex: bool,
    /// Rows in the order written.
    pub rows: Vec<RowSpec>,
    /// Fields that are not to follow from the rest.
    pub overrides: FunctionOverrides,
}

/// Descriptor fields to write in place of the computed ones.
#[derive(Clone, Debug, Default)]
pub struct FunctionOverrides {
    /// The start field itself.
    pub start: Option<i64>,
    /// `func_start_fre_off`.
    pub fre_offset: Option<u32>,
    /// Count of rows in the descriptor (V3: in the attribute block).
    pub num_fres: Option<u32>,
    /// `func_info`.
    pub info: Option<u8>,
    /// `func_info2` (V3).
    pub info2: Option<u8>,
    /// `func_rep_size` (V2, V3).
    pub rep_size: Option<u8>,
    /// Padding of a V2 descriptor.
    pub padding: Option<u16>,
    /// The FRE sub-section gets nothing of this function: neither attribute block nor rows.
    pub no_blob: bool,
}

/// What row starts count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PcType {
    /// The function's first byte.
    Inc,
    /// The first byte of each block of this many bytes.
    Mask(u8),
}

/// Width of a field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    One,
    Two,
    Four,
}

/// A frame row entry ("SFrame FRE").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowSpec {
    /// First offset the row is valid for.
    pub start: u32,
    /// Register to which the CFA's offset is added; flexible rows write [`Base::Fp`], which is the
    /// zero bit.
    pub base: Base,
    /// AArch64: the return address is signed.
    pub signed: bool,
    /// Width of the words.
    pub width: Width,
    /// The words, at most 15.
    pub words: Vec<Word>,
    /// The info byte, if it is not to follow from the rest.
    pub info: Option<u8>,
}

/// CFA base register of a default row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    Fp,
    Sp,
}

/// A word of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Two's complement.
    Offset(i32),
    /// An unsigned control word of a flexible row.
    Control(u32),
}

impl SectionSpec {
    /// An empty section as a current producer of that version would begin it for a linked file.
    pub fn new(abi: Abi, version: SframeVersion) -> Self {
        let (target, version) = (target(abi), facts::version(version));
        SectionSpec {
            layout: version.layout,
            order: abi.facts().order,
            flags: FLAG_SORTED | if version.starts_from_field { FLAG_PCREL } else { 0 },
            abi: target.sframe_id,
            fixed_fp: 0,
            fixed_ra: target.fixed_ra,
            aux: Vec::new(),
            fde_gap: Vec::new(),
            fre_gap: Vec::new(),
            functions: Vec::new(),
            row_order: None,
            trailing: Vec::new(),
            anchor: None,
            header: HeaderOverrides::default(),
        }
    }
}

impl SectionSpec {
    /// Bytes that the rows of all functions take, their attributes included.
    pub(crate) fn row_bytes(&self) -> usize {
        self.functions.iter().map(|function| function.row_bytes(self.layout)).sum()
    }
}

impl FunctionSpec {
    /// Bytes that its rows take, their attributes included.
    pub(crate) fn row_bytes(&self, layout: Layout) -> usize {
        let row = |row: &RowSpec| self.starts.bytes() + 1 + row.words.len() * row.width.bytes();
        layout.attribute_size() + self.rows.iter().map(row).sum::<usize>()
    }

    /// A function with one-byte row starts and no special properties.
    pub fn new(start: u64, size: u32, rows: Vec<RowSpec>) -> Self {
        FunctionSpec {
            start,
            target: 0,
            size,
            starts: Width::One,
            pc_type: PcType::Inc,
            key: PacKey::A,
            signal: false,
            flex: false,
            rows,
            overrides: FunctionOverrides::default(),
        }
    }

    /// The narrowest width of row starts that spans the whole function (what GNU as chooses).
    pub fn narrowest_starts(size: u32) -> Width {
        match size {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }
}

impl RowSpec {
    /// A default row of signed offsets in the narrowest width that holds them all.
    pub fn offsets(start: u32, base: Base, offsets: &[i32]) -> Self {
        let words = offsets.iter().copied().map(Word::Offset).collect();
        RowSpec { start, base, signed: false, width: Width::One, words, info: None }.narrowed()
    }

    /// A row without words: the return address is undefined from here (V2 errata 2, V3).
    pub fn outermost(start: u32) -> Self {
        RowSpec { start, base: Base::Fp, signed: false, width: Width::One, words: Vec::new(), info: None }
    }

    /// A flexible row in the narrowest width that holds its words.
    pub fn flex(start: u32, words: Vec<Word>) -> Self {
        RowSpec { start, base: Base::Fp, signed: false, width: Width::One, words, info: None }.narrowed()
    }

    fn narrowed(mut self) -> Self {
        self.width = self.words.iter().map(|word| word.narrowest()).max().unwrap_or(Width::One);
        self
    }
}

impl Width {
    /// Number of bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
        }
    }

    /// The code in info bytes, for row starts and for words alike.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Width::One => 0,
            Width::Two => 1,
            Width::Four => 2,
        }
    }
}

impl Word {
    /// The narrowest width that holds the word.
    pub fn narrowest(self) -> Width {
        [Width::One, Width::Two].into_iter().find(|width| self.fits(*width)).unwrap_or(Width::Four)
    }

    pub(crate) fn fits(self, width: Width) -> bool {
        let bits = 8 * width.bytes() as u32;
        match self {
            Word::Offset(value) => {
                bits == 32 || (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&i64::from(value))
            }
            Word::Control(value) => bits == 32 || u64::from(value) < 1u64 << bits,
        }
    }

    pub(crate) fn bits(self) -> u64 {
        match self {
            Word::Offset(value) => i64::from(value) as u64,
            Word::Control(value) => u64::from(value),
        }
    }
}
