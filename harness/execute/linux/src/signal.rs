//! The signal frame on the stack, the handler's registers, and the return from it. The layout of
//! the frame is in the file of the target; the choice of the signal and its action are in
//! `signals.rs`.

pub(crate) mod aarch64;
pub(crate) mod amd64;
mod frame;
pub(crate) mod layout;
pub(crate) mod s390x;

use types::{Abi, RunEnd, StopReason};

use crate::alt_stack::AltStack;
use crate::arch::kernel_abi;
use crate::kernel::Kernel;
use crate::memory::{Access, Denied, Memory, PAGE};
use crate::record::Record;
use crate::registers::{Register, Registers};
use crate::signals::Delivery;
use frame::FrameBytes;
use layout::{Entry, Interrupted, Restorer};

/// A handler whose frame is on the stack.
#[derive(Clone, Debug)]
pub struct Handler {
    /// Address of the frame.
    pub frame: u64,
    /// Values of registers at the handler's start, except the program counter.
    pub registers: Vec<(Register, u64)>,
    /// The handler's return address.
    pub restorer: u64,
    /// SP of the interrupted program.
    pub sp: u64,
    /// FP of the interrupted program.
    pub fp: u64,
    /// The lowest live address of the interrupted stack.
    pub live_from: u64,
    /// The alternate stack that the handler is on, from base to end.
    pub alternate: Option<(u64, u64)>,
    /// Addresses in the frame of PC, SP and FP, and their stored words.
    pub kept: [(u64, u64); 3],
}

/// The frame of a handler that has returned.
#[derive(Clone, Debug)]
pub struct LeftFrame {
    /// Address of the frame.
    pub at: u64,
    is_plain: bool,
    bytes: FrameBytes,
    /// State that is stored outside the frame.
    apart: Option<FrameBytes>,
}

/// Address of the kernel's own code, away from all other mappings.
const OWN_CODE: u64 = 0x3ff_f800_0000;
/// `SA_SIGINFO`, `SA_ONSTACK` and `SA_RESTORER` (Linux `include/uapi/asm-generic/signal-defs.h`).
const WITH_INFO: u64 = 4;
const ON_STACK: u64 = 0x0800_0000;
const HAS_RESTORER: u64 = 0x0400_0000;
/// The exit status of a process that the kernel ends by SIGSEGV, as in a shell.
const SEGMENTATION: RunEnd = RunEnd::Exit(128 + 11);

/// State of a processor beyond that which all of its architecture have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendedState {
    /// AMD64: vectors of 256 bits, and the instructions that save them.
    Avx,
}

impl Kernel {
    /// Saves and restores this state too when a handler begins and ends.
    pub fn keep(&mut self, state: ExtendedState) {
        match (state, self.abi) {
            (ExtendedState::Avx, Abi::Amd64) => self.frames = &amd64::WIDE_SIGNALS,
            (ExtendedState::Avx, Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x) => {}
        }
    }

    /// Writes a handler's frame. `pc` is the address at which execution continues after the
    /// handler. The caller must set the registers.
    pub fn begin_handler(
        &mut self,
        pc: u64,
        delivery: &Delivery,
        registers: &dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<Handler, RunEnd> {
        let (abi, facts) = (self.frames, self.abi.facts());
        let [sp, fp] = [facts.sp, facts.fp].map(|reg| registers.read(reg.into()));
        let link = if facts.link_register { registers.read(facts.ra.into()) } else { 0 };
        let first = registers.read(self.target.arguments[0]);
        let interrupted = Interrupted { pc, sp, fp, link, first };
        let flags = delivery.action.flags;
        let layout = abi.layout(flags & WITH_INFO == 0);
        let alternate = self.process.signals.own.stack;
        let switches = flags & ON_STACK != 0 && alternate.is_free(sp);
        let top = if switches { alternate.end() } else { sp.wrapping_sub(facts.red_zone) };
        let placed = (abi.place)(top, layout.size);
        if alternate.overflows(placed.base, sp, switches) {
            return Err(SEGMENTATION);
        }
        let restorer = match (flags & HAS_RESTORER != 0, &abi.restorer) {
            (true, _) => delivery.action.restorer,
            (false, Some(own)) => {
                map_own_code(own, memory).map_err(|denied| stopped(pc, &denied))?
                    + if layout.is_plain { own.plain } else { own.rich }
            }
            (false, None) => return Err(SEGMENTATION),
        };
        let entry = Entry { registers, delivery, layout, placed, restorer, interrupted };
        let found = (abi.enter)(&entry);
        let pieces = self.lay(&entry, &alternate);
        if !pieces.iter().all(|(at, bytes)| memory.write(*at, bytes.all())) {
            return Err(SEGMENTATION);
        }
        self.process.signals.begin_handler(delivery);
        let kept_at = |register| layout.offset_of(register).map_or(0, |at| placed.base + at);
        Ok(Handler {
            frame: placed.base,
            registers: found,
            restorer,
            sp,
            fp,
            live_from: sp.saturating_sub(facts.red_zone),
            alternate: switches.then(|| (alternate.base(), alternate.end())),
            kept: [(Register::Pc, pc), (facts.sp.into(), sp), (facts.fp.into(), fp)]
                .map(|(register, value)| (kept_at(register), value)),
        })
    }

    /// The frame of the handler that has made the call which ends it.
    pub fn left_frame(
        &self,
        is_plain: bool,
        registers: &dyn Registers,
        memory: &dyn Memory,
    ) -> Result<LeftFrame, RunEnd> {
        let abi = self.frames;
        let layout = abi.layout(is_plain);
        let at = (abi.frame_at_return)(registers.read(self.abi.facts().sp.into()));
        let read = |at, size: u64| {
            memory
                .copy(at, size as usize)
                .map(|bytes| FrameBytes::from_bytes(self.abi.facts().order, bytes))
                .ok_or(SEGMENTATION)
        };
        let bytes = read(at, layout.size)?;
        let apart = layout.apart.as_ref().map(|apart| (bytes.word_at(apart.pointer), apart.size));
        let apart = apart.filter(|(at, _)| *at != 0).map(|(at, size)| read(at, size)).transpose()?;
        Ok(LeftFrame { at, is_plain, bytes, apart })
    }

    /// Ends a handler: sets the registers from its frame, and returns the address at which the
    /// program continues. `pc` is the address of the ending call.
    pub fn end_handler(&mut self, pc: u64, frame: &LeftFrame, registers: &mut dyn Registers) -> Result<u64, RunEnd> {
        let layout = self.frames.layout(frame.is_plain);
        if let (Some(apart), Some(state)) = (&layout.apart, &frame.apart) {
            let mut all = apart.registers.iter();
            all.try_for_each(|saved| state.restore(saved, registers)).map_err(|denied| stopped(pc, &denied))?;
        }
        let mut next = 0;
        for saved in layout.registers {
            match saved.register {
                Register::Pc => next = frame.bytes.word_at(saved.at),
                _ => frame.bytes.restore(saved, registers).map_err(|denied| stopped(pc, &denied))?,
            }
        }
        let stack = layout.stack.and_then(|at| frame.bytes.stack_at(at));
        self.process.signals.own.end_handler(frame.bytes.word_at(layout.mask), stack);
        Ok(next)
    }

    /// The parts of a frame, each with its address.
    fn lay(&self, entry: &Entry<'_>, alternate: &AltStack) -> Vec<(u64, FrameBytes)> {
        let Entry { registers, delivery, layout, placed, interrupted, .. } = entry;
        let order = self.abi.facts().order;
        let mut frame = FrameBytes::new(order, layout.size);
        layout.registers.iter().for_each(|saved| frame.save(saved, *registers));
        // The frame's PC may differ from the processor's.
        if let Some(at) = layout.offset_of(Register::Pc) {
            frame.word(at, interrupted.pc);
        }
        if let Some(info) = layout.info {
            frame.bytes(info, &delivery.info(Record::new(order)));
        }
        if let Some(at) = layout.stack {
            frame.bytes(at, &alternate.bytes(interrupted.sp, Record::new(order)));
        }
        frame.word(layout.mask, self.process.signals.own.mask_before());
        (self.frames.fill)(&mut frame, entry);
        let mut pieces = Vec::new();
        if let Some(apart) = &layout.apart {
            let mut state = FrameBytes::new(order, apart.size);
            apart.registers.iter().for_each(|saved| state.save(saved, *registers));
            (apart.mark)(&mut state);
            frame.word(apart.pointer, placed.apart);
            pieces.push((placed.apart, state));
        } else if placed.apart != 0 {
            // A frame record, for unwinding by frame pointer.
            let mut record = FrameBytes::new(order, 16);
            record.word(0, interrupted.fp);
            record.word(8, interrupted.link);
            pieces.push((placed.apart, record));
        }
        pieces.push((placed.base, frame));
        pieces
    }
}

/// Address and bytes of the kernel's own code that ends handlers without `SA_RESTORER`; `None` on
/// a target whose handlers need one.
pub fn own_code(abi: Abi) -> Option<(u64, &'static [u8])> {
    kernel_abi(abi).signals.restorer.as_ref().map(|own| (OWN_CODE, own.code))
}

/// The address of the kernel's code that ends a handler, which is mapped if needed.
fn map_own_code(own: &Restorer, memory: &mut dyn Memory) -> Result<u64, Denied> {
    if memory.is_free(OWN_CODE, PAGE) {
        memory.map(OWN_CODE, PAGE, Access(Access::READ.0 | Access::EXECUTE.0))?;
        memory.write(OWN_CODE, own.code);
    }
    Ok(OWN_CODE)
}

fn stopped(pc: u64, denied: &Denied) -> RunEnd {
    RunEnd::undecided(StopReason::Stopped, pc, denied.to_string())
}
