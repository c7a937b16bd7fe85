//! What `dump --format json` and `trace --format json` print: tables as they are on disk with what
//! rows mean, and the truth step by step.

use types::{Abi, ByteOrder, Equations, SframeVersion};

/// The version of both shapes.
pub const DUMP_SCHEMA: u32 = 1;

/// A `.sframe` section: a line of `dump --format json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(title = "dump --format json")]
pub struct DumpedSection {
    /// Version of this shape.
    #[schemars(extend("const" = DUMP_SCHEMA))]
    pub schema: u32,
    /// The file as it was named.
    pub file: String,
    /// The section's name.
    pub section: String,
    /// Its address; in an object, an address in this program's layout.
    pub address: u64,
    /// The header; `None` if it cannot be read.
    pub header: Option<DumpedHeader>,
    /// The functions, in the order of the table.
    pub functions: Vec<DumpedFunction>,
    /// The error that ends the reading of the section.
    pub error: Option<String>,
}

/// The header, field by field.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DumpedHeader {
    /// The version that it is decoded as.
    pub version: SframeVersion,
    /// It is little-endian.
    pub little_endian: bool,
    /// `sfp_flags`.
    pub flags: u8,
    /// `sfh_abi_arch`.
    pub abi_arch: u8,
    /// The same by name; `None` for a number without a name.
    pub abi: Option<Abi>,
    /// `sfh_cfa_fixed_fp_offset`.
    pub fixed_fp: i8,
    /// `sfh_cfa_fixed_ra_offset`.
    pub fixed_ra: i8,
    /// `sfh_auxhdr_len`.
    pub aux_len: u8,
    /// `sfh_num_fdes`.
    pub num_fdes: u32,
    /// `sfh_num_fres`.
    pub num_fres: u32,
    /// `sfh_fre_len`.
    pub fre_len: u32,
    /// `sfh_fdeoff`.
    pub fdeoff: u32,
    /// `sfh_freoff`.
    pub freoff: u32,
}

/// A function descriptor and its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DumpedFunction {
    /// Its index in the table.
    pub index: u32,
    /// Byte offset of the descriptor in the section.
    pub offset: u64,
    /// Address of its first byte of code; none outside the address space.
    pub start: Option<u64>,
    /// The start field as it is.
    pub start_field: i64,
    /// Bytes of code.
    pub size: u32,
    /// Offset of its rows in the FRE sub-section.
    pub start_fre_off: u32,
    /// Rows, as the descriptor counts them.
    pub num_fres: Option<u32>,
    /// The info byte.
    pub info: Option<u8>,
    /// The second info byte, of V3.
    pub info2: Option<u8>,
    /// Bytes of the block in which rows repeat.
    pub rep_size: Option<u8>,
    /// Its rows.
    pub rows: Vec<DumpedRow>,
    /// The error that ends the reading of it or of its rows.
    pub error: Option<String>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DumpedRow {
    /// Byte offset in the section.
    pub offset: u64,
    /// Its start: bytes from the function's, or from the repeating block's.
    pub start: u32,
    /// The first address that it covers; `None` if it repeats.
    pub pc: Option<u64>,
    /// The row as text: `cfa=rsp+8 ra=[cfa-8] fp=same`.
    pub text: String,
    /// The same in parts; `None` if it cannot be read.
    pub equations: Option<Equations>,
    /// Why it cannot be read.
    pub error: Option<String>,
}

impl DumpedHeader {
    /// Returns true if an order is the little one.
    pub fn is_little(order: ByteOrder) -> bool {
        order == ByteOrder::Little
    }
}

/// A line of `trace --format json`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "trace --format json")]
pub enum TraceLine {
    /// An instruction that is about to execute.
    Step(TraceStep),
    /// The last line: how it ended.
    End(TraceEnd),
}

/// An instruction that is about to execute.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TraceStep {
    /// Version of this shape.
    #[schemars(extend("const" = DUMP_SCHEMA))]
    pub schema: u32,
    /// Number of the instruction, from 1.
    pub number: u64,
    /// Its address.
    pub pc: u64,
    /// The same as `function+0x12`.
    pub place: String,
    /// How control reached it: `sequential`, `call`, `return`, ...
    pub event: &'static str,
    /// Its disassembly.
    pub text: String,
    /// Callers on the stack.
    pub depth: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The canonical frame address of its frame; `None` if it has no caller.
    pub cfa: Option<u64>,
    /// The return address.
    pub ra: Option<u64>,
    /// The caller's frame pointer.
    pub fp: Option<u64>,
    /// Where these are, as a row.
    pub row: String,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TraceEnd {
    /// Version of this shape.
    #[schemars(extend("const" = DUMP_SCHEMA))]
    pub schema: u32,
    /// Instructions executed.
    pub steps: u64,
    /// True if the program ended by itself.
    pub finished: bool,
    /// The status of a program that exited.
    pub exit_status: Option<i32>,
    /// How it ended, in words.
    pub message: String,
}
