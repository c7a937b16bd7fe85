//! Clocks and sleeping.

use crate::caller::Caller;
use crate::clock::{Clock, EPOCH, SECOND, TICK, parts};
use crate::errno::{Errno, Refusal};
use crate::sleeper::Sleeper;

/// Ticks per second of `times` (`USER_HZ`).
const TICKS: u64 = 100;
/// `TIMER_ABSTIME` (Linux `include/uapi/linux/time.h`).
pub(crate) const ABSOLUTE: u64 = 1;

/// `time`: seconds as result, and in memory if requested.
pub(crate) fn seconds(clock: &mut Clock, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let seconds = EPOCH + clock.tick() / SECOND;
    if buffer != 0 {
        caller.store_words(buffer, &[seconds])?;
    }
    Ok(seconds)
}

/// Stores seconds and a fraction in units of `unit` nanoseconds.
pub(crate) fn time(clock: &mut Clock, buffer: u64, unit: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let [seconds, rest] = parts(clock.tick(), unit);
    if buffer == 0 { Ok(0) } else { caller.store_words(buffer, &[EPOCH + seconds, rest]) }
}

pub(crate) fn resolution(buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    if buffer == 0 { Ok(0) } else { caller.store_words(buffer, &[0, TICK]) }
}

/// `times`: user time, system time and those of children, in hundredths of a second.
pub(crate) fn times(clock: &mut Clock, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let ticks = clock.tick() / (SECOND / TICKS);
    if buffer != 0 {
        caller.store_words(buffer, &[ticks, 0, 0, 0])?;
    }
    Ok(ticks)
}

/// `getrusage` (Linux `include/uapi/linux/resource.h`): user time, all else 0.
pub(crate) fn usage(clock: &mut Clock, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let mut words = [0; 18];
    [words[0], words[1]] = parts(clock.tick(), 1000);
    caller.store_words(buffer, &words)
}

/// `nanosleep`: stores the remaining time if a signal ends it.
pub(crate) fn nanosleep(
    sleeper: &mut Sleeper<'_>,
    time: u64,
    left: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let time = caller.nanoseconds(time, 1)?;
    let end = sleeper.waited_from().saturating_add(time);
    let slept = sleeper.sleep(time);
    if slept == Err(Errno::Interrupted.into()) && left != 0 {
        caller.store_words(left, &parts(end.saturating_sub(sleeper.clock.now), 1))?;
    }
    slept.map(|()| 0)
}

pub(crate) fn clock_nanosleep(
    sleeper: &mut Sleeper<'_>,
    [_, flags, time, left, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    if flags & ABSOLUTE == 0 {
        return nanosleep(sleeper, time, left, caller);
    }
    let time = caller.nanoseconds(time, 1)?;
    sleeper.sleep_to(time).map(|()| 0)
}
