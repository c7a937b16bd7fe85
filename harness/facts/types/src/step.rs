//! One instruction boundary of an execution: registers, live stack, and the true frames.
//!
//! A step borrows all data from the running machine; nothing is stored or allocated.

use crate::{PacKey, Pc, Regs, Stack};

/// Number of a thread, as the kernel assigns it, and of the program in which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The initial thread of a process.
    pub const FIRST: ThreadId = ThreadId(1);
    /// The lowest bit of the program's number.
    const PROGRAM: u32 = 17;

    /// The thread with this number in the program of the number `program`: 0 is the first, and each
    /// program that a process becomes by `execve` has one of its own.
    #[must_use]
    pub const fn in_program(self, program: u32) -> ThreadId {
        ThreadId(self.0 | program << ThreadId::PROGRAM)
    }

    /// The number that the kernel assigned.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 & ((1 << ThreadId::PROGRAM) - 1)
    }

    /// The number of the program.
    #[must_use]
    pub const fn program(self) -> u32 {
        self.0 >> ThreadId::PROGRAM
    }
}

/// State before the instruction at [`Step::pc`] executes.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The instruction about to execute.
    pub pc: Pc,
    /// Thread that executes it. The first step after a switch of threads is always shown to an
    /// observer, and is never skipped as already judged.
    pub thread: ThreadId,
    /// How control reached the instruction in this thread.
    pub event: Event,
    /// Registers before the instruction.
    pub regs: Regs<'a>,
    /// Stack memory before the instruction.
    pub stack: Stack<'a>,
    /// The true callers; empty in the function in which execution began.
    pub frames: Frames<'a>,
    /// What is known of the caller of the outermost frame in `frames`.
    pub outermost: Outermost,
    /// Number of changes of the frame list before this step. A call or a return adds one; 0 if
    /// changes are not counted.
    pub changes: u64,
    /// Completed calls of live functions, to which a longjmp may return.
    pub earlier_calls: &'a dyn EarlierCalls,
}

/// What is known of the outermost function of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outermost {
    /// Execution, or its thread, began there.
    #[default]
    Begun,
    /// Control reached its stack in a way that is not followed: it may have callers, and they are
    /// not known.
    Unfollowed,
}

/// Completed calls of live functions: `setjmp` is such a call, and a longjmp continues at its
/// return address.
pub trait EarlierCalls {
    /// Returns true if a live function made a call that returned to this address with this SP.
    fn came_back(&self, ra: u64, sp: u64) -> bool;
}

/// Remembers no calls.
impl EarlierCalls for () {
    fn came_back(&self, _ra: u64, _sp: u64) -> bool {
        false
    }
}

crate::named! {
    /// How control reached an instruction.
    pub enum Event {
        /// The first instruction of the run, or of a thread.
        Entry = "entry",
        /// Control continued from the previous instruction.
        Sequential = "sequential",
        /// A jump inside a function, or a tail call.
        Jump = "jump",
        /// A call: one frame was pushed.
        Call = "call",
        /// A return: one frame was popped.
        Return = "return",
        /// A longjmp or an exception: frames were dropped.
        Unwound = "unwound",
        /// The kernel started a signal handler: two frames were pushed, those of the interrupted
        /// function and of the restorer.
        Signal = "signal",
        /// A signal handler ended (`rt_sigreturn`): control is back at the interrupted instruction.
        Resumed = "resumed",
        /// Execution switched to another stack with its own frames (`swapcontext`).
        Switched = "switched",
    }
}

/// How control left a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LeftBy {
    /// By a call: the return address is after the call instruction.
    Call,
    /// By a signal, before the instruction at the return address executed.
    Signal,
    /// There is no caller: the frame is that of the first function of a stack that the program
    /// switched to, and its return address leads to no function.
    Nothing,
}

/// True values of one caller's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Return address of the callee, without pointer authentication.
    pub ra: Pc,
    /// Return address as the callee holds it now: equal to `ra` unless signed.
    pub raw_ra: u64,
    /// Key that signed `raw_ra`, if it is signed.
    pub signed_by: Option<PacKey>,
    /// True if the PC of the signing instruction is part of the signature (PAuth_LR).
    pub signed_with_pc: bool,
    /// CFA of the function that this frame called. For a signal, the address from which the ABI's
    /// distance gives the caller's SP; a table may choose another CFA for a signal frame.
    pub cfa: u64,
    /// The caller's frame pointer register at the call.
    pub fp: u64,
    /// How control left the caller.
    pub left_by: LeftBy,
    /// Number of the change of the frame list that added the frame: no other frame of the thread
    /// has it. 0 if changes are not counted.
    pub number: u64,
}

impl Frame {
    /// The frame of a call, before any signing of the return address.
    pub const fn called(ra: Pc, cfa: u64, fp: u64) -> Frame {
        Frame { ra, raw_ra: ra.0, signed_by: None, signed_with_pc: false, cfa, fp, left_by: LeftBy::Call, number: 0 }
    }
}

/// The true callers, outermost first, because a stack grows at its end.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a>(pub &'a [Frame]);

impl<'a> Frames<'a> {
    /// Frame of the caller of the executing function; `None` in the outermost function.
    pub fn innermost(self) -> Option<&'a Frame> {
        self.0.last()
    }

    /// The callers, innermost first.
    pub fn iter(self) -> impl ExactSizeIterator<Item = &'a Frame> {
        self.0.iter().rev()
    }

    /// Number of callers.
    pub fn depth(self) -> usize {
        self.0.len()
    }
}
