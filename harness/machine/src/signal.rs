//! Signals as a processor meets them: the frame that the kernel lays on the stack, the handler's registers, and the way back. What is where in a
//! frame stands in the file of the target; which signal is to be handled, and how, is the kernel's ([`crate::kernel`]).

pub(crate) mod aarch64;
pub(crate) mod amd64;
mod frame;
pub(crate) mod s390x;

use types::FrameRegs;
use unicorn_engine::Context;

use crate::MachineError;
use crate::core::Core;
use crate::end::{End, Reason};
use crate::engine::Engine;
use crate::kernel::{AltStack, Delivery, Kernel};
use crate::layout::{Access, PAGE, Span};
use crate::shadow::Interruption;
use crate::stacks::Place;
use frame::FrameBytes;
pub(crate) use frame::Saved;

/// What a target's kernel does for a signal.
pub(crate) struct SignalAbi {
    /// The frames that it lays: with `siginfo_t`, and where that differs without.
    pub rich: Layout,
    pub plain: Option<Layout>,
    /// Where the frame of that many bytes goes, below an SP.
    pub place: fn(sp: u64, size: u64) -> Placed,
    /// The kernel leaves this many bytes below the interrupted SP alone.
    pub red_zone: u64,
    /// What else is in a frame.
    pub fill: fn(&mut FrameBytes, &Entry<'_>),
    /// Registers that the handler finds, beside the program counter.
    pub enter: fn(&Entry<'_>) -> Vec<(i32, u64)>,
    /// Where the frame is, from SP at the system call that ends a handler.
    pub frame_at_return: fn(sp: u64) -> u64,
    /// The code that makes that call, where the program has none: its bytes, and where in it a handler returns to.
    pub restorer: Option<Restorer>,
    /// The least stack that `sigaltstack` takes (`MINSIGSTKSZ`).
    pub least_stack: u64,
}

/// Where things are in a frame, from its first byte.
pub(crate) struct Layout {
    pub size: u64,
    pub info: Option<u64>,
    /// `stack_t` of the alternate stack.
    pub stack: Option<u64>,
    pub mask: u64,
    pub registers: &'static [Saved],
    /// Where the address of floating point state is that lies apart, and what is in that.
    pub apart: Option<Apart>,
    /// It is the one whose `sa_flags` had no `SA_SIGINFO`.
    pub is_plain: bool,
}

/// State that lies at an address of its own.
pub(crate) struct Apart {
    pub pointer: u64,
    pub registers: &'static [Saved],
}

/// Where a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub base: u64,
    /// Of state that lies apart, or of what the kernel puts beside the frame.
    pub apart: u64,
}

/// The kernel's code that ends a handler.
pub(crate) struct Restorer {
    pub code: &'static [u8],
    /// Where a handler with `siginfo_t` returns to, and one without.
    pub rich: u64,
    pub plain: u64,
}

/// A handler that is to begin.
pub(crate) struct Entry<'a> {
    pub engine: &'a Engine,
    pub delivery: &'a Delivery,
    pub layout: &'a Layout,
    pub placed: Placed,
    pub restorer: u64,
    pub interrupted: Interrupted,
}

/// What was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interrupted {
    pub pc: u64,
    pub sp: u64,
    pub fp: u64,
    pub link: u64,
    /// The first argument register.
    pub first: u64,
}

/// A handler that has begun: what it is for the frames, and the alternate stack that it is on.
pub(crate) struct Begun {
    pub by: Interruption,
    pub live_from: u64,
    pub alternate: Option<Place>,
    /// Registers where it was interrupted.
    pub registers: FrameRegs,
    /// Where the frame keeps PC, SP and FP, and as which words.
    pub kept: [(u64, u64); 3],
}

/// Processors as they were interrupted, for what no frame holds or the emulator does not give.
#[derive(Default)]
pub(crate) struct Interruptions(Vec<(u64, Context)>);

/// The most handlers that may be left without their return; older ones come back with what the frame alone holds.
const KEPT: usize = 1024;
/// Where the kernel's own code is, out of the way of all that is mapped otherwise.
const OWN_CODE: u64 = 0x3ff_f800_0000;
/// `SA_SIGINFO`, `SA_ONSTACK` and `SA_RESTORER` (Linux `include/uapi/asm-generic/signal-defs.h`).
const WITH_INFO: u64 = 4;
const ON_STACK: u64 = 0x0800_0000;
const HAS_RESTORER: u64 = 0x0400_0000;
/// A process that the kernel ends by SIGSEGV, as a shell tells it.
const SEGMENTATION: End = End::Exit(128 + 11);

impl Core {
    /// Lays a frame and sets the processor to the handler. `pc` is what executes when the handler is over.
    ///
    /// # Errors
    /// The program ends: there is no room for the frame, or nothing to return to.
    pub(crate) fn begin_handler(&mut self, pc: u64, delivery: &Delivery) -> Result<Begun, End> {
        let target = self.engine.target();
        let abi = target.signals;
        let [sp, fp, link] = target.tracked.map(|id| self.engine.read(id));
        let first = self.engine.read(target.arguments.first().copied().unwrap_or(target.pc));
        let interrupted = Interrupted { pc, sp, fp, link, first };
        let flags = delivery.action.flags;
        let layout = abi.plain.as_ref().filter(|_| flags & WITH_INFO == 0).unwrap_or(&abi.rich);
        let alternate = self.kernel.alternate_stack();
        let switches = flags & ON_STACK != 0 && alternate.is_free(sp);
        let top = if switches { alternate.end() } else { sp.wrapping_sub(abi.red_zone) };
        let placed = (abi.place)(top, layout.size);
        if alternate.overflows(placed.base, sp, switches) {
            return Err(SEGMENTATION);
        }
        let restorer = match (flags & HAS_RESTORER != 0, &abi.restorer) {
            (true, _) => delivery.action.restorer,
            (false, Some(own)) => {
                self.map_own_code(own).map_err(|error| End::undecided(Reason::Stopped, pc, error.to_string()))?
                    + if layout.is_plain { own.plain } else { own.rich }
            }
            (false, None) => return Err(SEGMENTATION),
        };
        let before = self.engine.snapshot(pc);
        let entry = Entry { engine: &self.engine, delivery, layout, placed, restorer, interrupted };
        let registers = (abi.enter)(&entry);
        let pieces = lay(&entry, &self.kernel, &alternate);
        if !pieces.iter().all(|(at, bytes)| self.memory.write(*at, bytes.all())) {
            return Err(SEGMENTATION);
        }
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        self.keep_processor(placed.base).map_err(stopped)?;
        for (id, value) in registers {
            self.engine.write(id, value).map_err(stopped)?;
        }
        self.kernel.begin_handler(delivery);
        let [handler_sp, handler_fp, _] = target.tracked.map(|id| self.engine.read(id));
        let by = Interruption { pc, sp, fp, restorer, handler_sp, handler_fp };
        let place = Place::new(alternate.base(), alternate.end());
        let kept_at =
            |id| layout.registers.iter().find(|saved| saved.id == id).map_or(0, |saved| placed.base + saved.at);
        let kept = [(kept_at(target.pc), pc), (kept_at(target.tracked[0]), sp), (kept_at(target.tracked[1]), fp)];
        Ok(Begun {
            by,
            kept,
            live_from: sp.saturating_sub(abi.red_zone),
            alternate: switches.then_some(place),
            registers: before,
        })
    }

    /// The handler has made the call that ends it: the processor as its frame says, and where it goes on.
    ///
    /// # Errors
    /// The program ends: there is no frame.
    pub(crate) fn end_handler(&mut self, is_plain: bool) -> Result<u64, End> {
        let pc = self.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let target = self.engine.target();
        let abi = target.signals;
        let layout = abi.plain.as_ref().filter(|_| is_plain).unwrap_or(&abi.rich);
        let base = (abi.frame_at_return)(self.engine.read(target.tracked[0]));
        let order = self.kernel.order();
        let read = |memory: &crate::memory::Memory, at, size: u64| {
            memory.copy(at, size as usize).map(|bytes| FrameBytes::of(order, bytes))
        };
        let frame = read(&self.memory, base, layout.size).ok_or(SEGMENTATION)?;
        self.restore_processor(base).map_err(stopped)?;
        if let Some(apart) = &layout.apart {
            let at = frame.word_at(apart.pointer);
            if at != 0 {
                let state = read(&self.memory, at, amd64::FXSAVE).ok_or(SEGMENTATION)?;
                for saved in apart.registers {
                    state.restore(saved, &self.engine).map_err(stopped)?;
                }
            }
        }
        let mut next = 0;
        for saved in layout.registers {
            if saved.id == target.pc {
                next = frame.word_at(saved.at);
            } else {
                frame.restore(saved, &self.engine).map_err(stopped)?;
            }
        }
        let stack = layout.stack.and_then(|at| frame.stack_at(at));
        self.kernel.end_handler(frame.word_at(layout.mask), stack);
        Ok(next)
    }

    fn keep_processor(&mut self, base: u64) -> Result<(), MachineError> {
        let kept = &mut self.interruptions.0;
        // What lies inside the new frame, or is of the same place, was left by a longjmp.
        kept.retain(|(at, _)| *at != base);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        let mut context = self.engine.save_new()?;
        self.engine.save(&mut context)?;
        kept.push((base, context));
        Ok(())
    }

    fn restore_processor(&mut self, base: u64) -> Result<(), MachineError> {
        let kept = &mut self.interruptions.0;
        let Some(at) = kept.iter().rposition(|(frame, _)| *frame == base) else { return Ok(()) };
        let (_, context) = kept.remove(at);
        kept.truncate(at);
        // The thread pointer is in no frame but that of s390x, which restores it by itself.
        let pointers = self.engine.target().thread_pointer;
        let values: Vec<u64> = pointers.iter().map(|id| self.engine.read(*id)).collect();
        self.engine.restore(&context)?;
        pointers.iter().zip(values).try_for_each(|(id, value)| self.engine.write(*id, value))
    }

    /// Where the kernel's code that ends a handler is.
    fn map_own_code(&mut self, own: &Restorer) -> Result<u64, MachineError> {
        if self.memory.is_free(OWN_CODE, PAGE) {
            let access = Access(Access::READ.0 | Access::EXECUTE.0);
            self.memory.map(&self.engine, Span::uniform(OWN_CODE, PAGE, access))?;
            self.memory.write(OWN_CODE, own.code);
        }
        Ok(OWN_CODE)
    }
}

/// The bytes of a frame, and where they go.
fn lay(entry: &Entry<'_>, kernel: &Kernel, alternate: &AltStack) -> Vec<(u64, FrameBytes)> {
    let Entry { engine, delivery, layout, placed, interrupted, .. } = entry;
    let (order, target) = (kernel.order(), engine.target());
    let mut frame = FrameBytes::new(order, layout.size);
    layout.registers.iter().for_each(|saved| frame.save(saved, engine));
    frame.save_pc(layout.registers, target.pc, interrupted.pc);
    if let Some(info) = layout.info {
        frame.bytes(info, &kernel.siginfo(delivery));
    }
    if let Some(at) = layout.stack {
        frame.bytes(at, &kernel.stack_record(alternate, interrupted.sp));
    }
    frame.word(layout.mask, kernel.mask_before());
    (target.signals.fill)(&mut frame, entry);
    let mut pieces = Vec::new();
    if let Some(apart) = &layout.apart {
        let mut state = FrameBytes::new(order, amd64::FXSAVE);
        apart.registers.iter().for_each(|saved| state.save(saved, engine));
        frame.word(apart.pointer, placed.apart);
        pieces.push((placed.apart, state));
    } else if placed.apart != 0 {
        // A frame record, for who follows the frame pointer.
        let mut record = FrameBytes::new(order, 16);
        record.word(0, interrupted.fp);
        record.word(8, interrupted.link);
        pieces.push((placed.apart, record));
    }
    pieces.push((placed.base, frame));
    pieces
}
