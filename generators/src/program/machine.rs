//! What lowering needs of each target: a few instructions, and prologues and epilogues with the
//! frames between them.

use types::PacKey;

use super::code::{Code, Label};
use super::{Frame, Realigned};

/// `SIGUSR1` (Linux `include/uapi/asm-generic/signal.h`).
pub(crate) const SIGNAL: u8 = 10;
/// Bytes of a set of signals.
pub(crate) const MASK_SIZE: u8 = 8;

/// A target's instruction sequences.
pub(crate) trait Machine {
    /// That many instructions that touch no frame and no loop counter.
    fn work(&self, code: &mut Code, count: u8);
    /// At least this many bytes of instructions that are jumped over.
    fn skipped(&self, code: &mut Code, bytes: u32);
    fn set(&self, code: &mut Code, input: Input, value: u8);
    /// The recursion count comes from outside: no more than 3.
    fn bound_recursion(&self, code: &mut Code);
    fn decrement_recursion(&self, code: &mut Code);
    fn branch_if(&self, code: &mut Code, input: Input, test: Test, label: Label);
    fn start_loop(&self, code: &mut Code, counter: Counter, times: u8);
    fn end_loop(&self, code: &mut Code, counter: Counter, label: Label);
    fn enter(&self, code: &mut Code, layout: &Layout);
    fn leave(&self, code: &mut Code, layout: &Layout);
    /// A return where nothing of the frame is left but a signed address, if the function
    /// authenticates by returning.
    fn return_from(&self, code: &mut Code, layout: &Layout) {
        let _ = layout;
        code.ret();
    }
    /// What the return instruction would have done, in front of a tail call.
    fn authenticate(&self, code: &mut Code, layout: &Layout) {
        let _ = (code, layout);
    }
    /// Lowers SP for a call and no more.
    fn lower_stack(&self, code: &mut Code);
    /// Keeps landing pad, SP and FP in registers that nothing else uses.
    fn set_handler(&self, code: &mut Code, pad: Label);
    /// A frame that writes the handler's values over its own slots, takes them back, and goes to
    /// the landing pad.
    fn raise(&self, code: &mut Code);
    /// What `_start` does before its first call.
    fn begin(&self, code: &mut Code);
    /// Exits with status 0.
    fn exit(&self, code: &mut Code);
    /// Gives [`SIGNAL`] the action that is at the label.
    fn set_action(&self, code: &mut Code, action: Label);
    /// The program sends itself [`SIGNAL`]. What a call may change is changed.
    fn send_signal(&self, code: &mut Code);
    /// Goes back to what the signal interrupted.
    fn sigreturn(&self, code: &mut Code);
    /// One slot of a table of stubs.
    fn stub(&self, code: &mut Code, callee: &str);
    /// One slot that jumps through the address after it; as many bytes as [`Machine::stub`].
    fn got_stub(&self, code: &mut Code, callee: &str);
    /// Bytes of a slot.
    fn stub_size(&self) -> u8;
}

/// What a caller passes in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Depth of recursion.
    Recursion,
    /// Zero: take the early return.
    FirstExit,
}

/// The condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Zero,
    NotZero,
}

/// The register of a loop's counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// In a register that calls change.
    Scratch,
    /// In one that calls preserve, which the frame saves.
    Saved,
}

/// What a function does with its frame, made to fit target and body.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) shape: FrameShape,
    pub(crate) key: Option<PacKey>,
    /// Its return instruction authenticates.
    pub(crate) returns_authenticated: bool,
    /// It makes calls: SP is aligned for them, the return address is saved.
    pub(crate) calls: bool,
    /// The loop counter that survives calls is among the saved registers.
    pub(crate) counter: bool,
}

/// A shape that the target has.
#[derive(Clone, Debug)]
pub(crate) enum FrameShape {
    Bare,
    RedZone,
    Registers,
    Framed(Frame),
    Realigned(Realigned),
}
