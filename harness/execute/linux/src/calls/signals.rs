//! System calls on signals: sending a signal to the own process, as `abort` and `alarm` do, and
//! setting actions, masks and the alternate stack.

use types::ThreadId;

use crate::alt_stack::{AltStack, DISARM, IN_USE, NONE};
use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::process::Process;
use crate::processes::Processes;
use crate::signals::{Action, Cause, DEFAULT, FIRM, IGNORE, IGNORED, Signals, set};

/// Size in words of the kernel's `struct sigaction`: handler, flags, restorer, mask; equal on all
/// targets.
const SIGACTION: usize = 4;
/// `SIG_BLOCK` and what follows (Linux `include/uapi/asm-generic/signal-defs.h`).
const BLOCK: u64 = 0;
const UNBLOCK: u64 = 1;
const SET: u64 = 2;

/// `kill`: to a process, or to all, which are of one group.
pub(crate) fn kill(process: &mut Process, processes: &mut Processes, whom: u64, signal: u64) -> Result<u64, Refusal> {
    let whom = whom as u32 as i32;
    let is_it = |process: u32| (-1..=0).contains(&whom) || process as i32 == whom;
    let mut found = is_it(process.number) || process.ended.iter().any(|child| is_it(child.process));
    for (_, other) in processes.others.iter_mut().filter(|(number, _)| is_it(**number)) {
        match other.process.signals.send(signal, Cause::USER) {
            // It ends when it would execute next.
            Ok(()) | Err(Refusal::Exit(_)) => found = true,
            Err(refusal) => return Err(refusal),
        }
    }
    if is_it(process.number) {
        process.signals.send(signal, Cause::USER)?;
    }
    if found { Ok(0) } else { Err(Errno::NoProcess.into()) }
}

/// `tkill`: to a thread of this process.
pub(crate) fn tkill(process: &mut Process, whom: u64, signal: u64) -> Result<u64, Refusal> {
    let thread = ThreadId(whom as u32);
    match process.threads.is_live(thread) {
        true => process.signals.send_to(thread, signal, Cause::THREAD).map(|()| 0),
        false => Err(Errno::NoProcess.into()),
    }
}

pub(crate) fn sigaction(
    signals: &mut Signals,
    signal: u64,
    new: u64,
    old: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let action = *signals.action(signal).ok_or(Errno::Invalid)?;
    let words = match new {
        0 => None,
        _ if set(&[signal]) & FIRM != 0 => return Err(Errno::Invalid),
        new => Some(caller.words(new, SIGACTION)?),
    };
    if old != 0 {
        let Action { handler, flags, restorer, mask } = action;
        caller.store_words(old, &[handler, flags, restorer, mask])?;
    }
    if let (Some(action), Some(&[handler, flags, restorer, mask])) = (signals.action(signal), words.as_deref()) {
        *action = Action { handler, flags, restorer, mask };
        let ignored = handler == IGNORE || handler == DEFAULT && set(&[signal]) & IGNORED != 0;
        if ignored {
            signals.forget(set(&[signal]));
        }
    }
    Ok(0)
}

pub(crate) fn sigprocmask(
    process: &mut Process,
    how: u64,
    new: u64,
    old: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let before = process.signals.own.blocked;
    if new != 0 {
        let bits = caller.word(new)?;
        process.signals.own.blocked = match how {
            BLOCK => before | bits,
            UNBLOCK => before & !bits,
            SET => bits,
            _ => return Err(Errno::Invalid.into()),
        } & !FIRM;
    }
    if old != 0 {
        caller.store_words(old, &[before])?;
    }
    send_pending(process)?;
    Ok(0)
}

/// Sends pending signals that are no longer blocked, the lowest first.
pub(crate) fn send_pending(process: &mut Process) -> Result<(), Refusal> {
    let mut free = process.signals.pending() & !process.signals.own.blocked;
    while free != 0 {
        let signal = u64::from(free.trailing_zeros()) + 1;
        free &= free - 1;
        if let Some(cause) = process.signals.take(signal) {
            process.signals.send_to(process.threads.now, signal, cause)?;
        }
    }
    Ok(())
}

pub(crate) fn sigpending(signals: &Signals, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    caller.store_words(buffer, &[signals.pending()])
}

/// `sigaltstack`, at a value of SP.
pub(crate) fn sigaltstack(
    signals: &mut Signals,
    new: u64,
    old: u64,
    sp: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let before = signals.own.stack;
    if new != 0 {
        let (base, flags) = (caller.word(new)?, caller.half(new + 8)?);
        let size = caller.word(new + 16)?;
        if before.holds(sp) {
            return Err(Errno::NotPermitted);
        }
        signals.own.stack = match flags & !DISARM {
            NONE => AltStack::UNSET,
            0 | IN_USE if size < caller.target.signals.least_stack => return Err(Errno::NoMemory),
            0 | IN_USE => AltStack { base, flags: flags & DISARM, size },
            _ => return Err(Errno::Invalid),
        };
    }
    if old != 0 {
        caller.store(old, &before.bytes(sp, caller.record()))?;
    }
    Ok(0)
}
