//! System calls on signals: sending a signal to the own process, as `abort` and `alarm` do, and
//! setting actions and masks.

use types::ThreadId;

use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::signals::{Action, Cause, DEFAULT, FIRM, IGNORE, IGNORED, set};

/// Size in words of the kernel's `struct sigaction`: handler, flags, restorer, mask; equal on all
/// targets.
const SIGACTION: usize = 4;
/// `SIG_BLOCK` and what follows (Linux `include/uapi/asm-generic/signal-defs.h`).
const BLOCK: u64 = 0;
const UNBLOCK: u64 = 1;
const SET: u64 = 2;

impl Kernel {
    /// `kill`: to a process, or to all, which are of one group.
    pub(crate) fn send_to(&mut self, whom: u64, signal: u64) -> Result<u64, Refusal> {
        let (whom, now) = (whom as u32 as i32, self.processes.now);
        let is_it = |process: u32| (-1..=0).contains(&whom) || process as i32 == whom;
        let mut found = self.processes.ended.iter().any(|child| is_it(child.process));
        let others: Vec<u32> = self.processes.others.keys().copied().filter(|process| is_it(*process)).collect();
        for process in others {
            match self.as_process(process, |kernel| kernel.signals.send(signal, Cause::USER)) {
                // It ends when it would execute next.
                None | Some(Ok(()) | Err(Refusal::Exit(_))) => found = true,
                Some(Err(refusal)) => return Err(refusal),
            }
        }
        if is_it(now) {
            self.signals.send(signal, Cause::USER)?;
        }
        if found || is_it(now) { Ok(0) } else { Err(Errno::NoProcess.into()) }
    }

    /// `tkill`: to a thread of this process.
    pub(crate) fn send_to_thread(&mut self, whom: u64, signal: u64) -> Result<u64, Refusal> {
        let thread = ThreadId(whom as u32);
        match self.threads.is_live(thread) {
            true => self.signals.send_to(thread, signal, Cause::THREAD).map(|()| 0),
            false => Err(Errno::NoProcess.into()),
        }
    }

    pub(crate) fn sigaction(&mut self, signal: u64, new: u64, old: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
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
            let ignored = handler == IGNORE || handler == DEFAULT && set(&[signal]) & IGNORED != 0;
            if ignored {
                self.signals.forget(set(&[signal]));
            }
        }
        Ok(0)
    }

    pub(crate) fn sigprocmask(
        &mut self,
        how: u64,
        new: u64,
        old: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let before = self.signals.own.blocked;
        if new != 0 {
            let bits = self.word(new, memory)?;
            self.signals.own.blocked = match how {
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

    /// Sends pending signals that are no longer blocked, the lowest first.
    pub(crate) fn send_pending(&mut self) -> Result<(), Refusal> {
        let mut free = self.signals.pending() & !self.signals.own.blocked;
        while free != 0 {
            let signal = u64::from(free.trailing_zeros()) + 1;
            free &= free - 1;
            if let Some(cause) = self.signals.take(signal) {
                self.signals.send_to(self.threads.now, signal, cause)?;
            }
        }
        Ok(())
    }

    pub(crate) fn sigpending(&self, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        self.give_words(memory, buffer, &[self.signals.pending()])
    }
}
