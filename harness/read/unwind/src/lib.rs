//! Finds callers by tables: one trait, [`Unwinder`], implemented for two tables, `.sframe` and
//! `.eh_frame`.
//!
//! A look-up has two steps, so that the frequent one is cheap: [`Unwinder::row`] finds the row for
//! a program counter (memoise it), [`Unwinder::evaluate`] applies it to registers and stack. The
//! crate knows nothing of the execution. It is the only user of gimli.
//!
//! ```
//! use types::{Abi, CfaRule, CodePoint, Pc, Reg, ValueRule};
//! use unwind::{CfiSections, CfiUnwinder, Unwinder as _};
//!
//! // `.eh_frame` at 0x2000 of a function at 0x1000: CFA rsp+8, return address at CFA-8.
//! let eh_frame = [
//!     // A CIE, and an FDE of 16 bytes.
//!     0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0,
//!     0, 0x10, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0,
//!     0, 0, 0, 0,
//! ];
//! let sections = CfiSections { eh_frame: Some((0x2000, &eh_frame)), ..CfiSections::default() };
//! let table = CfiUnwinder::new(Abi::Amd64, &sections);
//! let row = table.row(CodePoint::Exact(Pc(0x1004))).expect("a row");
//! let rules = table.rules(row, Pc(0x1004));
//! assert_eq!(rules.cfa, CfaRule::Register { reg: Reg(7), offset: 8 });
//! assert_eq!(rules.ra, ValueRule::AtCfa(-8));
//! ```
//!
//! Units: addresses, offsets and lengths are bytes; registers are DWARF numbers of the table's ABI.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod aarch64;
mod amd64;
mod arch;
mod cfi;
mod eval;
mod lsda;
mod program;
mod programs;
mod s390x;
mod sframe;
mod symbol;

pub use cfi::{
    BadEntry, CfiError, CfiInstructions, CfiSections, CfiSets, CfiUnwinder, EarlyTerminator, SourceLines,
    unit_producers,
};
pub use lsda::{Area, AreaError, AreaPart, CallSite, EncodedPointer, LandingPad, Lsda, Personality};
pub use sframe::SframeUnwinder;

use types::{Answer, Caller, CfaRule, CodePoint, Fault, FrameRegs, PacKey, Pc, RegFile, Stack, UnwindRow, ValueRule};

/// A table of rules for finding a frame's caller.
pub trait Unwinder {
    /// Returns the row for a code point. Return addresses are looked up one byte before
    /// ([`CodePoint::lookup`]).
    ///
    /// # Errors
    /// [`Fault::NoFunction`] if no descriptor covers the address, [`Fault::NoRow`] if one does but
    /// gives no row.
    fn row(&self, at: CodePoint) -> Result<RowId, Fault>;

    /// The rules of a row at a PC: absolute addresses, and expressions in their simplest form
    /// there. Start and end enclose the PCs around it with the same rules; if the rules depend on
    /// the PC, at most 64 bytes in each direction.
    fn rules(&self, row: RowId, pc: Pc) -> UnwindRow;

    /// Computes the caller of the frame at a code point by a row that [`Self::row`] returned.
    /// Called at every executed step: does not allocate.
    fn evaluate<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> Result<Answer, Fault>;

    /// Computes the caller of the frame at a code point.
    fn caller<R: RegFile + ?Sized>(&self, at: CodePoint, regs: &R, stack: &Stack<'_>) -> Result<Answer, Fault> {
        self.evaluate(self.row(at)?, at, regs, stack)
    }

    /// The registers of the caller's frame that the table restores. `caller` is the result of
    /// [`Self::evaluate`] for the same row, code point and registers.
    fn caller_regs<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        caller: &Caller,
        regs: &R,
        stack: &Stack<'_>,
    ) -> FrameRegs;

    /// The functions the table describes, by ascending start, then descriptor offset.
    fn functions(&self) -> impl ExactSizeIterator<Item = FunctionRange> + Clone;

    /// The first function that does not start before a PC.
    fn first_from(&self, start: Pc) -> Option<FunctionRange>;

    /// The function whose descriptor applies at a PC: of those that cover it the one that starts
    /// last, of several with the same start the first in the section. [`Self::row`] searches the
    /// rows of the same function.
    fn function_at(&self, pc: Pc) -> Option<FunctionRange>;

    /// All PCs of `start..end` at which a row starts, or at which the rules of a row change with
    /// the PC. Ascending.
    fn boundaries(&self, start: Pc, end: Pc) -> impl Iterator<Item = Pc>;
}

/// Handle of a row of a table, valid while the unwinder lives, and only for that unwinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId {
    /// Position of the function in [`Unwinder::functions`].
    function: u32,
    /// Position of the row; the table defines among which rows.
    index: u32,
}

/// The code that one function descriptor covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionRange {
    /// Address of the first byte of code.
    pub start: Pc,
    /// First address after it.
    pub end: Pc,
    /// Offset of the descriptor (FDE) in its section.
    pub offset: u64,
}

/// A function whose CIE has the augmentation `S`: its caller was interrupted, not calling, so that
/// the caller's PC is exact. LSB 5.0 core, 10.6.1.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalFrame {
    pub function: FunctionRange,
    /// Offset of the function's CIE in its section.
    pub cie: u64,
}

/// A row without any rule, for a PC that the table does not describe.
fn nothing(pc: Pc) -> UnwindRow {
    UnwindRow {
        start: pc,
        end: pc,
        cfa: CfaRule::Unspecified,
        ra: ValueRule::Undefined,
        fp: ValueRule::Undefined,
        signed: false,
        key: PacKey::A,
        signed_with_pc: false,
        sp: None,
        signal: false,
    }
}
