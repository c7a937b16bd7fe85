//! Registers that a call preserves, other than FP and SP: `.eh_frame` has to find the value that
//! each had when the function was entered. `.sframe` has no rules for them.
//!
//! The true values are recorded at calls, as long as the function has instructions to judge. Each
//! instruction is judged at its first visits in such an activation, where `.eh_frame` gives the
//! frame itself right:
//!
//! - A rule that gives another value is wrong, unless one gave the right value earlier in this
//!   activation: then the slot was written over, by the function itself or through a pointer.
//! - A register without a rule that has another value is an error of the table only if the function
//!   preserves it: it saved the register, and restores it.
//!
//! In both of these cases the returns decide: the finding is made if the function returned, and
//! each return that was observed restored the register. Where none did, the function follows
//! another convention (`preserve_none`, a register variable, a collector that moves objects), or
//! never returns: compilers save nothing in functions without a return.
//!
//! After a throw, a longjmp or a switch of stacks or threads, registers hold what an unwinder or
//! the program put there: nothing is judged in functions that were entered before.

use std::collections::{BTreeMap, BTreeSet};

use results::{Blame, Finding, Shape, Source};
use spec::RuleId;
use types::{
    Abi, AbiFacts, Aspect, CodePoint, Event, Fault, Image, LeftBy, Pc, Reg, RegFile as _, SavedAt, Step, Symbol,
    ValueRule,
};
use unwind::{CfiUnwinder, RowId};

use super::record::Record;
use crate::blame::{Origin, Table};
use crate::conventions::Convention;
use crate::fold::{Evidence, Fold, Identity};
use crate::instructions;
use crate::memo::{FactsId, PcFacts};
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::{Tables, origin};
use crate::wrong_row::WrongAt;

/// Number of calls of a function at which the registers are recorded, and further ones if an
/// instruction is executed for the first time later.
const CALLS: u8 = 32;
const FURTHER: u8 = 8;

/// Number of visits at which an instruction is judged.
const VISITS: u8 = 3;

/// Number of visits in activations that were not recorded, after which an instruction is not
/// judged.
const TRIES: u8 = 8;

/// Maximum number of registers: one bit each.
const MOST: usize = 32;

/// The registers that are judged, by their position in the list of an ABI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RegisterSet(u32);

impl RegisterSet {
    fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }
}

/// An activation of a function whose registers were recorded when it was called.
struct Activation {
    /// Number of frames around it.
    level: usize,
    /// Number of its frame.
    number: u64,
    /// Return address and CFA.
    ra: Pc,
    cfa: u64,
    /// The function that executes: the one that was called, or that it jumped to at its end.
    function: Pc,
    /// Values at the entry.
    values: Vec<Option<u64>>,
    /// Registers for which a rule gave the right value.
    right: RegisterSet,
}

/// What the executed instructions of a function did with the registers of its callers.
#[derive(Default)]
struct Uses {
    /// Stored in the frame while they had the caller's value.
    saved: RegisterSet,
    /// Had the caller's value at a return.
    restored: RegisterSet,
    /// Had another value at a return.
    lost: RegisterSet,
}

/// Number of visits of an instruction.
#[derive(Clone, Copy, Default)]
struct Visits {
    judged: u8,
    unrecorded: u8,
}

impl Visits {
    fn is_done(self) -> bool {
        self.judged >= VISITS || self.unrecorded >= TRIES
    }
}

/// What a wrong rule gives.
#[derive(Clone, Copy)]
enum Gives {
    /// Another value than the register had.
    Value(u64),
    /// A word of the stack below SP.
    DeadStack,
}

/// The registers of the callers, and what is known of each function and instruction.
pub(super) struct Registers {
    /// The judged registers.
    all: Vec<Reg>,
    open: Vec<Activation>,
    /// By index of an instruction's facts.
    calls: Vec<u8>,
    visits: Vec<Visits>,
    uses: BTreeMap<Pc, Uses>,
    /// Instructions with a wrong row.
    wrong: BTreeSet<Pc>,
    /// Wrong rows that the returns of a function decide, by instruction, for each register.
    pending: BTreeMap<(Pc, usize), Waiting>,
}

/// A wrong row that the returns of a function decide.
struct Waiting {
    function: Pc,
    slots: PerTable<Slot>,
    wrong: WrongRule,
}

/// The step at which registers are judged.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    pub(super) image: &'s Image,
    pub(super) tables: &'s Tables,
    pub(super) step: &'s Step<'s>,
    pub(super) facts: &'s PcFacts,
}

impl Registers {
    pub(super) fn new(facts: &AbiFacts) -> Registers {
        let all = facts.callee_saved.iter().map(|number| Reg(*number));
        let all: Vec<Reg> = all.filter(|reg| ![facts.sp, facts.fp, facts.ra].contains(reg)).take(MOST).collect();
        Registers {
            all,
            open: Vec::new(),
            calls: Vec::new(),
            visits: Vec::new(),
            uses: BTreeMap::new(),
            wrong: BTreeSet::new(),
            pending: BTreeMap::new(),
        }
    }

    /// Forgets the functions that were entered: another thread or execution.
    pub(super) fn forget_entries(&mut self) {
        self.open.clear();
    }

    /// Ends an execution: pending findings are made if the returns of their functions allow it.
    pub(super) fn end(&mut self, image: &Image, tables: &Tables, record: &mut Record) {
        self.open.clear();
        for ((pc, index), Waiting { function, slots, wrong }) in std::mem::take(&mut self.pending) {
            let preserves = |uses: &Uses| uses.restored.has(index) && !uses.lost.has(index);
            if self.uses.get(&function).is_some_and(preserves) && self.wrong.insert(pc) {
                wrong.add(&mut record.fold, image, tables, (pc, slots));
            }
        }
    }

    /// A call, return, or other change of frames.
    #[inline]
    pub(super) fn observe_event(&mut self, step: &Step<'_>, id: FactsId, facts: impl FnOnce() -> PcFacts) {
        match step.event {
            Event::Sequential | Event::Jump | Event::Entry | Event::Signal => {}
            Event::Call => {
                let level = step.frames.depth();
                while self.open.pop_if(|last| last.level >= level).is_some() {}
                if self.calls.get(id.index()).is_none_or(|calls| *calls < CALLS) {
                    self.enter(step, id, &facts());
                }
            }
            Event::Return => self.leave(step),
            Event::Resumed => while self.open.pop_if(|last| last.level >= step.frames.depth()).is_some() {},
            Event::Unwound | Event::Switched => self.open.clear(),
        }
    }

    /// Records the registers at a call.
    #[cold]
    fn enter(&mut self, step: &Step<'_>, id: FactsId, facts: &PcFacts) {
        if self.calls.len() <= id.index() {
            self.calls.resize(id.index() + 1, 0);
        }
        let Some(calls) = self.calls.get_mut(id.index()) else { return };
        *calls += 1;
        let Some(frame) = step.frames.innermost().filter(|frame| frame.number > 0 && frame.left_by == LeftBy::Call)
        else {
            return;
        };
        if facts.slots.eh_frame.row().is_some() {
            self.open.push(Activation {
                level: step.frames.depth(),
                number: frame.number,
                ra: frame.ra,
                cfa: frame.cfa,
                function: step.pc,
                values: self.all.iter().map(|reg| step.regs.read(*reg)).collect(),
                right: RegisterSet::default(),
            });
        }
    }

    /// A return: compares the registers of the function that returned.
    #[inline]
    fn leave(&mut self, step: &Step<'_>) {
        let depth = step.frames.depth();
        while let Some(left) = self.open.pop_if(|last| last.level > depth) {
            let caller_sp = left.cfa.wrapping_add_signed(step.regs.abi.facts().caller_sp_minus_cfa);
            if left.level == depth + 1 && (left.ra, caller_sp) == (step.pc, step.regs.sp) {
                self.compare_at_end(&left, step);
            }
        }
    }

    /// Compares the registers at the end of a function with those at its entry.
    fn compare_at_end(&mut self, left: &Activation, step: &Step<'_>) {
        let uses = self.uses.entry(left.function).or_default();
        for (index, (reg, entered)) in self.all.iter().zip(&left.values).enumerate() {
            match step.regs.read(*reg) == *entered {
                true => uses.restored.insert(index),
                false => uses.lost.insert(index),
            }
        }
    }

    /// The recorded activation of the innermost function.
    fn activation(&mut self, step: &Step<'_>) -> Option<&mut Activation> {
        let (level, number) = (step.frames.depth(), step.frames.innermost()?.number);
        while self.open.pop_if(|last| last.level > level || last.level == level && last.number != number).is_some() {}
        self.open.last_mut().filter(|last| last.level == level)
    }

    /// A function ended by a jump to the start of another.
    #[cold]
    pub(super) fn jump(&mut self, step: &Step<'_>) {
        if self.activation(step).is_none() {
            return;
        }
        let Some(mut left) = self.open.pop() else { return };
        self.compare_at_end(&left, step);
        left.function = step.pc;
        left.right = RegisterSet::default();
        self.open.push(left);
    }

    /// Returns true if the instruction needs no further visits.
    #[inline]
    pub(super) fn is_done(&self, id: FactsId) -> bool {
        self.visits.get(id.index()).is_some_and(|visits| visits.is_done())
    }

    /// Judges the registers at a step at which `.eh_frame` gives the frame right. `start`: facts of
    /// the function's first instruction.
    #[cold]
    pub(super) fn judge(&mut self, place: Place<'_>, id: FactsId, start: Option<FactsId>, record: &mut Record) {
        let is_recorded = self.activation(place.step).is_some();
        if self.visits.len() <= id.index() {
            self.visits.resize(id.index() + 1, Visits::default());
        }
        let Some(visits) = self.visits.get_mut(id.index()) else { return };
        let (Some(table), Slot::Row(row)) = (&place.tables.cfi, place.facts.slots.eh_frame) else {
            visits.judged = VISITS;
            return;
        };
        if !is_recorded {
            visits.unrecorded += 1;
            let calls = start.and_then(|start| self.calls.get_mut(start.index()));
            if let Some(calls) = calls.filter(|_| visits.unrecorded == 1) {
                *calls = (*calls).min(CALLS - FURTHER);
            }
            return;
        }
        visits.judged += 1;
        if place.has_known_convention(table) {
            return;
        }
        self.record_saves(place);
        let wrong: Vec<WrongRule> =
            (0..self.all.len()).filter_map(|index| self.judge_register(place, table, row, index)).collect();
        if let Some(wrong) = wrong.first() {
            self.wrong.insert(place.step.pc);
            wrong.add(&mut record.fold, place.image, place.tables, (place.step.pc, place.facts.slots));
        }
    }

    /// Records the registers that the instruction about to execute stores.
    fn record_saves(&mut self, place: Place<'_>) {
        let Some(activation) = self.open.last() else { return };
        for (reg, to) in instructions::all_saves(place.image, place.step.pc) {
            let Some(index) = self.all.iter().position(|each| *each == reg) else { continue };
            let is_intact = activation.values.get(index).is_some_and(|value| *value == place.step.regs.read(reg));
            if matches!(to, SavedAt::Slot { .. }) && is_intact {
                self.uses.entry(activation.function).or_default().saved.insert(index);
            }
        }
    }

    /// Judges a register; returns a rule that is wrong, unless the returns of the function decide.
    fn judge_register(&mut self, place: Place<'_>, table: &CfiUnwinder, row: RowId, index: usize) -> Option<WrongRule> {
        let activation = self.open.last_mut()?;
        let (reg, entered) = (*self.all.get(index)?, (*activation.values.get(index)?)?);
        let Place { step, .. } = place;
        let rule = table.rule(row, reg).unwrap_or(ValueRule::SameValue);
        let value = match rule {
            ValueRule::Undefined => return None,
            _ => table.value((reg, rule), activation.cfa, CodePoint::Exact(step.pc), &step.regs, &step.stack),
        };
        let gives = match value {
            Ok(value) if value == entered => {
                if rule != ValueRule::SameValue {
                    activation.right.insert(index);
                }
                return None;
            }
            Ok(value) => Gives::Value(value),
            Err(Fault::DeadMemory { .. }) => Gives::DeadStack,
            Err(_) => return None,
        };
        let function = activation.function;
        let is_saved = || self.uses.get(&function).is_some_and(|uses| uses.saved.has(index));
        let waits = match rule {
            ValueRule::SameValue if !is_saved() => return None,
            ValueRule::SameValue => true,
            _ => activation.right.has(index) && matches!(gives, Gives::Value(_)),
        };
        let wrong = WrongRule { reg, rule, gives, entered };
        if !waits {
            return Some(wrong);
        }
        let waiting = Waiting { function, slots: place.facts.slots, wrong };
        self.pending.entry((step.pc, index)).or_insert(waiting);
        None
    }
}

impl Place<'_> {
    /// Returns true if the function follows another convention than the ABI's.
    fn has_known_convention(self, table: &CfiUnwinder) -> bool {
        let Place { image, step, .. } = self;
        let is_named = |function: &Symbol| Convention::of_function(function.name.as_str()).is_some();
        table.has_own_convention(step.pc) || image.function_at(step.pc).is_some_and(is_named)
    }
}

/// A rule for a register that is wrong.
struct WrongRule {
    reg: Reg,
    rule: ValueRule,
    gives: Gives,
    /// The value that the register had when the function was entered.
    entered: u64,
}

impl WrongRule {
    /// Adds a finding about the row of `.eh_frame` at a PC.
    fn add(&self, fold: &mut Fold, image: &Image, tables: &Tables, (pc, slots): (Pc, PerTable<Slot>)) {
        let start = tables.function_start(image, pc.0);
        let blame = match origin(image, pc.0) {
            Origin::LinkerMade => Blame::Linker,
            Origin::Object | Origin::Linked | Origin::Rewritten => Blame::Compiler,
        };
        let id = RuleId::EhFrameRegisterMatchesTruth;
        let row =
            || Some(WrongAt { pc, slots, wrong: Source::EhFrame, right: None, truth: None }.describe(tables, image));
        fold.add(Identity { rule: id, blame, function: start }, Evidence::Step(pc.0), row, || {
            let mut found = Finding::new(id, blame, image.place(start), Shape::Rule);
            found.shown.message = self.message(image.abi, &image.place(pc.0));
            found.shown.section = tables.section_name(Table::EhFrame, image);
            found.evidence.at = Some(pc.0);
            found.evidence.field = Aspect::Registers;
            found.evidence.executed = true;
            found
        });
    }

    fn message(&self, abi: Abi, place: &str) -> String {
        let name = abi.register_name(self.reg).unwrap_or_else(|| self.reg.to_string());
        let rule = self.rule.describe(abi);
        let entered = self.entered;
        match self.gives {
            Gives::DeadStack => format!(".eh_frame reads stack below SP for {name} at {place}: {name}={rule}"),
            Gives::Value(value) => format!(
                ".eh_frame gives {name} {value:#x} at {place}, it had {entered:#x} when the function was entered: {name}={rule}"
            ),
        }
    }
}
