//! Signals of a process: actions, and the blocked and pending signals of each thread.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::alt_stack::{AltStack, DISARM};
use crate::errno::{Errno, Refusal};
use crate::record::Record;

/// Handlers that are not addresses (Linux `include/uapi/asm-generic/signal-defs.h`).
pub(crate) const DEFAULT: u64 = 0;
pub(crate) const IGNORE: u64 = 1;
/// Signals ignored by default: SIGCHLD, SIGCONT to a running process, SIGURG, SIGWINCH.
pub(crate) const IGNORED: u64 = set(&[17, 18, 23, 28]);
/// Signals that stop a process by default: SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU.
const STOPS: u64 = set(&[19, 20, 21, 22]);
/// SIGKILL and SIGSTOP, which can be neither caught nor blocked.
pub(crate) const FIRM: u64 = set(&[9, 19]);
/// `SA_NODEFER`, `SA_RESETHAND` (Linux `include/uapi/asm-generic/signal-defs.h`).
const NOT_BLOCKED: u64 = 0x4000_0000;
const ONCE: u64 = 0x8000_0000;
/// `SI_TIMER` (Linux `include/uapi/asm-generic/siginfo.h`).
const OF_TIMER: i32 = -2;
/// Size in bytes of `siginfo_t`.
pub(crate) const INFO: usize = 128;
/// The highest signal.
const LAST: u64 = 64;

/// A signal set in the kernel's format: signal 1 is the lowest bit.
pub(crate) const fn set(signals: &[u64]) -> u64 {
    let (mut bits, mut index) = (0, 0);
    while index < signals.len() {
        bits |= 1 << (signals[index] - 1);
        index += 1;
    }
    bits
}

/// The action of a signal, `struct sigaction`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// Address of the handler, or 0 (default) or 1 (ignore).
    pub handler: u64,
    /// `sa_flags`.
    pub flags: u64,
    /// The handler's return address.
    pub restorer: u64,
    /// Signals blocked during the handler.
    pub mask: u64,
}

impl Action {
    /// Returns true if the program has a handler for the signal.
    pub(crate) fn is_handled(&self) -> bool {
        !matches!(self.handler, DEFAULT | IGNORE)
    }
}

/// Pending signals, and their causes.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) set: u64,
    causes: [Cause; LAST as usize],
}

/// The signal state of a thread.
#[derive(Clone, Debug)]
pub(crate) struct OwnSignals {
    pub(crate) blocked: u64,
    /// Pending signals of this thread only.
    pub(crate) pending: Pending,
    /// Signals blocked before a call that blocks others while it waits.
    pub(crate) suspended: Option<u64>,
    pub(crate) stack: AltStack,
}

/// The signal state of a process.
#[derive(Clone, Debug)]
pub struct Signals {
    actions: [Action; LAST as usize],
    /// Pending signals of the process, for any thread that does not block them.
    pub(crate) shared: Pending,
    /// The state of the current thread; `others` has those of the other threads.
    pub(crate) own: OwnSignals,
    others: BTreeMap<ThreadId, OwnSignals>,
    /// The one that has ended the process.
    pub(crate) killed: Option<u64>,
}

impl Default for Pending {
    fn default() -> Self {
        Pending { set: 0, causes: [Cause::USER; LAST as usize] }
    }
}

impl Pending {
    fn add(&mut self, signal: u64, cause: Cause) {
        let index = usize::try_from(signal.wrapping_sub(1)).ok();
        if let Some(kept) = index.and_then(|index| self.causes.get_mut(index)) {
            *kept = cause;
            self.set |= set(&[signal]);
        }
    }

    /// The cause of a signal, if it is pending.
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

impl OwnSignals {
    /// The signals that are blocked after the handler.
    pub(crate) fn mask_before(&self) -> u64 {
        self.suspended.unwrap_or(self.blocked)
    }

    /// Changes the state at the end of a handler, to the mask and alternate stack of its frame.
    pub(crate) fn end_handler(&mut self, mask: u64, stack: Option<AltStack>) {
        self.blocked = mask & !FIRM;
        if let Some(stack) = stack {
            self.stack = AltStack { flags: stack.flags & DISARM, ..stack };
        }
    }
}

impl Default for Signals {
    fn default() -> Self {
        let actions = [Action::default(); LAST as usize];
        Signals {
            actions,
            shared: Pending::default(),
            own: OwnSignals::default(),
            others: BTreeMap::new(),
            killed: None,
        }
    }
}

impl Signals {
    /// Returns those of a child: nothing is pending, and it has one thread.
    pub(crate) fn child(&self) -> Signals {
        let own = OwnSignals { pending: Pending::default(), ..self.own.clone() };
        Signals { actions: self.actions, shared: Pending::default(), own, others: BTreeMap::new(), killed: self.killed }
    }

    /// Returns true if a handler must begin.
    pub fn has_due(&self) -> bool {
        self.pending() & !self.own.blocked != 0
    }

    /// The signal whose handler must begin: the lowest pending one that is not blocked.
    pub fn due(&mut self) -> Option<Delivery> {
        self.take_lowest(!self.own.blocked)
    }

    /// Takes the lowest pending signal of a set.
    pub(crate) fn take_lowest(&mut self, signals: u64) -> Option<Delivery> {
        let free = self.pending() & signals;
        let signal = u64::from(free.trailing_zeros()) + 1;
        let action = *self.action(signal)?;
        let cause = self.take(signal)?;
        Some(Delivery { signal, action, cause })
    }

    /// The signal that an instruction caused; `None` if the program has no handler for it or blocks
    /// it.
    pub fn caused(&mut self, signal: u64, cause: Cause) -> Option<Delivery> {
        let action = *self.action(signal)?;
        let handled = action.is_handled() && self.own.blocked & set(&[signal]) == 0;
        handled.then_some(Delivery { signal, action, cause })
    }

    /// The signals that the program handles and does not block now, and all that it handles.
    pub fn handled(&self) -> (u64, u64) {
        let handled = self.actions.iter().zip(0..).filter(|(action, _)| action.is_handled());
        let handled = handled.fold(0, |bits, (_, index)| bits | 1 << index);
        (handled & !self.own.blocked, handled)
    }

    /// Sends a signal of unknown origin, which the program handles, to the current thread.
    pub fn raise(&mut self, signal: u64) {
        self.own.pending.add(signal, Cause::USER);
    }

    /// Changes the state at the beginning of a handler.
    pub(crate) fn begin_handler(&mut self, delivery: &Delivery) {
        let Delivery { signal, action, .. } = delivery;
        let own = if action.flags & NOT_BLOCKED == 0 { set(&[*signal]) } else { 0 };
        self.own.suspended = None;
        self.own.blocked = (self.own.blocked | action.mask | own) & !FIRM;
        if action.flags & ONCE != 0
            && let Some(kept) = self.action(*signal)
        {
            kept.handler = DEFAULT;
        }
        if self.own.stack.flags & DISARM != 0 {
            self.own.stack = AltStack::UNSET;
        }
    }

    /// The process is another program: it has no handlers and no alternate stack (POSIX `execve`).
    pub(crate) fn begin_program(&mut self) {
        for action in &mut self.actions {
            let handler = if action.handler == IGNORE { IGNORE } else { DEFAULT };
            *action = Action { handler, ..Action::default() };
        }
        (self.own.suspended, self.own.stack) = (None, AltStack::UNSET);
    }

    pub(crate) fn action(&mut self, signal: u64) -> Option<&mut Action> {
        self.actions.get_mut(usize::try_from(signal.checked_sub(1)?).ok()?)
    }

    /// The pending signals of the current thread.
    pub(crate) fn pending(&self) -> u64 {
        self.own.pending.set | self.shared.set
    }

    /// The pending signals of a thread that it does not block.
    pub(crate) fn due_of(&self, thread: ThreadId) -> u64 {
        let own = self.others.get(&thread).unwrap_or(&self.own);
        (own.pending.set | self.shared.set) & !own.blocked
    }

    pub(crate) fn pending_of(&self, thread: ThreadId) -> u64 {
        let own = self.others.get(&thread).unwrap_or(&self.own);
        own.pending.set | self.shared.set
    }

    /// Removes a pending signal of the current thread, and returns its cause.
    pub(crate) fn take(&mut self, signal: u64) -> Option<Cause> {
        let from = [&mut self.own.pending, &mut self.shared].into_iter().find(|from| from.cause(signal).is_some())?;
        let cause = from.cause(signal);
        from.set &= !set(&[signal]);
        cause
    }

    /// Removes pending signals of all threads.
    pub(crate) fn forget(&mut self, signals: u64) {
        let others = self.others.values_mut().map(|own| &mut own.pending);
        others.chain([&mut self.own.pending, &mut self.shared]).for_each(|pending| pending.set &= !signals);
    }

    /// Adds a new thread: it inherits the mask, and has no pending signals.
    pub(crate) fn make(&mut self, thread: ThreadId) {
        self.others.insert(thread, OwnSignals { blocked: self.own.blocked, ..OwnSignals::default() });
    }

    /// Switches to another thread. `left` is the previous one, unless it has ended.
    pub(crate) fn go_on(&mut self, thread: ThreadId, left: Option<ThreadId>) {
        let Some(own) = self.others.remove(&thread) else { return };
        let before = std::mem::replace(&mut self.own, own);
        if let Some(left) = left {
            self.others.insert(left, before);
        }
    }

    /// The signals that would end a wait of some thread: they have handlers, or terminate the
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

    /// The signals that every thread blocks.
    fn blocked_by_all(&self) -> u64 {
        self.others.values().fold(self.own.blocked, |blocked, own| blocked & own.blocked)
    }

    /// Returns true if a signal of this timer is pending.
    pub(crate) fn waits_of(&self, signal: u64, timer: u32) -> bool {
        let all = self.others.values().chain([&self.own]).map(|own| &own.pending).chain([&self.shared]);
        all.filter_map(|pending| pending.cause(signal))
            .any(|cause| matches!(cause, Cause::Timer { id, .. } if id == timer))
    }

    /// Sends a signal to the process, for any thread. Its handler begins after the call. If it
    /// terminates the program, the exit status is 128 plus the signal, as in a shell.
    pub(crate) fn send(&mut self, signal: u64, cause: Cause) -> Result<(), Refusal> {
        if self.waits(signal, self.blocked_by_all())? {
            self.shared.add(signal, cause);
        }
        Ok(())
    }

    /// Sends a signal to a thread; an unknown thread is the current one.
    pub(crate) fn send_to(&mut self, thread: ThreadId, signal: u64, cause: Cause) -> Result<(), Refusal> {
        let blocked = self.others.get(&thread).unwrap_or(&self.own).blocked;
        if self.waits(signal, blocked)? {
            self.others.get_mut(&thread).unwrap_or(&mut self.own).pending.add(signal, cause);
        }
        Ok(())
    }

    /// Returns true if a sent signal becomes pending, where `blocked` is blocked.
    fn waits(&mut self, signal: u64, blocked: u64) -> Result<bool, Refusal> {
        if signal == 0 {
            // Signal 0 only checks that the process exists.
            return Ok(false);
        }
        let Action { handler, .. } = *self.action(signal).ok_or(Errno::Invalid)?;
        let bit = set(&[signal]);
        if blocked & bit & !FIRM != 0 {
            return Ok(true);
        }
        match handler {
            DEFAULT if bit & IGNORED != 0 => Ok(false),
            DEFAULT if bit & STOPS != 0 => {
                Err(Refusal::waits_forever("it stops itself by a signal (SIGSTOP or alike)"))
            }
            DEFAULT => {
                self.killed = Some(signal);
                Err(Refusal::Exit(128 + signal as i32))
            }
            IGNORE => Ok(false),
            _ => Ok(true),
        }
    }
}

/// A signal whose handler must begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub signal: u64,
    /// The signal's action.
    pub action: Action,
    /// The signal's cause.
    pub cause: Cause,
}

impl Delivery {
    /// `siginfo_t` (Linux `include/uapi/asm-generic/siginfo.h`).
    pub(crate) fn info(&self, record: Record) -> Vec<u8> {
        let begin = |code: i32| record.u32(self.signal as u32).u32(0).u32(code as u32).u32(0);
        let record = match self.cause {
            // The process ID is 1, the user ID 0.
            Cause::Sent { code } if code <= 0 => begin(code).u32(1).u32(0),
            Cause::Sent { code } => begin(code),
            Cause::Timer { id, missed, value } => begin(OF_TIMER).u32(id).u32(missed as u32).u64(value),
            Cause::Fault { code, address, .. } => begin(code).u64(address),
        };
        record.up_to(INFO).bytes().to_vec()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Sent by the program or by the alarm.
    Sent {
        /// `si_code`.
        code: i32,
    },
    /// An expired timer.
    Timer {
        /// Timer ID.
        id: u32,
        /// Number of further expirations.
        missed: i32,
        /// The program's value, `sigev_value`.
        value: u64,
    },
    /// An exception of an instruction.
    Fault {
        /// `si_code`.
        code: i32,
        /// The processor's exception number.
        vector: u64,
        /// The exception's error code.
        error: u64,
        /// The fault address.
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
        assert_eq!((signals.take(ABORT), signals.handled()), (Some(Cause::THREAD), (0x20, 0x20)));
    }
}
