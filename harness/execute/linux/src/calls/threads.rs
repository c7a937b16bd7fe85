//! Threads: `clone`, scheduling, waiting, and exit.

use types::{RunEnd, StopReason, ThreadId};

use crate::descriptors::What;
use crate::errno::{Errno, Refusal};
use crate::futexes::ANY;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::processes::Forked;
use crate::registers::Registers;
use crate::threads::{Made, Next, Own, Threads, Wait, WaitFor};

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
/// Maximum number of threads that the message of a deadlock names.
const NAMED: usize = 4;

/// The arguments of `clone`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clone {
    pub(crate) flags: u64,
    /// SP of the new thread.
    pub(crate) stack: u64,
    /// Addresses for the thread ID: in the parent, and in the child.
    pub(crate) parent_at: u64,
    pub(crate) child_at: u64,
    /// The thread pointer of the new thread.
    pub(crate) pointer: u64,
}

impl Kernel {
    /// Selects the scheduling: random by a seed; without one, round robin with equal time slices.
    pub fn schedule(&mut self, seed: Option<u64>) {
        self.threads.schedule(seed);
    }

    /// The current thread.
    pub fn thread(&self) -> ThreadId {
        self.threads.now
    }

    /// Returns true if there are several threads.
    pub fn has_other_threads(&self) -> bool {
        self.threads.has_others()
    }

    /// Number of threads that were created, including the first.
    pub fn threads_made(&self) -> u32 {
        self.threads.last() + 1 - self.processes.made
    }

    /// Number of steps in the next time slice.
    pub fn slice(&mut self) -> u64 {
        self.threads.slice()
    }

    /// Returns true if the current thread is in a call that is repeated.
    pub fn is_waiting(&self) -> bool {
        self.threads.own.wait.is_some()
    }

    /// What executes next, after the current thread has executed `steps` steps; `pc` is its current
    /// address. Advances the clock; if all threads of all processes wait, to the end of the first
    /// wait.
    ///
    /// # Errors
    /// All threads wait for one another; or a signal ends the process.
    pub fn next(&mut self, steps: u64, pc: u64) -> Result<Next, RunEnd> {
        self.clock.now = self.clock.now.saturating_add(Threads::time_of(steps));
        loop {
            self.ring_all(pc)?;
            if let Some(signal) = self.signals.killed {
                return Err(RunEnd::Exit(128 + signal as i32));
            }
            let ready: Vec<ThreadId> =
                self.threads.in_turn().iter().filter(|of| self.is_ready(of)).map(|of| of.0).collect();
            let picked = self.threads.pick(ready.len());
            if let Some(thread) = ready.get(picked) {
                let before = self.threads.now;
                self.threads.go_on(*thread);
                if before != *thread {
                    let left = self.threads.is_live(before).then_some(before);
                    self.signals.go_on(*thread, left);
                }
                return Ok(Next::Thread(*thread));
            }
            if let Some(process) = self.ready_process(pc)? {
                self.change_process(process);
                return Ok(Next::Process(process));
            }
            let others = self.processes.in_turn().into_iter();
            let ends: Vec<Option<u64>> =
                others.map(|process| self.as_process(process, |kernel| kernel.next_end()).flatten()).collect();
            let first = ends.into_iter().chain([self.next_end()]).flatten().min();
            let Some(then) = first.filter(|then| *then > self.clock.now) else {
                return Err(self.deadlock(pc));
            };
            self.clock.now = then;
        }
    }

    /// Returns true if a thread of the process can execute, or a signal has ended it.
    pub(crate) fn can_go_on(&mut self, pc: u64) -> Result<bool, RunEnd> {
        match self.ring_all(pc) {
            Ok(()) | Err(RunEnd::Exit(_)) => {}
            Err(end) => return Err(end),
        }
        Ok(self.signals.killed.is_some() || self.threads.in_turn().iter().any(|of| self.is_ready(of)))
    }

    fn ring_all(&mut self, pc: u64) -> Result<(), RunEnd> {
        match self.ring() {
            Ok(()) | Err(Refusal::Errno(_)) => Ok(()),
            Err(Refusal::Exit(status)) => Err(RunEnd::Exit(status)),
            Err(_) => Err(RunEnd::undecided(StopReason::WaitsForever, pc, "a timer's signal stops it")),
        }
    }

    /// Returns true if a thread no longer waits.
    fn is_ready(&self, (thread, own): &(ThreadId, Own)) -> bool {
        let Some(wait) = own.wait else { return true };
        let has_come = match wait.on {
            WaitFor::Nothing => false,
            WaitFor::Signals(signals) => self.signals.pending_of(*thread) & signals != 0,
            WaitFor::Futex { .. } => self.threads.futexes.is_woken(*thread),
            WaitFor::Files { activity } => activity != self.threads.activity,
            WaitFor::Bytes { pipe } => {
                self.pipes.fill(&What::ReadEnd(pipe)).is_none_or(|fill| fill.bytes > 0 || !fill.other)
            }
            WaitFor::Room { pipe, least } => {
                self.pipes.fill(&What::WriteEnd(pipe)).is_none_or(|fill| fill.room >= least || !fill.other)
            }
            WaitFor::Child { ended } => ended != self.threads.children_ended,
        };
        has_come || wait.end.is_some_and(|end| end <= self.clock.now) || self.signals.due_of(*thread) != 0
    }

    /// Time at which the first wait ends, or a timer sends a signal that ends one.
    fn next_end(&self) -> Option<u64> {
        let waits: Vec<Wait> = self.threads.in_turn().into_iter().filter_map(|(_, own)| own.wait).collect();
        let awaited = waits.iter().fold(0, |all, wait| match wait.on {
            WaitFor::Signals(signals) => all | signals,
            WaitFor::Nothing
            | WaitFor::Futex { .. }
            | WaitFor::Files { .. }
            | WaitFor::Bytes { .. }
            | WaitFor::Room { .. }
            | WaitFor::Child { .. } => all,
        });
        let signal = self.next_of(self.signals.acting() | awaited);
        waits.iter().filter_map(|wait| wait.end).chain(signal).min()
    }

    #[cold]
    fn deadlock(&mut self, pc: u64) -> RunEnd {
        if let Some(status) = self.processes.status {
            // The others would wait on without the first process.
            self.processes.others.clear();
            return RunEnd::Exit(status);
        }
        let others = self.processes.in_turn().into_iter();
        let mut all: Vec<(ThreadId, Own)> = others
            .filter_map(|process| self.as_process(process, |kernel| kernel.threads.in_turn()))
            .flatten()
            .collect();
        all.extend(self.threads.in_turn());
        all.sort_by_key(|(thread, _)| *thread);
        let mut named: Vec<String> = all
            .iter()
            .take(NAMED)
            .filter_map(|(thread, own)| {
                let what = match own.wait?.on {
                    WaitFor::Nothing => "a signal".to_owned(),
                    WaitFor::Signals(signals) => format!("signal {}", signals.trailing_zeros() + 1),
                    WaitFor::Futex { address } => format!("the futex at {address:#x}"),
                    WaitFor::Files { .. } => "descriptors".to_owned(),
                    WaitFor::Bytes { .. } => "bytes in a pipe".to_owned(),
                    WaitFor::Room { .. } => "room in a pipe".to_owned(),
                    WaitFor::Child { .. } => "a child".to_owned(),
                };
                Some(format!("thread {} for {what}", thread.0))
            })
            .collect();
        if all.len() > NAMED {
            named.push("...".to_owned());
        }
        let message = format!("all {} threads wait: {}", all.len(), named.join(", "));
        RunEnd::undecided(StopReason::Deadlock, pc, message)
    }

    /// Waits while other threads execute, at most until `end`; `Ok` if that is over. The call is
    /// repeated until it need not wait.
    pub(crate) fn wait_for(&mut self, on: WaitFor, end: Option<u64>) -> Result<(), Refusal> {
        let now = self.clock.now;
        let before = self.threads.own.wait;
        let end = before.map_or(end, |wait| wait.end);
        if self.has_due() {
            return Err(Errno::Interrupted.into());
        }
        if end.is_some_and(|end| end <= now) {
            return Ok(());
        }
        self.threads.own.wait = Some(Wait { on, since: before.map_or(now, |wait| wait.since), end });
        Err(Refusal::Waits)
    }

    /// Waits until a pipe or a counter changes.
    pub(crate) fn wait_for_files(&mut self, on: WaitFor, what: &'static str) -> Refusal {
        if !self.has_others() {
            return Refusal::waits_forever(what);
        }
        match self.wait_for(on, None) {
            Err(refusal) => refusal,
            Ok(()) => Refusal::Waits,
        }
    }

    /// Time of the first attempt of the current call, which may be repeated.
    pub(crate) fn waited_from(&self) -> u64 {
        self.threads.own.wait.map_or(self.clock.now, |wait| wait.since)
    }

    /// `clone3`: its arguments in memory.
    pub(crate) fn clone3(&mut self, at: u64, size: u64, memory: &mut dyn Memory) -> Result<u64, Refusal> {
        if size < CLONE_ARGUMENTS {
            return Err(Errno::Invalid.into());
        }
        match *self.words(at, 8, memory).ok_or(Errno::Fault)? {
            [flags, _, child_at, parent_at, _, stack, size, pointer] => {
                let stack = if stack == 0 { 0 } else { stack.wrapping_add(size) };
                self.clone(Clone { flags, stack, parent_at, child_at, pointer }, memory)
            }
            _ => Err(Errno::Fault.into()),
        }
    }

    /// Creates a thread and returns its ID.
    pub(crate) fn clone(&mut self, wanted: Clone, memory: &mut dyn Memory) -> Result<u64, Refusal> {
        let Clone { flags, stack, parent_at, child_at, pointer } = wanted;
        let has = |flag: u64| flags & flag == flag;
        if !has(SAME_PROCESS) {
            return self.clone_process(wanted, memory);
        }
        if !has(MEMORY | HANDLERS) {
            return Err(Errno::Invalid.into());
        }
        if !has(THREAD) || has(DESCRIPTOR) || stack == 0 {
            return Err(Refusal::Ends(
                StopReason::Thread,
                "it makes a thread that does not share its files, or its stack",
            ));
        }
        if self.threads.is_full() {
            return Err(Errno::Again.into());
        }
        let own = Own { clear_at: if has(CLEARS) { child_at } else { 0 }, ..Own::default() };
        let Some(thread) = self.threads.add(own) else {
            return Err(Refusal::Ends(StopReason::Thread, "it makes more threads than are followed"));
        };
        self.signals.make(thread);
        let number = self.record().u32(thread.0);
        for (flag, at) in [(TELLS_PARENT, parent_at), (TELLS_CHILD, child_at)] {
            if has(flag) {
                // As on Linux, a failed write is ignored.
                memory.write(at, number.bytes());
            }
        }
        self.threads.made = Some(Made { thread, stack, pointer: has(SETS_POINTER).then_some(pointer) });
        Ok(thread.0.into())
    }

    /// Makes a process, which shares no more than memory with this one.
    fn clone_process(&mut self, wanted: Clone, memory: &mut dyn Memory) -> Result<u64, Refusal> {
        let Clone { flags, stack, parent_at, child_at, pointer } = wanted;
        let has = |flag: u64| flags & flag == flag;
        // The lowest byte is the signal that its end sends.
        const KNOWN: u64 = 0xff | MEMORY | STOPS_MAKER | SETS_POINTER | TELLS_PARENT | CLEARS | TELLS_CHILD | RESETS;
        if flags & !KNOWN != 0 {
            return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process that shares more than memory"));
        }
        if stack != 0 && memory.read(stack.wrapping_sub(1), 1).is_none() {
            return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process whose stack is not in memory"));
        }
        let child = self.fork(Forked {
            child: ThreadId::FIRST,
            shares_memory: has(MEMORY),
            stack: (stack != 0).then_some(stack),
            pointer: has(SETS_POINTER).then_some(pointer),
            number_at: has(TELLS_CHILD).then_some(child_at),
            clear_at: if has(CLEARS) { child_at } else { 0 },
        })?;
        if has(TELLS_PARENT) {
            memory.write(parent_at, self.record().u32(child as u32).bytes());
        }
        Ok(child)
    }

    /// Sets the registers, which are copies of the parent's, to the initial values of a new thread.
    ///
    /// # Errors
    /// The processor refuses.
    pub fn begin_thread(&self, made: &Made, registers: &mut dyn Registers) -> Result<(), crate::memory::Denied> {
        self.begin(registers, Some(made.stack), made.pointer)
    }

    /// The same for a thread or process that has a stack and a thread pointer of its own, or not.
    pub(crate) fn begin(
        &self,
        registers: &mut dyn Registers,
        stack: Option<u64>,
        pointer: Option<u64>,
    ) -> Result<(), crate::memory::Denied> {
        registers.write(self.target.result, 0)?;
        if let Some(stack) = stack {
            registers.write(self.abi.facts().sp.into(), stack)?;
        }
        match (self.target.thread_pointer, pointer) {
            (_, None) => Ok(()),
            ([one], Some(pointer)) => registers.write(*one, pointer),
            (halves, Some(pointer)) => {
                let mut halves = halves.iter().zip([32, 0]);
                halves.try_for_each(|(half, shift)| registers.write(*half, pointer >> shift & 0xffff_ffff))
            }
        }
    }

    /// `exit` of a thread, and of the process if it is the last thread.
    pub(crate) fn exit_thread(&mut self, status: u64, memory: &mut dyn Memory) -> Refusal {
        let status = (status & 0xff) as i32;
        let thread = self.threads.now;
        if thread == ThreadId::FIRST {
            self.threads.status = Some(status);
        }
        if !self.threads.has_others() {
            // The exit status is that of the first thread (Linux `kernel/exit.c`,
            // `wait_task_zombie`).
            return Refusal::Exit(self.threads.status.unwrap_or(status));
        }
        self.give_up_mutexes(memory);
        let clear_at = self.threads.own.clear_at;
        if clear_at != 0 && memory.write(clear_at, &[0; 4]) {
            self.threads.futexes.wake(clear_at, 1, ANY);
        }
        self.threads.end();
        Refusal::ThreadOver
    }

    /// Marks the mutexes in the thread's robust list as held by a dead owner.
    fn give_up_mutexes(&mut self, memory: &mut dyn Memory) {
        let head = self.threads.own.robust;
        let Some(&[first, offset, pending]) = (head != 0).then(|| self.words(head, 3, memory)).flatten().as_deref()
        else {
            return;
        };
        let mut entry = first;
        for _ in 0..MOST_ROBUST {
            // The lowest bit of an entry marks a priority-inheritance mutex.
            let at = entry & !1;
            if at == head {
                break;
            }
            let next = self.word(at, memory);
            if at != pending & !1 {
                self.give_up(at.wrapping_add(offset), memory);
            }
            match next {
                Ok(next) => entry = next,
                Err(_) => break,
            }
        }
        if pending & !1 != 0 {
            self.give_up((pending & !1).wrapping_add(offset), memory);
        }
    }

    fn give_up(&mut self, at: u64, memory: &mut dyn Memory) {
        let Ok(word) = self.half(at, memory) else { return };
        if word & OWNER != self.threads.now.0 {
            return;
        }
        let record = self.record().u32(word & HAS_WAITERS | OWNER_DIED);
        memory.write(at, record.bytes());
        if word & HAS_WAITERS != 0 {
            self.threads.futexes.wake(at, 1, ANY);
        }
    }

    /// `set_robust_list`.
    pub(crate) fn set_robust_list(&mut self, head: u64, size: u64) -> Result<u64, Errno> {
        if size != ROBUST_HEAD {
            return Err(Errno::Invalid);
        }
        self.threads.own.robust = head;
        Ok(0)
    }

    /// `set_tid_address`; returns the thread ID.
    pub(crate) fn set_clear_at(&mut self, at: u64) -> u64 {
        self.threads.own.clear_at = at;
        self.threads.now.0.into()
    }
}
