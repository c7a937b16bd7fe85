//! One executed instruction boundary as the machine witnessed it: registers, live stack, and the
//! true frames.
//!
//! Everything is borrowed from the running machine; no step stores or allocates anything here.

use crate::{PacKey, Pc, Regs, Stack};

/// A thread, by the number that the kernel gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that a process begins with.
    pub const FIRST: ThreadId = ThreadId(1);
}

/// The state just before the instruction at [`Step::pc`] executes.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The instruction about to execute.
    pub pc: Pc,
    /// The thread that executes it. The first step of a thread after one of another is shown to an
    /// observer, and is no memo hit.
    pub thread: ThreadId,
    /// How control came here in this thread.
    pub event: Event,
    /// Registers before it executes.
    pub regs: Regs<'a>,
    /// Stack memory before it executes.
    pub stack: Stack<'a>,
    /// The true callers; none in the function in which execution began.
    pub frames: Frames<'a>,
    /// Number of times that frames came or went before it. A call or a return is one more; where
    /// that is not known it stays 0.
    pub changes: u64,
    /// Where a longjmp may go.
    pub earlier_calls: &'a dyn EarlierCalls,
}

/// The calls that live functions made and that have come back: `setjmp` is such a call, and a
/// longjmp lands where it returned.
pub trait EarlierCalls {
    /// Returns true if a live function made a call that came back to this return address with this
    /// SP.
    fn came_back(&self, ra: u64, sp: u64) -> bool;
}

/// No calls are remembered.
impl EarlierCalls for () {
    fn came_back(&self, _ra: u64, _sp: u64) -> bool {
        false
    }
}

/// How control reached an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// The first instruction of the run, or of a thread.
    Entry,
    /// From the instruction before it.
    Sequential,
    /// A jump inside a function, or a tail call.
    Jump,
    /// A call: one frame was pushed.
    Call,
    /// A return: one frame was popped.
    Return,
    /// A longjmp or a throw: frames were dropped.
    Unwound,
    /// The kernel began a signal's handler: two frames were pushed, the interrupted function's and
    /// the restorer's.
    Signal,
    /// The handler is over (`rt_sigreturn`): control is back where it was interrupted.
    Resumed,
    /// Another stack is in use, with frames of its own (`swapcontext`).
    Switched,
}

impl Event {
    /// The word in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Entry => "entry",
            Event::Sequential => "sequential",
            Event::Jump => "jump",
            Event::Call => "call",
            Event::Return => "return",
            Event::Unwound => "unwound",
            Event::Signal => "signal",
            Event::Resumed => "resumed",
            Event::Switched => "switched",
        }
    }
}

/// How control left a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LeftBy {
    /// By a call: the return address is the one after it.
    Call,
    /// By a signal, before the instruction at the return address.
    Signal,
}

/// The truth about one caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Frame {
    /// Where the callee returns to, without pointer authentication.
    pub ra: Pc,
    /// The return address as the callee holds it now: equal to `ra` unless signed.
    pub raw_ra: u64,
    /// The key that signed `raw_ra`, if any did.
    pub signed_by: Option<PacKey>,
    /// The PC of the signing instruction is part of the signature (PAuth_LR).
    pub signed_with_pc: bool,
    /// The CFA of the callee, which this frame called.
    pub cfa: u64,
    /// The frame pointer register's value in the caller at the call.
    pub fp: u64,
    /// How the caller was left. By a signal, the CFA is the one that gives the caller's SP by the
    /// ABI's distance: what a table calls the CFA of a signal frame is its own choice.
    pub left_by: LeftBy,
}

impl Frame {
    /// The frame of a call: nothing has signed the return address yet.
    pub const fn called(ra: Pc, cfa: u64, fp: u64) -> Frame {
        Frame { ra, raw_ra: ra.0, signed_by: None, signed_with_pc: false, cfa, fp, left_by: LeftBy::Call }
    }
}

/// The true callers. Stored outermost first, because a stack grows at its end.
#[derive(Clone, Copy, Debug)]
pub struct Frames<'a>(pub &'a [Frame]);

impl<'a> Frames<'a> {
    /// The caller of the function now executing; none in the outermost function.
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
