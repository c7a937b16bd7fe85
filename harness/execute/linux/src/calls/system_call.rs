//! A system call from its instruction to its result.

use types::{RunEnd, StopReason};

use crate::call::Call;
use crate::caller::Caller;
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::processes::Forked;
use crate::registers::Registers;
use crate::signals::Cause;
use crate::sleeper::Sleeper;
use crate::threads::Made;

/// SIGPIPE (Linux `include/uapi/asm-generic/signal.h`).
const BROKEN_PIPE: u64 = 13;

/// A system call after which the program continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// The result is in its register.
    Result {
        /// Address of the next instruction.
        next: u64,
    },
    /// As `Result`, and a thread was created, which begins at the same address.
    Made {
        /// Address of the next instruction.
        next: u64,
        /// The new thread.
        made: Made,
    },
    /// As `Result`, and a process was made, which begins here too and first.
    Forked {
        /// The address after the call's instruction.
        next: u64,
        forked: Forked,
    },
    /// As `Result`, and other threads continue first.
    Yields {
        /// Address of the next instruction.
        next: u64,
    },
    /// The thread waits: the call is repeated when [`Kernel::next`] returns the thread
    /// again.
    Waits,
    /// The thread has ended; other threads are live.
    ThreadOver,
    /// The process becomes another program ([`crate::Processes::take_program`]).
    Becomes,
    /// A signal handler has returned.
    HandlerOver {
        /// The handler's frame has no `siginfo_t`.
        is_plain: bool,
    },
}

impl Kernel {
    /// Executes the system call of the instruction at `pc`.
    pub fn system_call(
        &mut self,
        pc: u64,
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<Served, RunEnd> {
        let target = self.target;
        let code = memory.read(pc, 2).and_then(|code| code.first_chunk::<2>().copied());
        let number = code.and_then(target.immediate).unwrap_or_else(|| registers.read(target.number));
        let arguments = target.arguments.map(|register| registers.read(register));
        let answer = match self.call(number) {
            Some(call) => self.serve(call, arguments, registers, memory),
            None => Err(Refusal::Unserved),
        };
        match answer {
            Ok(value) => match registers.write(target.result, value) {
                Ok(()) => Ok(self.served(pc.wrapping_add(target.length))),
                Err(denied) => Err(RunEnd::undecided(StopReason::Stopped, pc, denied.to_string())),
            },
            Err(Refusal::Waits) => Ok(Served::Waits),
            Err(Refusal::ThreadOver) => Ok(Served::ThreadOver),
            Err(Refusal::Becomes) => Ok(Served::Becomes),
            Err(Refusal::HandlerOver { is_plain }) => Ok(Served::HandlerOver { is_plain }),
            Err(Refusal::Exit(status)) => Err(RunEnd::Exit(status)),
            Err(Refusal::Ends(reason, what)) => {
                Err(RunEnd::undecided(reason, pc, format!("{what}, by system call {number} at {pc:#x}")))
            }
            Err(Refusal::Unserved | Refusal::Errno(_) | Refusal::Blocks { .. }) => {
                let message = format!("system call {number} at {pc:#x} is not served");
                Err(RunEnd::undecided(StopReason::Syscall, pc, message))
            }
        }
    }

    /// Other effects of a call that has a result.
    fn served(&mut self, next: u64) -> Served {
        if let Some(forked) = self.processes.forked.take() {
            return Served::Forked { next, forked };
        }
        let threads = &mut self.process.threads;
        match (threads.made.take(), std::mem::take(&mut threads.yields)) {
            (Some(made), _) => Served::Made { next, made },
            (None, true) => Served::Yields { next },
            (None, false) => Served::Result { next },
        }
    }

    /// The value for the result register, including negative error numbers.
    pub(crate) fn serve(
        &mut self,
        call: Call,
        arguments: [u64; 6],
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let mut caller = Caller {
            memory,
            target: self.target,
            facts: self.abi.facts(),
            now: self.clock.time(),
            written: self.process.threads.own.written,
            program: self.process.program,
            programs: self.processes.programs,
        };
        let answer = self.answer(call, arguments, registers, &mut caller);
        let written = caller.written;
        let answer = match answer {
            Err(Refusal::Blocks { on, alone }) => match self.sleeper().wait_for_others(on, alone) {
                Refusal::Errno(Errno::Interrupted) if written > 0 => Ok(written as u64),
                refusal => Err(refusal),
            },
            Err(Refusal::Errno(Errno::Pipe)) => {
                let thread = self.process.threads.now;
                self.process.signals.send_to(thread, BROKEN_PIPE, Cause::USER).and(answer)
            }
            answer => answer,
        };
        let own = &mut self.process.threads.own;
        if answer == Err(Refusal::Waits) {
            own.written = written;
        } else {
            (own.wait, own.written) = (None, 0);
        }
        match answer.and_then(|value| self.process.ring(self.clock.now).map(|()| value)) {
            Err(Refusal::Errno(errno)) => Ok(i64::from(-(errno as i32)) as u64),
            answer => answer,
        }
    }

    /// The current thread, as one that may wait.
    fn sleeper(&mut self) -> Sleeper<'_> {
        let has_others = self.process.threads.has_others() || self.processes.has_others();
        Sleeper { process: &mut self.process, clock: &mut self.clock, has_others }
    }
}
