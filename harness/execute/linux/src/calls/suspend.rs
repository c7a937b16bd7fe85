//! Waiting for signals or with a temporary signal mask: `rt_sigsuspend`, the masks of `ppoll`,
//! `pselect6` and `epoll_pwait`, `rt_sigtimedwait`.

use super::signals::send_pending;
use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::signals::FIRM;
use crate::sleeper::Sleeper;
use crate::threads::WaitFor;

/// Size in bytes of a signal set.
const SET: u64 = 8;

/// `rt_sigsuspend`: the old mask is restored after the handler.
pub(crate) fn sigsuspend(sleeper: &mut Sleeper<'_>, mask: u64, size: u64, caller: &Caller<'_>) -> Result<u64, Refusal> {
    suspend(sleeper, mask_at(mask, size, caller)?)?;
    if !sleeper.process.signals.has_due() {
        sleeper.sleep_until_signal("it waits for a signal that never comes")?;
    }
    Err(Errno::Interrupted.into())
}

/// Executes a call with a temporary signal mask, if given. The old mask is restored after the
/// handler if a signal ends the call, else after the call.
pub(crate) fn with_mask(
    sleeper: &mut Sleeper<'_>,
    mask: u64,
    size: u64,
    caller: &mut Caller<'_>,
    call: impl FnOnce(&mut Sleeper<'_>, &mut Caller<'_>) -> Result<u64, Refusal>,
) -> Result<u64, Refusal> {
    if mask == 0 {
        return call(sleeper, caller);
    }
    suspend(sleeper, mask_at(mask, size, caller)?)?;
    let answer = call(sleeper, caller);
    let own = &mut sleeper.process.signals.own;
    if !matches!(answer, Err(Refusal::Errno(Errno::Interrupted) | Refusal::Waits))
        && let Some(before) = own.suspended.take()
    {
        own.blocked = before;
    }
    answer
}

/// `rt_sigtimedwait`: takes a pending signal, or waits for one.
pub(crate) fn sigtimedwait(
    sleeper: &mut Sleeper<'_>,
    [signals, info, time, size, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let signals = mask_at(signals, size, caller)?;
    let end = match time {
        0 => None,
        at => Some(sleeper.clock.now.saturating_add(caller.nanoseconds(at, 1)?)),
    };
    if sleeper.process.signals.pending() & signals == 0 {
        if sleeper.has_others {
            sleeper.wait_for(WaitFor::Signals(signals), end)?;
        } else {
            sleep_until(sleeper, signals, end)?;
        }
    }
    let own = &mut sleeper.process.signals;
    match own.take_lowest(signals) {
        Some(taken) => {
            if info != 0 {
                caller.store(info, &taken.info(caller.record()))?;
            }
            Ok(taken.signal)
        }
        None if own.has_due() => Err(Errno::Interrupted.into()),
        None => Err(Errno::Again.into()),
    }
}

/// Lets time pass until a timer sends one of these signals, at most until `end`.
fn sleep_until(sleeper: &mut Sleeper<'_>, signals: u64, end: Option<u64>) -> Result<(), Refusal> {
    // The awaited signals are blocked meanwhile.
    let before = sleeper.process.signals.own.blocked;
    sleeper.process.signals.own.blocked |= signals;
    let next = sleeper.process.timers.next_of(signals).into_iter().chain(sleeper.process.next_signal()).min();
    let until = match (next, end) {
        (Some(next), end) if end.is_none_or(|end| next <= end) => next,
        (_, Some(end)) => end,
        (_, None) => return Err(Refusal::waits_forever("it waits for a signal that never comes")),
    };
    sleeper.clock.now = sleeper.clock.now.max(until);
    sleeper.process.ring(sleeper.clock.now)?;
    sleeper.process.signals.own.blocked = before;
    Ok(())
}

fn mask_at(mask: u64, size: u64, caller: &Caller<'_>) -> Result<u64, Errno> {
    if size != SET {
        return Err(Errno::Invalid);
    }
    Ok(caller.word(mask)? & !FIRM)
}

/// Sets the signal mask, keeps the old one, and sends pending signals that are no longer blocked.
/// Does nothing in a repeated call.
fn suspend(sleeper: &mut Sleeper<'_>, mask: u64) -> Result<(), Refusal> {
    let process = &mut *sleeper.process;
    if process.threads.own.wait.is_some() {
        return Ok(());
    }
    process.signals.own.suspended = Some(process.signals.own.blocked);
    process.signals.own.blocked = mask;
    send_pending(process)
}
