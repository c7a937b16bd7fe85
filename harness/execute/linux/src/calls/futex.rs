//! `futex`: waits for a change of a word in memory, and wakes waiting threads.

use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::futexes::ANY;
use crate::sleeper::Sleeper;
use crate::threads::WaitFor;

/// Commands and flags of `futex` (Linux `include/uapi/linux/futex.h`).
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const REQUEUE: u64 = 3;
const COMPARE_REQUEUE: u64 = 4;
const WAKE_OP: u64 = 5;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;
const FLAGS: u64 = 0x180;

/// `futex`. Commands with priority inheritance are not supported, as in a kernel without
/// `CONFIG_FUTEX_PI`.
pub(crate) fn futex(sleeper: &mut Sleeper<'_>, arguments: [u64; 6], caller: &mut Caller<'_>) -> Result<u64, Refusal> {
    let [address, what, value, second, other, third] = arguments;
    let most = |value: u64| u64::from(value as u32);
    let futexes = &mut sleeper.process.threads.futexes;
    Ok(match what & !FLAGS & 0xffff_ffff {
        WAKE => futexes.wake(address, most(value), ANY),
        WAKE_BITSET if third as u32 == 0 => return Err(Errno::Invalid.into()),
        WAKE_BITSET => futexes.wake(address, most(value), third as u32),
        REQUEUE => {
            let woken = futexes.wake(address, most(value), ANY);
            futexes.requeue(address, other, most(second));
            woken
        }
        COMPARE_REQUEUE if caller.half(address)? != third as u32 => return Err(Errno::Again.into()),
        COMPARE_REQUEUE => {
            let futexes = &mut sleeper.process.threads.futexes;
            futexes.wake(address, most(value), ANY) + futexes.requeue(address, other, most(second))
        }
        WAKE_OP => {
            let wakes_other = operate(other, third as u32, caller)?;
            let futexes = &mut sleeper.process.threads.futexes;
            let woken = futexes.wake(address, most(value), ANY);
            woken + if wakes_other { futexes.wake(other, most(second), ANY) } else { 0 }
        }
        WAIT => wait_for_futex(sleeper, address, value as u32, ANY, second, false, caller)?,
        WAIT_BITSET if third as u32 == 0 => return Err(Errno::Invalid.into()),
        WAIT_BITSET => wait_for_futex(sleeper, address, value as u32, third as u32, second, true, caller)?,
        _ => return Err(Errno::NoSystemCall.into()),
    })
}

/// Waits as long as the word has the value. `is_absolute`: the time at `time`, if given, is
/// since 1970.
fn wait_for_futex(
    sleeper: &mut Sleeper<'_>,
    address: u64,
    value: u32,
    bits: u32,
    time: u64,
    is_absolute: bool,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let thread = sleeper.process.threads.now;
    let goes_on_waiting = sleeper.process.threads.own.wait.is_some();
    if goes_on_waiting && sleeper.process.threads.futexes.is_woken(thread) {
        sleeper.process.threads.futexes.leave(thread);
        return Ok(0);
    }
    if !goes_on_waiting && caller.half(address)? != value {
        return Err(Errno::Again.into());
    }
    let wanted = if time == 0 { None } else { Some(caller.nanoseconds(time, 1)?) };
    if !sleeper.has_others && !goes_on_waiting {
        match wanted {
            None => sleeper.sleep_until_signal("it waits for a futex that no other thread wakes")?,
            Some(wanted) if is_absolute => sleeper.sleep_to(wanted)?,
            Some(wanted) => sleeper.sleep(wanted)?,
        }
        return Err(Errno::TimedOut.into());
    }
    let after = wanted.map(|wanted| if is_absolute { sleeper.clock.until(wanted) } else { wanted });
    let end = after.map(|after| sleeper.clock.now.saturating_add(after));
    match sleeper.wait_for(WaitFor::Futex { address }, end) {
        Err(Refusal::Waits) => {
            if !goes_on_waiting {
                sleeper.process.threads.futexes.wait(thread, address, bits);
            }
            Err(Refusal::Waits)
        }
        over => {
            sleeper.process.threads.futexes.leave(thread);
            over?;
            Err(Errno::TimedOut.into())
        }
    }
}

/// Changes the word as `FUTEX_OP` specifies; returns true if its old value passes the
/// comparison, so that waiters are woken.
fn operate(address: u64, code: u32, caller: &mut Caller<'_>) -> Result<bool, Errno> {
    // A signed 12-bit number.
    let signed = |bits: u32| ((bits << 20).cast_signed() >> 20).cast_unsigned();
    let (operation, comparison) = (code >> 28, code >> 24 & 15);
    let (operand, compared) = (signed(code >> 12 & 0xfff), signed(code & 0xfff).cast_signed());
    let operand = if operation & 8 != 0 { 1u32.wrapping_shl(operand) } else { operand };
    let old = caller.half(address)?;
    let new = match operation & 7 {
        0 => operand,
        1 => old.wrapping_add(operand),
        2 => old | operand,
        3 => old & !operand,
        4 => old ^ operand,
        _ => return Err(Errno::NoSystemCall),
    };
    let record = caller.record().u32(new);
    caller.store(address, record.bytes())?;
    let old = old.cast_signed();
    Ok(match comparison {
        0 => old == compared,
        1 => old != compared,
        2 => old < compared,
        3 => old <= compared,
        4 => old > compared,
        5 => old >= compared,
        _ => return Err(Errno::NoSystemCall),
    })
}
