//! Values that `dump --format json` and `trace --format json` print: tables as encoded with the
//! meaning of rows, and the true frames of each step.

use types::{Abi, ByteOrder, Equations, SframeVersion};

/// Version of both schemas.
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
    /// Name of the section.
    pub section: String,
    /// Address of the section; in an object, an address in this program's layout.
    pub address: u64,
    /// The header; `None` if it cannot be read.
    pub header: Option<DumpedHeader>,
    /// The functions, in the order of the table.
    pub functions: Vec<DumpedFunction>,
    /// Error that ended the reading of the section.
    pub error: Option<String>,
}

/// Fields of the header.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DumpedHeader {
    /// Version as which the section is decoded.
    pub version: SframeVersion,
    /// True if the section is little-endian.
    pub little_endian: bool,
    /// `sfp_flags`.
    pub flags: u8,
    /// `sfh_abi_arch`.
    pub abi_arch: u8,
    /// ABI of `abi_arch`; `None` if the value is unknown.
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
    /// Index in the function descriptor table.
    pub index: u32,
    /// Byte offset of the descriptor in the section.
    pub offset: u64,
    /// Address of the first byte of code; `None` if it exceeds the address space.
    pub start: Option<u64>,
    /// Value of the start field.
    pub start_field: i64,
    /// Bytes of code.
    pub size: u32,
    /// Offset of the rows in the FRE sub-section.
    pub start_fre_off: u32,
    /// Number of rows in the descriptor.
    pub num_fres: Option<u32>,
    /// The info byte.
    pub info: Option<u8>,
    /// The second info byte, of V3.
    pub info2: Option<u8>,
    /// Size in bytes of the block in which rows repeat.
    pub rep_size: Option<u8>,
    /// The rows.
    pub rows: Vec<DumpedRow>,
    /// Error that ended the reading of the function or its rows.
    pub error: Option<String>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct DumpedRow {
    /// Byte offset in the section.
    pub offset: u64,
    /// Start in bytes from the function's start, or from the start of the repeating block.
    pub start: u32,
    /// First address that the row covers; `None` if the row repeats.
    pub pc: Option<u64>,
    /// The row as text: `cfa=rsp+8 ra=[cfa-8] fp=same`.
    pub text: String,
    /// The row in parts; `None` if it cannot be read.
    pub equations: Option<Equations>,
    /// Why the row cannot be read.
    pub error: Option<String>,
}

impl DumpedHeader {
    /// Returns true for little-endian.
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
    /// Last line: how the execution ended.
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
    /// Address of the instruction.
    pub pc: u64,
    /// Address as `function+0x12`.
    pub place: String,
    /// How control reached the instruction: `sequential`, `call`, `return`, ...
    pub event: &'static str,
    /// Disassembly of the instruction.
    pub text: String,
    /// Number of callers on the stack.
    pub depth: u64,
    /// The stack pointer.
    pub sp: u64,
    /// Canonical frame address of the frame; `None` if it has no caller.
    pub cfa: Option<u64>,
    /// The return address.
    pub ra: Option<u64>,
    /// The caller's frame pointer.
    pub fp: Option<u64>,
    /// Locations of these values, as a row.
    pub row: String,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct TraceEnd {
    /// Version of this shape.
    #[schemars(extend("const" = DUMP_SCHEMA))]
    pub schema: u32,
    /// Number of executed instructions.
    pub steps: u64,
    /// True if the program ended by itself.
    pub finished: bool,
    /// Exit status, if the program exited.
    pub exit_status: Option<i32>,
    /// How the execution ended, as text.
    pub message: String,
}
