//! Functions as machine code together with what their frames look like at each offset. Both tables are made from that one
//! description. Offsets are bytes from the function's first instruction.

mod aarch64;
mod amd64;
mod cfi;
mod rows;
mod s390x;
mod signal_frame;

use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use crate::asm;
use crate::eh_frame::Cfi;

pub use cfi::cfi_program;
pub use rows::{NotExpressible, default_row, flex_row, function_rows, outermost_row};
pub(crate) use signal_frame::signal_frame;

/// Code with its calls and frames, at no address yet.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol.
    pub name: String,
    /// Instructions; those of [`Function::calls`] lead to themselves until the function is placed.
    pub code: Vec<u8>,
    /// Calls to other functions of the same code section.
    pub calls: Vec<Call>,
    /// Addresses among the instructions, in a file with absolute addresses.
    pub addresses: Vec<Address>,
    /// How the frame looks, from the first offset on, ascending.
    pub frames: Vec<FrameAt>,
    /// AArch64: key that signs return addresses.
    pub key: PacKey,
    /// The frame is one the kernel pushed for a signal.
    pub signal: bool,
    /// What its FDE says, where `frames` cannot.
    pub cfi: Option<OwnCfi>,
}

/// Call frame information beyond CFA, return address and FP.
#[derive(Clone, Debug)]
pub struct OwnCfi {
    /// Column of the return address.
    pub return_column: Reg,
    /// As in [`crate::eh_frame::Fde`].
    pub program: Vec<(u64, Cfi)>,
}

/// 8 bytes that hold an address in another function of the same code section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Offset of the bytes.
    pub at: usize,
    /// Name of the function.
    pub callee: String,
    /// Offset in it.
    pub into: u32,
}

/// A call or jump instruction to be directed at another function once addresses are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Offset of the instruction.
    pub at: usize,
    /// Name of the callee.
    pub callee: String,
    /// Offset in the callee.
    pub into: u32,
    /// What the instruction does with the return address.
    pub transfer: Transfer,
}

/// How control goes to another function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// A call: it comes back.
    Call,
    /// A jump: a tail call, or a part of the function that lies elsewhere.
    Jump,
}

/// A frame and where it begins to hold; it ends where the next begins.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "offsets of this module are bytes from the function's first instruction")]
pub struct FrameAt {
    pub offset: u32,
    pub frame: FrameState,
}

/// Where the frame's CFA is and where the caller's return address and FP are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a rule each for what the type names")]
pub struct FrameState {
    pub cfa: CfaRule,
    pub ra: ValueRule,
    pub fp: ValueRule,
    /// AArch64: the return address is signed.
    pub signed: bool,
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

    fn saved(self, ra: i64, fp: i64) -> Self {
        FrameState { ra: ValueRule::AtCfa(ra), fp: ValueRule::AtCfa(fp), ..self }
    }

    pub(crate) fn outermost(self) -> Self {
        FrameState { ra: ValueRule::Undefined, ..self }
    }
}

impl Function {
    /// A single return instruction.
    pub fn leaf(abi: Abi, name: &str) -> Self {
        Function::plain(name, asm::ret(abi), vec![FrameAt { offset: 0, frame: FrameState::at_entry(abi) }])
    }

    /// Sets up a frame pointer, calls, and returns.
    pub fn framed(abi: Abi, name: &str, callee: &str) -> Self {
        match abi {
            Abi::Amd64 => amd64::framed(name, callee),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64::framed(abi, name, callee),
            Abi::S390x => s390x::framed(name, callee),
        }
    }

    /// Where a program begins: calls, then exits with status 0. Nobody called it, its return address is undefined.
    pub fn start(abi: Abi, name: &str, callee: &str) -> Self {
        match abi {
            Abi::Amd64 => amd64::start(name, callee),
            Abi::Aarch64 | Abi::Aarch64Be => aarch64::start(abi, name, callee),
            Abi::S390x => s390x::start(name, callee),
        }
    }

    /// AArch64: signs its return address, saves it, calls, and returns.
    pub fn signed(abi: Abi, name: &str, callee: &str, key: PacKey) -> Option<Self> {
        match abi {
            Abi::Aarch64 | Abi::Aarch64Be => Some(aarch64::signed(abi, name, callee, key)),
            Abi::Amd64 | Abi::S390x => None,
        }
    }

    /// Saves its CFA on the stack and finds it there, which has only a flexible row. None on AArch64, where there are none.
    pub fn saved_cfa(abi: Abi, name: &str) -> Option<Self> {
        match abi {
            Abi::Amd64 => Some(amd64::saved_cfa(name)),
            Abi::S390x => Some(s390x::saved_cfa(name)),
            Abi::Aarch64 | Abi::Aarch64Be => None,
        }
    }

    /// Has its CFA, or its return address and FP, in registers that calls do not preserve. None on AArch64.
    pub fn foreign_registers(abi: Abi, name: &str) -> Option<Self> {
        match abi {
            Abi::Amd64 => Some(amd64::foreign_base(name)),
            Abi::S390x => Some(s390x::saved_in_registers(name)),
            Abi::Aarch64 | Abi::Aarch64Be => None,
        }
    }

    /// AArch64: saves its return address but no frame pointer.
    pub fn ra_only(abi: Abi, name: &str, callee: &str) -> Option<Self> {
        match abi {
            Abi::Aarch64 | Abi::Aarch64Be => Some(aarch64::ra_only(abi, name, callee)),
            Abi::Amd64 | Abi::S390x => None,
        }
    }

    /// Slots of a procedure linkage table, each of which looks alike: 16 bytes on AMD64, 32 on s390x. One slot's rows serve
    /// all. None on AArch64, where linkers describe none.
    pub fn stubs(abi: Abi, name: &str, count: u32) -> Option<Self> {
        match abi {
            Abi::Amd64 => Some(amd64::stubs(name, count)),
            Abi::S390x => Some(s390x::stubs(name, count)),
            Abi::Aarch64 | Abi::Aarch64Be => None,
        }
    }

    /// The first entry of a procedure linkage table, to which slots jump that are not resolved yet. None on AArch64.
    pub fn plt_first(abi: Abi, name: &str) -> Option<Self> {
        match abi {
            Abi::Amd64 => Some(amd64::plt_first(name)),
            Abi::S390x => Some(s390x::plt_first(name)),
            Abi::Aarch64 | Abi::Aarch64Be => None,
        }
    }

    /// The same code with about so many bytes of instructions that do nothing in front of its last `tail` bytes.
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

    fn calling(mut self, at: usize, callee: &str) -> Self {
        self.calls.push(Call { at, callee: callee.to_owned(), into: 0, transfer: Transfer::Call });
        self
    }
}

/// Instructions that do nothing: so many bytes, rounded down to whole instructions.
pub fn nops(abi: Abi, bytes: usize) -> Vec<u8> {
    let nop = asm::nop(abi);
    nop.repeat(bytes / nop.len())
}

/// Frames from pairs of offset and state.
fn frames(states: &[(u32, FrameState)]) -> Vec<FrameAt> {
    states.iter().map(|(offset, frame)| FrameAt { offset: *offset, frame: *frame }).collect()
}
