//! Random programs whose tables are true by construction. [`Program`] is plain data: the frame
//! operations of each function. [`Program::build`] makes machine code of it, and both tables from
//! the effect of the code at each instruction. [`programs`] draws and shrinks programs.
//!
//! Every value of [`Program`] is a valid program: callees are relative to the caller and wrap
//! around, so the call graph has no cycle except a bounded recursion, and calls that would make a
//! program run for long are omitted (`plan.rs`).

mod build;
mod cfi;
pub(crate) mod code;
mod coverage;
mod lower;
pub(crate) mod machine;
mod plan;
mod strategy;
mod tables;

use types::{Abi, PacKey, SframeVersion};

use crate::elf::FileKind;
use crate::sample::TablePlace;

pub use build::ProgramFile;
pub use coverage::{Coverage, possible};
pub use strategy::{numbered, programs};

/// A program: its parts, and the style of its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub abi: Abi,
    pub version: SframeVersion,
    /// Kind of file. Only executables have a `_start`.
    pub kind: FileKind,
    pub tables: TableStyle,
    /// Calls of `_start`, in order.
    pub roots: Vec<CallTo>,
    /// The functions `f0`, `f1`, ...
    pub functions: Vec<FunctionModel>,
    /// `_start` is the last function in the file, not the first.
    pub start_last: bool,
    /// Ending of `_start`.
    pub ending: Ending,
    /// Stubs jump through a slot with an address, if the file has absolute addresses.
    pub got: bool,
    /// Executables handle a signal.
    pub signals: Option<Signals>,
    /// Computed gotos, and calls through registers.
    pub by_register: Vec<ByRegister>,
}

/// A computed goto, or a call through a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByRegister {
    /// The function that has it, modulo the number of functions.
    pub function: u8,
    /// The position in its body.
    pub place: u8,
    /// The register, as an index into the target's list, modulo its length.
    pub register: u8,
    /// The call; an executable has absolute addresses for it.
    pub call: Option<CallTo>,
}

/// The signal that a program handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    /// The handler: any function.
    pub handler: Callee,
    /// The signal is not blocked during its handler.
    pub nests: bool,
    /// The positions where the program sends the signal to itself: functions before the handler,
    /// and positions in their bodies.
    pub sent: Vec<(Callee, u8)>,
}

/// The ending of `_start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit,
    /// The last instruction calls another function that exits.
    Call,
    /// The last instruction calls the next function, which exits: a call of the next instruction.
    CallNext,
}

/// Choices of a producer that do not change the meaning of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStyle {
    /// Addresses of the tables in a linked file.
    pub place: TablePlace,
    /// Start fields are relative to the section, if the version allows that.
    pub section_relative: bool,
    /// Number of steps by which row starts are wider than necessary.
    pub wider_starts: u8,
    /// Number of steps by which the words of each row are wider than necessary, cyclically.
    pub wider_words: Vec<u8>,
    /// Functions are of flexible type even if default rows suffice (V3).
    pub flex: bool,
    /// Rows are in the reverse order of the FDEs.
    pub rows_reversed: bool,
    /// V2: an undefined return address is a row without words (errata 2); otherwise the function is
    /// omitted.
    pub errata_2: bool,
    /// Size in bytes of an auxiliary header, which no producer writes and readers warn about.
    pub aux: u8,
    /// Number of bytes between header, FDEs and rows.
    pub gaps: (u8, u8),
    /// `.eh_frame` describes the frame after an early return by remember and restore.
    pub remember: bool,
}

/// A function, independent of the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionModel {
    /// Stack operations of the function.
    pub shape: Shape,
    /// Early return of the function.
    pub exit: Exit,
    /// The recursion depth is an argument: [`CallTo::recursion`].
    pub recursive: bool,
    /// Operations in order, between prologue and epilogue.
    pub body: Vec<Op>,
    /// The function ends with a jump to another function instead of a return.
    pub tail: Option<Callee>,
    /// AArch64: key with which the function signs its return address.
    pub key: Option<PacKey>,
    /// AArch64: if the function signs, its return instruction authenticates (`retaa`, `retab`).
    pub returns_authenticated: bool,
    /// Number of bytes that are jumped over.
    pub skipped: u32,
    /// The function is described as a signal frame. Its callers are found in the same way, since
    /// rows do not change directly after calls.
    pub signal: bool,
}

/// The stack operations of a function. Targets that lack a shape use the closest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The function does not change the stack.
    Bare,
    /// AMD64: the function keeps FP below SP for a while.
    RedZone,
    /// s390x: the function keeps return address and FP in floating-point registers; AMD64: in
    /// general registers, with another value where the return address was.
    Registers,
    /// The function moves SP.
    Framed(Frame),
    /// AMD64: the function aligns SP and loads its CFA from memory.
    Realigned(Realigned),
}

/// The frame of a function that moves SP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// FP is the base of the CFA after the prologue.
    pub frame_pointer: bool,
    /// Callee-saved registers in the order saved, as indices into the target's list, modulo its
    /// length.
    pub saves: Vec<u8>,
    /// Number of registers that are saved before FP.
    pub before: u8,
    /// Size of locals in bytes.
    pub locals: u32,
    /// Number of bytes that are allocated at run time; requires FP.
    pub dynamic: u32,
    /// Without a frame pointer: FP is saved and holds another value.
    pub reuses_fp: bool,
    /// Number of the target's instruction sequence.
    pub variant: u8,
}

/// The frame of a function that aligns SP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Realigned {
    /// Binary logarithm of the alignment, 4 to 8.
    pub align: u8,
    /// Size of locals in bytes.
    pub locals: u8,
    /// A register holds the CFA in between, as in GCC's code.
    pub by_register: bool,
}

/// The early return of a function, taken if [`CallTo::second_exit`] is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No early return.
    One,
    /// A return before the prologue.
    ShrinkWrapped,
    /// A whole epilogue in the middle, after which the frame continues.
    Early,
    /// By a separate part that returns.
    ColdReturn,
    /// By a separate part that jumps back.
    ColdBack,
}

/// An operation of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// This many instructions that affect no frame.
    Work(u8),
    Call(CallTo),
    /// A call of a function that throws, two frames deeper, to a landing pad after the call.
    Throw,
    Loop {
        /// Number of iterations, 1 to 3.
        times: u8,
        /// Number of instructions per iteration.
        work: u8,
        /// A call in each iteration.
        call: Option<CallTo>,
    },
}

/// A function relative to the caller: 0 is the next one; numbers wrap around the end of the later
/// functions.
pub type Callee = u8;

/// A call and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTo {
    /// The callee, relative to the caller.
    pub callee: Callee,
    /// Number of recursive calls of a recursive callee, 0 to 3.
    pub recursion: u8,
    /// The callee takes the early return.
    pub second_exit: bool,
    /// The call is through a table of stubs.
    pub by_stub: bool,
}
