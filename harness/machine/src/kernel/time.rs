//! Clocks: they move when they are looked at and when the program sleeps, and so repeat from run to run. One alarm, for `alarm` and
//! `setitimer`.

use super::errno::Refusal;
use super::handlers::Cause;
use super::{Errno, Kernel};
use crate::memory::Memory;

/// What a clock advances each time it is looked at.
const TICK: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
/// 2026-01-01, when every process begins.
const EPOCH: u64 = 1_767_225_600;
/// Ticks of `times` (`USER_HZ`).
const TICKS: u64 = 100;
/// `TIMER_ABSTIME` (Linux `include/uapi/linux/time.h`).
const ABSOLUTE: u64 = 1;
/// `SIGALRM` (Linux `include/uapi/asm-generic/signal.h`).
const ALARM: u64 = 14;

/// Nanoseconds since the start, and when the alarm goes off.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    now: u64,
    due: Option<u64>,
    interval: u64,
}

impl Clock {
    /// When every process begins: seconds since 1970, and nanoseconds.
    pub(super) fn began() -> (u64, u64) {
        (EPOCH, 0)
    }
}

impl Kernel {
    /// Nanoseconds since the start, later at each look.
    pub(crate) fn tick(&mut self) -> u64 {
        self.clock.now = self.clock.now.wrapping_add(TICK);
        self.clock.now
    }

    /// Seconds since 1970 and nanoseconds, not later for being looked at.
    pub(super) fn now(&self) -> (u64, u64) {
        (EPOCH + self.clock.now / SECOND, self.clock.now % SECOND)
    }

    /// Seconds, in the result and where wanted.
    pub(super) fn seconds(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let seconds = EPOCH + self.tick() / SECOND;
        if buffer != 0 {
            self.give_words(memory, buffer, &[seconds])?;
        }
        Ok(seconds)
    }

    /// Seconds and a fraction in units of `unit` nanoseconds.
    pub(super) fn time(&mut self, buffer: u64, unit: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let now = self.tick();
        match buffer {
            0 => Ok(0),
            buffer => self.give_words(memory, buffer, &[EPOCH + now / SECOND, now % SECOND / unit]),
        }
    }

    pub(super) fn resolution(&self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        if buffer == 0 { Ok(0) } else { self.give_words(memory, buffer, &[0, TICK]) }
    }

    /// `struct tms`: user time, system time and those of children, in hundredths of a second.
    pub(super) fn times(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let ticks = self.tick() / (SECOND / TICKS);
        if buffer != 0 {
            self.give_words(memory, buffer, &[ticks, 0, 0, 0])?;
        }
        Ok(ticks)
    }

    /// `struct rusage` (Linux `include/uapi/linux/resource.h`): user time, and nothing else.
    pub(super) fn usage(&mut self, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        let now = self.tick();
        let mut words = [0; 18];
        (words[0], words[1]) = (now / SECOND, now % SECOND / 1000);
        self.give_words(memory, buffer, &words)
    }

    /// A time of two words in memory; the second in units of `unit` nanoseconds.
    pub(super) fn nanoseconds(&self, address: u64, unit: u64, memory: &Memory) -> Result<u64, Errno> {
        let (seconds, rest) = (self.word(address, memory)?, self.word(address + 8, memory)?);
        let rest = rest.checked_mul(unit).filter(|rest| *rest < SECOND).ok_or(Errno::Invalid)?;
        if seconds.cast_signed() < 0 {
            return Err(Errno::Invalid);
        }
        Ok(seconds.saturating_mul(SECOND).saturating_add(rest))
    }

    /// `nanosleep`: nothing of it is left afterwards.
    pub(super) fn nanosleep(&mut self, time: u64, memory: &Memory) -> Result<u64, Refusal> {
        let time = self.nanoseconds(time, 1, memory)?;
        self.sleep(time).map(|()| 0)
    }

    pub(super) fn clock_nanosleep(&mut self, flags: u64, time: u64, memory: &Memory) -> Result<u64, Refusal> {
        let time = self.nanoseconds(time, 1, memory)?;
        match flags & ABSOLUTE {
            0 => self.sleep(time)?,
            _ => self.sleep_to(time)?,
        }
        Ok(0)
    }

    /// Until a time since 1970.
    pub(super) fn sleep_to(&mut self, time: u64) -> Result<(), Refusal> {
        self.sleep(time.saturating_sub(EPOCH * SECOND).saturating_sub(self.clock.now))
    }

    /// Time passes, and nothing else: unless the alarm goes off in it.
    pub(super) fn sleep(&mut self, time: u64) -> Result<(), Refusal> {
        let end = self.clock.now.saturating_add(time);
        if self.clock.due.is_some_and(|due| due <= end) {
            return self.sleep_until_signal("it sleeps");
        }
        self.clock.now = end;
        Ok(())
    }

    /// Only a signal ends this, and only the alarm can send one.
    pub(super) fn sleep_until_signal(&mut self, what: &'static str) -> Result<(), Refusal> {
        let due = self.clock.due.ok_or(Refusal::waits_forever(what))?;
        self.clock.now = self.clock.now.max(due);
        self.ring()?;
        Err(Errno::Interrupted.into())
    }

    /// Sends the alarm's signal when it is due.
    pub(super) fn ring(&mut self) -> Result<(), Refusal> {
        let Clock { now, due, interval } = self.clock;
        if due.is_none_or(|due| due > now) {
            return Ok(());
        }
        self.clock.due = (interval > 0).then(|| now.saturating_add(interval));
        self.signals.send(ALARM, Cause::KERNEL)
    }

    /// What is left of the alarm, in nanoseconds.
    fn left(&self) -> u64 {
        self.clock.due.map_or(0, |due| due.saturating_sub(self.clock.now).max(1))
    }

    pub(super) fn alarm(&mut self, seconds: u64) -> u64 {
        let left = self.left().div_ceil(SECOND);
        self.clock.interval = 0;
        self.clock.due = (seconds > 0).then(|| self.clock.now.saturating_add(seconds.saturating_mul(SECOND)));
        left
    }

    /// `struct itimerval`: the interval, then the time to the next signal, each in seconds and microseconds.
    pub(super) fn timer(&self, which: u64, buffer: u64, memory: &mut Memory) -> Result<u64, Errno> {
        // ITIMER_REAL; the others count time that a program executes, and are never due here.
        let (interval, left) = if which == 0 { (self.clock.interval, self.left()) } else { (0, 0) };
        let parts = |time: u64| [time / SECOND, time % SECOND / 1000];
        self.give_words(memory, buffer, &[parts(interval), parts(left)].concat())
    }

    pub(super) fn set_timer(&mut self, which: u64, new: u64, old: u64, memory: &mut Memory) -> Result<u64, Refusal> {
        if which != 0 {
            // What they count is not counted.
            return Err(Refusal::Unserved);
        }
        if old != 0 {
            self.timer(which, old, memory)?;
        }
        let (interval, first) = (self.nanoseconds(new, 1000, memory)?, self.nanoseconds(new + 16, 1000, memory)?);
        self.clock.interval = interval;
        self.clock.due = (first > 0).then(|| self.clock.now.saturating_add(first));
        Ok(0)
    }
}
