//! What a target's kernel does for a signal, as data: the frame that it lays, and the code that a
//! handler returns to.

use super::frame::{FrameBytes, Saved};
use crate::registers::{Register, Registers};
use crate::signals::Delivery;

/// What a target's kernel does for a signal.
#[derive(Debug)]
pub(crate) struct SignalAbi {
    /// The frames that it lays: with `siginfo_t`, and where that differs without.
    pub rich: Layout,
    pub plain: Option<Layout>,
    /// Where the frame of that many bytes goes, below an SP.
    pub place: fn(sp: u64, size: u64) -> Placed,
    /// What else is in a frame.
    pub fill: fn(&mut FrameBytes, &Entry<'_>),
    /// Registers that the handler finds, beside the program counter.
    pub enter: fn(&Entry<'_>) -> Vec<(Register, u64)>,
    /// Where the frame is, from SP at the system call that ends a handler.
    pub frame_at_return: fn(sp: u64) -> u64,
    /// The code that makes that call, where the program has none: its bytes, and where in it a
    /// handler returns to.
    pub restorer: Option<Restorer>,
    /// The least stack that `sigaltstack` takes (`MINSIGSTKSZ`).
    pub least_stack: u64,
}

impl SignalAbi {
    /// The frame of a handler without `siginfo_t`, or of one with it.
    pub(crate) fn layout(&self, is_plain: bool) -> &Layout {
        self.plain.as_ref().filter(|_| is_plain).unwrap_or(&self.rich)
    }
}

/// Where things are in a frame, from its first byte.
#[derive(Debug)]
pub(crate) struct Layout {
    pub size: u64,
    pub info: Option<u64>,
    /// `stack_t` of the alternate stack.
    pub stack: Option<u64>,
    pub mask: u64,
    pub registers: &'static [Saved],
    /// Where the address of floating point state is that lies apart, and what is in that.
    pub apart: Option<Apart>,
    /// It is the one whose `sa_flags` had no `SA_SIGINFO`.
    pub is_plain: bool,
}

impl Layout {
    /// Where the frame has a register; 0 where it has it not.
    pub(crate) fn offset_of(&self, register: Register) -> Option<u64> {
        self.registers.iter().find(|saved| saved.register == register).map(|saved| saved.at)
    }
}

/// State that lies at an address of its own.
#[derive(Debug)]
pub(crate) struct Apart {
    pub pointer: u64,
    pub size: u64,
    pub registers: &'static [Saved],
}

/// Where a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub base: u64,
    /// Of state that lies apart, or of what the kernel puts beside the frame.
    pub apart: u64,
}

/// The kernel's code that ends a handler.
#[derive(Debug)]
pub(crate) struct Restorer {
    pub code: &'static [u8],
    /// Where a handler with `siginfo_t` returns to, and one without.
    pub rich: u64,
    pub plain: u64,
}

/// A handler that is to begin.
pub(crate) struct Entry<'a> {
    pub registers: &'a dyn Registers,
    pub delivery: &'a Delivery,
    pub layout: &'a Layout,
    pub placed: Placed,
    pub restorer: u64,
    pub interrupted: Interrupted,
}

/// The state that a signal interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted {
    pub pc: u64,
    pub sp: u64,
    pub fp: u64,
    pub link: u64,
    /// The first argument register.
    pub first: u64,
}
