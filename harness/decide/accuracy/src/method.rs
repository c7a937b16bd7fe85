//! The interface of unwinding methods.

use results::UnwindMethod;
use types::{CodePoint, FrameRegs, Stack};

/// An unwinding method.
pub trait Method {
    /// Name in results.
    fn name(&self) -> UnwindMethod;

    /// Finds the caller of a frame; `None` if the frame is known to be the outermost.
    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost>;
}

/// A frame that a method has reached.
#[derive(Clone, Debug)]
pub struct Position {
    /// Code address of the frame.
    pub at: CodePoint,
    /// The known registers.
    pub regs: FrameRegs,
    /// True for the innermost frame: registers and code address are those of the running machine.
    pub innermost: bool,
}

/// A caller that a method found.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Evidence of the frame it was found from.
    pub mark: Mark,
    /// Its frame; its code is at the return address.
    pub frame: Position,
}

/// Evidence that a return address belongs to the frame in question, and not to an outer one with an
/// equal return address, as in recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The caller's SP after the return.
    CallerSp(u64),
    /// An address inside the frame: a record of FP and return address has no fixed position in it.
    Record(u64),
}

/// Why a method finds no caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It has no data for the code: no descriptor, no symbol.
    NoTable,
    /// Its data gives no valid caller.
    Unreadable,
}
