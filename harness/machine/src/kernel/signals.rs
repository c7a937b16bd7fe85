//! Signals that a program sends to itself, as `abort` and `alarm` do, and what it asked to be done with them.

use super::errno::Refusal;
use super::{Errno, Kernel};
use crate::end::Reason;
use crate::memory::Memory;

/// Handlers that are none (Linux `include/uapi/asm-generic/signal-defs.h`).
const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
/// Signals that by default are ignored: SIGCHLD, SIGCONT to a process that runs, SIGURG, SIGWINCH.
const IGNORED: u64 = set(&[17, 18, 23, 28]);
/// Signals that by default stop a process: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
const STOPS: u64 = set(&[19, 20, 21, 22]);
/// SIGKILL and SIGSTOP: neither caught nor blocked.
const FIRM: u64 = set(&[9, 19]);
/// The highest signal.
const LAST: u64 = 64;
/// `struct sigaction` of the system call interface: handler, flags, restorer, mask; the same on every target.
const SIGACTION: usize = 4;
/// `SIG_BLOCK` and what follows (Linux `include/uapi/asm-generic/signal-defs.h`).
const BLOCK: u64 = 0;
const UNBLOCK: u64 = 1;
const SET: u64 = 2;
/// `SS_DISABLE` (Linux `include/uapi/linux/signal.h`).
const NO_STACK: u64 = 2;

/// A set of signals as the kernel has it: signal 1 is the lowest bit.
const fn set(signals: &[u64]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < signals.len() {
        bits |= 1 << (signals[index] - 1);
        index += 1;
    }
    bits
}

/// What is to be done with a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Action {
    pub(super) handler: u64,
    pub(super) flags: u64,
    pub(super) restorer: u64,
    pub(super) mask: u64,
}

/// Actions, and which signals are blocked and wait.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    actions: [Action; LAST as usize],
    blocked: u64,
    pending: u64,
    /// Base, flags and size, as `sigaltstack` was told.
    stack: [u64; 3],
}

impl Default for Signals {
    fn default() -> Self {
        let actions = [Action::default(); LAST as usize];
        Signals { actions, blocked: 0, pending: 0, stack: [0, NO_STACK, 0] }
    }
}

impl Signals {
    fn action(&mut self, signal: u64) -> Option<&mut Action> {
        self.actions.get_mut(usize::try_from(signal.checked_sub(1)?).ok()?)
    }

    /// The program sends itself a signal. Where that ends it, it has the status that a shell gives: 128 and the signal.
    pub(super) fn send(&mut self, signal: u64) -> Result<(), Refusal> {
        if signal == 0 {
            // Only asks whether the process is there.
            return Ok(());
        }
        let Action { handler, .. } = *self.action(signal).ok_or(Errno::Invalid)?;
        let bit = set(&[signal]);
        if self.blocked & bit & !FIRM != 0 {
            self.pending |= bit;
            return Ok(());
        }
        match handler {
            DEFAULT if bit & IGNORED != 0 => Ok(()),
            DEFAULT if bit & STOPS != 0 => Err(Refusal::waits_forever("it stops itself by a signal")),
            DEFAULT => Err(Refusal::Exit(128 + signal as i32)),
            IGNORE => Ok(()),
            _ => Err(Refusal::Ends(Reason::SignalHandler, "a signal is to be handled")),
        }
    }
}

impl Kernel {
    /// To this process, its group or all that there are, which is the same.
    pub(super) fn send_to(&mut self, whom: u64, signal: u64) -> Result<u64, Refusal> {
        // The process is number 1, and its only thread too.
        match whom as u32 as i32 {
            -1..=1 => self.signals.send(signal).map(|()| 0),
            _ => Err(Errno::NoProcess.into()),
        }
    }

    pub(super) fn sigaction(&mut self, signal: u64, new: u64, old: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let action = *self.signals.action(signal).ok_or(Errno::Invalid)?;
        let told = match new {
            0 => None,
            _ if set(&[signal]) & FIRM != 0 => return Err(Errno::Invalid),
            new => self.words(new, SIGACTION, memory).map(Some).ok_or(Errno::Fault)?,
        };
        if old != 0 {
            let Action { handler, flags, restorer, mask } = action;
            self.give_words(memory, old, &[handler, flags, restorer, mask])?;
        }
        if let (Some(action), Some(&[handler, flags, restorer, mask])) = (self.signals.action(signal), told.as_deref())
        {
            *action = Action { handler, flags, restorer, mask };
        }
        Ok(0)
    }

    pub(super) fn sigprocmask(&mut self, how: u64, new: u64, old: u64, memory: &mut Memory) -> Result<u64, Refusal> {
        let before = self.signals.blocked;
        if new != 0 {
            let bits = self.word(new, memory)?;
            self.signals.blocked = match how {
                BLOCK => before | bits,
                UNBLOCK => before & !bits,
                SET => bits,
                _ => return Err(Errno::Invalid.into()),
            } & !FIRM;
        }
        if old != 0 {
            self.give_words(memory, old, &[before])?;
        }
        self.send_pending()?;
        Ok(0)
    }

    /// Sends what waited and is blocked no more, the lowest first.
    fn send_pending(&mut self) -> Result<(), Refusal> {
        let mut free = self.signals.pending & !self.signals.blocked;
        self.signals.pending &= !free;
        while free != 0 {
            let signal = u64::from(free.trailing_zeros()) + 1;
            free &= free - 1;
            self.signals.send(signal)?;
        }
        Ok(())
    }

    pub(super) fn sigpending(&self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        self.give_words(memory, buffer, &[self.signals.pending])
    }

    /// `stack_t`: base, flags (4 bytes and as many of padding), size.
    pub(super) fn sigaltstack(&mut self, new: u64, old: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let told = match new {
            0 => None,
            new => Some([self.word(new, memory)?, self.half(new + 8, memory)?.into(), self.word(new + 16, memory)?]),
        };
        if old != 0 {
            let [base, flags, size] = self.signals.stack;
            let record = self.record().u64(base).u32(flags as u32).u32(0).u64(size);
            self.give(memory, old, record.bytes())?;
        }
        if let Some(told) = told {
            self.signals.stack = told;
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABORT: u64 = 6;

    fn with(signal: u64, handler: u64) -> Signals {
        let mut signals = Signals::default();
        signals.action(signal).expect("a signal").handler = handler;
        signals
    }

    #[test]
    fn a_signal_ends_the_program_unless_it_is_ignored_or_blocked() {
        let mut signals = Signals::default();
        assert_eq!(signals.send(ABORT), Err(Refusal::Exit(134)));
        assert_eq!((signals.send(0), signals.send(17)), (Ok(()), Ok(())));
        assert_eq!(signals.send(65), Err(Refusal::Errno(Errno::Invalid)));
        assert_eq!(with(ABORT, IGNORE).send(ABORT), Ok(()));
        signals.blocked = set(&[ABORT, 9]);
        assert_eq!((signals.send(ABORT), signals.pending), (Ok(()), 0x20));
        assert_eq!(signals.send(9), Err(Refusal::Exit(137)), "SIGKILL is never blocked");
        assert!(matches!(signals.send(19), Err(Refusal::Ends(..))), "SIGSTOP");
    }

    #[test]
    fn a_handler_is_not_executed() {
        assert!(matches!(with(ABORT, 0x40_0000).send(ABORT), Err(Refusal::Ends(Reason::SignalHandler, _))));
    }
}
