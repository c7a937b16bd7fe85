//! Random programs whose tables are true by construction. [`Program`] is plain data: the
//! frame operations of each function; [`Program::build`] makes machine code of it and both tables
//! from the effect of that code at each instruction. [`programs`] draws and shrinks them.
//!
//! Every value of [`Program`] is a valid program: callees are counted from the caller and wrap
//! around, so the call graph has no cycle but a bounded recursion, and calls that would make a
//! program run for long are left out (`plan.rs`).

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

/// A program: its parts, and how its tables are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub abi: Abi,
    /// Version of its `.sframe`.
    pub version: SframeVersion,
    /// Kind of file. Only executables have a `_start`.
    pub kind: FileKind,
    /// How the tables are written.
    pub tables: TableStyle,
    /// Calls of `_start`, in order.
    pub roots: Vec<CallTo>,
    /// The functions `f0`, `f1`, ...
    pub functions: Vec<FunctionModel>,
    /// `_start` is the last function in the file, not the first.
    pub start_last: bool,
    /// How `_start` ends.
    pub ending: Ending,
    /// Stubs jump through a slot that holds an address, where the file has absolute addresses.
    pub got: bool,
    /// Executables handle a signal.
    pub signals: Option<Signals>,
}

/// A signal that the program handles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signals {
    /// Its handler: any function.
    pub handler: Callee,
    /// It is not blocked while its handler executes.
    pub nests: bool,
    /// Where the program sends it to itself: functions in front of the handler, and places in their
    /// bodies.
    pub sent: Vec<(Callee, u8)>,
}

/// How `_start` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exits.
    Exit,
    /// Its last instruction calls a function elsewhere that exits.
    Call,
    /// Its last instruction calls the next function, which exits: a call to the next instruction.
    CallNext,
}

/// Freedoms of a producer: tables that differ in them mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStyle {
    /// Addresses of the tables in a linked file.
    pub place: TablePlace,
    /// Start fields count from the section where the version has the choice.
    pub section_relative: bool,
    /// Steps by which row starts are wider than needed.
    pub wider_starts: u8,
    /// Steps by which the words of each row are wider than needed, by turns.
    pub wider_words: Vec<u8>,
    /// Functions are of flexible type even where default rows would do (V3).
    pub flex: bool,
    /// Rows are in the reverse order of the descriptors.
    pub rows_reversed: bool,
    /// V2: an undefined return address is a row without words (errata 2); else the function is left
    /// out.
    pub errata_2: bool,
    /// Bytes of an auxiliary header, which no producer writes and readers warn of.
    pub aux: u8,
    /// Bytes between header, descriptors and rows.
    pub gaps: (u8, u8),
    /// `.eh_frame` goes back to a frame after a return with remember and restore.
    pub remember: bool,
}

/// A function, for any target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionModel {
    /// Its stack operations.
    pub shape: Shape,
    /// Its early return.
    pub exit: Exit,
    /// The depth of its recursion is an argument: [`CallTo::recursion`].
    pub recursive: bool,
    /// In order, between prologue and epilogue.
    pub body: Vec<Op>,
    /// It ends with a jump to a function instead of a return.
    pub tail: Option<Callee>,
    /// AArch64: it signs its return address.
    pub key: Option<PacKey>,
    /// AArch64: where it signs, its return instruction authenticates (`retaa`, `retab`).
    pub returns_authenticated: bool,
    /// Bytes that it jumps over.
    pub skipped: u32,
    /// Described as a signal frame. Its callers are found alike either way, since rows do not
    /// change right after calls.
    pub signal: bool,
}

/// What a function does with the stack. Targets without a shape take the nearest they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It leaves the stack alone.
    Bare,
    /// AMD64: it keeps FP below SP for a while.
    RedZone,
    /// s390x: it keeps return address and FP in floating point registers; AMD64: in general ones,
    /// with something else where the return address was.
    Registers,
    /// It moves SP.
    Framed(Frame),
    /// AMD64: it aligns SP and finds its CFA in memory.
    Realigned(Realigned),
}

/// How a function that moves SP keeps its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The CFA counts from FP after the prologue.
    pub frame_pointer: bool,
    /// Callee-saved registers in the order saved, as indices of the target's list, modulo its
    /// length.
    pub saves: Vec<u8>,
    /// Number of them that are saved before FP.
    pub before: u8,
    /// Bytes of locals.
    pub locals: u32,
    /// Bytes that are allocated at run time; needs FP.
    pub dynamic: u32,
    /// Without a frame pointer: FP is saved and holds something else.
    pub reuses_fp: bool,
    /// Which of the target's instruction sequences.
    pub variant: u8,
}

/// How a function that aligns SP keeps its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Realigned {
    /// Logarithm of the alignment, 4 to 8.
    pub align: u8,
    /// Bytes of locals.
    pub locals: u8,
    /// By way of a register that holds the CFA in between, as GCC does.
    pub by_register: bool,
}

/// A function's early return, taken where [`CallTo::second_exit`] is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// There is no second one.
    One,
    /// It returns before the prologue.
    ShrinkWrapped,
    /// A whole epilogue in the middle, after which the frame continues.
    Early,
    /// Through a part that lies elsewhere and returns from there.
    ColdReturn,
    /// Through a part that lies elsewhere and comes back.
    ColdBack,
}

/// What a function does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// That many instructions that touch no frame.
    Work(u8),
    /// Calls once.
    Call(CallTo),
    /// Calls what throws, two frames further in, to a landing pad after the call.
    Throw,
    /// Counts down to 0.
    Loop {
        /// Number of turns, 1 to 3.
        times: u8,
        /// Instructions of a turn.
        work: u8,
        /// A call in it.
        call: Option<CallTo>,
    },
}

/// A function counted from the caller: 0 is the next; it wraps around the end of those that follow.
pub type Callee = u8;

/// A call and what it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTo {
    /// Relative to the caller.
    pub callee: Callee,
    /// Number of times that a recursive callee calls itself, 0 to 3.
    pub recursion: u8,
    /// The callee's early return.
    pub second_exit: bool,
    /// The call goes through a table of stubs.
    pub by_stub: bool,
}
