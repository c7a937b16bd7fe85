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
//! A calling function is judged at its call too ([`callers`]). After a longjmp or a switch of
//! stacks or threads, registers hold what the program put there: nothing is judged in functions
//! that were entered before. Nor is it after a throw that did not restore all ([`landing`]).

mod callers;
mod landing;
mod variables;
mod view;
mod wrong_rule;

use std::collections::{BTreeMap, BTreeSet};

use spec::Severity;
use types::{AbiFacts, Event, Image, LeftBy, Pc, Preserved, Reg, RegFile as _, RegisterSet, SavedAt, Step, Symbol};
use types::{UndecidedCause, Unrestored, ValueRule};
use unwind::{CfiUnwinder, RowId};

use self::callers::Called;
use self::landing::Throws;
use self::variables::Variables;
pub(super) use self::view::unrestored;
use self::view::{Gives, View, gives};
use self::wrong_rule::WrongRule;
use super::record::Record;
use crate::conventions::Convention;
use crate::instructions;
use crate::memo::{FactsId, PcFacts};
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::Tables;

/// Number of calls of a function at which the registers are recorded, and further ones if an
/// instruction is executed for the first time later.
const CALLS: u8 = 32;
const FURTHER: u8 = 8;

/// Number of visits at which an instruction is judged.
const VISITS: u8 = 3;

/// Number of visits in activations that were not recorded, after which an instruction is not
/// judged.
const TRIES: u8 = 8;

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
    values: Vec<(Reg, u64)>,
    /// Registers for which a rule gave the right value.
    right: RegisterSet,
    /// What its row gave at the call that it made last, if that is known.
    called: Option<Called>,
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

/// The registers of the callers, and what is known of each function and instruction.
pub(super) struct Registers {
    /// The judged registers: those that a call preserves, and any other for which a row has a rule.
    all: Vec<Reg>,
    /// Those that a call preserves: without a rule they keep their values.
    preserved: RegisterSet,
    open: Vec<Activation>,
    /// By index of an instruction's facts.
    calls: Vec<u8>,
    visits: Vec<Visits>,
    uses: BTreeMap<Pc, Uses>,
    /// Instructions with a wrong row.
    wrong: BTreeSet<Pc>,
    /// Wrong rows that the returns of a function decide, by instruction, for each register.
    pending: BTreeMap<(Pc, Reg), Waiting>,
    /// Number of times that a calling function was judged, by the address in its call.
    sites: BTreeMap<Pc, u8>,
    throws: Throws,
    variables: Variables,
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
    pub(super) fn new(facts: &AbiFacts, tables: &Tables) -> Registers {
        let preserved: RegisterSet = facts.preserved().collect();
        // Vector registers of AArch64 are wider than the value that is read.
        let is_judged = |reg: &Reg| {
            let is_other = !preserved.has(*reg) && ![facts.sp, facts.fp, facts.ra].contains(reg);
            is_other && reg.0 < facts.general_registers
        };
        let ruled = tables.cfi.as_ref().map(CfiUnwinder::registers_with_rules).unwrap_or_default();
        let without_rule = preserved.without(ruled.iter().copied().collect());
        Registers {
            all: preserved.iter().chain(ruled.into_iter().filter(is_judged)).collect(),
            preserved,
            open: Vec::new(),
            calls: Vec::new(),
            visits: Vec::new(),
            uses: BTreeMap::new(),
            wrong: BTreeSet::new(),
            pending: BTreeMap::new(),
            sites: BTreeMap::new(),
            throws: Throws::default(),
            variables: Variables::new(without_rule),
        }
    }

    /// Forgets the functions that were entered: another thread or execution.
    pub(super) fn forget_entries(&mut self) {
        self.open.clear();
    }

    /// Ends an execution: pending findings are made if the returns of their functions allow it.
    pub(super) fn end(&mut self, image: &Image, tables: &Tables, record: &mut Record) {
        self.open.clear();
        for ((pc, reg), Waiting { function, slots, wrong }) in std::mem::take(&mut self.pending) {
            let preserves = |uses: &Uses| uses.restored.has(reg) && !uses.lost.has(reg);
            if !self.uses.get(&function).is_some_and(preserves) {
                continue;
            }
            if self.variables.are(RegisterSet::one(reg)) {
                record.undecided(UndecidedCause::OwnConvention, pc);
                continue;
            }
            record.registers.entry(pc).or_default().push(wrong.reg);
            if self.wrong.insert(pc) {
                wrong.add(&mut record.fold, image, tables, (pc, slots));
            }
        }
    }

    /// A call, return, or other change of frames.
    #[inline]
    pub(super) fn observe_event(
        &mut self,
        image: &Image,
        tables: &Tables,
        step: &Step<'_>,
        id: FactsId,
        facts: impl FnOnce() -> PcFacts,
        record: &mut Record,
    ) {
        match step.event {
            Event::Signal => self.judge_restorer(image, tables, step, record),
            Event::Sequential | Event::Jump | Event::Entry | Event::Unwound => {
                let depth = step.frames.depth();
                let has_ended = self.open.last().is_some_and(|last| last.level > depth);
                if (has_ended || step.event == Event::Unwound) && !self.open.is_empty() {
                    self.throws.begin(std::mem::take(&mut self.open));
                }
                if self.throws.is_landing_awaited() {
                    self.land(image, tables, step, record);
                }
            }
            Event::Call => {
                let level = step.frames.depth();
                while self.open.pop_if(|last| last.level >= level).is_some() {}
                let is_recorded = self.calls.get(id.index()).is_none_or(|calls| *calls < CALLS);
                if let Some(caller) = self.open.last_mut().filter(|caller| caller.level + 1 == level) {
                    caller.called = None;
                }
                if is_recorded {
                    self.judge_caller(image, tables, step, record);
                    self.enter(step, id, &facts());
                }
            }
            Event::Return => self.leave(step),
            Event::Resumed => while self.open.pop_if(|last| last.level >= step.frames.depth()).is_some() {},
            Event::Switched => self.open.clear(),
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
                values: self.all.iter().filter_map(|reg| Some((*reg, step.regs.read(*reg)?))).collect(),
                right: RegisterSet::default(),
                called: None,
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
        for (reg, entered) in &left.values {
            match step.regs.read(*reg) == Some(*entered) {
                true => uses.restored.insert(*reg),
                false => uses.lost.insert(*reg),
            }
        }
        self.variables.change(uses.lost);
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
        left.called = None;
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
        if has_known_convention(place.image, table, place.step.pc) {
            return;
        }
        self.record_saves(place);
        let wrong = self.judge_all(View::innermost(place.step), table, row, place.facts.slots);
        if !wrong.is_empty() {
            record.registers.entry(place.step.pc).or_default().extend(wrong.iter().map(|wrong| wrong.reg));
        }
        if let Some(wrong) = wrong.first() {
            self.wrong.insert(place.step.pc);
            wrong.add(&mut record.fold, place.image, place.tables, (place.step.pc, place.facts.slots));
        }
    }

    /// Adds a finding about registers that `.eh_frame` does not restore in an explored state.
    pub(super) fn charge_explored(
        &mut self,
        place: Place<'_>,
        preserved: &Preserved<'_>,
        suspects: Unrestored,
        record: &mut Record,
    ) {
        let (Some(table), Slot::Row(row)) = (&place.tables.cfi, place.facts.slots.eh_frame) else { return };
        // With a rule for another register the row is wrong in any case.
        let decided = suspects.all().without(self.variables.without_rule);
        let (suspects, waits) = if decided.is_empty() { (suspects.all(), true) } else { (decided, false) };
        let suspect = preserved.entered.iter().find(|(reg, _)| suspects.has(*reg));
        let (Some((reg, entered)), Some(frame)) = (suspect.copied(), place.step.frames.innermost()) else { return };
        if has_known_convention(place.image, table, place.step.pc) {
            return;
        }
        let rule = table.rule(row, reg).unwrap_or(ValueRule::SameValue);
        let gives = gives(table, View::innermost(place.step), row, (reg, rule), frame.cfa);
        if let Some(gives) = gives.filter(|gives| !gives.is(entered)) {
            let severity = if rule == ValueRule::SameValue { place.severity(entered) } else { Severity::Error };
            let (wrong, pc) = (WrongRule { reg, rule, gives, entered, severity }, place.step.pc);
            if waits {
                self.variables.wait(pc, place.facts.slots, wrong, suspects);
                return;
            }
            self.wrong.insert(pc);
            record.registers.entry(pc).or_default().extend(suspects.iter());
            wrong.add(&mut record.fold, place.image, place.tables, (pc, place.facts.slots));
        }
    }

    /// Adds the registers that an explored function returns with another value in.
    pub(super) fn change(&mut self, registers: RegisterSet) {
        self.variables.change(registers);
    }

    /// Ends an exploration: findings that depend on other functions are made.
    pub(super) fn end_exploration(&mut self, image: &Image, tables: &Tables, record: &mut Record) {
        self.wrong.extend(self.variables.end(image, tables, record));
    }

    /// Records the registers that the instruction about to execute stores.
    fn record_saves(&mut self, place: Place<'_>) {
        let Some(activation) = self.open.last() else { return };
        for (reg, to) in instructions::all_saves(place.image, place.step.pc) {
            let entered = activation.values.iter().find(|(each, _)| *each == reg).map(|(_, value)| *value);
            if matches!(to, SavedAt::Slot { .. }) && entered.is_some() && entered == place.step.regs.read(reg) {
                self.uses.entry(activation.function).or_default().saved.insert(reg);
            }
        }
    }

    /// The rule of a row for a register; `None` if it claims nothing.
    fn rule(&self, table: &CfiUnwinder, row: RowId, reg: Reg) -> Option<ValueRule> {
        table.rule(row, reg).or_else(|| self.preserved.has(reg).then_some(ValueRule::SameValue))
    }

    /// Judges the registers of a frame; returns the rules that are wrong, but for those that the
    /// returns of the function decide.
    fn judge_all(&mut self, view: View<'_>, table: &CfiUnwinder, row: RowId, slots: PerTable<Slot>) -> Vec<WrongRule> {
        let mut wrong = Vec::new();
        let Some(activation) = self.open.last() else { return wrong };
        let cfa = activation.cfa;
        for position in 0..activation.values.len() {
            let Some((reg, _)) = self.open.last().and_then(|last| last.values.get(position).copied()) else { break };
            let Some(rule) = self.rule(table, row, reg) else { continue };
            if let Some(gives) = gives(table, view, row, (reg, rule), cfa) {
                wrong.extend(self.judge_register(view.at.lookup(), slots, position, rule, gives));
            }
        }
        wrong
    }

    /// Judges a register of the innermost recorded activation; returns a rule that is wrong, unless
    /// the returns of the function decide.
    fn judge_register(
        &mut self,
        pc: Pc,
        slots: PerTable<Slot>,
        position: usize,
        rule: ValueRule,
        gives: Gives,
    ) -> Option<WrongRule> {
        let activation = self.open.last_mut()?;
        let (reg, entered) = *activation.values.get(position)?;
        if gives.is(entered) {
            if rule != ValueRule::SameValue {
                activation.right.insert(reg);
            }
            return None;
        }
        let function = activation.function;
        let is_saved = || self.uses.get(&function).is_some_and(|uses| uses.saved.has(reg));
        let waits = match rule {
            ValueRule::SameValue if !is_saved() => return None,
            ValueRule::SameValue => true,
            // A function that restores a register which a call need not preserve is one that does.
            _ if !self.preserved.has(reg) => true,
            _ => activation.right.has(reg) && matches!(gives, Gives::Value(_)),
        };
        let wrong = WrongRule { reg, rule, gives, entered, severity: Severity::Error };
        if !waits {
            return Some(wrong);
        }
        self.pending.entry((pc, reg)).or_insert(Waiting { function, slots, wrong });
        None
    }
}

/// Returns true if the function at a PC follows another convention than the ABI's.
fn has_known_convention(image: &Image, table: &CfiUnwinder, pc: Pc) -> bool {
    let is_named = |function: &Symbol| Convention::of_function(function.name.as_str()).is_some();
    table.has_own_convention(pc) || image.function_at(pc).is_some_and(is_named)
}
