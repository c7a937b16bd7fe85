//! The processor of exploration: the emulator's. This crate holds its registers while instructions
//! are simple.
#![allow(unsafe_code, reason = "hooks in C, one with a counter of ours; registers in a batch")]

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;

use isa::flow::Change;
use isa::simple::{Does, Simple};
use types::{Reg, RegFile};
use unicorn_engine::{HookType, TranslationBlock, uc_engine, uc_error, uc_reg_read_batch, uc_reg_write_batch};

use super::integers::{Data, Done, Integers, Not};
use super::vectors::{self, Vectors};
use crate::engine::{Context, Engine, check};
use crate::error::MachineError;
use crate::memory::Memory;
use crate::pages::{FixedPages, install_fixed};
use crate::substitute::{Executed, Substitutes};
use crate::target::EngineTarget;

/// Number of registers in a batch: the integer registers and the flags; the segment bases are only
/// read, never written.
const BATCH: usize = 19;
const WRITTEN: usize = 17;

/// Size of the translation buffer in bytes. Translated code is not reused, so a small buffer stays
/// in the host's caches.
const CODE_BYTES: u32 = 4 << 20;

/// The processor of exploration.
pub(super) struct Processor {
    pub(super) engine: Engine,
    /// The integer registers if this crate holds them; the emulator's are outdated then.
    integers: Option<Integers>,
    /// R16 to R31, which the emulator lacks, while it holds the others.
    extended: [u64; 16],
    /// The vector registers if this crate holds them, and whether the emulator's are outdated.
    vectors: Option<Vectors>,
    vectors_changed: bool,
    /// The emulator's numbers of these registers, on targets that have simple instructions.
    batch: Option<[i32; BATCH]>,
    /// The context that equals the emulator's registers, if known: the one last saved or restored.
    is: Option<Rc<Context>>,
    /// Number of blocks translated since the stretch began.
    translated: Box<Cell<u32>>,
    /// Each block is counted from now on.
    counts_all: bool,
    substitutes: Substitutes,
    /// Used by the engine, which is declared before and so dropped first.
    pages: Option<Box<FixedPages>>,
}

/// Registers that this crate holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ours {
    integers: Option<Integers>,
    vectors: Option<Vectors>,
}

impl Ours {
    /// Returns true if the registers are equal, except for flags outside of `flags`.
    pub(super) fn agrees(&self, other: &Ours, flags: u64) -> bool {
        let counted = |ours: &Ours| ours.integers.map(|all| Integers { flags: all.flags & flags, ..all });
        counted(self) == counted(other) && self.vectors == other.vectors
    }
}

/// A saved copy of all registers.
pub(super) struct Registers {
    context: Rc<Context>,
    integers: Option<Integers>,
    extended: [u64; 16],
    vectors: Option<Vectors>,
    vectors_changed: bool,
}

impl Processor {
    pub(super) fn new(target: &'static EngineTarget) -> Result<Processor, MachineError> {
        let engine = Engine::with_code_bytes(target, CODE_BYTES)?;
        let translated = Box::new(Cell::new(0));
        let counter = ptr::from_ref::<Cell<u32>>(&translated).cast_mut().cast();
        // With a hook of the first kind, the emulator does not search its address cache for each
        // block that it translates. SAFETY: the callbacks have the types of such hooks. One takes
        // no data, the other the counter, which is in a box that lives as long as the engine.
        unsafe {
            engine.hook(HookType::MEM_FETCH_UNMAPPED, on_fetch as *mut c_void, ptr::null_mut())?;
            engine.hook(HookType::EDGE_GENERATED, on_translated as *mut c_void, counter)?;
        }
        let batch = target.simple.as_ref().zip(target.flags).map(|(simple, flags)| {
            let mut ids = [flags; BATCH];
            let last = ids.len() - simple.segments.len();
            ids.iter_mut().zip(target.dwarf).for_each(|(id, number)| *id = *number);
            ids.iter_mut().skip(last).zip(simple.segments).for_each(|(id, number)| *id = number);
            ids
        });
        Ok(Processor {
            engine,
            integers: None,
            extended: [0; 16],
            vectors: None,
            vectors_changed: false,
            batch,
            is: None,
            translated,
            counts_all: false,
            substitutes: Substitutes::default(),
            pages: None,
        })
    }

    /// Has accesses fail that memory does not allow, also those whose permission the emulator does
    /// not check. The mappings do not change afterwards.
    pub(super) fn protect(&mut self, memory: &Memory) -> Result<(), MachineError> {
        let pages = self.pages.insert(Box::new(FixedPages::new(self.engine.target(), memory)));
        // SAFETY: the value is in a box that lives as long as the engine and is not changed: this
        // is called once.
        unsafe { install_fixed(&mut self.engine, ptr::from_ref::<FixedPages>(pages)) }
    }

    /// The value of a register; 0 if the processor has none of that number.
    pub(super) fn get(&self, reg: Reg) -> u64 {
        let ours = self.integers.as_ref().and_then(|ours| ours.registers.get(usize::from(reg.0)).copied());
        ours.unwrap_or_else(|| self.engine.target().dwarf.get(usize::from(reg.0)).map_or(0, |id| self.engine.read(*id)))
    }

    /// Sets a register; no effect if the processor has none of that number.
    pub(super) fn set(&mut self, reg: Reg, value: u64) -> Result<(), MachineError> {
        if let Some(ours) = self.integers.as_mut().and_then(|ours| ours.registers.get_mut(usize::from(reg.0))) {
            *ours = value;
            return Ok(());
        }
        match self.engine.target().dwarf.get(usize::from(reg.0)) {
            Some(id) => self.set_other(*id, value),
            None => Ok(()),
        }
    }

    /// Sets a register other than an integer register, by the emulator's number.
    pub(super) fn set_other(&mut self, id: i32, value: u64) -> Result<(), MachineError> {
        self.is = None;
        self.engine.write(id, value)
    }

    /// Changes the flags; no effect on targets that have none.
    pub(super) fn change_flags(&mut self, change: Change) -> Result<(), MachineError> {
        if let Some(ours) = &mut self.integers {
            ours.flags = change.of(ours.flags);
            return Ok(());
        }
        match self.engine.target().flags {
            Some(id) => self.set_other(id, change.of(self.engine.read(id))),
            None => Ok(()),
        }
    }

    /// Takes over the integer registers for simple instructions; `None` on targets without simple
    /// instructions.
    pub(super) fn integers(&mut self) -> Option<&mut Integers> {
        if self.integers.is_none() {
            let ids = self.batch?;
            let mut values = [0u64; BATCH];
            let mut places = values.each_mut().map(ptr::from_mut);
            // SAFETY: the handle is live; there are as many numbers as places, and each takes the
            // 64 bits that such a register has at most.
            let outcome = unsafe {
                uc_reg_read_batch(self.engine.handle(), ids.as_ptr(), places.as_mut_ptr().cast(), BATCH as i32)
            };
            check(outcome, "read the registers").ok()?;
            let [registers @ .., flags, fs, gs] = values;
            self.integers = Some(Integers { registers, extended: self.extended, flags, segments: [fs, gs] });
        }
        self.integers.as_mut()
    }

    /// Takes over the vector registers for simple instructions.
    pub(super) fn take_vectors(&mut self) {
        let simple = self.engine.target().simple.as_ref().filter(|_| self.vectors.is_none());
        if let Some(simple) = simple {
            let values = simple.vectors.map(|id| u128::from_le_bytes(self.engine.read_wide(id)));
            (self.vectors, self.vectors_changed) = (Some(values), false);
        }
    }

    /// The vector registers, mutable.
    pub(super) fn vectors(&mut self) -> Option<&mut Vectors> {
        self.take_vectors();
        self.vectors_changed = true;
        self.vectors.as_mut()
    }

    /// Takes over all registers and returns a copy.
    pub(super) fn ours(&mut self) -> Ours {
        self.integers();
        self.take_vectors();
        Ours { integers: self.integers, vectors: self.vectors }
    }

    /// Replaces the registers.
    pub(super) fn take(&mut self, ours: Ours) {
        (self.integers, self.vectors, self.vectors_changed) = (ours.integers, ours.vectors, true);
    }

    /// Executes a simple instruction, and returns its target if it jumps.
    pub(super) fn execute(&mut self, simple: &Simple, data: &mut impl Data) -> Done<Option<u64>> {
        let Does::Vector(vector) = simple.does else {
            return self.integers().ok_or(Not::Known)?.execute(simple, data);
        };
        self.integers();
        self.vectors();
        let (Some(integers), Some(vectors)) = (&mut self.integers, &mut self.vectors) else { return Err(Not::Known) };
        vectors::execute(vector, simple, integers, vectors, data).map(|()| None)
    }

    /// Hands the registers over to the emulator.
    pub(super) fn hand_over(&mut self) -> Result<(), uc_error> {
        if let Some((ours, simple)) = self.vectors.take().zip(self.engine.target().simple.as_ref()) {
            for (id, value) in simple.vectors.iter().zip(ours).filter(|_| self.vectors_changed) {
                self.is = None;
                self.engine.write_wide(*id, value.to_le_bytes()).map_err(|_| uc_error::EXCEPTION)?;
            }
        }
        let (Some(ours), Some(ids)) = (self.integers.take(), self.batch) else { return Ok(()) };
        self.extended = ours.extended;
        let mut values = [ours.flags; WRITTEN];
        values.iter_mut().zip(ours.registers).for_each(|(value, register)| *value = register);
        let mut places = values.each_mut().map(ptr::from_mut);
        self.is = None;
        // SAFETY: as in `integers`.
        unsafe { uc_reg_write_batch(self.engine.handle(), ids.as_ptr(), places.as_mut_ptr().cast(), WRITTEN as i32) }
            .into()
    }

    /// Has the emulator execute straight-line code, and discards its translation: translated code
    /// stops only at the end that it was translated for, and would miss another end. The emulator
    /// itself discards the block that holds the last byte, which is everything if the stretch is
    /// one block.
    pub(super) fn run(&mut self, from: u64, to: u64) -> Result<(), uc_error> {
        self.hand_over()?;
        self.is = None;
        self.translated.set(0);
        let outcome = self.engine.start(from, to, 0);
        // The emulator does not count the first block, nor any before one ended without an error.
        let one = u32::from(self.counts_all);
        self.counts_all |= self.translated.get() > 0;
        if self.translated.get() != one {
            // Unmapped code has no translation to discard.
            let _ = self.engine.forget_stretch(from, to);
        }
        outcome
    }

    /// Has the emulator execute one instruction.
    pub(super) fn step(&mut self, pc: u64) -> Result<(), uc_error> {
        self.hand_over()?;
        self.is = None;
        self.engine.start(pc, crate::prepare::NOWHERE, 1)
    }

    /// Executes an instruction that the emulator lacks. Returns false if it fails, or this crate
    /// lacks it too.
    pub(super) fn execute_substitute(&mut self, memory: &mut Memory, pc: u64, code: &[u8]) -> bool {
        let done = |executed| matches!(executed, Executed::Done { .. });
        self.hand_over().is_ok() && {
            self.is = None;
            done(self.substitutes.execute(&mut self.engine, memory, pc, code))
        }
    }

    /// The emulator's PC.
    pub(super) fn pc(&self) -> u64 {
        self.engine.read(self.engine.target().pc)
    }

    /// Saves all registers.
    pub(super) fn save(&mut self) -> Result<Registers, MachineError> {
        let context = match &self.is {
            Some(same) => Rc::clone(same),
            None => Rc::new(self.engine.save_new()?),
        };
        let mut registers =
            Registers { context, integers: None, extended: [0; 16], vectors: None, vectors_changed: false };
        self.save_ours(&mut registers);
        Ok(registers)
    }

    /// Saves all registers into a context that is no longer needed.
    pub(super) fn save_into(&mut self, registers: &mut Registers) -> Result<(), MachineError> {
        match (&self.is, Rc::get_mut(&mut registers.context)) {
            (Some(same), _) => registers.context = Rc::clone(same),
            (None, Some(context)) => self.engine.save(context)?,
            (None, None) => registers.context = Rc::new(self.engine.save_new()?),
        }
        self.save_ours(registers);
        Ok(())
    }

    fn save_ours(&mut self, registers: &mut Registers) {
        self.is = Some(Rc::clone(&registers.context));
        (registers.integers, registers.extended) = (self.integers, self.extended);
        (registers.vectors, registers.vectors_changed) = (self.vectors, self.vectors_changed);
    }

    /// Restores saved registers.
    pub(super) fn restore(&mut self, registers: &Registers) -> Result<(), MachineError> {
        if !self.is.as_ref().is_some_and(|is| Rc::ptr_eq(is, &registers.context)) {
            self.engine.restore(&registers.context)?;
            self.is = Some(Rc::clone(&registers.context));
        }
        (self.integers, self.extended) = (registers.integers, registers.extended);
        (self.vectors, self.vectors_changed) = (registers.vectors, registers.vectors_changed);
        Ok(())
    }
}

/// The current registers.
pub(super) struct Now<'a> {
    pub(super) processor: &'a Processor,
    /// The address of the next instruction.
    pub(super) pc: u64,
}

impl RegFile for Now<'_> {
    fn read(&self, reg: Reg) -> Option<u64> {
        let target = self.processor.engine.target();
        match target.dwarf.get(usize::from(reg.0)) {
            Some(_) => Some(self.processor.get(reg)),
            None => self.processor.engine.constant(reg).or((target.pc_column == Some(reg)).then_some(self.pc)),
        }
    }
}

/// Refuses: nothing is mapped at the address.
unsafe extern "C" fn on_fetch(_: *mut uc_engine, _: u32, _: u64, _: i32, _: i64, _: *mut c_void) -> bool {
    false
}

/// Counts a translated block.
unsafe extern "C" fn on_translated(
    _: *mut uc_engine,
    _: *mut TranslationBlock,
    _: *mut TranslationBlock,
    counter: *mut c_void,
) {
    // SAFETY: the pointer is the counter that the hook was added with.
    let counter = unsafe { &*counter.cast::<Cell<u32>>() };
    counter.set(counter.get().saturating_add(1));
}
