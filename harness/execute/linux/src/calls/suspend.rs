//! Waiting for signals or with a temporary signal mask: `rt_sigsuspend`, the masks of `ppoll`,
//! `pselect6` and `epoll_pwait`, `rt_sigtimedwait`.

use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::signals::FIRM;
use crate::threads::WaitFor;

/// Size in bytes of a signal set.
const SET: u64 = 8;

impl Kernel {
    /// `rt_sigsuspend`: the old mask is restored after the handler.
    pub(crate) fn sigsuspend(&mut self, mask: u64, size: u64, memory: &dyn Memory) -> Result<u64, Refusal> {
        let mask = self.mask_at(mask, size, memory)?;
        self.suspend(mask)?;
        if !self.has_due() {
            self.sleep_until_signal("it waits for a signal that never comes")?;
        }
        Err(Errno::Interrupted.into())
    }

    /// Executes a call with a temporary signal mask, if given. The old mask is restored after the
    /// handler if a signal ends the call, else after the call.
    pub(crate) fn with_mask(
        &mut self,
        mask: u64,
        size: u64,
        memory: &mut dyn Memory,
        call: impl FnOnce(&mut Kernel, &mut dyn Memory) -> Result<u64, Refusal>,
    ) -> Result<u64, Refusal> {
        if mask == 0 {
            return call(self, memory);
        }
        let mask = self.mask_at(mask, size, memory)?;
        self.suspend(mask)?;
        let answer = call(self, memory);
        if !matches!(answer, Err(Refusal::Errno(Errno::Interrupted) | Refusal::Waits))
            && let Some(before) = self.signals.own.suspended.take()
        {
            self.signals.own.blocked = before;
        }
        answer
    }

    /// `rt_sigtimedwait`: takes a pending signal, or waits for one.
    pub(crate) fn sigtimedwait(
        &mut self,
        [signals, info, time, size, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let signals = self.mask_at(signals, size, memory)?;
        let end = match time {
            0 => None,
            at => Some(self.clock.now.saturating_add(self.nanoseconds(at, 1, memory)?)),
        };
        if self.signals.pending() & signals == 0 && self.has_others() {
            self.wait_for(WaitFor::Signals(signals), end)?;
        } else if self.signals.pending() & signals == 0 {
            // The awaited signals are blocked meanwhile.
            let before = self.signals.own.blocked;
            self.signals.own.blocked |= signals;
            let next = self.next_of(signals).into_iter().chain(self.next_signal()).min();
            let until = match (next, end) {
                (Some(next), end) if end.is_none_or(|end| next <= end) => next,
                (_, Some(end)) => end,
                (_, None) => return Err(Refusal::waits_forever("it waits for a signal that never comes")),
            };
            self.clock.now = self.clock.now.max(until);
            self.ring()?;
            self.signals.own.blocked = before;
        }
        match self.take_signal(signals) {
            Some(taken) => {
                if info != 0 {
                    self.give(memory, info, &self.siginfo(&taken))?;
                }
                Ok(taken.signal)
            }
            None if self.has_due() => Err(Errno::Interrupted.into()),
            None => Err(Errno::Again.into()),
        }
    }

    fn mask_at(&self, mask: u64, size: u64, memory: &dyn Memory) -> Result<u64, Errno> {
        if size != SET {
            return Err(Errno::Invalid);
        }
        Ok(self.word(mask, memory)? & !FIRM)
    }

    /// Sets the signal mask, keeps the old one, and sends pending signals that are no longer
    /// blocked. Does nothing in a repeated call.
    fn suspend(&mut self, mask: u64) -> Result<(), Refusal> {
        if self.threads.own.wait.is_some() {
            return Ok(());
        }
        self.signals.own.suspended = Some(self.signals.own.blocked);
        self.signals.own.blocked = mask;
        self.send_pending()
    }
}
