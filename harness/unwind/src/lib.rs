//! Rows to callers: one trait, [`Unwinder`], implemented by two tables, `.sframe` and `.eh_frame`.
//!
//! A look-up has two steps, so that the hot one can be repeated cheaply: [`Unwinder::row`] finds
//! the row for a program counter (memoise it), [`Unwinder::evaluate`] applies it to registers and
//! stack. What the code really did is not known here. The only user of gimli.
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
mod landing;
mod program;
mod programs;
mod s390x;
mod sframe;
mod symbol;

pub use cfi::{BadEntry, CfiError, CfiSections, CfiUnwinder, SourceLines};
pub use landing::{LandingPad, Lsda};
pub use sframe::SframeUnwinder;

use types::{Answer, Caller, CfaRule, CodePoint, Fault, FrameRegs, PacKey, Pc, RegFile, Stack, UnwindRow, ValueRule};

/// A table of rules for finding a frame's caller.
pub trait Unwinder {
    /// The row that answers at a code point. Return addresses are looked up one byte back
    /// ([`CodePoint::lookup`]).
    ///
    /// # Errors
    /// [`Fault::NoFunction`] where no descriptor covers the address, [`Fault::NoRow`] where one
    /// does but gives no row.
    fn row(&self, at: CodePoint) -> Result<RowId, Fault>;

    /// The row around a pc: absolute addresses, expressions in the simplest form they
    /// have there. Start and end enclose the pcs around it for which the same holds; where that
    /// depends on the pc inside one row, at most 64 bytes each way.
    fn rules(&self, row: RowId, pc: Pc) -> UnwindRow;

    /// The caller of the frame at a code point, by a row that [`Self::row`] gave. Called at every
    /// executed step: does not allocate.
    ///
    /// # Errors
    /// Why the row cannot be applied to this frame.
    fn evaluate<R: RegFile + ?Sized>(
        &self,
        row: RowId,
        at: CodePoint,
        regs: &R,
        stack: &Stack<'_>,
    ) -> Result<Answer, Fault>;

    /// The caller of the frame at a code point.
    ///
    /// # Errors
    /// As [`Self::row`] and [`Self::evaluate`].
    fn caller<R: RegFile + ?Sized>(&self, at: CodePoint, regs: &R, stack: &Stack<'_>) -> Result<Answer, Fault> {
        self.evaluate(self.row(at)?, at, regs, stack)
    }

    /// The registers of the caller's frame, as far as the table restores them. `caller` is what
    /// [`Self::evaluate`] answered for the same row, code point and registers.
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

    /// The first function that does not start before a pc.
    fn first_from(&self, start: Pc) -> Option<FunctionRange>;

    /// The function whose descriptor answers at a pc: of those that cover it the one that starts
    /// last, of several with one start the first in the section. The same one whose rows
    /// [`Self::row`] looks among.
    fn function_at(&self, pc: Pc) -> Option<FunctionRange>;

    /// Every pc of `start..end` at which a row starts, or at which the meaning of a row changes
    /// with the pc. Ascending.
    fn boundaries(&self, start: Pc, end: Pc) -> impl Iterator<Item = Pc>;
}

/// A row of a table, for as long as the unwinder lives. Rows of one unwinder mean nothing to
/// another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId {
    /// Position of the function in [`Unwinder::functions`].
    function: u32,
    /// Position of the row; the table knows among which.
    index: u32,
}

/// The code that one function descriptor covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionRange {
    /// Address of the first byte of code.
    pub start: Pc,
    /// First address after it.
    pub end: Pc,
    /// Where the descriptor (FDE) begins in its section.
    pub offset: u64,
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
