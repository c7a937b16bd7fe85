//! The operations that lowering needs of each target: a few instructions, and prologues and
//! epilogues with their frames.

use types::PacKey;

use super::code::{Code, Label};
use super::{Frame, Realigned};

/// `SIGUSR1` (Linux `include/uapi/asm-generic/signal.h`).
pub(crate) const SIGNAL: u8 = 10;
/// Size in bytes of a signal set.
pub(crate) const MASK_SIZE: u8 = 8;

/// A target's instruction sequences.
pub(crate) trait Machine {
    /// Appends this many instructions that affect no frame and no loop counter.
    fn work(&self, code: &mut Code, count: u8);
    /// Appends at least this many bytes of instructions that are jumped over.
    fn skipped(&self, code: &mut Code, bytes: u32);
    fn set(&self, code: &mut Code, input: Input, value: u8);
    /// Limits the recursion count, which is an argument, to 3.
    fn bound_recursion(&self, code: &mut Code);
    fn decrement_recursion(&self, code: &mut Code);
    fn branch_if(&self, code: &mut Code, input: Input, test: Test, label: Label);
    fn start_loop(&self, code: &mut Code, counter: Counter, times: u8);
    fn end_loop(&self, code: &mut Code, counter: Counter, label: Label);
    fn enter(&self, code: &mut Code, layout: &Layout);
    fn leave(&self, code: &mut Code, layout: &Layout);
    /// Appends a return after the epilogue; only a signed return address is left of the frame if
    /// the function authenticates by returning.
    fn return_from(&self, code: &mut Code, layout: &Layout) {
        let _ = layout;
        code.ret();
    }
    /// Appends the authentication of the return instruction, before a tail call.
    fn authenticate(&self, code: &mut Code, layout: &Layout) {
        let _ = (code, layout);
    }
    /// Lowers SP for a call, without any other change.
    fn lower_stack(&self, code: &mut Code);
    /// Saves landing pad, SP and FP in registers that nothing else uses.
    fn set_handler(&self, code: &mut Code, pad: Label);
    /// Appends a frame that overwrites its own slots with the handler's values, restores them, and
    /// jumps to the landing pad.
    fn raise(&self, code: &mut Code);
    /// Appends the instructions of `_start` before its first call.
    fn begin(&self, code: &mut Code);
    /// Appends an exit with status 0.
    fn exit(&self, code: &mut Code);
    /// Installs the action at the label for [`SIGNAL`].
    fn set_action(&self, code: &mut Code, action: Label);
    /// Sends [`SIGNAL`] to the program itself, and changes registers that a call may change.
    fn send_signal(&self, code: &mut Code);
    /// Returns to the code that the signal interrupted.
    fn sigreturn(&self, code: &mut Code);
    /// A register for the target of a goto or call, by its number in the target's list. One that is
    /// kept may be the link register, if the return address is saved.
    fn goto_register(&self, code: &Code, number: u8, usage: Use) -> u8;
    /// Loads the address of a label into a register.
    fn load_address(&self, code: &mut Code, register: u8, label: Label);
    /// Loads the word at a label into a register.
    fn load_word(&self, code: &mut Code, register: u8, label: Label);
    /// Jumps to the address in a register.
    fn goto(&self, code: &mut Code, register: u8);
    /// Calls the function whose address is in a register.
    fn call_register(&self, code: &mut Code, register: u8);
    /// Appends one slot of a table of stubs.
    fn stub(&self, code: &mut Code, callee: &str);
    /// Appends one slot that jumps through the address after it; its size is that of
    /// [`Machine::stub`].
    fn got_stub(&self, code: &mut Code, callee: &str);
    /// Size in bytes of a slot.
    fn stub_size(&self) -> u8;
}

/// A value that a caller passes in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// The depth of recursion.
    Recursion,
    /// Zero to take the early return.
    FirstExit,
}

/// The use of a register that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// The next instruction branches by it.
    Scratch,
    /// Other branches may come first.
    Kept,
}

/// The condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Zero,
    NotZero,
}

/// The kind of register of a loop counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// A register that calls change.
    Scratch,
    /// A register that calls preserve, which the frame saves.
    Saved,
}

/// The layout of a function's frame, adapted to target and body.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) shape: FrameShape,
    pub(crate) key: Option<PacKey>,
    /// The return instruction authenticates.
    pub(crate) returns_authenticated: bool,
    /// The function makes calls: SP is aligned for them, the return address is saved.
    pub(crate) calls: bool,
    /// The loop counter that survives calls is one of the saved registers.
    pub(crate) counter: bool,
}

/// A shape that the target supports.
#[derive(Clone, Debug)]
pub(crate) enum FrameShape {
    Bare,
    RedZone,
    Registers,
    Framed(Frame),
    Realigned(Realigned),
}
