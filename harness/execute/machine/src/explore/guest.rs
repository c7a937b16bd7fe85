//! A guest for exploration: processor, image, stack, and made-up values in place of a caller's.
#![allow(unsafe_code, reason = "reads the guest's stack while it does not run")]

mod compare;
mod lent;
pub(super) mod run;
mod sample;
mod segments;

use std::rc::Rc;

use isa::flow::{Change, Decider, Operand};
use types::{Abi, AbiFacts, ByteOrder, Image, Reg, RegisterSet, Stack};

use sample::Sample;
use segments::{map, segments};

use super::processor::{Now, Processor, Registers};
use super::territory::Disagreement;
use crate::arch::target;
use crate::error::MachineError;
use crate::layout::{Access, PAGE, Span, USER_END, loads, room_below, spans};
use crate::memory::{Memory, Window};

/// Bytes of stack: a frame may be as large as an instruction can name. The system provides memory
/// for the visited pages only. The part of it that frames of usual sizes need; the part with
/// made-up words, up to its end; and the part above the explored function.
const STACK: u64 = (2 << 30) + USUAL;
const USUAL: u64 = 16 << 20;
const FILLED: u64 = 1 << 20;
const ABOVE: u64 = 64 << 10;
/// Bytes of made-up memory. Each word is the address of another word in it.
const MADE_UP: u64 = 32 << 10;
/// End of the made-up memory if the image leaves that free: its addresses are positive 31-bit
/// numbers.
const MADE_UP_TOP: u64 = 0x6000_0000;
/// Bytes of stack that a snapshot saves: next to SP, and next to the CFA.
const NEAR_SP: u64 = 4096;
const NEAR_CFA: u64 = 1024;
/// Words above the entry's SP that are searched for a value handed to the function.
const NEAR_CALLER: u64 = 16;
/// Bytes around an address that are searched for a frame handed to the function.
const NEAR_FRAME: u64 = 512;
/// Bytes of a frame that are searched for saved values.
const FRAME: u64 = 64 << 10;

/// One of two worlds that differ in all made-up values and agree only in exact ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum World {
    First,
    Second,
}

/// The exact values in a function just entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entered {
    pub(super) sp: u64,
    /// SP if a call had entered it: a processor pushes an error code below the return address.
    pub(super) call_sp: u64,
    pub(super) fp: u64,
    /// The return address, at which there is no code.
    pub(super) ra: u64,
}

/// The tracked registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) sp: u64,
    pub(super) fp: u64,
    /// The link register; 0 if the target has none.
    pub(super) link: u64,
}

/// The state of a path that is executed later.
pub(super) struct Snapshot {
    registers: Registers,
    near_sp: (u64, Vec<u8>),
    near_cfa: (u64, Vec<u8>),
}

/// A guest. The processor is declared first and so dropped first: it maps the memory's blocks.
pub(super) struct Guest {
    processor: Processor,
    memory: Memory,
    stack: Window,
    abi: Abi,
    facts: &'static AbiFacts,
    world: World,
    made_up: u64,
    /// The initial contents of the made-up memory.
    pattern: Vec<u8>,
    fresh: Option<Registers>,
    entry: Entered,
    /// The registers that a call preserves, other than SP, FP and link register, with their values
    /// at the entry.
    preserved: Vec<(Reg, u64)>,
    pub(super) all_preserved: RegisterSet,
    spare: Vec<Rc<Snapshot>>,
    sample: Sample,
}

impl Guest {
    /// Creates a guest with the image's code and data.
    ///
    /// Read-only memory is shared with `other`, another guest of the image, if given.
    pub(super) fn new(image: &Image, world: World, limit: u64, other: Option<&Guest>) -> Result<Guest, MachineError> {
        let segments = segments(image, limit);
        let mut taken = spans(&segments, limit)?;
        let processor = Processor::new(target(image.abi))?;
        let engine = &processor.engine;
        let mut memory = Memory::new(limit.saturating_add(MADE_UP + STACK + 2 * PAGE));
        for run in taken.iter().flat_map(Span::uniform_parts) {
            match other.filter(|_| !run.allows(Access::WRITE)) {
                Some(other) => memory.share(engine, &other.memory, &run)?,
                None => map(&mut memory, engine, &run, lent::lent(&run, &segments))?,
            }
        }
        for segment in loads(&segments) {
            memory.load(segment.address, &segment.bytes);
        }
        let mut place = |size: u64, top: u64| -> Result<Span, MachineError> {
            let base = room_below(top, size, &taken).or_else(|| room_below(USER_END - PAGE, size, &taken));
            let span = Span::uniform(base.ok_or(MachineError::NoRoom(size))?, size, Access::READ_WRITE);
            taken.push(span.clone());
            Ok(span)
        };
        let (made_up, stack) = (place(MADE_UP, MADE_UP_TOP)?, place(STACK, 0x3ff_f000_0000)?);
        let (made_up_base, stack_base) = (made_up.base, stack.base);
        memory.map(engine, made_up)?;
        memory.map(engine, stack)?;
        let window = memory.window(stack_base).ok_or(MachineError::NoRoom(STACK))?;
        let sp = stack_base + STACK - ABOVE;
        let entry = Entered { sp, call_sp: sp, fp: 0, ra: 0 };
        let preserved = image.abi.facts().preserved().filter(|reg| processor.has(*reg)).map(|reg| (reg, 0));
        let preserved: Vec<(Reg, u64)> = preserved.collect();
        let all_preserved = preserved.iter().map(|(reg, _)| *reg).collect();
        let mut guest = Guest {
            processor,
            memory,
            stack: window,
            abi: image.abi,
            facts: image.abi.facts(),
            world,
            made_up: made_up_base,
            pattern: Vec::new(),
            fresh: None,
            entry,
            preserved,
            all_preserved,
            spare: Vec::new(),
            sample: Sample::default(),
        };
        guest.pattern = guest.words(MADE_UP);
        guest.memory.write(made_up_base, &guest.pattern);
        let words = guest.words(FILLED);
        guest.memory.write(stack_base + STACK - FILLED, &words);
        guest.processor.protect(&guest.memory)?;
        guest.make_up_registers()?;
        guest.processor.integers();
        guest.processor.take_vectors();
        guest.fresh = guest.processor.save().ok();
        Ok(guest)
    }

    /// The made-up words of `size` bytes of memory.
    fn words(&self, size: u64) -> Vec<u8> {
        let order = self.facts.order;
        let mut bytes = vec![0; size as usize];
        let (words, _) = bytes.as_chunks_mut();
        for (word, number) in words.iter_mut().zip(0..) {
            *word = order.bytes_of(self.value(number));
        }
        bytes
    }

    /// A made-up value: an address in made-up memory, which differs between the worlds.
    fn value(&self, number: u64) -> u64 {
        let salt = match self.world {
            World::First => 0x9e37_79b9,
            World::Second => 0x7f4a_7c15,
        };
        self.made_up + (number.wrapping_add(1).wrapping_mul(salt) % (MADE_UP / 2)) / 16 * 16 + MADE_UP / 4
    }

    fn make_up_registers(&mut self) -> Result<(), MachineError> {
        for number in 0..self.facts.general_registers {
            self.make_up(Reg(number))?;
        }
        let thread = self.made_up + MADE_UP / 2;
        match self.processor.engine.target().thread_pointer {
            [one] => self.processor.set_other(*one, thread)?,
            halves => {
                for (id, shift) in halves.iter().zip([32, 0]) {
                    self.processor.set_other(*id, thread >> shift & 0xffff_ffff)?;
                }
            }
        }
        Ok(())
    }

    /// Enters a function as a call does, or as an interrupt `with_code`. Some thousand consecutive
    /// entries have distinct return addresses and FPs, so that values left on the stack are not
    /// mistaken for the right ones.
    pub(super) fn enter(&mut self, number: u64, with_code: bool) -> Result<Entered, MachineError> {
        if let Some(fresh) = &self.fresh {
            self.processor.restore(fresh)?;
        }
        // Discards the stores of previous functions: setjmp stores a context there, and longjmp
        // would find it.
        self.memory.write(self.made_up, &self.pattern);
        let facts = self.facts;
        let top = self.stack.base + STACK;
        let nth = number % 1024;
        let ra = top + 0x1000_0000 + 16 * nth;
        let fp = top - ABOVE / 2 + 16 * nth;
        let cfa_sp = top - ABOVE;
        let call_sp = if facts.link_register { cfa_sp } else { cfa_sp - 8 };
        let sp = if with_code { call_sp - 8 } else { call_sp };
        self.processor.set(facts.sp, sp)?;
        self.processor.set(facts.fp, fp)?;
        if facts.link_register {
            self.processor.set(facts.ra, ra)?;
            // Discards values that the previous entry saved there.
            for word in 0..NEAR_CALLER {
                self.memory.write(sp + 8 * word, &facts.order.bytes_of(self.handed_word(word)));
            }
        } else {
            self.memory.write(call_sp, &facts.order.bytes_of(ra));
        }
        for position in 0..self.preserved.len() {
            let value = self.preserved_value(position, number);
            if let Some((reg, entered)) = self.preserved.get_mut(position) {
                *entered = value;
                self.processor.set(*reg, value)?;
            }
        }
        self.entry = Entered { sp, call_sp, fp, ra };
        Ok(self.entry)
    }

    /// The value with which a register that a call preserves enters a function: no other made-up
    /// value equals it, nor one of the functions entered just before.
    fn preserved_value(&self, position: usize, number: u64) -> u64 {
        let world = if self.world == World::First { 0 } else { 512 };
        let nth = number.wrapping_mul(self.preserved.len() as u64).wrapping_add(position as u64 + world);
        self.made_up + MADE_UP / 4 + nth % (MADE_UP / 32) * 16 + 5
    }

    /// The registers that a call preserves, other than SP, FP and link register, with their values
    /// at the entry.
    pub(super) fn preserved(&self) -> &[(Reg, u64)] {
        &self.preserved
    }

    /// Those that have these values now.
    pub(super) fn intact(&self) -> RegisterSet {
        let intact = self.preserved.iter().filter(|(reg, entered)| self.register(*reg) == *entered);
        intact.map(|(reg, _)| *reg).collect()
    }

    /// Returns true if a register has a value.
    pub(super) fn holds(&self, value: u64) -> bool {
        (0..self.facts.keeping_registers).any(|number| self.register(Reg(number)) == value)
    }

    pub(super) fn tracked(&self) -> Tracked {
        let link = if self.facts.link_register { self.processor.get(self.facts.ra) } else { 0 };
        Tracked { sp: self.processor.get(self.facts.sp), fp: self.processor.get(self.facts.fp), link }
    }

    /// Returns true if a value is an address of made-up memory.
    pub(super) fn is_made_up(&self, value: u64) -> bool {
        value.checked_sub(self.made_up).is_some_and(|offset| offset < MADE_UP)
    }

    /// The made-up value of a word near the caller at the entry; no other made-up value equals it.
    fn handed_word(&self, word: u64) -> u64 {
        self.value(0x2000 + word) + 8
    }

    /// The slot near the caller that has held `value` since the entry.
    pub(super) fn handed_at(&self, value: u64) -> Option<u64> {
        let word = (0..NEAR_CALLER).find(|word| self.handed_word(*word) == value)?;
        let slot = self.entry.sp + 8 * word;
        (self.stack(slot).read(slot) == Ok(value)).then_some(slot)
    }

    /// Returns true if SP, FP or the return address of the entry is saved in memory around a
    /// made-up address.
    pub(super) fn keeps_frame_at(&self, address: u64, raw_ra: u64) -> bool {
        if !self.is_made_up(address) {
            return false;
        }
        let from = (address.saturating_sub(NEAR_FRAME) & !7).max(self.made_up);
        let to = address.saturating_add(NEAR_FRAME).min(self.made_up + MADE_UP);
        let bytes = usize::try_from(to - from).ok().and_then(|len| self.memory.read(from, len)).unwrap_or_default();
        let saved = [self.entry.sp, self.entry.fp, raw_ra];
        bytes.as_chunks::<8>().0.iter().any(|word| saved.contains(&self.facts.order.u64(*word)))
    }

    /// Copies bytes of made-up memory; `None` if the address is elsewhere.
    pub(super) fn copy_made_up(&self, address: u64, bytes: &mut [u8]) -> Option<()> {
        let found = self.is_made_up(address).then(|| self.memory.read(address, bytes.len()))??;
        bytes.copy_from_slice(found);
        Some(())
    }

    /// An SP below an allocation of made-up size.
    pub(super) fn below(&self, sp: u64) -> u64 {
        sp.wrapping_sub(if self.world == World::First { 0x40 } else { 0x90 })
    }

    pub(super) fn set_sp(&mut self, sp: u64) -> Result<(), MachineError> {
        self.processor.set(self.facts.sp, sp)
    }

    /// Sets the link register.
    pub(super) fn set_link(&mut self, value: u64) -> Result<(), MachineError> {
        self.processor.set(self.facts.ra, value)
    }

    /// Sets a register by its DWARF number.
    pub(super) fn set(&mut self, reg: Reg, value: u64) -> Result<(), MachineError> {
        self.processor.set(reg, value)
    }

    /// Changes what decides a branch, so that it goes the way that is followed.
    pub(super) fn decide(&mut self, by: Decider, change: Change) -> Result<(), MachineError> {
        let facts = self.facts;
        match by {
            Decider::Flags => self.processor.change_flags(change),
            Decider::Register(reg) if [facts.sp, facts.fp, facts.ra].contains(&reg) => Ok(()),
            Decider::Register(reg) => {
                let (before, after) = (self.register(reg), change.of(self.register(reg)));
                if before == after { Ok(()) } else { self.set(reg, after) }
            }
        }
    }

    /// Sets a register of a callee's result to a made-up value.
    pub(super) fn make_up_result(&mut self, reg: Reg) -> Result<(), MachineError> {
        self.set(reg, self.value(0x2000 + u64::from(reg.0)))
    }

    /// Sets a register to a made-up value.
    pub(super) fn make_up(&mut self, reg: Reg) -> Result<(), MachineError> {
        self.set(reg, self.value(0x1000 + u64::from(reg.0)))
    }

    /// Writes the return address of a call that the guest does not execute to where it is pushed,
    /// below SP.
    pub(super) fn write_pushed(&mut self, next: u64) {
        if !self.facts.link_register {
            self.write(self.tracked().sp.wrapping_sub(8), &self.facts.order.bytes_of(next));
        }
    }

    /// Sets the operand of a comparison.
    pub(super) fn set_operand(&mut self, operand: Operand, value: u64) -> Result<(), MachineError> {
        match operand {
            Operand::Register(reg) => self.set(reg, value),
            Operand::Memory { base, index, offset, size } => {
                let value_of = |reg| self.register(reg);
                let scaled = index.map_or(0, |(reg, scale)| value_of(reg).wrapping_mul(u64::from(scale)));
                let address = base.map_or(0, value_of).wrapping_add(scaled).wrapping_add_signed(offset);
                let word = self.facts.order.bytes_of(value);
                let bytes = match self.facts.order {
                    ByteOrder::Little => word.get(..usize::from(size)),
                    ByteOrder::Big => word.get(8_usize.saturating_sub(usize::from(size))..),
                };
                self.write(address, bytes.unwrap_or_default());
                Ok(())
            }
        }
    }

    /// Executes a call that makes no frame: the return address is data.
    pub(super) fn push(&mut self, next: u64) -> Result<(), MachineError> {
        if self.facts.link_register {
            return self.set_link(next);
        }
        let sp = self.tracked().sp.wrapping_sub(8);
        self.write(sp, &self.facts.order.bytes_of(next));
        self.set_sp(sp)
    }

    /// Drops the word at the top of the stack.
    pub(super) fn pop(&mut self) -> Result<(), MachineError> {
        self.set_sp(self.tracked().sp.wrapping_add(8))
    }

    /// The value of a register by its DWARF number.
    pub(super) fn register(&self, reg: Reg) -> u64 {
        self.processor.get(reg)
    }

    /// All registers, at an instruction.
    pub(super) fn registers(&self, pc: u64) -> Now<'_> {
        Now { processor: &self.processor, pc }
    }

    /// Writes memory if the guest may write there.
    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) {
        if self.memory.accessible(address, bytes.len(), Access::WRITE).is_some() {
            self.memory.write(address, bytes);
        }
    }

    /// The current stack; the guest does not run meanwhile.
    pub(super) fn stack(&self, sp: u64) -> Stack<'_> {
        // SAFETY: the region is never unmapped, and the guest does not run while `self` is
        // borrowed.
        let bytes = unsafe { self.stack.bytes() };
        Stack::new(self.stack.base, bytes, sp.saturating_sub(self.facts.red_zone), self.facts.order, &())
    }

    /// Returns true if SP is inside the function's part of the stack.
    pub(super) fn holds_sp(&self, sp: u64) -> bool {
        sp > self.stack.base + 2 * PAGE && sp <= self.entry.call_sp
    }

    /// Returns true for an address that a frame of usual size holds.
    pub(super) fn is_near(&self, address: u64) -> bool {
        self.entry.call_sp.checked_sub(address).is_none_or(|depth| depth < USUAL)
    }

    /// Returns true if a register is an address in the frame that SP begins: a frame pointer, not a
    /// made-up number of bytes below SP.
    pub(super) fn is_in_frame(&self, address: u64, sp: u64) -> bool {
        self.holds_sp(address) && (self.is_near(address) || address >= sp)
    }

    /// The slot of the frame that holds a value; the nearest to the CFA if there are several.
    pub(super) fn find(&self, sp: u64, value: u64) -> Option<u64> {
        let cfa = self.entry.call_sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry);
        let top = cfa.min(self.entry.sp + FRAME);
        let stack = self.stack(sp);
        let from = sp.max(top.saturating_sub(FRAME));
        let slots = (from / 8..top / 8).rev().chain((sp / 8..from.min(sp.saturating_add(NEAR_SP)) / 8).rev());
        slots.map(|word| word * 8).filter(|slot| *slot >= sp).find(|slot| stack.read(*slot) == Ok(value))
    }

    /// Saves the state for continuing from here later.
    pub(super) fn save(&mut self, sp: u64) -> Result<Rc<Snapshot>, MachineError> {
        let mut spare = match self.spare.pop() {
            Some(spare) => spare,
            None => {
                let registers = self.processor.save()?;
                Rc::new(Snapshot { registers, near_sp: (0, Vec::new()), near_cfa: (0, Vec::new()) })
            }
        };
        // No other path uses this snapshot: see `recycle`.
        if let Some(Snapshot { registers, near_sp, near_cfa }) = Rc::get_mut(&mut spare) {
            self.processor.save_into(registers)?;
            let top = self.entry.sp + 256;
            let from = sp.saturating_sub(128).max(self.stack.base);
            let to = top.min(from.saturating_add(NEAR_SP));
            self.copy(from, to, near_sp);
            self.copy(top.saturating_sub(NEAR_CFA).max(to), top, near_cfa);
        }
        Ok(spare)
    }

    fn copy(&self, from: u64, to: u64, into: &mut (u64, Vec<u8>)) {
        into.0 = from;
        into.1.clear();
        let len = usize::try_from(to.saturating_sub(from)).unwrap_or(0);
        if let Some(bytes) = self.memory.read(from, len) {
            into.1.extend_from_slice(bytes);
        }
    }

    /// Restores a saved state.
    pub(super) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), MachineError> {
        self.processor.restore(&snapshot.registers)?;
        for (at, bytes) in [&snapshot.near_cfa, &snapshot.near_sp] {
            self.memory.write(*at, bytes);
        }
        Ok(())
    }

    /// Takes the differences between this crate and the emulator in stretches that both executed.
    pub(super) fn disagreements(&mut self) -> Vec<Disagreement> {
        std::mem::take(&mut self.sample.disagreements)
    }

    /// Releases a snapshot for reuse.
    pub(super) fn recycle(&mut self, mut snapshot: Rc<Snapshot>) {
        if Rc::get_mut(&mut snapshot).is_some() {
            self.spare.push(snapshot);
        }
    }
}
