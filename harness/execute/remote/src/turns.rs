//! Threads of a program that the second engine executes alone. The engine's process has one thread.
//! The first engine's kernel (`linux`) schedules the threads, and executes the system calls that
//! create, end or block threads. All other system calls go to the kernel of the second engine.

use std::collections::BTreeMap;

use linux::{Access, Denied, Kernel, Memory, Next, Register, Registers, Served, World};
use types::{Reg, RunEnd, StopReason, ThreadId};
use witness::Plan;

use crate::arch::Asks;
use crate::calls::Calls;
use crate::error::RemoteError;
use crate::session::{MakesThread, Parked, Session};

/// The threads of a program, and their schedule.
pub(crate) struct Turns {
    /// The first engine's kernel; `None` before the program creates a thread.
    kernel: Option<Kernel>,
    schedule: Option<u64>,
    others: BTreeMap<ThreadId, Parked>,
    /// The first thread's number in the second engine's kernel.
    first_number: u64,
    /// The step after which another thread continues.
    switch_at: u64,
    /// The step up to which the kernel's clock has advanced.
    timed: u64,
}

/// The reason why a thread stops executing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The turn of another thread begins.
    Waits,
    /// The thread has ended.
    Over,
}

impl Turns {
    pub(crate) fn new(plan: &Plan<'_>) -> Turns {
        Turns {
            kernel: None,
            schedule: plan.schedule,
            others: BTreeMap::new(),
            first_number: 0,
            switch_at: u64::MAX,
            timed: 0,
        }
    }

    /// Number of threads that were created, including the first one.
    pub(crate) fn made(&self) -> u32 {
        self.kernel.as_ref().map_or(1, Kernel::threads_made)
    }

    /// Executes one instruction of the scheduled thread. Returns the end of the run if the program
    /// has ended or cannot be followed.
    pub(crate) fn advance(&mut self, session: &mut Session) -> Result<Option<RunEnd>, RemoteError> {
        if let Asks::Kernel(number) = session.asks() {
            let made = session.makes_thread()?;
            if made.is_some() || self.kernel.is_some() && self.serves(session, number) {
                return self.serve(session, made);
            }
            if let Some(end) = self.signals_another(session, number)? {
                return Ok(Some(end));
            }
        }
        if let Some(end) = session.advance()? {
            return Ok(Some(end));
        }
        if session.steps() < self.switch_at || session.is_interrupted() {
            return Ok(None);
        }
        self.switch(session, Left::Waits)
    }

    /// Returns true if the first engine's kernel must execute this system call.
    fn serves(&self, session: &Session, number: u64) -> bool {
        let calls = Calls::of_abi(session.abi());
        let own_number = number == calls.gettid && session.thread() != ThreadId::FIRST;
        [calls.futex, calls.exit, calls.sched_yield].contains(&number) || calls.sleeps.contains(&number) || own_number
    }

    /// Redirects a signal that a thread sends to itself to the process. Returns the end of the run
    /// if the signal is for another thread.
    fn signals_another(&self, session: &mut Session, number: u64) -> Result<Option<RunEnd>, RemoteError> {
        let calls = Calls::of_abi(session.abi());
        let Some((_, place)) = calls.kills.iter().find(|(call, _)| *call == number) else { return Ok(None) };
        let to = session.argument(*place);
        let is_another = |thread: &ThreadId| match *thread {
            ThreadId::FIRST => to == self.first_number,
            ThreadId(thread) => to == u64::from(thread),
        };
        if self.others.keys().any(is_another) {
            let message = format!("a thread sends another one a signal at {:#x}", session.pc());
            return Ok(Some(RunEnd::undecided(StopReason::Thread, session.pc(), message)));
        }
        if self.kernel.is_some() && is_another(&session.thread()) {
            session.set(calls.convention.arguments[*place], self.first_number)?;
        }
        Ok(None)
    }

    /// Executes a system call in the first engine's kernel.
    fn serve(&mut self, session: &mut Session, made: Option<MakesThread>) -> Result<Option<RunEnd>, RemoteError> {
        if self.kernel.is_none() {
            let kernel = Kernel::new(session.abi(), "", &World::default(), 0);
            let mut kernel = kernel.map_err(|_| RemoteError::Unsupported("threads"))?;
            kernel.scheduler.seed(self.schedule);
            self.first_number = session.inject(Calls::of_abi(session.abi()).gettid, &[])?;
            self.kernel = Some(kernel);
            self.timed = session.steps();
        }
        let Some(kernel) = &mut self.kernel else { return Ok(None) };
        match answer(kernel, session)? {
            Err(end) => Ok(Some(end)),
            Ok(Served::Result { next }) => {
                session.go_to(next)?;
                Ok(None)
            }
            Ok(Served::Made { next, made: linux::Made { thread, .. } }) => {
                session.go_to(next)?;
                if let Some(made) = made {
                    self.others.insert(thread, session.new_thread(thread, &made)?);
                }
                if self.switch_at == u64::MAX {
                    self.begin_turn(session);
                }
                Ok(None)
            }
            Ok(Served::Yields { next }) => {
                session.go_to(next)?;
                self.switch(session, Left::Waits)
            }
            Ok(Served::Waits) => self.switch(session, Left::Waits),
            Ok(Served::ThreadOver) => self.switch(session, Left::Over),
            Ok(Served::Forked { .. }) => {
                Ok(Some(RunEnd::undecided(StopReason::NewProcess, session.pc(), "it makes a process")))
            }
            Ok(Served::Becomes) => {
                Ok(Some(RunEnd::undecided(StopReason::NewProcess, session.pc(), "it executes another program")))
            }
            Ok(Served::HandlerOver { .. }) => Ok(Some(self.astray(session))),
        }
    }

    /// Switches to the thread that the kernel schedules next.
    fn switch(&mut self, session: &mut Session, mut left: Left) -> Result<Option<RunEnd>, RemoteError> {
        loop {
            let Some(kernel) = &mut self.kernel else { return Ok(None) };
            let steps = session.steps() - std::mem::replace(&mut self.timed, session.steps());
            let next = match kernel.next(steps, session.pc()) {
                Ok(Next::Thread(next)) => next,
                Ok(Next::Process(_)) => return Ok(Some(self.astray(session))),
                Err(end) => return Ok(Some(end)),
            };
            let from = session.thread();
            if next != from {
                let Some(mut parked) = self.others.remove(&next) else { return Ok(Some(self.astray(session))) };
                session.exchange(&mut parked)?;
                if left == Left::Waits {
                    self.others.insert(from, parked);
                }
                left = Left::Waits;
            }
            if !kernel.process.is_waiting() {
                break;
            }
            match answer(kernel, session)? {
                Err(end) => return Ok(Some(end)),
                Ok(Served::Result { next } | Served::Yields { next }) => {
                    session.go_to(next)?;
                    break;
                }
                Ok(Served::Waits) => {}
                Ok(
                    Served::Made { .. }
                    | Served::Forked { .. }
                    | Served::ThreadOver
                    | Served::Becomes
                    | Served::HandlerOver { .. },
                ) => {
                    return Ok(Some(self.astray(session)));
                }
            }
        }
        self.begin_turn(session);
        Ok(None)
    }

    fn begin_turn(&mut self, session: &Session) {
        let Some(kernel) = &mut self.kernel else { return };
        let slice = if kernel.process.has_other_threads() { kernel.scheduler.slice() } else { u64::MAX };
        self.switch_at = session.steps().saturating_add(slice);
    }

    fn astray(&self, session: &Session) -> RunEnd {
        RunEnd::undecided(StopReason::Thread, session.pc(), "the threads of the program cannot be followed")
    }
}

/// Executes the program's current system call in the first engine's kernel.
fn answer(kernel: &mut Kernel, session: &mut Session) -> Result<Result<Served, RunEnd>, RemoteError> {
    let mut memory = AtHand::new(session)?;
    let mut registers = Answered { session, result: None };
    let pc = registers.session.pc();
    let served = kernel.system_call(pc, &mut registers, &mut memory);
    let result = registers.result;
    for (address, bytes) in memory.written {
        session.stub().write(address, &bytes)?;
    }
    if let Some((register, value)) = result {
        session.set(register, value)?;
    }
    Ok(served)
}

/// The registers of a system call, and the register with its result.
struct Answered<'s> {
    session: &'s Session,
    result: Option<(Reg, u64)>,
}

impl Registers for Answered<'_> {
    fn read_wide(&self, register: Register) -> [u8; 16] {
        let mut bytes = [0; 16];
        if let Register::General(number) = register {
            bytes[..8].copy_from_slice(&self.session.register(Reg(number.into())).to_le_bytes());
        }
        bytes
    }

    fn write_wide(&mut self, register: Register, value: [u8; 16]) -> Result<(), Denied> {
        let Register::General(number) = register else { return Err("it is not a general register".into()) };
        let low = value.first_chunk().map_or(0, |low| u64::from_le_bytes(*low));
        self.result = Some((Reg(number.into()), low));
        Ok(())
    }
}

/// The memory that the instruction and the arguments of a system call point to.
struct AtHand {
    parts: Vec<(u64, Vec<u8>)>,
    written: Vec<(u64, Vec<u8>)>,
}

impl AtHand {
    /// Size in bytes of the largest structure that is read: `struct clone_args`.
    const PART: usize = 88;

    fn new(session: &mut Session) -> Result<AtHand, RemoteError> {
        let mut parts = Vec::new();
        for address in (0..6).map(|number| session.argument(number)).chain([session.pc()]).collect::<Vec<u64>>() {
            let to_page_end = (linux::PAGE - address % linux::PAGE) as usize;
            let mut bytes = session.stub().read(address, AtHand::PART.min(to_page_end))?;
            if bytes.len() == to_page_end {
                bytes.extend(
                    session.stub().read(address.saturating_add(bytes.len() as u64), AtHand::PART - bytes.len())?,
                );
            }
            parts.push((address, bytes));
        }
        Ok(AtHand { parts, written: Vec::new() })
    }
}

impl Memory for AtHand {
    fn rest(&self, address: u64) -> Option<&[u8]> {
        let rest = |(at, bytes): &'_ (u64, Vec<u8>)| {
            usize::try_from(address.checked_sub(*at)?).ok().filter(|from| *from < bytes.len())
        };
        self.parts.iter().find_map(|part| part.1.get(rest(part)?..))
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        self.written.push((address, bytes.to_vec()));
        true
    }

    fn clear(&mut self, _: u64, _: u64) {}

    fn mappings(&self) -> usize {
        0
    }

    fn last_mapping(&self, _: u64, _: u64) -> Option<u64> {
        None
    }

    fn map(&mut self, _: u64, _: u64, _: Access) -> Result<(), Denied> {
        Err("the second engine's kernel has the memory".into())
    }

    fn unmap(&mut self, _: u64, _: u64) -> Result<(), Denied> {
        Err("the second engine's kernel has the memory".into())
    }

    fn protect(&mut self, _: u64, _: u64, _: Access) -> Result<(), Denied> {
        Err("the second engine's kernel has the memory".into())
    }
}
