//! Threads: `clone` and exit.

use types::{StopReason, ThreadId};

use super::processes::fork;
use crate::call::Call;
use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::futexes::ANY;
use crate::process::Process;
use crate::processes::{Forked, Processes};
use crate::scheduler::Scheduler;
use crate::threads::{Made, Own, Threads};

/// Flags of `clone` (Linux `include/uapi/linux/sched.h`).
const MEMORY: u64 = 0x100;
const FOLDER: u64 = 0x200;
const FILES: u64 = 0x400;
const HANDLERS: u64 = 0x800;
const DESCRIPTOR: u64 = 0x1000;
const STOPS_MAKER: u64 = 0x4000;
const SAME_PROCESS: u64 = 0x1_0000;
const SETS_POINTER: u64 = 0x8_0000;
const TELLS_PARENT: u64 = 0x10_0000;
const CLEARS: u64 = 0x20_0000;
const TELLS_CHILD: u64 = 0x100_0000;
const RESETS: u64 = 0x1_0000_0000;
/// The flags with which C libraries create threads.
const THREAD: u64 = MEMORY | FOLDER | FILES | HANDLERS | SAME_PROCESS;
/// Size in bytes of the original `struct clone_args` (Linux `include/uapi/linux/sched.h`).
const CLONE_ARGUMENTS: u64 = 64;
/// Size in bytes of `struct robust_list_head`, maximum number of entries, and bits of the futex
/// words (Linux `include/uapi/linux/futex.h`).
const ROBUST_HEAD: u64 = 24;
const MOST_ROBUST: usize = 2048;
const OWNER: u32 = 0x3fff_ffff;
const OWNER_DIED: u32 = 0x4000_0000;
const HAS_WAITERS: u32 = 0x8000_0000;

/// The arguments of `clone`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clone {
    pub(crate) flags: u64,
    /// SP of the new thread.
    pub(crate) stack: u64,
    /// Addresses for the thread ID: in the parent, and in the child.
    pub(crate) parent_at: u64,
    pub(crate) child_at: u64,
    pub(crate) pointer: u64,
}

impl Clone {
    /// The arguments of `clone` in the order of the target, or those of `clone3` in memory.
    pub(crate) fn new(call: Call, arguments: [u64; 6], caller: &Caller<'_>) -> Result<Clone, Errno> {
        let [a, b, parent_at, d, e, _] = arguments;
        let usual = Clone { flags: a, stack: b, parent_at, child_at: d, pointer: e };
        match call {
            Call::CloneBackwards => Ok(Clone { child_at: e, pointer: d, ..usual }),
            Call::CloneStackFirst => Ok(Clone { flags: b, stack: a, ..usual }),
            Call::Clone3 if b < CLONE_ARGUMENTS => Err(Errno::Invalid),
            Call::Clone3 => match *caller.words(a, 8)? {
                [flags, _, child_at, parent_at, _, stack, size, pointer] => {
                    let stack = if stack == 0 { 0 } else { stack.wrapping_add(size) };
                    Ok(Clone { flags, stack, parent_at, child_at, pointer })
                }
                _ => Err(Errno::Fault),
            },
            _ => Ok(usual),
        }
    }
}

/// Creates a thread and returns its ID.
pub(crate) fn clone(
    wanted: Clone,
    process: &mut Process,
    processes: &mut Processes,
    scheduler: &mut Scheduler,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let Clone { flags, stack, parent_at, child_at, pointer } = wanted;
    let has = |flag: u64| flags & flag == flag;
    if !has(SAME_PROCESS) {
        return clone_process(wanted, process, processes, scheduler, caller);
    }
    if !has(MEMORY | HANDLERS) {
        return Err(Errno::Invalid.into());
    }
    if !has(THREAD) || has(DESCRIPTOR) || stack == 0 {
        return Err(Refusal::Ends(StopReason::Thread, "it makes a thread that does not share its files, or its stack"));
    }
    if process.threads.is_full() {
        return Err(Errno::Again.into());
    }
    let own = Own { clear_at: if has(CLEARS) { child_at } else { 0 }, ..Own::default() };
    let Some(thread) = scheduler.number() else {
        return Err(Refusal::Ends(StopReason::Thread, "it makes more threads than are followed"));
    };
    process.threads.add(thread, own);
    process.signals.make(thread);
    let number = caller.record().u32(thread.0);
    for (flag, at) in [(TELLS_PARENT, parent_at), (TELLS_CHILD, child_at)] {
        if has(flag) {
            // As on Linux, a failed write is ignored.
            caller.memory.write(at, number.bytes());
        }
    }
    process.threads.made = Some(Made { thread, stack, pointer: has(SETS_POINTER).then_some(pointer) });
    Ok(thread.0.into())
}

/// Makes a process, which shares no more than memory with this one.
fn clone_process(
    wanted: Clone,
    process: &Process,
    processes: &mut Processes,
    scheduler: &mut Scheduler,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let Clone { flags, stack, parent_at, child_at, pointer } = wanted;
    let has = |flag: u64| flags & flag == flag;
    // The lowest byte is the signal that its end sends.
    const KNOWN: u64 = 0xff | MEMORY | STOPS_MAKER | SETS_POINTER | TELLS_PARENT | CLEARS | TELLS_CHILD | RESETS;
    if flags & !KNOWN != 0 {
        return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process that shares more than memory"));
    }
    if stack != 0 && caller.memory.read(stack.wrapping_sub(1), 1).is_none() {
        return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process whose stack is not in memory"));
    }
    let wanted = Forked {
        child: ThreadId::FIRST,
        shares_memory: has(MEMORY),
        stack: (stack != 0).then_some(stack),
        pointer: has(SETS_POINTER).then_some(pointer),
        number_at: has(TELLS_CHILD).then_some(child_at),
        clear_at: if has(CLEARS) { child_at } else { 0 },
    };
    let child = fork(process, processes, scheduler, wanted)?;
    if has(TELLS_PARENT) {
        caller.memory.write(parent_at, caller.record().u32(child as u32).bytes());
    }
    Ok(child)
}

/// `exit` of a thread, and of the process if it is the last thread.
pub(crate) fn exit_thread(threads: &mut Threads, status: u64, caller: &mut Caller<'_>) -> Refusal {
    let status = (status & 0xff) as i32;
    let thread = threads.now;
    if thread == ThreadId::FIRST {
        threads.status = Some(status);
    }
    if !threads.has_others() {
        // The exit status is that of the first thread (Linux `kernel/exit.c`,
        // `wait_task_zombie`).
        return Refusal::Exit(threads.status.unwrap_or(status));
    }
    give_up_mutexes(threads, caller);
    let clear_at = threads.own.clear_at;
    if clear_at != 0 && caller.memory.write(clear_at, &[0; 4]) {
        threads.futexes.wake(clear_at, 1, ANY);
    }
    threads.end();
    Refusal::ThreadOver
}

/// Marks the mutexes in the thread's robust list as held by a dead owner.
fn give_up_mutexes(threads: &mut Threads, caller: &mut Caller<'_>) {
    let head = threads.own.robust;
    let Some(&[first, offset, pending]) = (head != 0).then(|| caller.words(head, 3).ok()).flatten().as_deref() else {
        return;
    };
    let mut entry = first;
    for _ in 0..MOST_ROBUST {
        // The lowest bit of an entry marks a priority-inheritance mutex.
        let at = entry & !1;
        if at == head {
            break;
        }
        let next = caller.word(at);
        if at != pending & !1 {
            give_up(threads, at.wrapping_add(offset), caller);
        }
        match next {
            Ok(next) => entry = next,
            Err(_) => break,
        }
    }
    if pending & !1 != 0 {
        give_up(threads, (pending & !1).wrapping_add(offset), caller);
    }
}

fn give_up(threads: &mut Threads, at: u64, caller: &mut Caller<'_>) {
    let Ok(word) = caller.half(at) else { return };
    if word & OWNER != threads.now.0 {
        return;
    }
    let record = caller.record().u32(word & HAS_WAITERS | OWNER_DIED);
    caller.memory.write(at, record.bytes());
    if word & HAS_WAITERS != 0 {
        threads.futexes.wake(at, 1, ANY);
    }
}

pub(crate) fn set_robust_list(threads: &mut Threads, head: u64, size: u64) -> Result<u64, Errno> {
    if size != ROBUST_HEAD {
        return Err(Errno::Invalid);
    }
    threads.own.robust = head;
    Ok(0)
}

/// `set_tid_address`; returns the thread ID.
pub(crate) fn set_clear_at(threads: &mut Threads, at: u64) -> u64 {
    threads.own.clear_at = at;
    threads.now.0.into()
}
