//! Timers of a process: the alarm of `alarm` and `setitimer`, and those of `timer_create`.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::errno::{Errno, Refusal};
use crate::signals::{Cause, Signals, set};
use crate::threads::Threads;

/// `SIGALRM` (Linux `include/uapi/asm-generic/signal.h`).
pub(crate) const ALARM: u64 = 14;
/// Maximum result of `timer_getoverrun` (Linux `kernel/time/posix-timers.c`,
/// `timer_overrun_to_int`).
const MOST_MISSED: u64 = i32::MAX as u64;

/// Next expiration and interval, in nanoseconds since the start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Countdown {
    pub(crate) due: Option<u64>,
    pub(crate) interval: u64,
}

impl Countdown {
    /// Remaining nanoseconds; 0 only if the timer is not set.
    pub(crate) fn left(&self, now: u64) -> u64 {
        self.due.map_or(0, |due| due.saturating_sub(now).max(1))
    }

    /// Number of expirations until now; later calls count from there.
    pub(crate) fn passed(&mut self, now: u64) -> u64 {
        let Some(due) = self.due.filter(|due| *due <= now) else { return 0 };
        let more = (now - due).checked_div(self.interval);
        let times = more.unwrap_or(0).saturating_add(1);
        self.due = more.map(|_| due.saturating_add(times.saturating_mul(self.interval)));
        times
    }
}

/// A timer of `timer_create`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    pub(crate) countdown: Countdown,
    /// The signal and the program's value; `None` if the timer only counts.
    pub(crate) notice: Option<(u64, u64)>,
    /// The thread that the signal is sent to; `None` for the process.
    pub(crate) thread: Option<ThreadId>,
    /// Number of expirations without a signal of their own (overruns).
    pub(crate) missed: u64,
}

/// All timers of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers {
    pub(crate) alarm: Countdown,
    pub(crate) made: BTreeMap<u32, Timer>,
    pub(crate) next: u32,
}

impl Timers {
    /// Time of the next expiration that sends one of these signals.
    pub(crate) fn next_of(&self, signals: u64) -> Option<u64> {
        let those = self.sending().filter(|(signal, _)| set(&[*signal]) & signals != 0);
        those.filter_map(|(_, countdown)| countdown.due).min()
    }

    /// Sends the signals of expired timers.
    pub(crate) fn ring(&mut self, now: u64, signals: &mut Signals, threads: &Threads) -> Result<(), Refusal> {
        if self.alarm.passed(now) > 0 {
            signals.send(ALARM, Cause::KERNEL)?;
        }
        for (id, timer) in &mut self.made {
            let times = timer.countdown.passed(now);
            let (Some((signal, value)), true) = (timer.notice, times > 0) else { continue };
            // A pending signal is not sent again: its overruns are counted.
            let waits = signals.waits_of(signal, *id);
            timer.missed = if waits { timer.missed.saturating_add(times) } else { times - 1 }.min(MOST_MISSED);
            let cause = Cause::Timer { id: *id, missed: timer.missed as i32, value };
            match timer.thread.filter(|thread| threads.is_live(*thread)) {
                Some(thread) => signals.send_to(thread, signal, cause)?,
                None => signals.send(signal, cause)?,
            }
        }
        Ok(())
    }

    /// Timers that send a signal, with that signal.
    fn sending(&self) -> impl Iterator<Item = (u64, &Countdown)> {
        let made = self.made.values().filter_map(|timer| Some((timer.notice?.0, &timer.countdown)));
        made.chain([(ALARM, &self.alarm)])
    }

    pub(crate) fn get(&mut self, id: u64) -> Result<&mut Timer, Errno> {
        self.made.get_mut(&(id as u32)).ok_or(Errno::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_repeats_goes_on_from_where_it_was_due() {
        let mut countdown = Countdown { due: Some(100), interval: 30 };
        assert_eq!((countdown.left(70), countdown.passed(99)), (30, 0));
        assert_eq!((countdown.passed(100), countdown.due), (1, Some(130)));
        assert_eq!((countdown.passed(195), countdown.due, countdown.left(195)), (3, Some(220), 25));
        let mut once = Countdown { due: Some(100), interval: 0 };
        assert_eq!((once.left(100), once.passed(500), once.due, once.left(500)), (1, 1, None, 0));
    }
}
