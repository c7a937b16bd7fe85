//! A `.sframe` section as data. Offsets and sizes are bytes.

use types::{Abi, ByteOrder, PacKey, SframeVersion};

use super::layout::{FLAG_PCREL, FLAG_SORTED, Layout};
use crate::arch::target;
use crate::facts;

/// Header, descriptors and rows of a section.
#[derive(Clone, Debug)]
pub struct SectionSpec {
    /// Structure of the FDEs.
    pub layout: Layout,
    /// Byte order, also of the magic.
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
    /// Bytes between the header and the FDEs (`sfh_fdeoff`).
    pub fde_gap: Vec<u8>,
    /// Bytes between the FDEs and the rows.
    pub fre_gap: Vec<u8>,
    /// Functions, in the order of their FDEs.
    pub functions: Vec<FunctionSpec>,
    /// Order of the functions' rows, as indices into `functions`; `None` for the order of FDEs.
    /// Functions that are not listed have no rows.
    pub row_order: Option<Vec<usize>>,
    /// Bytes after the rows.
    pub trailing: Vec<u8>,
    /// Anchor of start fields; `None` for the one that version and flags define.
    pub anchor: Option<Anchor>,
    /// Header fields to write in place of the computed ones.
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

/// The anchor of a function's start field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The first byte of the section.
    Section,
    /// The first byte of the field.
    Field,
}

/// A function: its FDE, in V3 its attributes, and its rows.
#[derive(Clone, Debug)]
pub struct FunctionSpec {
    /// Address of the first instruction; in a relocatable object the offset from the symbol that
    /// `target` names.
    pub start: u64,
    /// Index of the caller's code section that contains the function. Only relocatable objects use
    /// this.
    pub target: usize,
    /// Size of the code in bytes.
    pub size: u32,
    /// Width of row starts (the FRE type).
    pub starts: Width,
    /// Whether rows apply to the function or to each of its blocks.
    pub pc_type: PcType,
    /// AArch64: key that signs return addresses.
    pub key: PacKey,
    /// V3: a signal frame.
    pub signal: bool,
    /// V3: rows are flexible, with pairs of control and offset words.
    pub flex: bool,
    /// Rows in the order written.
    pub rows: Vec<RowSpec>,
    /// Fields to write in place of the computed ones.
    pub overrides: FunctionOverrides,
}

/// FDE fields to write in place of the computed ones.
#[derive(Clone, Debug, Default)]
pub struct FunctionOverrides {
    /// The start field itself.
    pub start: Option<i64>,
    /// `func_start_fre_off`.
    pub fre_offset: Option<u32>,
    /// Row count in the FDE (V3: in the attributes).
    pub num_fres: Option<u32>,
    /// `func_info`.
    pub info: Option<u8>,
    /// `func_info2` (V3).
    pub info2: Option<u8>,
    /// `func_rep_size` (V2, V3).
    pub rep_size: Option<u8>,
    /// Padding of a V2 FDE.
    pub padding: Option<u16>,
    /// The function has neither attributes nor rows in the FRE sub-section.
    pub no_blob: bool,
}

/// The anchor of row starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PcType {
    /// The function's first byte.
    Inc,
    /// The first byte of each block of this size.
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
    /// First offset to which the row applies.
    pub start: u32,
    /// Base register of the CFA; flexible rows write [`Base::Fp`], whose bit is zero.
    pub base: Base,
    /// AArch64: the return address is signed.
    pub signed: bool,
    /// Width of the words.
    pub width: Width,
    /// The words, at most 15.
    pub words: Vec<Word>,
    /// The info byte to write in place of the computed one.
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
    /// A two's complement offset.
    Offset(i32),
    /// An unsigned control word of a flexible row.
    Control(u32),
}

impl SectionSpec {
    /// Creates an empty section as a current producer of the version would start it for a linked
    /// file.
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
    /// Size in bytes of the rows of all functions, including attributes.
    pub(crate) fn row_bytes(&self) -> usize {
        self.functions.iter().map(|function| function.row_bytes(self.layout)).sum()
    }
}

impl FunctionSpec {
    /// Size in bytes of the function's rows, including attributes.
    pub(crate) fn row_bytes(&self, layout: Layout) -> usize {
        let row = |row: &RowSpec| self.starts.bytes() + 1 + row.words.len() * row.width.bytes();
        layout.attribute_size() + self.rows.iter().map(row).sum::<usize>()
    }

    /// Creates a function with one-byte row starts and no special properties.
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

    /// The narrowest width of row starts for the whole function (as GNU as chooses it).
    pub fn narrowest_starts(size: u32) -> Width {
        match size {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }
}

impl RowSpec {
    /// Creates a default row of signed offsets in the narrowest width for all of them.
    pub fn offsets(start: u32, base: Base, offsets: &[i32]) -> Self {
        let words = offsets.iter().copied().map(Word::Offset).collect();
        RowSpec { start, base, signed: false, width: Width::One, words, info: None }.narrowed()
    }

    /// A row without words: the return address is undefined from here (V2 errata 2, V3).
    pub fn outermost(start: u32) -> Self {
        RowSpec { start, base: Base::Fp, signed: false, width: Width::One, words: Vec::new(), info: None }
    }

    /// Creates a flexible row in the narrowest width for its words.
    pub fn flex(start: u32, words: Vec<Word>) -> Self {
        RowSpec { start, base: Base::Fp, signed: false, width: Width::One, words, info: None }.narrowed()
    }

    fn narrowed(mut self) -> Self {
        self.width = self.words.iter().map(|word| word.narrowest()).max().unwrap_or(Width::One);
        self
    }
}

impl Width {
    pub const fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two => 2,
            Width::Four => 4,
        }
    }

    /// The code in info bytes, for row starts and for words.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Width::One => 0,
            Width::Two => 1,
            Width::Four => 2,
        }
    }
}

impl Word {
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
