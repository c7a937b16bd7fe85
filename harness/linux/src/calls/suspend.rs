//! Waiting with other signals blocked, and waiting for signals: `rt_sigsuspend`, the masks of `ppoll`, `pselect6` and `epoll_pwait`,
//! `rt_sigtimedwait`.

use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::signals::FIRM;

/// Bytes of a set of signals.
const SET: u64 = 8;

impl Kernel {
    /// `rt_sigsuspend`: the handler's end brings the old mask back.
    pub(crate) fn sigsuspend(&mut self, mask: u64, size: u64, memory: &dyn Memory) -> Result<u64, Refusal> {
        let mask = self.mask_at(mask, size, memory)?;
        self.suspend(mask)?;
        if !self.has_due() {
            self.sleep_until_signal("it waits for a signal that nobody sends")?;
        }
        Err(Errno::Interrupted.into())
    }

    /// A call during which other signals are blocked, where there is a mask. Where a signal ends it, the old mask is back after the
    /// handler, else after the call.
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
        let before = self.signals.blocked;
        self.suspend(mask)?;
        let answer = call(self, memory);
        if answer != Err(Errno::Interrupted.into()) {
            self.signals.suspended = None;
            self.signals.blocked = before;
        }
        answer
    }

    /// `rt_sigtimedwait`: takes a signal that waits, or waits for one.
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
        if self.signals.pending & signals == 0 {
            // What is waited for does nothing else meanwhile.
            let before = self.signals.blocked;
            self.signals.blocked |= signals;
            let next = self.next_of(signals).into_iter().chain(self.next_signal()).min();
            let until = match (next, end) {
                (Some(next), end) if end.is_none_or(|end| next <= end) => next,
                (_, Some(end)) => end,
                (_, None) => return Err(Refusal::waits_forever("it waits for a signal that nobody sends")),
            };
            self.clock.now = self.clock.now.max(until);
            self.ring()?;
            self.signals.blocked = before;
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

    /// Blocks these signals and keeps what was blocked; sends what waited and is blocked no more.
    fn suspend(&mut self, mask: u64) -> Result<(), Refusal> {
        self.signals.suspended = Some(self.signals.blocked);
        self.signals.blocked = mask;
        self.send_pending()
    }
}
