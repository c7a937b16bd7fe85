//! The processor of exploration: the emulator's. This crate holds its registers while instructions
//! are simple.
#![allow(unsafe_code, reason = "hooks in C, one with a counter of ours; registers in a batch")]

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;

use isa::flow::Change;
use isa::simple::aarch64::Simple as OfAarch64;
use isa::simple::{Does, Executable};
use rustc_hash::FxHashMap;
use types::{Abi, Reg, RegFile};
use unicorn_engine::{HookType, TranslationBlock, uc_engine, uc_error, uc_reg_read_batch, uc_reg_write_batch};

use super::integers::{Data, Done, Integers, Not, aarch64, s390x};
use super::vectors::{self, Vectors};
use crate::engine::{Context, Engine, check};
use crate::error::MachineError;
use crate::memory::Memory;
use crate::pages::{FixedPages, install_fixed};
use crate::substitute::{Executed, Substitutes};
use crate::target::EngineTarget;

/// Maximum number of registers in a batch: the integer registers and the flags; the bases are only
/// read, never written.
const BATCH: usize = 35;

/// Maximum number of stored results of pointer authentication.
const AUTHENTICATED: usize = 1 << 16;

/// An instruction of pointer authentication, with the link register and SP before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Authentication {
    word: u32,
    link: u64,
    sp: u64,
}

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
    /// The emulator's numbers of these registers, and the number of those that are written.
    batch: [i32; BATCH],
    written: usize,
    /// The emulator's results of pointer authentication: it has the keys.
    authenticated: FxHashMap<Authentication, u64>,
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
        let simple = &target.simple;
        let general = target.dwarf.iter().take(simple.general);
        let numbers = general.chain([&simple.flags]).chain(&simple.bases);
        let mut batch = [0; BATCH];
        batch.iter_mut().zip(numbers).for_each(|(id, number)| *id = *number);
        Ok(Processor {
            engine,
            integers: None,
            extended: [0; 16],
            vectors: None,
            vectors_changed: false,
            batch,
            written: simple.general + 1,
            authenticated: FxHashMap::default(),
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
        let number = usize::from(reg.0);
        let target = self.engine.target();
        match (&self.integers, target.by_dwarf(reg)) {
            (Some(ours), _) if number < target.simple.general => ours.registers.get(number).copied().unwrap_or(0),
            (_, Some(id)) => match self.vectors.as_ref().zip(self.vector_of(reg, id)) {
                Some((vectors, number)) => vectors.get(number).map_or(0, |vector| *vector as u64),
                None => self.engine.read(id),
            },
            (_, None) => 0,
        }
    }

    /// Returns true if the processor has a register of that number.
    pub(super) fn has(&self, reg: Reg) -> bool {
        self.engine.target().by_dwarf(reg).is_some()
    }

    /// Sets a register; no effect if the processor has none of that number.
    pub(super) fn set(&mut self, reg: Reg, value: u64) -> Result<(), MachineError> {
        let number = usize::from(reg.0);
        let target = self.engine.target();
        let Some(id) = target.by_dwarf(reg) else { return Ok(()) };
        if let Some(ours) = self.integers.as_mut().filter(|_| number < target.simple.general) {
            if let Some(register) = ours.registers.get_mut(number) {
                *register = value;
            }
            return Ok(());
        }
        if let Some(number) = self.vector_of(reg, id)
            && let Some(vector) = self.vectors.as_mut().and_then(|vectors| vectors.get_mut(number))
        {
            (*vector, self.vectors_changed) = (value.into(), true);
            return Ok(());
        }
        self.set_other(id, value)
    }

    /// The number of a vector or floating-point register, by its DWARF number and the emulator's.
    fn vector_of(&self, reg: Reg, id: i32) -> Option<usize> {
        let target = self.engine.target();
        match target.dwarf_vectors {
            Some((first, _)) => reg.0.checked_sub(first.0).map(usize::from),
            None => target.simple.vectors.iter().position(|vector| *vector == id),
        }
    }

    /// Sets a register other than an integer register, by the emulator's number.
    pub(super) fn set_other(&mut self, id: i32, value: u64) -> Result<(), MachineError> {
        self.is = None;
        self.engine.write(id, value)
    }

    /// Changes the flags; no effect on targets that have none.
    pub(super) fn change_flags(&mut self, change: Change) -> Result<(), MachineError> {
        let Some(id) = self.engine.target().flags else { return Ok(()) };
        if let Some(ours) = &mut self.integers {
            ours.flags = change.of(ours.flags);
            return Ok(());
        }
        self.set_other(id, change.of(self.engine.read(id)))
    }

    /// Takes over the integer registers for simple instructions.
    pub(super) fn integers(&mut self) -> Option<&mut Integers> {
        if self.integers.is_none() {
            let mut values = [0u64; BATCH];
            let mut places = values.each_mut().map(ptr::from_mut);
            let count = self.written + self.engine.target().simple.bases.len();
            // SAFETY: the handle is live; there are at least as many numbers and places as the
            // count, and each place takes the 64 bits that such a register has at most.
            let outcome = unsafe {
                uc_reg_read_batch(self.engine.handle(), self.batch.as_ptr(), places.as_mut_ptr().cast(), count as i32)
            };
            check(outcome, "read the registers").ok()?;
            let mut integers = Integers::default();
            let general = self.written - 1;
            let of = |at: usize| values.get(at).copied().unwrap_or(0);
            integers.registers.iter_mut().zip(values).take(general).for_each(|(register, value)| *register = value);
            if general < self.extended.len() * 2 {
                integers.registers.iter_mut().skip(general).zip(self.extended).for_each(|(to, value)| *to = value);
            }
            integers.flags = of(general);
            integers.bases = [of(general + 1), of(general + 2)];
            self.integers = Some(integers);
        }
        self.integers.as_mut()
    }

    /// Takes over the vector registers for simple instructions.
    pub(super) fn take_vectors(&mut self) {
        if self.vectors.is_none() {
            let mut values = Vectors::default();
            for (value, id) in values.iter_mut().zip(self.engine.target().simple.vectors) {
                *value = u128::from_le_bytes(self.engine.read_wide(*id));
            }
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
    pub(super) fn execute(&mut self, simple: &Executable, data: &mut impl Data) -> Done<Option<u64>> {
        let uses_vectors = match simple {
            Executable::Amd64(simple) => matches!(simple.does, Does::Vector(_)),
            Executable::Aarch64(simple) => simple.uses_vectors(),
            Executable::S390x(simple) => simple.uses_floats(),
        };
        if uses_vectors {
            self.vectors();
        }
        self.integers();
        if let Executable::Aarch64(OfAarch64::Authenticates(word)) = *simple {
            return self.authenticate(word);
        }
        let (Some(integers), vectors) = (&mut self.integers, self.vectors.as_mut()) else { return Err(Not::Known) };
        match simple {
            Executable::Amd64(simple) => match (simple.does, vectors) {
                (Does::Vector(vector), Some(all)) => {
                    vectors::execute(vector, simple, integers, all, data).map(|()| None)
                }
                _ => integers.execute(simple, data),
            },
            Executable::Aarch64(simple) => aarch64::Machine { integers, vectors }.execute(simple, data),
            Executable::S390x(simple) => s390x::Machine { integers, vectors }.execute(simple, data),
        }
    }

    /// Executes an instruction of pointer authentication as the emulator did.
    fn authenticate(&mut self, word: u32) -> Done<Option<u64>> {
        let result = self.authenticated.get(&self.authentication(word)).copied().ok_or(Not::Known)?;
        let link = Abi::Aarch64.facts().ra;
        self.set(link, result).map(|()| None).map_err(|_| Not::Known)
    }

    /// An instruction of pointer authentication with its operands.
    fn authentication(&self, word: u32) -> Authentication {
        let facts = Abi::Aarch64.facts();
        Authentication { word, link: self.get(facts.ra), sp: self.get(facts.sp) }
    }

    /// The operands of an instruction whose result is to be learned; `None` for other instructions.
    pub(super) fn to_learn(&self, simple: &Executable) -> Option<Authentication> {
        match *simple {
            Executable::Aarch64(OfAarch64::Authenticates(word)) => Some(self.authentication(word)),
            _ => None,
        }
    }

    /// Stores the emulator's result.
    pub(super) fn learn(&mut self, authentication: Authentication) {
        if self.authenticated.len() >= AUTHENTICATED {
            self.authenticated.clear();
        }
        self.authenticated.insert(authentication, self.get(Abi::Aarch64.facts().ra));
    }

    /// Hands the registers over to the emulator.
    pub(super) fn hand_over(&mut self) -> Result<(), uc_error> {
        let vectors = self.vectors.take().filter(|_| self.vectors_changed);
        for (id, value) in self.engine.target().simple.vectors.iter().zip(vectors.into_iter().flatten()) {
            self.is = None;
            self.engine.write_wide(*id, value.to_le_bytes()).map_err(|_| uc_error::EXCEPTION)?;
        }
        let Some(ours) = self.integers.take() else { return Ok(()) };
        let general = self.written - 1;
        self.extended.iter_mut().zip(ours.registers.iter().skip(16)).for_each(|(to, value)| *to = *value);
        let mut values = [ours.flags; BATCH];
        values.iter_mut().zip(ours.registers).take(general).for_each(|(value, register)| *value = register);
        let mut places = values.each_mut().map(ptr::from_mut);
        self.is = None;
        let (ids, count) = (self.batch.as_ptr(), self.written as i32);
        // SAFETY: as in `integers`.
        unsafe { uc_reg_write_batch(self.engine.handle(), ids, places.as_mut_ptr().cast(), count) }.into()
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
        match target.by_dwarf(reg) {
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
