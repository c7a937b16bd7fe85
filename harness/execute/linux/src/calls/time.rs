//! Clocks and sleeping.

use crate::clock::{EPOCH, SECOND, TICK};
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::threads::WaitFor;

/// Ticks per second of `times` (`USER_HZ`).
const TICKS: u64 = 100;
/// `TIMER_ABSTIME` (Linux `include/uapi/linux/time.h`).
pub(crate) const ABSOLUTE: u64 = 1;

impl Kernel {
    /// Nanoseconds since the start; each call advances the clock.
    pub fn tick(&mut self) -> u64 {
        self.clock.now = self.clock.now.wrapping_add(TICK);
        self.clock.now
    }

    /// Seconds and nanoseconds since 1970; does not advance the clock.
    pub(crate) fn now(&self) -> (u64, u64) {
        (EPOCH + self.clock.now / SECOND, self.clock.now % SECOND)
    }

    /// `time`: seconds as result, and in memory if requested.
    pub(crate) fn seconds(&mut self, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let seconds = EPOCH + self.tick() / SECOND;
        if buffer != 0 {
            self.give_words(memory, buffer, &[seconds])?;
        }
        Ok(seconds)
    }

    /// Stores seconds and a fraction in units of `unit` nanoseconds.
    pub(crate) fn time(&mut self, buffer: u64, unit: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let now = self.tick();
        match buffer {
            0 => Ok(0),
            buffer => self.give_words(memory, buffer, &[EPOCH + now / SECOND, now % SECOND / unit]),
        }
    }

    pub(crate) fn resolution(&self, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        if buffer == 0 { Ok(0) } else { self.give_words(memory, buffer, &[0, TICK]) }
    }

    /// `times`: user time, system time and those of children, in hundredths of a second.
    pub(crate) fn times(&mut self, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let ticks = self.tick() / (SECOND / TICKS);
        if buffer != 0 {
            self.give_words(memory, buffer, &[ticks, 0, 0, 0])?;
        }
        Ok(ticks)
    }

    /// `getrusage` (Linux `include/uapi/linux/resource.h`): user time, all else 0.
    pub(crate) fn usage(&mut self, buffer: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let now = self.tick();
        let mut words = [0; 18];
        (words[0], words[1]) = (now / SECOND, now % SECOND / 1000);
        self.give_words(memory, buffer, &words)
    }

    /// A time in nanoseconds, read from two words in memory; the second is in units of `unit`
    /// nanoseconds.
    pub(crate) fn nanoseconds(&self, address: u64, unit: u64, memory: &dyn Memory) -> Result<u64, Errno> {
        let (seconds, rest) = (self.word(address, memory)?, self.word(address + 8, memory)?);
        let rest = rest.checked_mul(unit).filter(|rest| *rest < SECOND).ok_or(Errno::Invalid)?;
        if seconds.cast_signed() < 0 {
            return Err(Errno::Invalid);
        }
        Ok(seconds.saturating_mul(SECOND).saturating_add(rest))
    }

    /// The two words of a time: seconds, and a fraction in units of `unit` nanoseconds.
    pub(crate) fn parts(time: u64, unit: u64) -> [u64; 2] {
        [time / SECOND, time % SECOND / unit]
    }

    /// Nanoseconds from now to a time since 1970.
    pub(crate) fn until(&self, time: u64) -> u64 {
        time.saturating_sub(EPOCH * SECOND).saturating_sub(self.clock.now)
    }

    /// `nanosleep`: stores the remaining time if a signal ends it.
    pub(crate) fn nanosleep(&mut self, time: u64, left: u64, memory: &mut dyn Memory) -> Result<u64, Refusal> {
        let time = self.nanoseconds(time, 1, memory)?;
        let end = self.waited_from().saturating_add(time);
        let slept = self.sleep(time);
        if slept == Err(Errno::Interrupted.into()) && left != 0 {
            self.give_words(memory, left, &Kernel::parts(end.saturating_sub(self.clock.now), 1))?;
        }
        slept.map(|()| 0)
    }

    pub(crate) fn clock_nanosleep(
        &mut self,
        [_, flags, time, left, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        if flags & ABSOLUTE == 0 {
            return self.nanosleep(time, left, memory);
        }
        let time = self.nanoseconds(time, 1, memory)?;
        self.sleep_to(time).map(|()| 0)
    }

    /// Sleeps until a time since 1970.
    pub(crate) fn sleep_to(&mut self, time: u64) -> Result<(), Refusal> {
        self.sleep(self.until(time))
    }

    /// Lets time pass, unless the signal of a timer ends the sleep.
    pub(crate) fn sleep(&mut self, time: u64) -> Result<(), Refusal> {
        let end = self.clock.now.saturating_add(time);
        if self.has_others() {
            return self.wait_for(WaitFor::Nothing, Some(end));
        }
        if self.next_signal().is_some_and(|due| due <= end) {
            return self.sleep_until_signal("it sleeps");
        }
        self.clock.now = end;
        Ok(())
    }

    /// Waits for a signal, which only a timer can send.
    pub(crate) fn sleep_until_signal(&mut self, what: &'static str) -> Result<(), Refusal> {
        if self.has_others() {
            return self.wait_for(WaitFor::Nothing, None);
        }
        let due = self.next_signal().ok_or(Refusal::waits_forever(what))?;
        self.clock.now = self.clock.now.max(due);
        self.ring()?;
        Err(Errno::Interrupted.into())
    }
}
