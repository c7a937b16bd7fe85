//! A way of finding a frame's caller.

use results::UnwindMethod;
use types::{CodePoint, FrameRegs, Stack};

/// A way of finding a frame's caller.
pub trait Method {
    /// Its name in results.
    fn name(&self) -> UnwindMethod;

    /// The caller of a frame; `None` if the frame is known to be the outermost.
    ///
    /// # Errors
    /// Why the method finds none.
    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost>;
}

/// A frame that a method has reached.
#[derive(Clone, Debug)]
pub struct Position {
    /// Where its code is.
    pub at: CodePoint,
    /// Its registers, as far as they are known.
    pub regs: FrameRegs,
    /// Nothing was unwound to reach it: registers and code are those of the running machine.
    pub innermost: bool,
}

/// A caller as a method found it.
#[derive(Clone, Debug)]
pub struct Caller {
    /// What shows which frame it was found from.
    pub mark: Mark,
    /// Its frame; its code is at the return address.
    pub frame: Position,
}

/// What shows that a return address is that of the frame asked about, and not of one further out
/// that happens to be equal, as in recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The caller's SP after the return.
    CallerSp(u64),
    /// An address inside the frame: a record of FP and return address has no place of its own there.
    Record(u64),
}

/// Why a method finds no caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It has nothing for the code: no descriptor, no symbol.
    NoTable,
    /// What it has leads nowhere.
    Unreadable,
}
