//! Signals that a program sends to itself, as `abort` and `alarm` do, what it asked to be done with them, and which are blocked and wait.

use crate::alt_stack::AltStack;
use crate::errno::{Errno, Refusal};

/// Handlers that are none (Linux `include/uapi/asm-generic/signal-defs.h`).
pub(crate) const DEFAULT: u64 = 0;
pub(crate) const IGNORE: u64 = 1;
/// Signals that by default are ignored: SIGCHLD, SIGCONT to a process that runs, SIGURG, SIGWINCH.
pub(crate) const IGNORED: u64 = set(&[17, 18, 23, 28]);
/// Signals that by default stop a process: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
const STOPS: u64 = set(&[19, 20, 21, 22]);
/// SIGKILL and SIGSTOP: neither caught nor blocked.
pub(crate) const FIRM: u64 = set(&[9, 19]);
/// The highest signal.
const LAST: u64 = 64;

/// A set of signals as the kernel has it: signal 1 is the lowest bit.
pub(crate) const fn set(signals: &[u64]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < signals.len() {
        bits |= 1 << (signals[index] - 1);
        index += 1;
    }
    bits
}

/// What is to be done with a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// The code, or 0 or 1 for what is none.
    pub handler: u64,
    /// `sa_flags`.
    pub flags: u64,
    /// Where it returns to.
    pub restorer: u64,
    /// What is blocked meanwhile.
    pub mask: u64,
}

impl Action {
    /// The program has code for it.
    pub(crate) fn is_handled(&self) -> bool {
        !matches!(self.handler, DEFAULT | IGNORE)
    }
}

/// Actions, and which signals are blocked and wait.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    actions: [Action; LAST as usize],
    /// Where those that wait come from.
    causes: [Cause; LAST as usize],
    pub(crate) blocked: u64,
    pub(crate) pending: u64,
    /// What was blocked before a call that blocks others while it waits.
    pub(crate) suspended: Option<u64>,
    pub(crate) stack: AltStack,
}

impl Default for Signals {
    fn default() -> Self {
        let actions = [Action::default(); LAST as usize];
        let causes = [Cause::USER; LAST as usize];
        Signals { actions, causes, blocked: 0, pending: 0, suspended: None, stack: AltStack::UNSET }
    }
}

impl Signals {
    pub(crate) fn action(&mut self, signal: u64) -> Option<&mut Action> {
        self.actions.get_mut(usize::try_from(signal.checked_sub(1)?).ok()?)
    }

    /// Where a signal that waits comes from.
    pub(crate) fn cause(&self, signal: u64) -> Cause {
        let index = usize::try_from(signal.wrapping_sub(1)).ok();
        index.and_then(|index| self.causes.get(index)).copied().unwrap_or(Cause::USER)
    }

    /// The signals that the program has code for.
    pub(crate) fn handled(&self) -> u64 {
        let handled = self.actions.iter().zip(0..).filter(|(action, _)| action.is_handled());
        handled.fold(0, |bits, (_, index)| bits | 1 << index)
    }

    /// The signals that would end a wait: their handlers begin, or they end the program.
    pub(crate) fn acting(&self) -> u64 {
        let ignored = |action: &Action, bit: u64| match action.handler {
            IGNORE => true,
            DEFAULT => bit & IGNORED != 0,
            _ => false,
        };
        let bits = self.actions.iter().zip(0..).map(|(action, index)| (action, 1 << index));
        bits.filter(|(action, bit)| !ignored(action, *bit)).fold(0, |bits, (_, bit)| bits | bit) & !self.blocked
    }

    /// A signal of this timer waits to be handled.
    pub(crate) fn waits_of(&self, signal: u64, timer: u32) -> bool {
        self.pending & set(&[signal]) != 0 && matches!(self.cause(signal), Cause::Timer { id, .. } if id == timer)
    }

    /// A signal waits to be handled.
    pub(crate) fn wait(&mut self, signal: u64, cause: Cause) {
        let index = usize::try_from(signal.wrapping_sub(1)).ok();
        if let Some(kept) = index.and_then(|index| self.causes.get_mut(index)) {
            *kept = cause;
            self.pending |= set(&[signal]);
        }
    }

    /// The program is sent a signal. A handler begins when the call ends. Where that ends it, it has the status that a shell gives: 128 and the signal.
    pub(crate) fn send(&mut self, signal: u64, cause: Cause) -> Result<(), Refusal> {
        if signal == 0 {
            // Only asks whether the process is there.
            return Ok(());
        }
        let Action { handler, .. } = *self.action(signal).ok_or(Errno::Invalid)?;
        let bit = set(&[signal]);
        if self.blocked & bit & !FIRM != 0 {
            self.wait(signal, cause);
            return Ok(());
        }
        match handler {
            DEFAULT if bit & IGNORED != 0 => Ok(()),
            DEFAULT if bit & STOPS != 0 => Err(Refusal::waits_forever("it stops itself by a signal")),
            DEFAULT => Err(Refusal::Exit(128 + signal as i32)),
            IGNORE => Ok(()),
            _ => {
                self.wait(signal, cause);
                Ok(())
            }
        }
    }
}

/// A signal whose handler is to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its number.
    pub signal: u64,
    /// What the program asked to be done with it.
    pub action: Action,
    /// Where it comes from.
    pub cause: Cause,
}

/// Where a signal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The program, or the alarm.
    Sent {
        /// `si_code`.
        code: i32,
    },
    /// A timer.
    Timer {
        /// Its number.
        id: u32,
        /// How often it went off besides.
        missed: i32,
        /// The program's own word.
        value: u64,
    },
    /// An instruction.
    Fault {
        /// `si_code`.
        code: i32,
        /// The exception's number.
        vector: u64,
        /// The exception's error code.
        error: u64,
        /// The address that is meant.
        address: u64,
    },
}

impl Cause {
    /// `SI_USER`, `SI_TKILL` and `SI_KERNEL` (Linux `include/uapi/asm-generic/siginfo.h`).
    pub(crate) const USER: Cause = Cause::Sent { code: 0 };
    pub(crate) const THREAD: Cause = Cause::Sent { code: -6 };
    pub(crate) const KERNEL: Cause = Cause::Sent { code: 0x80 };
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
        assert_eq!(signals.send(ABORT, Cause::USER), Err(Refusal::Exit(134)));
        assert_eq!((signals.send(0, Cause::USER), signals.send(17, Cause::USER)), (Ok(()), Ok(())));
        assert_eq!(signals.send(65, Cause::USER), Err(Refusal::Errno(Errno::Invalid)));
        assert_eq!(with(ABORT, IGNORE).send(ABORT, Cause::USER), Ok(()));
        signals.blocked = set(&[ABORT, 9]);
        assert_eq!((signals.send(ABORT, Cause::USER), signals.pending), (Ok(()), 0x20));
        assert_eq!(signals.send(9, Cause::USER), Err(Refusal::Exit(137)), "SIGKILL is never blocked");
        assert!(matches!(signals.send(19, Cause::USER), Err(Refusal::Ends(..))), "SIGSTOP");
    }

    #[test]
    fn a_handler_waits_for_the_end_of_the_call() {
        let mut signals = with(ABORT, 0x40_0000);
        assert_eq!((signals.send(ABORT, Cause::THREAD), signals.pending), (Ok(()), 0x20));
        assert_eq!((signals.cause(ABORT), signals.handled()), (Cause::THREAD, 0x20));
    }
}
