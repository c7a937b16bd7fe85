//! The thread that executes next.

use types::{RunEnd, StopReason, ThreadId};

use crate::kernel::Kernel;
use crate::threads::{Next, Own, WaitFor};

/// Maximum number of threads that the message of a deadlock names.
const NAMED: usize = 4;

impl Kernel {
    /// What executes next, after the current thread has executed `steps` steps; `pc` is its current
    /// address. Advances the clock; if all threads of all processes wait, to the end of the first
    /// wait.
    pub fn next(&mut self, steps: u64, pc: u64) -> Result<Next, RunEnd> {
        self.clock.step(steps);
        loop {
            let now = self.clock.now;
            self.process.ring_at(pc, now)?;
            if let Some(signal) = self.process.signals.killed {
                return Err(RunEnd::Exit(128 + signal as i32));
            }
            let ready = self.process.ready(&self.files, now);
            let picked = self.scheduler.pick(ready.len());
            if let Some(thread) = ready.get(picked) {
                self.process.go_on(*thread);
                return Ok(Next::Thread(*thread));
            }
            if let Some(process) = self.ready_process(pc)? {
                self.change_process(process);
                return Ok(Next::Process(process));
            }
            let others = self.processes.in_turn(self.process.number).into_iter();
            let ends = others.map(|number| self.processes.other(number)?.next_end());
            let first = ends.flatten().chain(self.process.next_end()).min();
            match first.filter(|then| *then > now) {
                Some(then) => self.clock.now = then,
                None => return Err(self.deadlock(pc)),
            }
        }
    }

    /// The process that executes next where no thread of this one can.
    fn ready_process(&mut self, pc: u64) -> Result<Option<u32>, RunEnd> {
        let mut ready = Vec::new();
        for number in self.processes.in_turn(self.process.number) {
            let Some(process) = self.processes.other(number) else { continue };
            if process.can_go_on(&self.files, pc, self.clock.now)? {
                ready.push(number);
            }
        }
        if ready.is_empty() {
            return Ok(None);
        }
        let picked = self.scheduler.pick(ready.len());
        Ok(ready.get(picked).copied())
    }

    #[cold]
    fn deadlock(&mut self, pc: u64) -> RunEnd {
        if let Some(status) = self.processes.status {
            // The others would wait on without the first process.
            self.processes.others.clear();
            return RunEnd::Exit(status);
        }
        let mut all = self.process.threads.in_turn();
        for number in self.processes.in_turn(self.process.number) {
            all.extend(self.processes.other(number).into_iter().flat_map(|other| other.threads.in_turn()));
        }
        all.sort_by_key(|(thread, _)| *thread);
        let mut named: Vec<String> = all.iter().take(NAMED).filter_map(awaited).collect();
        if all.len() > NAMED {
            named.push("...".to_owned());
        }
        let message = format!("all {} threads wait: {}", all.len(), named.join(", "));
        RunEnd::undecided(StopReason::Deadlock, pc, message)
    }

    /// Number of threads that were created, including the first.
    pub fn threads_made(&self) -> u32 {
        self.scheduler.last() + 1 - self.processes.made()
    }
}

/// What a thread waits for, as text.
fn awaited((thread, own): &(ThreadId, Own)) -> Option<String> {
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
}
