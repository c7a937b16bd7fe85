//! Events for which the emulator stops and continues elsewhere: signal handlers that begin or
//! return, and other threads.

use linux::Delivery;

use super::execution::Execution;
use crate::core::{Core, Turn};
use crate::end::{End, Reason};

impl Execution {
    /// Handles the event, and returns the PC at which to continue.
    #[cold]
    pub(super) fn turn(&mut self, turn: Turn) -> Result<u64, End> {
        let mut went = self.act(turn).and_then(|at| self.handle_due(at));
        loop {
            went = match went {
                Err(End::Exit(status)) if self.core.kernel.processes.has_others() => {
                    self.end_process(status).and_then(|at| self.handle_due(at))
                }
                Err(End::Exit(status)) => return Err(End::Exit(self.core.kernel.processes.status_of_run(status))),
                went => return went,
            }
        }
    }

    /// Begins the handlers of all signals that are due.
    fn handle_due(&mut self, mut at: u64) -> Result<u64, End> {
        while let Some(delivery) = self.core.kernel.process.signals.due() {
            at = self.handle(at, &delivery)?;
        }
        Ok(at)
    }

    fn act(&mut self, turn: Turn) -> Result<u64, End> {
        // The instruction was not executed.
        self.vectors.written = None;
        Ok(match turn {
            // The caller installs the hook.
            Turn::Signals { pc } | Turn::Watch { pc } => pc,
            Turn::Caused { pc, delivery } => self.handle(pc, &delivery)?,
            Turn::Lacking { pc } => self.execute_substitute(pc)?,
            // Its step was shown.
            Turn::Deadly { pc } if self.core.is_deadly(pc) => self.execute_substitute(pc)?,
            Turn::Deadly { pc } => {
                let Core { deadly, engine, .. } = &mut self.core;
                let removed = deadly.remove(pc, engine);
                removed.map_err(|error| End::undecided(Reason::Stopped, pc, error.to_string()))?;
                pc
            }
            Turn::HandlerOver { is_plain } => {
                let next = self.core.end_handler(is_plain, &mut self.followed.interruptions)?;
                let sp = self.core.engine.read(self.registers.ids[0]);
                if self.followed.shadow.resume(sp) {
                    self.followed.go_back();
                } else {
                    // It has changed where the function goes on that was interrupted.
                    self.lose_frames(sp, next)?;
                    self.followed.shadow.go_on_elsewhere();
                }
                next
            }
            Turn::Switch { pc } => self.switch(Some(pc))?,
            Turn::ThreadOver => self.switch(None)?,
            Turn::Forked { next, forked } => {
                self.begin_child(next, &forked)?;
                next
            }
            Turn::ProcessOver { status } => self.end_process(status)?,
            Turn::Becomes => self.become_program()?,
            Turn::Made { next, made } => {
                self.make_thread(next, &made)?;
                next
            }
        })
    }

    /// Executes an instruction that the emulator lacks, or handles the signal that it causes.
    fn execute_substitute(&mut self, pc: u64) -> Result<u64, End> {
        match (self.core.execute_substitute(pc), self.core.turn.take()) {
            (Some(next), _) => Ok(next),
            (None, Some(Turn::Caused { pc, delivery })) => self.handle(pc, &delivery),
            (None, _) => Err(self.core.ended(pc)),
        }
    }

    /// Begins a signal handler, and returns its address.
    fn handle(&mut self, pc: u64, delivery: &Delivery) -> Result<u64, End> {
        self.refresh(pc)?;
        let begun = self.core.begin_handler(pc, delivery, &mut self.followed.interruptions)?;
        self.followed.shadow.interrupt(&begun.by);
        let frames = self.followed.shadow.frames().len() - 1;
        if !self.followed.stacks.enter(&begun, frames, &self.core.memory) {
            let message = format!("the alternate stack for signal {} is not in memory", delivery.signal);
            return Err(End::undecided(Reason::StackSwitch, pc, message));
        }
        self.followed.set_switching(false);
        self.followed.stay();
        *self.signals.counts.handled.entry(delivery.signal).or_default() += 1;
        self.signals.counts.on_alternate += u64::from(begun.alternate.is_some());
        Ok(delivery.action.handler)
    }
}
