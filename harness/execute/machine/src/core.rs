//! One guest: processor, memory and kernel, and how its run ended. Both witnesses use it. Also the
//! hooks that do not watch steps.
#![allow(unsafe_code, reason = "C callbacks that are handed this guest as a pointer")]

use std::ffi::c_void;

use linux::{Cause, Delivery, Forked, Kernel, Made, Served};
use unicorn_engine::{HookType, MemType, Mode, uc_engine, uc_error};

use crate::arch::{is_deadly, lacks};
use crate::deadly::Deadly;
use crate::end::{End, Reason};
use crate::engine::{Engine, start, stop};
use crate::memory::Memory;
use crate::pages::Outside;
use crate::prepare::NOWHERE;
use crate::process::{EmulatedMemory, EmulatedRegisters};
use crate::substitute::{Executed, Fault, Substitutes};
use crate::target::{AccessKind, Denied, Interrupt, Synchronous, Watch};
use crate::{aarch64, amd64};

/// The general protection exception of AMD64 (Intel SDM volume 3, table 6-1).
const GENERAL_PROTECTION: u32 = 13;
/// Length in bytes of the longest instruction of any target.
const LONGEST: usize = 15;

/// One guest. The engine is declared first and so dropped first: it maps the memory's blocks.
pub(crate) struct Core {
    pub(crate) engine: Engine,
    pub(crate) memory: Memory,
    pub(crate) kernel: Kernel,
    /// Address of the instruction that is executing or comes next.
    pub(crate) pc: u64,
    /// The end of the run, once it has ended.
    pub(crate) end: Option<End>,
    /// The last instruction is executed once more, to find the address that it cannot access; no
    /// observer is called.
    pub(crate) replaying: bool,
    /// The reason why the emulator was stopped to continue elsewhere, if it was.
    pub(crate) turn: Option<Turn>,
    pub(crate) accesses: Accesses,
    pub(crate) outside: Outside,
    /// The step before which no event is due, so that steps of known instructions take the short
    /// path; 0 if not known.
    pub(crate) calm_until: u64,
    /// The first instruction that the emulator lacks and whose signal the program handled: a real
    /// processor would have executed it.
    lacked: Option<End>,
    substitutes: Substitutes,
    pub(crate) deadly: Deadly,
}

/// The reason why the emulator was stopped, to continue elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Signals must be handled before this instruction.
    Signals { pc: u64 },
    /// An instruction caused a signal, which is handled before this instruction.
    Caused { pc: u64, delivery: Delivery },
    /// The emulator lacks this instruction.
    Lacking { pc: u64 },
    /// The emulator would crash on this instruction, which was not shown.
    Deadly { pc: u64 },
    /// Failed accesses must be recorded from this instruction on.
    Watch { pc: u64 },
    /// A signal handler has returned.
    HandlerOver { is_plain: bool },
    /// Another thread continues. This one continues later with this instruction: the system call in
    /// which it waits, which it repeats.
    Switch { pc: u64 },
    /// A thread was created; this one continues with this instruction.
    Made { next: u64, made: Made },
    /// The thread has ended, and others continue.
    ThreadOver,
    /// A process was made; this one continues with this instruction, later.
    Forked { next: u64, forked: Forked },
    /// The process has ended, and others continue.
    ProcessOver { status: i32 },
    /// The process becomes another program.
    Becomes,
}

/// What is known of accesses that memory does not allow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    /// The failed access of the last instruction.
    failed: Option<BadAccess>,
    /// Failed accesses are recorded.
    pub(crate) are_watched: bool,
    /// The interrupt number that the last access to a page raises, and the page's address.
    pub(crate) page_fault: Option<(u32, u64)>,
    /// The last access was refused because failed accesses are not recorded yet.
    pub(crate) is_refused: bool,
}

/// An access that memory does not allow.
#[derive(Clone, Debug)]
struct BadAccess {
    /// Address of the instruction.
    pc: u64,
    address: u64,
    /// Size in bytes.
    size: u64,
    kind: AccessKind,
    /// The page is mapped, but without this permission.
    is_mapped: bool,
    end: End,
}

impl Core {
    /// A guest that is about to execute its first instruction.
    pub(crate) fn new(engine: Engine, memory: Memory, kernel: Kernel, pc: u64) -> Core {
        Core {
            engine,
            memory,
            kernel,
            pc,
            end: None,
            replaying: false,
            turn: None,
            accesses: Accesses::default(),
            outside: Outside::default(),
            calm_until: 0,
            lacked: None,
            substitutes: Substitutes::default(),
            deadly: Deadly::default(),
        }
    }

    /// Executes from `begin` as [`start`] does. After a failed access the guest's end has the
    /// address.
    ///
    /// A hook on failed accesses would make every store take the emulator's slow path. So it is
    /// installed only after an access has failed, and the instruction is executed again, to fail
    /// again; or before the first instruction whose failure the emulator reports late
    /// ([`Turn::Watch`]).
    ///
    /// # Safety
    /// As for [`Core::install_hooks`], which came before.
    pub(crate) unsafe fn execute(core: *mut Core, begin: u64, until: u64, count: usize) -> Result<(), uc_error> {
        use uc_error::{
            EXCEPTION, FETCH_PROT, FETCH_UNMAPPED, INSN_INVALID, READ_PROT, READ_UNMAPPED, WRITE_PROT, WRITE_UNMAPPED,
        };
        // SAFETY: by this function's contract. Nothing borrows the guest while `start` runs.
        unsafe {
            (*core).calm_until = 0;
            let engine = &raw const (*core).engine;
            let outcome = start((*engine).handle(), begin, until, count);
            let from = match outcome {
                Err(FETCH_UNMAPPED | FETCH_PROT) => (*engine).read((*engine).target().pc),
                Err(READ_UNMAPPED | READ_PROT | WRITE_UNMAPPED | WRITE_PROT) => (*core).pc,
                Err(INSN_INVALID) if (*core).end.is_none() && (*core).turn.is_none() => {
                    (*core).turn(Turn::Lacking { pc: (*core).pc });
                    return Ok(());
                }
                Err(EXCEPTION) if std::mem::take(&mut (*core).accesses.is_refused) => (*core).pc,
                Err(EXCEPTION) => {
                    if let Some((number, address)) = (*core).accesses.page_fault.take() {
                        (*core).interrupted_at(number, address);
                    }
                    return if (*core).turn.is_some() { Ok(()) } else { outcome };
                }
                Ok(()) if (*core).end.is_none() && (*core).turn.is_none() => {
                    let pc = (*engine).read((*engine).target().pc);
                    // An execution of one instruction stops after it, wherever that is.
                    if (*core).deadly.has(pc) && (count == 0 || pc == begin) {
                        (*core).turn(Turn::Deadly { pc });
                    }
                    return outcome;
                }
                _ => return outcome,
            };
            if !(*core).accesses.are_watched {
                (*core).replaying = true;
                (*core).calm_until = 0;
                Core::watch_accesses(core);
                let _again = start((*engine).handle(), from, until, 1);
                (*core).replaying = false;
            }
            let from = match (&(*core).accesses.failed, outcome) {
                (Some(bad), Err(READ_UNMAPPED | READ_PROT | WRITE_UNMAPPED | WRITE_PROT)) => bad.pc,
                _ => from,
            };
            // The store has changed the registers of the FPU: it cannot be repeated.
            let is_spent = matches!((*engine).target().watch, Watch::Vectors) && {
                let code = (*core).code(from, LONGEST);
                amd64::stores_late(&code) && amd64::is_of_fpu(&code)
            };
            if is_spent && let Some(bad) = (*core).accesses.failed.take() {
                (*core).finish(bad.end);
                return outcome;
            }
            let is_handled = (*core).faulted(from);
            if is_handled { Ok(()) } else { outcome }
        }
    }

    /// Records each failed access from now on, with its instruction.
    ///
    /// # Safety
    /// As for [`Core::execute`], and nothing executes.
    pub(crate) unsafe fn watch_accesses(core: *mut Core) {
        // SAFETY: by this function's contract.
        unsafe {
            let hook = (*core).engine.hook(HookType::MEM_INVALID, on_bad_access as *mut c_void, core.cast::<c_void>());
            (*core).accesses.are_watched = hook.is_ok();
        }
    }

    /// Returns true if an access of the previous instruction has failed and the emulator has not
    /// reported it.
    pub(crate) fn has_failed(&self) -> bool {
        self.accesses.failed.is_some()
    }

    /// Delivers the signal of a failed access to the program, or ends the run. `from` is the
    /// instruction that is executed again.
    fn faulted(&mut self, from: u64) -> bool {
        let Some(bad) = self.accesses.failed.take() else { return false };
        let target = self.engine.target();
        let is_there = |address: u64| self.memory.holds(address, 1);
        // With big-endian data the emulator accesses the second half of 128 bits first.
        let is_second = matches!(target.watch, Watch::PointerAuthentication)
            && target.mode.0 & Mode::BIG_ENDIAN.0 != 0
            && aarch64::accesses_128_bits(&self.code(from, 4))
            && ![bad.address.wrapping_sub(8), bad.address.wrapping_add(8)].into_iter().any(is_there);
        let code = self.code(bad.pc, LONGEST);
        let address = bad.address.wrapping_sub(if is_second { 8 } else { 0 });
        let BadAccess { size, kind, is_mapped, .. } = bad;
        let denial = (target.denied)(&Denied { address, size, kind, is_mapped, code: &code });
        match self.kernel.process.signals.caused(denial.signal, denial.cause) {
            Some(delivery) if self.end.is_none() => {
                let undone = denial.undoes.map_or(Ok(from), |by| {
                    let sp = target.tracked[0];
                    self.engine.write(sp, self.engine.read(sp).wrapping_add_signed(by)).map(|()| bad.pc)
                });
                let Ok(from) = undone else {
                    self.finish(bad.end);
                    return false;
                };
                self.turn = Some(Turn::Caused { pc: from, delivery });
                true
            }
            _ => {
                self.finish(bad.end);
                false
            }
        }
    }

    /// Returns true if the emulator lacks the instruction, or would execute it as another one.
    pub(crate) fn lacks(&self, pc: u64) -> bool {
        lacks(self.engine.target(), || (4..=6).rev().find_map(|len| self.memory.read(pc, len)).unwrap_or_default())
    }

    /// Returns true if the emulator would crash on the instruction at an address.
    pub(crate) fn is_deadly(&self, pc: u64) -> bool {
        is_deadly(self.kernel.abi(), &self.code(pc, LONGEST))
    }

    /// Executes an instruction that the emulator lacks, and returns the address of the next one.
    /// `None` if a signal must be handled or the run has ended.
    pub(crate) fn execute_substitute(&mut self, pc: u64) -> Option<u64> {
        let code = self.code(pc, LONGEST);
        match self.substitutes.execute(&mut self.engine, &mut self.memory, pc, &code) {
            Executed::Done { next } => return Some(next),
            Executed::Not => self.illegal(self.engine.target().illegal),
            Executed::Misaligned => self.interrupted(GENERAL_PROTECTION),
            Executed::Raises(number) => self.interrupted(number),
            Executed::Fault(Fault { address, size, writes, is_mapped }) => {
                let what = if writes { "write" } else { "read" };
                let why = if is_mapped { "not permitted" } else { "not mapped" };
                let message =
                    format!("cannot {what} {size} bytes at {address:#x} ({why}); the instruction is at {pc:#x}");
                let end = End::undecided(Reason::Fault, pc, message);
                let kind = if writes { AccessKind::Write } else { AccessKind::Read };
                self.accesses.failed = Some(BadAccess { pc, address, size: size as u64, kind, is_mapped, end });
                self.faulted(pc);
            }
        }
        None
    }

    /// Stops the emulator, to continue elsewhere.
    pub(crate) fn turn(&mut self, turn: Turn) {
        self.calm_until = 0;
        if self.turn.is_none() {
            self.turn = Some(turn);
            // SAFETY: the engine is live.
            unsafe { stop(self.engine.handle()) };
        }
    }

    /// Delivers the signal of an exception that an instruction raised to the program, or ends the
    /// run. `address` is the address that the signal reports.
    fn caused(&mut self, by: Synchronous, address: u64, end: End) {
        let length = (self.engine.target().length)(&self.instruction());
        let pc = if by.behind { self.pc.wrapping_add(length) } else { self.pc };
        let cause = Cause::Fault { code: by.code, vector: by.vector, error: 0, address };
        match self.kernel.process.signals.caused(by.signal, cause) {
            Some(delivery) => self.turn(Turn::Caused { pc, delivery }),
            None => self.finish(end),
        }
    }

    /// Ends the run; the first reason is kept.
    pub(crate) fn finish(&mut self, end: End) {
        self.calm_until = 0;
        if self.end.is_none() {
            let end = match end {
                End::Exit(status) => End::Exit(self.kernel.processes.status_of_run(status)),
                end => end,
            };
            let is_exit = matches!(end, End::Exit(_));
            self.end = Some(self.lacked.take().filter(|_| is_exit).unwrap_or(end));
            // SAFETY: the engine is live.
            unsafe { stop(self.engine.handle()) };
        }
    }

    /// The end of the run.
    pub(crate) fn ended(&mut self, pc: u64) -> End {
        let unknown = || End::undecided(Reason::Stopped, pc, format!("stopped at {pc:#x} without a reason"));
        self.end.take().unwrap_or_else(unknown)
    }

    /// The end of the run after the emulator returned `outcome`. `halt` is the byte of the halt
    /// instruction.
    pub(crate) fn conclude(&mut self, outcome: Result<(), uc_error>, halt: Option<u8>) -> End {
        if let Some(end) = self.end.take() {
            return end;
        }
        let pc = self.pc;
        match outcome {
            Err(uc_error::INSN_INVALID) => {
                End::undecided(Reason::IllegalInstruction, pc, format!("illegal instruction at {pc:#x}"))
            }
            Err(error) => End::undecided(Reason::Fault, pc, format!("{error} at {pc:#x}")),
            Ok(()) => match self.memory.read(pc, 1) {
                Some([byte]) if halt == Some(*byte) => End::Halt(types::Pc(pc)),
                // The address at which the emulator has to stop.
                _ if self.engine.read(self.engine.target().pc) == NOWHERE => {
                    let message = format!("cannot execute at {NOWHERE:#x} (not mapped); the instruction is at {pc:#x}");
                    End::undecided(Reason::Fault, pc, message)
                }
                _ => End::undecided(Reason::Stopped, pc, format!("the emulator stopped at {pc:#x} and gave no reason")),
            },
        }
    }

    /// The bytes of the current instruction and of the following ones.
    fn instruction(&self) -> Vec<u8> {
        self.code(self.pc, 6)
    }

    /// The bytes at an address, at most `most`; fewer at the end of a region.
    fn code(&self, pc: u64, most: usize) -> Vec<u8> {
        (1..=most).rev().find_map(|len| self.memory.read(pc, len)).map_or_else(Vec::new, <[u8]>::to_vec)
    }

    /// Delivers the signal of an undefined instruction, or ends the run.
    fn illegal(&mut self, by: Synchronous) {
        let pc = self.pc;
        let name = isa::mnemonic(self.kernel.abi(), &self.code(pc, LONGEST));
        let message = match &name {
            Some(name) => format!("illegal instruction {name} at {pc:#x}"),
            None => format!("illegal instruction at {pc:#x}"),
        };
        let end = End::undecided(Reason::IllegalInstruction, pc, message);
        // Instructions that are undefined by definition: no processor executes them.
        if name.is_some_and(|name| !matches!(name.as_str(), "udf" | "ud0" | "ud1" | "ud2")) {
            self.lacked.get_or_insert_with(|| end.clone());
        }
        self.caused(by, pc, end);
    }

    /// Handles an interrupt that an instruction raised.
    pub(crate) fn interrupted(&mut self, number: u32) {
        self.interrupted_at(number, self.pc);
    }

    /// Handles an interrupt; its signal reports `address`.
    fn interrupted_at(&mut self, number: u32, address: u64) {
        self.calm_until = 0;
        match (self.engine.target().interrupt)(number, &self.engine) {
            Interrupt::Syscall { rest } => {
                self.syscall();
                if rest > 0 && self.end.is_none() && self.turn.is_none() {
                    let next = self.pc.wrapping_add(rest);
                    if let Err(error) = self.engine.write(self.engine.target().pc, next) {
                        self.finish(End::undecided(Reason::Stopped, self.pc, error.to_string()));
                    }
                }
            }
            Interrupt::Illegal(by) => self.illegal(by),
            Interrupt::Ends(reason, what) => {
                let (pc, now) = (self.pc, self.engine.read(self.engine.target().pc));
                self.finish(End::undecided(reason, pc, format!("{what} at {pc:#x}; the program counter is {now:#x}")));
            }
            Interrupt::Signal(by, reason, what) => {
                let (pc, now) = (self.pc, self.engine.read(self.engine.target().pc));
                let end = End::undecided(reason, pc, format!("{what} at {pc:#x}; the program counter is {now:#x}"));
                self.caused(by, address, end);
            }
        }
    }

    pub(crate) fn syscall(&mut self) {
        self.calm_until = 0;
        match self.serve_call() {
            Ok(Served::Result { next }) if self.kernel.process.signals.has_due() => {
                self.turn(Turn::Signals { pc: next })
            }
            Ok(Served::Result { .. }) => {}
            Ok(Served::HandlerOver { is_plain }) => self.turn(Turn::HandlerOver { is_plain }),
            Ok(Served::Made { next, made }) => self.turn(Turn::Made { next, made }),
            Ok(Served::Forked { next, forked }) => self.turn(Turn::Forked { next, forked }),
            Ok(Served::Yields { next }) => self.turn(Turn::Switch { pc: next }),
            Ok(Served::Waits) => self.turn(Turn::Switch { pc: self.pc }),
            Ok(Served::ThreadOver) => self.turn(Turn::ThreadOver),
            Ok(Served::Becomes) => self.turn(Turn::Becomes),
            Err(End::Exit(status)) if self.kernel.processes.has_others() => self.turn(Turn::ProcessOver { status }),
            Err(end) => self.finish(end),
        }
    }

    /// Has the kernel carry out the system call of the current instruction.
    pub(crate) fn serve_call(&mut self) -> Result<Served, End> {
        let engine = &self.engine;
        let mut memory = EmulatedMemory { engine, memory: &mut self.memory };
        self.kernel.system_call(self.pc, &mut EmulatedRegisters(engine), &mut memory)
    }
}

unsafe extern "C" fn on_bad_access(
    _: *mut uc_engine,
    kind: u32,
    address: u64,
    size: i32,
    _: i64,
    core: *mut c_void,
) -> bool {
    // SAFETY: `execute` was given this pointer, and the guest executes, so nothing else borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    // A split instruction continues after its first failed access.
    if core.has_failed() {
        return false;
    }
    const FETCH: [u32; 2] = [MemType::FETCH_UNMAPPED as u32, MemType::FETCH_PROT as u32];
    const WRITE: [u32; 2] = [MemType::WRITE_UNMAPPED as u32, MemType::WRITE_PROT as u32];
    const PROTECTED: [u32; 3] = [MemType::FETCH_PROT as u32, MemType::WRITE_PROT as u32, MemType::READ_PROT as u32];
    let (what, access) = match kind {
        kind if FETCH.contains(&kind) => ("execute", AccessKind::Fetch),
        kind if WRITE.contains(&kind) => ("write", AccessKind::Write),
        _ => ("read", AccessKind::Read),
    };
    core.calm_until = 0;
    let (pc, named) = (core.pc, core.outside.named(address));
    // A mapped page has a substitute if it does not allow the access.
    let is_protected = PROTECTED.contains(&kind) || named != address && core.memory.holds(named, 1);
    let why = if is_protected { "not permitted" } else { "not mapped" };
    let address = named;
    let message = format!("cannot {what} {size} bytes at {address:#x} ({why}); the instruction is at {pc:#x}");
    let end = End::undecided(Reason::Fault, pc, message);
    let size = u64::from(size.unsigned_abs());
    core.accesses.failed = Some(BadAccess { pc, address, size, kind: access, is_mapped: is_protected, end });
    false
}
