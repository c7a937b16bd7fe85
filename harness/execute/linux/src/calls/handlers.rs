//! Signal handlers: selection of the next signal, the handler's arguments, and state changes at its
//! beginning and end.

use crate::alt_stack::{AltStack, DISARM, IN_USE, NONE};
use crate::errno::Errno;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::registers::Registers;
use crate::signals::{Cause, Delivery, FIRM, set};

/// `SA_NODEFER`, `SA_RESETHAND` (Linux `include/uapi/asm-generic/signal-defs.h`).
const NOT_BLOCKED: u64 = 0x4000_0000;
const ONCE: u64 = 0x8000_0000;
/// `SI_TIMER` (Linux `include/uapi/asm-generic/siginfo.h`).
const OF_TIMER: i32 = -2;
/// Size in bytes of `siginfo_t`.
const INFO: usize = 128;

impl Kernel {
    /// Returns true if a handler must begin.
    pub fn has_due(&self) -> bool {
        self.signals.pending() & !self.signals.own.blocked != 0
    }

    /// The signal whose handler must begin: the lowest pending one that is not blocked.
    pub fn due(&mut self) -> Option<Delivery> {
        self.take_signal(!self.signals.own.blocked)
    }

    /// Takes the lowest pending signal of a set.
    pub(crate) fn take_signal(&mut self, signals: u64) -> Option<Delivery> {
        let free = self.signals.pending() & signals;
        let signal = u64::from(free.trailing_zeros()) + 1;
        let action = *self.signals.action(signal)?;
        let cause = self.signals.take(signal)?;
        Some(Delivery { signal, action, cause })
    }

    /// The signal that an instruction caused; `None` if the program has no handler for it or blocks
    /// it.
    pub fn caused(&mut self, signal: u64, cause: Cause) -> Option<Delivery> {
        let action = *self.signals.action(signal)?;
        let handled = action.is_handled() && self.signals.own.blocked & set(&[signal]) == 0;
        handled.then_some(Delivery { signal, action, cause })
    }

    /// The signals that the program handles and does not block now, and all that it handles.
    pub fn handled(&self) -> (u64, u64) {
        let handled = self.signals.handled();
        (handled & !self.signals.own.blocked, handled)
    }

    /// Sends a signal of unknown origin, which the program handles.
    pub fn raise(&mut self, signal: u64) {
        self.signals.wait(signal, Cause::USER);
    }

    /// The signals that are blocked after the handler.
    pub(crate) fn mask_before(&self) -> u64 {
        self.signals.own.suspended.unwrap_or(self.signals.own.blocked)
    }

    /// Changes the signal state at the beginning of a handler.
    pub(crate) fn note_handler(&mut self, delivery: &Delivery) {
        let Delivery { signal, action, .. } = delivery;
        let own = if action.flags & NOT_BLOCKED == 0 { set(&[*signal]) } else { 0 };
        self.signals.own.suspended = None;
        self.signals.own.blocked = (self.signals.own.blocked | action.mask | own) & !FIRM;
        if action.flags & ONCE != 0
            && let Some(kept) = self.signals.action(*signal)
        {
            kept.handler = 0;
        }
        if self.signals.own.stack.flags & DISARM != 0 {
            self.signals.own.stack = AltStack::UNSET;
        }
    }

    /// Changes the signal state at the end of a handler, to the mask and alternate stack of its
    /// frame.
    pub(crate) fn note_end_of_handler(&mut self, mask: u64, stack: Option<AltStack>) {
        self.signals.own.blocked = mask & !FIRM;
        if let Some(stack) = stack {
            self.signals.own.stack = AltStack { flags: stack.flags & DISARM, ..stack };
        }
    }

    pub(crate) fn alternate_stack(&self) -> AltStack {
        self.signals.own.stack
    }

    /// `siginfo_t` (Linux `include/uapi/asm-generic/siginfo.h`).
    pub(crate) fn siginfo(&self, delivery: &Delivery) -> Vec<u8> {
        let begin = |code: i32| self.record().u32(delivery.signal as u32).u32(0).u32(code as u32).u32(0);
        let record = match delivery.cause {
            // The process ID is 1, the user ID 0.
            Cause::Sent { code } if code <= 0 => begin(code).u32(1).u32(0),
            Cause::Sent { code } => begin(code),
            Cause::Timer { id, missed, value } => begin(OF_TIMER).u32(id).u32(missed as u32).u64(value),
            Cause::Fault { code, address, .. } => begin(code).u64(address),
        };
        record.up_to(INFO).bytes().to_vec()
    }

    /// The bytes of `stack_t`: base, flags (4 bytes and 4 of padding), size.
    pub(crate) fn stack_record(&self, stack: &AltStack, sp: u64) -> Vec<u8> {
        self.record().u64(stack.base).u32(stack.status(sp)).u32(0).u64(stack.size).bytes().to_vec()
    }

    pub(crate) fn sigaltstack(
        &mut self,
        new: u64,
        old: u64,
        registers: &dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let sp = registers.read(self.abi.facts().sp.into());
        let before = self.signals.own.stack;
        if new != 0 {
            let (base, flags) = (self.word(new, memory)?, self.half(new + 8, memory)?);
            let size = self.word(new + 16, memory)?;
            if before.holds(sp) {
                return Err(Errno::NotPermitted);
            }
            self.signals.own.stack = match flags & !DISARM {
                NONE => AltStack::UNSET,
                0 | IN_USE if size < self.frames.least_stack => return Err(Errno::NoMemory),
                0 | IN_USE => AltStack { base, flags: flags & DISARM, size },
                _ => return Err(Errno::Invalid),
            };
        }
        if old != 0 {
            self.give(memory, old, &self.stack_record(&before, sp))?;
        }
        Ok(0)
    }
}
