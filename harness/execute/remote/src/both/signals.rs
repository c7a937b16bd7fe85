//! Signals. The second engine receives only fault signals from its own kernel: when the first is at
//! the first instruction of a handler, the stub delivers the signal to the second.
//!
//! Each engine's kernel writes a signal frame, with different amounts of processor state, so the
//! handler's SP may differ. The handler sees the first engine's frame, at the same address, and
//! returns to the same code. Before `rt_sigreturn` the second engine's own frame is restored, with
//! the handler's changes.

use types::{Abi, Event, Reg, RegFile, Step};

use super::beside::{PAGE, SideBySide, Stop};
use super::calls::live_stack;
use crate::arch::Names;
use crate::session::ALL;
use crate::stub::Stopped;

/// The signal frame of an executing handler.
pub(super) struct SignalFrame {
    /// SP of the handler in the first engine.
    first_sp: u64,
    /// SP of the handler that the second engine's kernel set.
    second_sp: u64,
    /// Bytes of the first engine's frame at the start of the handler.
    first: Vec<u8>,
    /// Bytes of the second engine's frame at the start of the handler.
    second: Vec<u8>,
}

/// Bytes that frames of different size have in common: on AMD64 the handler's return address and
/// `ucontext_t` up to the first word of the signal mask (Linux arch/x86/include/asm/sigframe.h).
const COMMON: usize = 8 + 304;
/// Maximum size in bytes of a frame: AMX state has 8 KiB.
const MOST_FRAME: u64 = 16 << 10;

impl SideBySide<'_> {
    /// Handles the start of a signal handler in the first engine.
    pub(super) fn signal(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let facts = step.regs.abi.facts();
        if self.session.interruption().is_none() {
            let number = step.regs.others.read(Names::of_abi(step.regs.abi).convention.arguments[0]);
            let stopped = self.session.deliver(gdb_number(number.unwrap_or_default()))?;
            if stopped != Stopped::Step {
                return Err(Stop::Until(format!("the second engine did not begin a handler: {stopped:?}")));
            }
        }
        let Some(by) = self.session.interruption().copied() else { return Ok(()) };
        let (second_sp, first_sp) = (by.handler_sp, step.regs.sp);
        let size = |sp: u64| by.sp.saturating_sub(sp).min(MOST_FRAME) as usize;
        let mut first = live_stack(step);
        first.truncate(size(first_sp));
        let second = self.session.stub().read(second_sp, size(second_sp))?;
        self.session.stub().write(first_sp, &first)?;
        let everything: Vec<Reg> = (0..facts.general_registers).map(Reg).collect();
        self.session.take_over(step.regs.others, &everything)?;
        let restorer = match facts.link_register {
            true => step.regs.ra & facts.address_mask,
            false => step.stack.read(first_sp).unwrap_or_default(),
        };
        self.provide_code(step.regs.abi, restorer)?;
        self.session.move_handler(first_sp, restorer);
        self.thread.frames.push(SignalFrame { first_sp, second_sp, first, second });
        Ok(())
    }

    /// Maps the first engine's own code that ends a handler, if it is at `restorer`.
    fn provide_code(&mut self, abi: Abi, restorer: u64) -> Result<(), Stop> {
        let Some((address, code)) = linux::own_code(abi) else { return Ok(()) };
        let is_own = (address..address + code.len() as u64).contains(&restorer);
        if is_own && self.session.stub().read(address, code.len())? != code {
            self.session.map(address, PAGE, ALL)?;
            self.session.fill(address, code)?;
        }
        Ok(())
    }

    /// Handles a signal handler that is about to return by `rt_sigreturn`.
    pub(super) fn return_from_signal(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let sp = self.session.sp();
        // A handler that ended by `longjmp` never returns.
        while self.thread.frames.last().is_some_and(|frame| frame.first_sp + 8 < sp) {
            self.thread.frames.pop();
        }
        // On AMD64 the handler's return popped a word.
        let Some(mut frame) = self.thread.frames.pop_if(|frame| (frame.first_sp..=frame.first_sp + 8).contains(&sp))
        else {
            return Ok(());
        };
        let stub = self.session.stub();
        let now = stub.read(frame.first_sp, frame.first.len())?;
        let common = if frame.first.len() == frame.second.len() { now.len() } else { COMMON };
        let words = now.chunks_exact(8).zip(frame.first.chunks_exact(8)).zip(frame.second.chunks_exact_mut(8));
        for ((now, before), kept) in words.take(common / 8) {
            if now != before {
                kept.copy_from_slice(now);
            }
        }
        stub.write(frame.second_sp, &frame.second)?;
        Ok(self.session.set(step.regs.abi.facts().sp, frame.second_sp + (sp - frame.first_sp))?)
    }
}

/// The registers after the instruction before a step: those of the interrupted function, if the
/// kernel has started a handler since.
pub(super) fn left_in<'s>(step: &Step<'s>) -> &'s dyn RegFile {
    if step.event != Event::Signal {
        return step.regs.others;
    }
    let (outer, mut frames) = (step.stack.outer, (0..step.frames.depth()).rev());
    match frames.find_map(|around| outer.interrupted(around)) {
        Some(interrupted) => interrupted,
        None => step.regs.others,
    }
}

/// GDB's number of a Linux signal (`gdb/signals.def`; Linux include/uapi/asm-generic/signal.h).
fn gdb_number(linux: u64) -> u8 {
    match linux {
        7 => 10,
        10 => 30,
        12 => 31,
        17 => 20,
        18 => 19,
        19 => 17,
        20 => 18,
        23 => 16,
        29 => 23,
        30 => 32,
        31 => 12,
        32 => 77,
        64 => 78,
        33..=63 => (linux + 12) as u8,
        _ => linux as u8,
    }
}
