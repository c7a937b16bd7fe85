//! Timers: the alarm of `alarm` and `setitimer`, and those of `timer_create`. They expire as the
//! clock advances, and send their signals.

use types::{ByteOrder, ThreadId};

use super::time::ABSOLUTE;
use crate::clock::SECOND;
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::signals::Cause;
use crate::signals::set;
use crate::timers::{ALARM, Countdown, Timer};

/// Maximum number of timers; Linux limits them by `RLIMIT_SIGPENDING`.
const MOST: usize = 1024;
/// Maximum result of `timer_getoverrun` (Linux `kernel/time/posix-timers.c`,
/// `timer_overrun_to_int`).
const MOST_MISSED: u64 = i32::MAX as u64;
/// `SIGEV_SIGNAL` and what follows (Linux `include/uapi/asm-generic/siginfo.h`).
const SIGNAL: u32 = 0;
const NONE: u32 = 1;
const THREAD: u32 = 2;
const SIGNAL_THREAD: u32 = 4;

impl Kernel {
    /// Time of the next expiration whose signal ends a wait.
    pub(crate) fn next_signal(&self) -> Option<u64> {
        self.next_of(self.signals.acting())
    }

    /// Time of the next expiration that sends one of these signals.
    pub(crate) fn next_of(&self, signals: u64) -> Option<u64> {
        let those = self.timers.sending().filter(|(signal, _)| set(&[*signal]) & signals != 0);
        those.filter_map(|(_, countdown)| countdown.due).min()
    }

    /// Sends the signals of expired timers.
    pub(crate) fn ring(&mut self) -> Result<(), Refusal> {
        let now = self.clock.now;
        if self.timers.alarm.passed(now) > 0 {
            self.signals.send(ALARM, Cause::KERNEL)?;
        }
        for (id, timer) in &mut self.timers.made {
            let times = timer.countdown.passed(now);
            let (Some((signal, value)), true) = (timer.notice, times > 0) else { continue };
            // A pending signal is not sent again: its overruns are counted.
            let waits = self.signals.waits_of(signal, *id);
            timer.missed = if waits { timer.missed.saturating_add(times) } else { times - 1 }.min(MOST_MISSED);
            let cause = Cause::Timer { id: *id, missed: timer.missed as i32, value };
            match timer.thread.filter(|thread| self.threads.is_live(*thread)) {
                Some(thread) => self.signals.send_to(thread, signal, cause)?,
                None => self.signals.send(signal, cause)?,
            }
        }
        Ok(())
    }

    pub(crate) fn alarm(&mut self, seconds: u64) -> u64 {
        let left = self.timers.alarm.left(self.clock.now).div_ceil(SECOND);
        let due = (seconds > 0).then(|| self.clock.now.saturating_add(seconds.saturating_mul(SECOND)));
        self.timers.alarm = Countdown { due, interval: 0 };
        left
    }

    /// Stores the interval and the time to the next signal, two words each, the second in units of
    /// `unit` nanoseconds: `struct itimerval` and `struct itimerspec`.
    fn give_countdown(&self, of: Countdown, unit: u64, at: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let parts = [of.interval, of.left(self.clock.now)].map(|time| Kernel::parts(time, unit));
        self.give_words(memory, at, &parts.concat())
    }

    pub(crate) fn itimer(&self, which: u64, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        // ITIMER_REAL; the others count execution time, and never expire here.
        let of = if which == 0 { self.timers.alarm } else { Countdown::default() };
        self.give_countdown(of, 1000, buffer, memory)
    }

    pub(crate) fn set_itimer(
        &mut self,
        which: u64,
        new: u64,
        old: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        if which != 0 {
            // Timers of execution time are not supported.
            return Err(Refusal::Unserved);
        }
        if old != 0 {
            self.itimer(which, old, memory)?;
        }
        let (interval, first) = (self.nanoseconds(new, 1000, memory)?, self.nanoseconds(new + 16, 1000, memory)?);
        let due = (first > 0).then(|| self.clock.now.saturating_add(first));
        self.timers.alarm = Countdown { due, interval };
        Ok(0)
    }

    /// `timer_create`. `struct sigevent`: value (8 bytes), signal, and notification (4 bytes each).
    pub(crate) fn timer_create(
        &mut self,
        clock: u64,
        event: u64,
        id_at: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        clock_has_timers(clock as u32 as i32)?;
        if self.timers.made.len() == MOST {
            return Err(Errno::Again.into());
        }
        let id = self.timers.next;
        let mut thread = None;
        let notice = match event {
            // The value of a signal is a union with an `int` at its beginning.
            0 => Some((ALARM, u64::from(id) << if self.order == ByteOrder::Big { 32 } else { 0 })),
            _ => {
                let (value, signal) = (self.word(event, memory)?, self.half(event + 8, memory)?);
                let is_signal = (1..=64).contains(&signal);
                match self.half(event + 12, memory)? {
                    NONE => None,
                    SIGNAL | THREAD if is_signal => Some((signal.into(), value)),
                    SIGNAL_THREAD if is_signal => {
                        thread = Some(ThreadId(self.half(event + 16, memory)?));
                        if !thread.is_some_and(|thread| self.threads.is_live(thread)) {
                            return Err(Errno::Invalid.into());
                        }
                        Some((signal.into(), value))
                    }
                    _ => return Err(Errno::Invalid.into()),
                }
            }
        };
        let record = self.record().u32(id);
        self.give(memory, id_at, record.bytes())?;
        self.timers.next = id.wrapping_add(1) & i32::MAX as u32;
        self.timers.made.insert(id, Timer { countdown: Countdown::default(), notice, thread, missed: 0 });
        Ok(0)
    }

    pub(crate) fn timer_settime(
        &mut self,
        [id, flags, new, old, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        if new == 0 {
            return Err(Errno::Invalid);
        }
        let (interval, first) = (self.nanoseconds(new, 1, memory)?, self.nanoseconds(new + 16, 1, memory)?);
        let from_now = if flags & ABSOLUTE == 0 { first } else { self.until(first) };
        let due = (first > 0).then(|| self.clock.now.saturating_add(from_now));
        let timer = self.timers.get(id)?;
        let before = std::mem::replace(&mut timer.countdown, Countdown { due, interval });
        timer.missed = 0;
        if old == 0 { Ok(0) } else { self.give_countdown(before, 1, old, memory) }
    }

    pub(crate) fn timer_gettime(&mut self, id: u64, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let of = self.timers.get(id)?.countdown;
        self.give_countdown(of, 1, buffer, memory)
    }

    pub(crate) fn timer_getoverrun(&mut self, id: u64) -> Result<u64, Errno> {
        Ok(self.timers.get(id)?.missed)
    }

    pub(crate) fn timer_delete(&mut self, id: u64) -> Result<u64, Errno> {
        self.timers.made.remove(&(id as u32)).map(|_| 0).ok_or(Errno::Invalid)
    }
}

/// Checks that a clock has timers (Linux `include/uapi/linux/time.h`,
/// `kernel/time/posix-timers.c`). All time counts as execution time, as in `getrusage`.
fn clock_has_timers(clock: i32) -> Result<(), Errno> {
    match clock {
        // CLOCK_REALTIME, CLOCK_MONOTONIC, those of the process and its thread, CLOCK_BOOTTIME,
        // CLOCK_TAI.
        0..=3 | 7 | 11 => Ok(()),
        // Clocks that can only be read, those that wake a sleeping machine, and those of a
        // descriptor.
        4..=6 | 8 | 9 => Err(Errno::NotSupported),
        negative if negative < 0 && negative & 7 == 3 => Err(Errno::NotSupported),
        // The clock of a process or thread: only ID 1, which is 0 to itself, exists.
        negative if negative < 0 && matches!(!(negative >> 3), 0 | 1) => Ok(()),
        _ => Err(Errno::Invalid),
    }
}

#[cfg(test)]
mod tests {
    use super::{Errno, clock_has_timers};

    #[test]
    fn clocks_of_others_have_no_timers_here() {
        let [own, thread, other, descriptor] = [-6, -14, -22, -29].map(clock_has_timers);
        assert_eq!((own, thread), (Ok(()), Ok(())));
        assert_eq!((other, descriptor), (Err(Errno::Invalid), Err(Errno::NotSupported)));
    }
}
