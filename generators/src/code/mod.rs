//! Functions as machine code together with their frame at each offset. Both tables are made from
//! this description. Offsets are in bytes from the function's first instruction.

mod cfi;
mod rows;
mod signal_frame;

use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use crate::arch::arch;
use crate::eh_frame::Cfi;
use crate::sframe::{Base, Layout};

pub use cfi::cfi_program;
pub(crate) use cfi::{changes, loaded, sum};
pub use rows::{NotExpressible, default_row, flex_row, function_rows, outermost_row};
pub(crate) use signal_frame::signal_frame;

/// A function's code with its calls and frames, not placed at an address yet.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol name.
    pub name: String,
    /// Instructions; those of [`Function::calls`] target themselves until the function is placed.
    pub code: Vec<u8>,
    /// Calls to other functions of the same code section.
    pub calls: Vec<Call>,
    /// Addresses among the instructions, in a file with absolute addresses.
    pub addresses: Vec<Address>,
    /// The frames, starting at the first offset, ascending.
    pub frames: Vec<FrameAt>,
    /// AArch64: key that signs return addresses.
    pub key: PacKey,
    /// The frame is a signal frame.
    pub signal: bool,
    /// The CFI of its FDE, if `frames` cannot express it.
    pub cfi: Option<OwnCfi>,
}

/// Call frame information beyond CFA, return address and FP.
#[derive(Clone, Debug)]
pub struct OwnCfi {
    /// Column of the return address.
    pub return_column: Reg,
    /// Call frame instructions, as in [`crate::eh_frame::Fde`].
    pub program: Vec<(u64, Cfi)>,
}

/// 8 bytes that hold an address inside another function of the same code section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Offset of the bytes.
    pub at: usize,
    /// Name of the function.
    pub callee: String,
    /// Offset in the callee.
    pub into: u32,
}

/// A call or jump to another function, whose target is filled in when addresses are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Offset of the instruction.
    pub at: usize,
    pub callee: String,
    /// Offset in the callee.
    pub into: u32,
    /// Whether the reference is a call or a jump.
    pub transfer: Transfer,
}

/// The kind of transfer to another function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    Call,
    /// A jump: a tail call, or a jump to a separate part of the function.
    Jump,
}

/// A frame and the offset where it begins; it ends where the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameAt {
    pub offset: u32,
    pub frame: FrameState,
}

/// The rules of a frame: CFA, the caller's return address and FP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameState {
    pub cfa: CfaRule,
    pub ra: ValueRule,
    pub fp: ValueRule,
    /// AArch64: the return address is signed.
    pub signed: bool,
}

/// The functions of an architecture as machine code, with their frames.
pub(crate) trait Functions {
    /// As [`Function::framed`].
    fn framed(&self, name: &str, callee: &str) -> Function;

    /// As [`Function::start`].
    fn start(&self, name: &str, callee: &str) -> Function;

    /// As [`Function::signed`].
    fn signed(&self, _name: &str, _callee: &str, _key: PacKey) -> Option<Function> {
        None
    }

    /// As [`Function::saved_cfa`].
    fn saved_cfa(&self, _name: &str) -> Option<Function> {
        None
    }

    /// A function that keeps its CFA, or its return address and FP, in registers that calls do not
    /// preserve. `None` without flexible rows.
    fn foreign_registers(&self, _name: &str) -> Option<Function> {
        None
    }

    /// A function that saves its return address but no frame pointer, which is one word too few.
    /// `None` if every number of words is defined.
    fn ra_only(&self, _name: &str, _callee: &str) -> Option<Function> {
        None
    }

    /// PLT slots, all alike, described by the rows of one. `None` if linkers describe no PLT.
    fn stubs(&self, _name: &str, _count: u32) -> Option<Function> {
        None
    }

    /// The first PLT entry, to which unresolved slots jump.
    fn plt_first(&self, _name: &str) -> Option<Function> {
        None
    }

    /// Base and offsets of a default row.
    fn default_offsets(&self, frame: &FrameState, layout: Layout) -> Option<(Base, Vec<i64>)>;
}

impl FrameState {
    /// The frame at a function's first instruction.
    pub fn at_entry(abi: Abi) -> Self {
        let facts = abi.facts();
        FrameState {
            cfa: CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry },
            ra: facts.fixed_ra.map_or(ValueRule::SameValue, |offset| ValueRule::AtCfa(offset.into())),
            fp: ValueRule::SameValue,
            signed: false,
        }
    }

    pub(crate) fn cfa(self, reg: Reg, offset: i64) -> Self {
        FrameState { cfa: CfaRule::Register { reg, offset }, ..self }
    }

    pub(crate) fn saved(self, ra: i64, fp: i64) -> Self {
        FrameState { ra: ValueRule::AtCfa(ra), fp: ValueRule::AtCfa(fp), ..self }
    }

    pub(crate) fn outermost(self) -> Self {
        FrameState { ra: ValueRule::Undefined, ..self }
    }
}

impl Function {
    /// A function with only a return instruction.
    pub fn leaf(abi: Abi, name: &str) -> Self {
        Function::plain(name, arch(abi).ret(), vec![FrameAt { offset: 0, frame: FrameState::at_entry(abi) }])
    }

    /// A function that sets up a frame pointer, calls, and returns.
    pub fn framed(abi: Abi, name: &str, callee: &str) -> Self {
        arch(abi).framed(name, callee)
    }

    /// The start of a program: calls, then exits with status 0. It has no caller; its return
    /// address is undefined.
    pub fn start(abi: Abi, name: &str, callee: &str) -> Self {
        Functions::start(arch(abi), name, callee)
    }

    /// AArch64: a function that signs its return address, saves it, calls, and returns.
    pub fn signed(abi: Abi, name: &str, callee: &str, key: PacKey) -> Option<Self> {
        arch(abi).signed(name, callee, key)
    }

    /// A function that saves its CFA on the stack and loads it from there, which only a flexible
    /// row can describe. `None` without flexible rows.
    pub fn saved_cfa(abi: Abi, name: &str) -> Option<Self> {
        arch(abi).saved_cfa(name)
    }

    /// The function with about this many bytes of nops before its last `tail` bytes.
    pub fn padded(mut self, abi: Abi, tail: usize, bytes: usize) -> Self {
        let at = self.code.len().saturating_sub(tail);
        let filler = nops(abi, bytes);
        let added = filler.len();
        self.code.splice(at..at, filler);
        for frame in self.frames.iter_mut().filter(|frame| frame.offset as usize > at) {
            frame.offset += added as u32;
        }
        for call in self.calls.iter_mut().filter(|call| call.at >= at) {
            call.at += added;
        }
        self
    }

    pub(crate) fn plain(name: &str, code: Vec<u8>, frames: Vec<FrameAt>) -> Self {
        Function {
            name: name.to_owned(),
            code,
            calls: Vec::new(),
            addresses: Vec::new(),
            frames,
            key: PacKey::A,
            signal: false,
            cfi: None,
        }
    }

    pub(crate) fn calling(mut self, at: usize, callee: &str) -> Self {
        self.calls.push(Call { at, callee: callee.to_owned(), into: 0, transfer: Transfer::Call });
        self
    }
}

/// This many bytes of nops, rounded down to whole instructions.
pub fn nops(abi: Abi, bytes: usize) -> Vec<u8> {
    let nop = arch(abi).nop();
    nop.repeat(bytes / nop.len())
}

/// Frames from pairs of offset and state.
pub(crate) fn frames(states: &[(u32, FrameState)]) -> Vec<FrameAt> {
    states.iter().map(|(offset, frame)| FrameAt { offset: *offset, frame: *frame }).collect()
}
