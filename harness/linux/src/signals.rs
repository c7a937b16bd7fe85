//! Signals that a program sends to itself, as `abort` and `alarm` do, what it asked to be done with
//! them, and which each thread blocks and which wait.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::alt_stack::AltStack;
use crate::errno::{Errno, Refusal};

/// Handlers that are not addresses (Linux `include/uapi/asm-generic/signal-defs.h`).
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
    /// The code, or 0 or 1 if there is none.
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

/// Signals that wait, and where they come from.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) set: u64,
    causes: [Cause; LAST as usize],
}

/// What each thread has of its own.
#[derive(Clone, Debug)]
pub(crate) struct OwnSignals {
    pub(crate) blocked: u64,
    /// Those sent to it alone.
    pub(crate) pending: Pending,
    /// Signals blocked before a call that blocks others while it waits.
    pub(crate) suspended: Option<u64>,
    pub(crate) stack: AltStack,
}

/// Actions, and which signals are blocked and wait.
#[derive(Clone, Debug)]
pub(crate) struct Signals {
    actions: [Action; LAST as usize],
    /// Those sent to the process, for any thread that does not block them.
    pub(crate) shared: Pending,
    /// What the thread that executes has, and the others.
    pub(crate) own: OwnSignals,
    others: BTreeMap<ThreadId, OwnSignals>,
}

impl Default for Pending {
    fn default() -> Self {
        Pending { set: 0, causes: [Cause::USER; LAST as usize] }
    }
}

impl Pending {
    /// A signal waits to be handled.
    fn add(&mut self, signal: u64, cause: Cause) {
        let index = usize::try_from(signal.wrapping_sub(1)).ok();
        if let Some(kept) = index.and_then(|index| self.causes.get_mut(index)) {
            *kept = cause;
            self.set |= set(&[signal]);
        }
    }

    /// Where it comes from, if it waits.
    fn cause(&self, signal: u64) -> Option<Cause> {
        let index = usize::try_from(signal.checked_sub(1)?).ok()?;
        let cause = self.causes.get(index).copied()?;
        (self.set & set(&[signal]) != 0).then_some(cause)
    }
}

impl Default for OwnSignals {
    fn default() -> Self {
        OwnSignals { blocked: 0, pending: Pending::default(), suspended: None, stack: AltStack::UNSET }
    }
}

impl Default for Signals {
    fn default() -> Self {
        let actions = [Action::default(); LAST as usize];
        Signals { actions, shared: Pending::default(), own: OwnSignals::default(), others: BTreeMap::new() }
    }
}

impl Signals {
    pub(crate) fn action(&mut self, signal: u64) -> Option<&mut Action> {
        self.actions.get_mut(usize::try_from(signal.checked_sub(1)?).ok()?)
    }

    /// The signals that wait for the thread that executes.
    pub(crate) fn pending(&self) -> u64 {
        self.own.pending.set | self.shared.set
    }

    /// Of those that wait for a thread, and that it does not block.
    pub(crate) fn due_of(&self, thread: ThreadId) -> u64 {
        let own = self.others.get(&thread).unwrap_or(&self.own);
        (own.pending.set | self.shared.set) & !own.blocked
    }

    /// Those that wait for a thread.
    pub(crate) fn pending_of(&self, thread: ThreadId) -> u64 {
        let own = self.others.get(&thread).unwrap_or(&self.own);
        own.pending.set | self.shared.set
    }

    /// A signal that waits for the thread that executes waits no more: where it comes from.
    pub(crate) fn take(&mut self, signal: u64) -> Option<Cause> {
        let from = [&mut self.own.pending, &mut self.shared].into_iter().find(|from| from.cause(signal).is_some())?;
        let cause = from.cause(signal);
        from.set &= !set(&[signal]);
        cause
    }

    /// Nobody waits for these any more.
    pub(crate) fn forget(&mut self, signals: u64) {
        let others = self.others.values_mut().map(|own| &mut own.pending);
        others.chain([&mut self.own.pending, &mut self.shared]).for_each(|pending| pending.set &= !signals);
    }

    /// A thread that was made has what its maker blocks, and nothing that waits.
    pub(crate) fn make(&mut self, thread: ThreadId) {
        self.others.insert(thread, OwnSignals { blocked: self.own.blocked, ..OwnSignals::default() });
    }

    /// Another thread executes; `left`: the one that did, unless it has ended.
    pub(crate) fn go_on(&mut self, thread: ThreadId, left: Option<ThreadId>) {
        let Some(own) = self.others.remove(&thread) else { return };
        let before = std::mem::replace(&mut self.own, own);
        if let Some(left) = left {
            self.others.insert(left, before);
        }
    }

    /// The signals that the program has code for.
    pub(crate) fn handled(&self) -> u64 {
        let handled = self.actions.iter().zip(0..).filter(|(action, _)| action.is_handled());
        handled.fold(0, |bits, (_, index)| bits | 1 << index)
    }

    /// The signals that would end a wait of some thread: their handlers begin, or they end the
    /// program.
    pub(crate) fn acting(&self) -> u64 {
        let ignored = |action: &Action, bit: u64| match action.handler {
            IGNORE => true,
            DEFAULT => bit & IGNORED != 0,
            _ => false,
        };
        let bits = self.actions.iter().zip(0..).map(|(action, index)| (action, 1 << index));
        bits.filter(|(action, bit)| !ignored(action, *bit)).fold(0, |bits, (_, bit)| bits | bit)
            & !self.blocked_by_all()
    }

    /// What every thread blocks.
    fn blocked_by_all(&self) -> u64 {
        self.others.values().fold(self.own.blocked, |blocked, own| blocked & own.blocked)
    }

    /// A signal of this timer waits to be handled.
    pub(crate) fn waits_of(&self, signal: u64, timer: u32) -> bool {
        let all = self.others.values().chain([&self.own]).map(|own| &own.pending).chain([&self.shared]);
        all.filter_map(|pending| pending.cause(signal))
            .any(|cause| matches!(cause, Cause::Timer { id, .. } if id == timer))
    }

    /// A signal for the thread that executes waits to be handled.
    pub(crate) fn wait(&mut self, signal: u64, cause: Cause) {
        self.own.pending.add(signal, cause);
    }

    /// The program is sent a signal, which any thread may take. A handler begins when the call
    /// ends. Where that ends it, it has the status that a shell gives: 128 and the signal.
    pub(crate) fn send(&mut self, signal: u64, cause: Cause) -> Result<(), Refusal> {
        if self.waits(signal, self.blocked_by_all())? {
            self.shared.add(signal, cause);
        }
        Ok(())
    }

    /// A thread is sent a signal; one that is not another is the one that executes.
    pub(crate) fn send_to(&mut self, thread: ThreadId, signal: u64, cause: Cause) -> Result<(), Refusal> {
        let blocked = self.others.get(&thread).unwrap_or(&self.own).blocked;
        if self.waits(signal, blocked)? {
            self.others.get_mut(&thread).unwrap_or(&mut self.own).pending.add(signal, cause);
        }
        Ok(())
    }

    /// Whether a signal that is sent waits, where these are blocked.
    fn waits(&mut self, signal: u64, blocked: u64) -> Result<bool, Refusal> {
        if signal == 0 {
            // Only asks whether the process is there.
            return Ok(false);
        }
        let Action { handler, .. } = *self.action(signal).ok_or(Errno::Invalid)?;
        let bit = set(&[signal]);
        if blocked & bit & !FIRM != 0 {
            return Ok(true);
        }
        match handler {
            DEFAULT if bit & IGNORED != 0 => Ok(false),
            DEFAULT if bit & STOPS != 0 => Err(Refusal::waits_forever("it stops itself by a signal")),
            DEFAULT => Err(Refusal::Exit(128 + signal as i32)),
            IGNORE => Ok(false),
            _ => Ok(true),
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
        /// Number of further expirations.
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
        signals.own.blocked = set(&[ABORT, 9]);
        assert_eq!((signals.send(ABORT, Cause::USER), signals.pending()), (Ok(()), 0x20));
        assert_eq!(signals.send(9, Cause::USER), Err(Refusal::Exit(137)), "SIGKILL is never blocked");
        assert!(matches!(signals.send(19, Cause::USER), Err(Refusal::Ends(..))), "SIGSTOP");
    }

    #[test]
    fn a_handler_waits_for_the_end_of_the_call() {
        let mut signals = with(ABORT, 0x40_0000);
        assert_eq!((signals.send(ABORT, Cause::THREAD), signals.pending()), (Ok(()), 0x20));
        assert_eq!((signals.take(ABORT), signals.handled()), (Some(Cause::THREAD), 0x20));
    }
}
