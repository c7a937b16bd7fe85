//! Timers of a process: the alarm of `alarm` and `setitimer`, and those of `timer_create`.

use std::collections::BTreeMap;

use types::ThreadId;

use crate::errno::Errno;

/// `SIGALRM` (Linux `include/uapi/asm-generic/signal.h`).
pub(crate) const ALARM: u64 = 14;

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
    /// Timers that send a signal, with that signal.
    pub(crate) fn sending(&self) -> impl Iterator<Item = (u64, &Countdown)> {
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
