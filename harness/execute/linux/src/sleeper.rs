//! Waiting in a call. If there is one thread only, nothing else happens meanwhile: a wait ends at
//! once, after its time, by a timer's signal, or never.

use crate::clock::Clock;
use crate::errno::{Errno, Refusal};
use crate::process::Process;
use crate::threads::{Wait, WaitFor};

/// The thread that makes a call, with what its wait changes.
pub(crate) struct Sleeper<'a> {
    pub(crate) process: &'a mut Process,
    pub(crate) clock: &'a mut Clock,
    /// Something else can happen while it waits: there are other threads or processes.
    pub(crate) has_others: bool,
}

impl Sleeper<'_> {
    /// Waits while other threads execute, at most until `end`; `Ok` if that is over. The call is
    /// repeated until it need not wait.
    pub(crate) fn wait_for(&mut self, on: WaitFor, end: Option<u64>) -> Result<(), Refusal> {
        let now = self.clock.now;
        let before = self.process.threads.own.wait;
        let end = before.map_or(end, |wait| wait.end);
        if self.process.signals.has_due() {
            return Err(Errno::Interrupted.into());
        }
        if end.is_some_and(|end| end <= now) {
            return Ok(());
        }
        self.process.threads.own.wait = Some(Wait { on, since: before.map_or(now, |wait| wait.since), end });
        Err(Refusal::Waits)
    }

    /// Waits until other threads have done something. `alone` is what the thread does that never
    /// ends without them.
    pub(crate) fn wait_for_others(&mut self, on: WaitFor, alone: &'static str) -> Refusal {
        if !self.has_others {
            return Refusal::waits_forever(alone);
        }
        self.wait_for(on, None).err().unwrap_or(Refusal::Waits)
    }

    /// Time of the first attempt of the current call, which may be repeated.
    pub(crate) fn waited_from(&self) -> u64 {
        self.process.threads.own.wait.map_or(self.clock.now, |wait| wait.since)
    }

    /// Sleeps until a time since 1970.
    pub(crate) fn sleep_to(&mut self, time: u64) -> Result<(), Refusal> {
        self.sleep(self.clock.until(time))
    }

    /// Lets time pass, unless the signal of a timer ends the sleep.
    pub(crate) fn sleep(&mut self, time: u64) -> Result<(), Refusal> {
        let end = self.clock.now.saturating_add(time);
        if self.has_others {
            return self.wait_for(WaitFor::Nothing, Some(end));
        }
        if self.process.next_signal().is_some_and(|due| due <= end) {
            return self.sleep_until_signal("it sleeps");
        }
        self.clock.now = end;
        Ok(())
    }

    /// Waits for a signal, which only a timer can send.
    pub(crate) fn sleep_until_signal(&mut self, alone: &'static str) -> Result<(), Refusal> {
        if self.has_others {
            return self.wait_for(WaitFor::Nothing, None);
        }
        let due = self.process.next_signal().ok_or(Refusal::waits_forever(alone))?;
        self.clock.now = self.clock.now.max(due);
        self.process.ring(self.clock.now)?;
        Err(Errno::Interrupted.into())
    }
}
