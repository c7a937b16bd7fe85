//! Timers: the alarm of `alarm` and `setitimer`, and those of `timer_create`. They expire as the
//! clock advances, and send their signals.

use types::{ByteOrder, ThreadId};

use super::time::ABSOLUTE;
use crate::caller::Caller;
use crate::clock::{Clock, SECOND, parts};
use crate::errno::{Errno, Refusal};
use crate::process::Process;
use crate::timers::{ALARM, Countdown, Timer, Timers};

/// Maximum number of timers; Linux limits them by `RLIMIT_SIGPENDING`.
const MOST: usize = 1024;
/// `SIGEV_SIGNAL` and what follows (Linux `include/uapi/asm-generic/siginfo.h`).
const SIGNAL: u32 = 0;
const NONE: u32 = 1;
const THREAD: u32 = 2;
const SIGNAL_THREAD: u32 = 4;

pub(crate) fn alarm(timers: &mut Timers, now: u64, seconds: u64) -> u64 {
    let left = timers.alarm.left(now).div_ceil(SECOND);
    let due = (seconds > 0).then(|| now.saturating_add(seconds.saturating_mul(SECOND)));
    timers.alarm = Countdown { due, interval: 0 };
    left
}

/// Stores the interval and the time to the next signal, two words each, the second in units of
/// `unit` nanoseconds: `struct itimerval` and `struct itimerspec`.
fn store_countdown(of: Countdown, now: u64, unit: u64, at: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let words = [of.interval, of.left(now)].map(|time| parts(time, unit));
    caller.store_words(at, &words.concat())
}

pub(crate) fn itimer(
    timers: &Timers,
    now: u64,
    which: u64,
    buffer: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    // ITIMER_REAL; the others count execution time, and never expire here.
    let of = if which == 0 { timers.alarm } else { Countdown::default() };
    store_countdown(of, now, 1000, buffer, caller)
}

pub(crate) fn set_itimer(
    timers: &mut Timers,
    now: u64,
    which: u64,
    new: u64,
    old: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    if which != 0 {
        // Timers of execution time are not supported.
        return Err(Refusal::Unserved);
    }
    if old != 0 {
        itimer(timers, now, which, old, caller)?;
    }
    let (interval, first) = (caller.nanoseconds(new, 1000)?, caller.nanoseconds(new + 16, 1000)?);
    let due = (first > 0).then(|| now.saturating_add(first));
    timers.alarm = Countdown { due, interval };
    Ok(0)
}

/// `timer_create`. `struct sigevent`: value (8 bytes), signal, and notification (4 bytes each).
pub(crate) fn timer_create(
    process: &mut Process,
    clock: u64,
    event: u64,
    id_at: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    clock_has_timers(clock as u32 as i32)?;
    if process.timers.made.len() == MOST {
        return Err(Errno::Again.into());
    }
    let id = process.timers.next;
    let mut thread = None;
    let notice = match event {
        // The value of a signal is a union with an `int` at its beginning.
        0 => Some((ALARM, u64::from(id) << if caller.facts.order == ByteOrder::Big { 32 } else { 0 })),
        _ => {
            let (value, signal) = (caller.word(event)?, caller.half(event + 8)?);
            let is_signal = (1..=64).contains(&signal);
            match caller.half(event + 12)? {
                NONE => None,
                SIGNAL | THREAD if is_signal => Some((signal.into(), value)),
                SIGNAL_THREAD if is_signal => {
                    thread = Some(ThreadId(caller.half(event + 16)?));
                    if !thread.is_some_and(|thread| process.threads.is_live(thread)) {
                        return Err(Errno::Invalid.into());
                    }
                    Some((signal.into(), value))
                }
                _ => return Err(Errno::Invalid.into()),
            }
        }
    };
    let record = caller.record().u32(id);
    caller.store(id_at, record.bytes())?;
    process.timers.next = id.wrapping_add(1) & i32::MAX as u32;
    process.timers.made.insert(id, Timer { countdown: Countdown::default(), notice, thread, missed: 0 });
    Ok(0)
}

pub(crate) fn timer_settime(
    timers: &mut Timers,
    clock: &Clock,
    [id, flags, new, old, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    if new == 0 {
        return Err(Errno::Invalid);
    }
    let (interval, first) = (caller.nanoseconds(new, 1)?, caller.nanoseconds(new + 16, 1)?);
    let from_now = if flags & ABSOLUTE == 0 { first } else { clock.until(first) };
    let due = (first > 0).then(|| clock.now.saturating_add(from_now));
    let timer = timers.get(id)?;
    let before = std::mem::replace(&mut timer.countdown, Countdown { due, interval });
    timer.missed = 0;
    if old == 0 { Ok(0) } else { store_countdown(before, clock.now, 1, old, caller) }
}

pub(crate) fn timer_gettime(
    timers: &mut Timers,
    now: u64,
    id: u64,
    buffer: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let of = timers.get(id)?.countdown;
    store_countdown(of, now, 1, buffer, caller)
}

pub(crate) fn timer_getoverrun(timers: &mut Timers, id: u64) -> Result<u64, Errno> {
    Ok(timers.get(id)?.missed)
}

pub(crate) fn timer_delete(timers: &mut Timers, id: u64) -> Result<u64, Errno> {
    timers.made.remove(&(id as u32)).map(|_| 0).ok_or(Errno::Invalid)
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
