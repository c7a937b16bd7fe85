//! `fork` and its like, and waiting for a child.

use types::StopReason;

use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::process::{CHILD, EXITED, KILLED, Process};
use crate::processes::{Ended, Forked, HowEnded, MOST_LIVE, Processes};
use crate::scheduler::Scheduler;
use crate::signals::INFO;
use crate::threads::WaitFor;

/// `P_ALL`, `P_PID`, `WNOHANG` and `WNOWAIT` (Linux `include/uapi/linux/wait.h`).
const ALL: u64 = 0;
const ONE: u64 = 1;
const NEVER_WAITS: u64 = 1;
const LEAVES: u64 = 0x100_0000;
/// Bytes of `struct rusage`.
const USAGE: usize = 144;

/// Makes a process and returns its number.
pub(crate) fn fork(
    process: &Process,
    processes: &mut Processes,
    scheduler: &mut Scheduler,
    wanted: Forked,
) -> Result<u64, Refusal> {
    if process.space.is_shared && !wanted.shares_memory {
        return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process that shares a mapping with it"));
    }
    if processes.others.len() + 1 >= MOST_LIVE {
        return Err(Errno::Again.into());
    }
    let child = scheduler.number().ok_or(Errno::Again)?;
    processes.forked = Some(Forked { child, ..wanted });
    Ok(child.0.into())
}

/// The index of a child that has ended; `None` if it does not wait for one. Blocks while there are
/// others.
fn ended_child(
    process: &Process,
    processes: &Processes,
    never_waits: bool,
    is_it: impl Fn(u32) -> bool,
) -> Result<Option<usize>, Refusal> {
    if let Some(at) = process.ended.iter().position(|child| is_it(child.process)) {
        return Ok(Some(at));
    }
    let mut others = processes.others.values().map(|other| &other.process);
    if !others.any(|other| other.parent == process.number && is_it(other.number)) {
        return Err(Errno::NoChild.into());
    }
    if never_waits {
        return Ok(None);
    }
    let on = WaitFor::Child { ended: process.threads.children_ended };
    Err(Refusal::Blocks { on, alone: "it waits for a child" })
}

pub(crate) fn wait4(
    process: &mut Process,
    processes: &Processes,
    [whom, status, options, usage, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let whom = whom as u32 as i32;
    // All are of one group.
    let is_it = |child: u32| whom <= 0 || child == whom as u32;
    let Some(at) = ended_child(process, processes, options & NEVER_WAITS != 0, is_it)? else { return Ok(0) };
    let Some(Ended { process, how }) = process.ended.remove(at) else { return Err(Errno::NoChild.into()) };
    if status != 0 {
        caller.store(status, caller.record().u32(how.word()).bytes())?;
    }
    if usage != 0 {
        caller.store(usage, &[0; USAGE])?;
    }
    Ok(process.into())
}

pub(crate) fn waitid(
    process: &mut Process,
    processes: &Processes,
    [kind, whom, info, options, usage, _]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let is_it = |child: u32| match kind {
        ONE => u64::from(child) == whom,
        _ => true,
    };
    if kind > ALL + 2 {
        return Err(Errno::Invalid.into());
    }
    let Some(at) = ended_child(process, processes, options & NEVER_WAITS != 0, is_it)? else {
        if info != 0 {
            caller.store(info, &[0; INFO])?;
        }
        return Ok(0);
    };
    let Some(&Ended { process: number, how }) = process.ended.get(at) else { return Err(Errno::NoChild.into()) };
    if options & LEAVES == 0 {
        process.ended.remove(at);
    }
    if info != 0 {
        let (code, status) = match how {
            HowEnded::Exited(status) => (EXITED, status),
            HowEnded::Killed(signal) => (KILLED, signal),
        };
        let record = caller.record().u32(CHILD as u32).u32(0).u32(code as u32).u32(0);
        let record = record.u32(number).u32(0).u32(status.into());
        caller.store(info, record.up_to(INFO).bytes())?;
    }
    if usage != 0 {
        caller.store(usage, &[0; USAGE])?;
    }
    Ok(0)
}
