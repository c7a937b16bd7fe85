//! A target's data for signals: the layout of the frame, and the code that a handler returns to.

use super::frame::{FrameBytes, Saved};
use crate::registers::{Register, Registers};
use crate::signals::Delivery;

/// A target's data for signals.
#[derive(Debug)]
pub(crate) struct SignalAbi {
    /// The layout of the frame with `siginfo_t`; `plain` is that without, if it differs.
    pub rich: Layout,
    pub plain: Option<Layout>,
    /// The address of a frame of `size` bytes below an SP.
    pub place: fn(sp: u64, size: u64) -> Placed,
    /// Fills in the other fields of a frame.
    pub fill: fn(&mut FrameBytes, &Entry<'_>),
    /// Values of registers at the handler's start, except the program counter.
    pub enter: fn(&Entry<'_>) -> Vec<(Register, u64)>,
    /// The frame's address, computed from SP at the system call that ends a handler.
    pub frame_at_return: fn(sp: u64) -> u64,
    /// The code of that system call, if the program has none: its bytes, and the offsets at which a
    /// handler returns.
    pub restorer: Option<Restorer>,
    /// Minimum size of a stack for `sigaltstack` (`MINSIGSTKSZ`).
    pub least_stack: u64,
}

impl SignalAbi {
    /// The layout of a frame without or with `siginfo_t`.
    pub(crate) fn layout(&self, is_plain: bool) -> &Layout {
        self.plain.as_ref().filter(|_| is_plain).unwrap_or(&self.rich)
    }
}

/// Offsets in a frame, from its first byte.
#[derive(Debug)]
pub(crate) struct Layout {
    pub size: u64,
    pub info: Option<u64>,
    /// Offset of the `stack_t` of the alternate stack.
    pub stack: Option<u64>,
    pub mask: u64,
    pub registers: &'static [Saved],
    /// Floating-point state stored outside the frame, and the offset of its address.
    pub apart: Option<Apart>,
    /// The layout is for handlers whose `sa_flags` lack `SA_SIGINFO`.
    pub is_plain: bool,
}

impl Layout {
    /// Offset of a register in the frame; `None` if it has no field.
    pub(crate) fn offset_of(&self, register: Register) -> Option<u64> {
        self.registers.iter().find(|saved| saved.register == register).map(|saved| saved.at)
    }
}

/// State stored outside the frame.
#[derive(Debug)]
pub(crate) struct Apart {
    pub pointer: u64,
    pub size: u64,
    pub registers: &'static [Saved],
    /// Stores what is not a register.
    pub mark: fn(&mut FrameBytes),
}

/// Addresses of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub base: u64,
    /// Address of state stored outside the frame, or of other data that the kernel writes beside
    /// it.
    pub apart: u64,
}

/// The kernel's code that ends a handler.
#[derive(Debug)]
pub(crate) struct Restorer {
    pub code: &'static [u8],
    /// Offsets at which a handler with `siginfo_t` returns, and one without.
    pub rich: u64,
    pub plain: u64,
}

/// A handler that is about to begin.
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
