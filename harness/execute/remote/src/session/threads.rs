//! Threads of a program. The stub has a single thread: the registers and frames of the others are
//! kept here until they continue. Memory is common to all threads.

use types::{Event, RegFile as _, ThreadId};
use witness::{Interruption, PacOp, Shadow};

use super::Session;
use super::exclusive::Monitor;
use crate::arch::{Asks, Names};
use crate::calls::Calls;
use crate::error::RemoteError;
use crate::stub::Saved;

/// A thread that is not executing.
pub(crate) struct Parked {
    thread: ThreadId,
    registers: Saved,
    /// The thread pointer, if code is necessary to read it.
    pointer: u64,
    /// The set of blocked signals.
    blocked: u64,
    stack_end: u64,
    shadow: Shadow,
    event: Event,
    pending: Option<(PacOp, u64)>,
    interruption: Option<Interruption>,
    interrupted: Vec<u64>,
    monitor: Option<Monitor>,
}

/// The arguments of a system call that creates a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MakesThread {
    pub(crate) flags: u64,
    /// SP of the new thread.
    pub(crate) stack: u64,
    /// Address to which the new thread's number is written for the creating thread.
    pub(crate) parent_at: u64,
    /// Address to which the number is written for the new thread, and at which it is cleared at the
    /// thread's end.
    pub(crate) child_at: u64,
    /// Thread pointer of the new thread.
    pub(crate) pointer: u64,
}

/// Flags of `clone` (Linux include/uapi/linux/sched.h).
const SAME_PROCESS: u64 = 0x1_0000;
const SETS_POINTER: u64 = 0x8_0000;
const TELLS_PARENT: u64 = 0x10_0000;
const CLEARS: u64 = 0x20_0000;
const TELLS_CHILD: u64 = 0x100_0000;
/// `SIG_BLOCK`, `SIG_SETMASK` (Linux include/uapi/asm-generic/signal-defs.h), and the size in bytes
/// of a mask.
const BLOCK: u64 = 0;
const SET_MASK: u64 = 2;
const MASK_SIZE: u64 = 8;

impl MakesThread {
    /// Addresses to which the number of the new thread is written.
    pub(crate) fn number_at(&self) -> impl Iterator<Item = u64> {
        let places = [(TELLS_PARENT, self.parent_at), (TELLS_CHILD, self.child_at)];
        places.into_iter().filter(|(flag, _)| self.flags & flag != 0).map(|(_, at)| at)
    }

    /// Address at which the thread's number is cleared at its end; 0 for none.
    pub(crate) fn clear_at(&self) -> u64 {
        if self.flags & CLEARS != 0 { self.child_at } else { 0 }
    }
}

impl Session {
    /// The arguments of the next instruction, if it is a system call that creates a thread.
    pub(crate) fn makes_thread(&mut self) -> Result<Option<MakesThread>, RemoteError> {
        let calls = Calls::of_abi(self.abi);
        let Asks::Kernel(number) = self.asks() else { return Ok(None) };
        let made = if number == calls.clone {
            let argument = |number| self.argument(number);
            MakesThread {
                flags: argument(calls.convention.clone.flags),
                stack: argument(calls.convention.clone.stack),
                parent_at: argument(calls.convention.clone.parent_at),
                child_at: argument(calls.convention.clone.child_at),
                pointer: argument(calls.convention.clone.pointer),
            }
        } else if number == calls.clone3 {
            // `struct clone_args`: flags, pidfd, child_tid, parent_tid, exit_signal, stack,
            // stack_size, tls.
            let at = self.argument(0);
            let bytes = self.stub().read(at, 64)?;
            let word =
                |number: usize| bytes.as_chunks::<8>().0.get(number).map_or(0, |word| self.facts.order.u64(*word));
            MakesThread {
                flags: word(0),
                stack: word(5).wrapping_add(word(6)),
                parent_at: word(3),
                child_at: word(2),
                pointer: word(7),
            }
        } else {
            return Ok(None);
        };
        Ok(Some(made).filter(|made| made.flags & SAME_PROCESS != 0))
    }

    /// The executing thread.
    pub(crate) fn thread(&self) -> ThreadId {
        self.thread
    }

    /// Creates a thread that begins after the system call of the creating thread.
    pub(crate) fn new_thread(&mut self, thread: ThreadId, made: &MakesThread) -> Result<Parked, RemoteError> {
        let calls = Calls::of_abi(self.abi);
        let (maker, its_pointer, seen) = (self.stub().save()?, self.thread_pointer()?, self.registers);
        self.set(self.facts.sp, made.stack)?;
        self.set(calls.convention.result, 0)?;
        let mut pointer = its_pointer;
        if made.flags & SETS_POINTER != 0 {
            pointer = made.pointer;
            self.set_thread_pointer(pointer)?;
        }
        let registers = self.stub().save()?;
        self.stub().restore(&maker, &registers)?;
        self.registers = seen;
        self.set_thread_pointer_back(its_pointer)?;
        Ok(Parked {
            thread,
            registers,
            pointer,
            blocked: self.blocked()?,
            stack_end: self.stack.end_of(made.stack)?,
            shadow: self.shadow.of_another_thread(self.abi),
            event: Event::Entry,
            pending: None,
            interruption: None,
            interrupted: Vec::new(),
            monitor: None,
        })
    }

    /// Exchanges the executing thread and a parked one.
    pub(crate) fn exchange(&mut self, with: &mut Parked) -> Result<(), RemoteError> {
        use std::mem::swap;
        let (pointer, blocked) = (self.thread_pointer()?, self.blocked()?);
        let registers = self.stub().save()?;
        self.stub().restore(&with.registers, &registers)?;
        with.registers = registers;
        self.registers = self.stub().registers()?;
        let new_pointer = std::mem::replace(&mut with.pointer, pointer);
        self.set_thread_pointer_back(new_pointer)?;
        with.stack_end = self.stack.change(with.stack_end);
        let new_blocked = std::mem::replace(&mut with.blocked, blocked);
        if new_blocked != blocked {
            self.block(new_blocked)?;
        }
        swap(&mut self.thread, &mut with.thread);
        swap(&mut self.shadow, &mut with.shadow);
        swap(&mut self.event, &mut with.event);
        swap(&mut self.pending, &mut with.pending);
        swap(&mut self.signals.interruption, &mut with.interruption);
        swap(&mut self.signals.interrupted, &mut with.interrupted);
        swap(&mut self.monitor, &mut with.monitor);
        Ok(())
    }

    /// Sets the thread pointer by executing code.
    pub(crate) fn set_thread_pointer(&mut self, pointer: u64) -> Result<(), RemoteError> {
        let names = Names::of_abi(self.abi);
        let argument = names.convention.arguments[0];
        let (before, pc) = (self.register(argument), self.pc());
        for (shift, code) in names.set_thread_pointer {
            self.set(argument, pointer >> shift & 0xffff_ffff_ffff)?;
            self.step_in(code)?;
            self.go_to(pc)?;
        }
        self.set(argument, before)
    }

    /// Restores the thread pointer, if it is not among the registers that the stub sets.
    fn set_thread_pointer_back(&mut self, pointer: u64) -> Result<(), RemoteError> {
        match Names::of_abi(self.abi).thread_pointer {
            Some(_) => self.set_thread_pointer(pointer),
            None => Ok(()),
        }
    }

    /// The thread pointer; 0 if it is among the registers that the stub reads and sets.
    fn thread_pointer(&mut self) -> Result<u64, RemoteError> {
        let names = Names::of_abi(self.abi);
        let Some(code) = names.thread_pointer else { return Ok(0) };
        let argument = names.convention.arguments[0];
        let (before, pc) = (self.register(argument), self.pc());
        self.step_in(code)?;
        let pointer = self.stub().registers()?.all.read(argument).unwrap_or_default();
        self.go_to(pc)?;
        self.stub().set(argument, before)?;
        Ok(pointer)
    }

    /// The set of signals that the executing thread blocks.
    fn blocked(&mut self) -> Result<u64, RemoteError> {
        self.with_mask(|session, at| {
            session.inject(Calls::of_abi(session.abi).rt_sigprocmask, &[BLOCK, 0, at, MASK_SIZE])?;
            let bytes = session.stub().read(at, MASK_SIZE as usize)?;
            Ok(bytes.first_chunk().map_or(0, |word| session.facts.order.u64(*word)))
        })
    }

    /// Sets the signals that the executing thread blocks.
    fn block(&mut self, signals: u64) -> Result<(), RemoteError> {
        self.with_mask(|session, at| {
            let bytes = session.facts.order.bytes_of(signals);
            session.fill(at, &bytes)?;
            session.inject(Calls::of_abi(session.abi).rt_sigprocmask, &[SET_MASK, at, 0, MASK_SIZE])?;
            Ok(())
        })
    }

    /// Provides memory for a signal mask below the stack in use, and restores the contents
    /// afterwards.
    fn with_mask<T>(
        &mut self,
        lent: impl FnOnce(&mut Session, u64) -> Result<T, RemoteError>,
    ) -> Result<T, RemoteError> {
        let at = self.sp().wrapping_sub(self.facts.red_zone.max(160) + 64) & !7;
        let before = self.stub().read(at, MASK_SIZE as usize)?;
        let result = lent(self, at)?;
        self.stub().write(at, &before)?;
        Ok(result)
    }

    /// Writes a thread's number, of 32 bits, as the kernel does.
    pub(crate) fn write_number(&mut self, at: u64, number: u32) -> Result<(), RemoteError> {
        let mut bytes = [0; 4];
        self.facts.order.store(&mut bytes, number.into());
        // As under Linux, a failed write has no effect.
        self.stub().write(at, &bytes)?;
        Ok(())
    }

    /// Returns true if the next instruction is the system call with this number.
    pub(crate) fn makes_call(&self, number: u64) -> bool {
        self.asks() == Asks::Kernel(number)
    }
}
