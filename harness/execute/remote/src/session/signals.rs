//! Signals that a program receives, and system calls that change how the program is followed.

use std::collections::BTreeSet;

use types::SignalCounts;
use witness::Interruption;

use super::Session;
use crate::arch::Names;
use crate::calls::Calls;
use crate::error::RemoteError;
use crate::stub::Stopped;

/// The signals of a run.
#[derive(Debug, Default)]
pub(super) struct SignalState {
    pub(super) counts: SignalCounts,
    /// The signal whose handler begins with the next instruction.
    pub(super) interruption: Option<Interruption>,
    /// The lowest live stack address of each function interrupted by a signal whose handler is
    /// executing.
    pub(super) interrupted: Vec<u64>,
    /// Addresses of the signal handlers that the program has installed.
    handlers: BTreeSet<u64>,
}

impl Session {
    /// Delivers a signal to the program, and executes to the start of its handler, if there is one.
    pub(crate) fn deliver(&mut self, signal: u8) -> Result<Stopped, RemoteError> {
        let (pc, sp, fp) = (self.pc(), self.sp(), self.register(self.facts.fp));
        let handlers: Vec<u64> = self.signals.handlers.iter().copied().collect();
        let stopped = self.stub().deliver(signal, &handlers)?;
        if stopped != Stopped::Step {
            return Ok(stopped);
        }
        self.registers = self.stub().registers()?;
        let handler_sp = self.sp();
        if !self.stack.holds(handler_sp) {
            // The next `witness` reports it.
            return Ok(stopped);
        }
        self.stack.refresh(handler_sp, 8)?;
        let restorer = match self.facts.link_register {
            true => Some(self.register(self.facts.ra)),
            false => self.stack.at(handler_sp).at_hand(handler_sp),
        };
        // A signal frame has hundreds of bytes; without a handler the next instruction was
        // executed.
        if let Some(restorer) = restorer.filter(|_| handler_sp.saturating_add(self.facts.red_zone) < sp) {
            let number = self.register(Names::of_abi(self.abi).convention.arguments[0]);
            *self.signals.counts.handled.entry(number).or_default() += 1;
            let handler_fp = self.register(self.facts.fp);
            self.signals.interruption = Some(Interruption { pc, sp, fp, restorer, handler_sp, handler_fp });
        }
        Ok(stopped)
    }

    /// Records the effects of a system call on code and handlers: code that the program can write
    /// from now on, and the address of a handler that `rt_sigaction` installs, which is the first
    /// word of the structure.
    pub(super) fn note_call(&mut self, number: u64) -> Result<(), RemoteError> {
        const WRITE: u64 = 2;
        let calls = Calls::of_abi(self.abi);
        if number == calls.mprotect && self.argument(2) & WRITE != 0 {
            let from = self.argument(0);
            self.code.may_change(&(from..from.saturating_add(self.argument(1))));
        }
        let action = self.register(calls.convention.arguments[1]);
        if number == calls.rt_sigaction && action != 0 {
            let word = self.stub().read(action, 8)?;
            // SIG_DFL and SIG_IGN are 0 and 1.
            self.signals
                .handlers
                .extend(word.first_chunk().map(|word| self.facts.order.u64(*word)).filter(|at| *at > 1));
        }
        Ok(())
    }

    /// The signal whose handler is about to begin.
    pub(crate) fn interruption(&self) -> Option<&Interruption> {
        self.signals.interruption.as_ref()
    }

    /// Returns true if the handler of a signal is about to begin.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.signals.interruption.is_some()
    }

    /// Changes SP of the handler that is about to begin, and the address that it returns to.
    pub(crate) fn move_handler(&mut self, sp: u64, restorer: u64) {
        if let Some(by) = &mut self.signals.interruption {
            (by.handler_sp, by.restorer) = (sp, restorer);
        }
    }
}
