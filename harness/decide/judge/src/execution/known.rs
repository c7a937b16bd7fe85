//! Instructions that were judged before, with the result: at later visits it suffices that the same
//! comparisons hold. They compare everything that the rows read, so a step for which they hold has
//! the same result as the first; any other step is judged in full.

use types::memo::{Memo, Note};
use types::{AbiFacts, CfaRule, CodePoint, Event, Pc, Step, UnwindRow, ValueRule};

use super::Judge;
use super::chain_links::{Links, Site, Way};
use super::overwritten::LastRight;
use crate::blame::Table;
use crate::memo::{FactsId, PcFacts};
use crate::per_table::PerTable;
use crate::quick::{Check, Registers, has};
use crate::slot::Slot;
use crate::tables::{TableAnswer, Tables};

/// An instruction whose first visit was judged. The fields that every step needs are in its first
/// cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Known {
    /// The comparison for a table that has a row.
    check: Option<Check>,
    /// True if in both tables the frame has no caller, and that is right.
    outermost: bool,
    entry: bool,
    /// True if a table has a row.
    answered: bool,
    /// The tables that are right if the comparison holds.
    right: PerTable<bool>,
    /// The comparison for the other table, if it differs.
    other: Option<Check>,
    last: LastRight,
}

/// Maximum number of attempts to make an instruction's steps comparable.
const TRIES: u8 = 8;

/// Result of these attempts for an instruction.
#[derive(Clone, Copy, Debug)]
enum Learned {
    Tried(u8),
    Known(Note),
}

/// All such instructions of one judge, and the one of the last memo hit.
#[derive(Default)]
pub(super) struct KnownInstructions {
    all: Vec<Known>,
    /// Results by index of the instruction's facts.
    learned: Vec<Learned>,
    /// Note of the step that was judged last.
    fresh: Option<Note>,
    /// Depth and note of the last memo hit, if it is not yet recorded as right.
    pub(super) passed: Option<(usize, Note)>,
    pub(super) links: Links,
}

impl KnownInstructions {
    /// Resets the state for another execution.
    pub(super) fn forget_steps(&mut self) {
        self.forget_last();
        self.links = Links::default();
    }

    /// Resets the state for another thread.
    pub(super) fn forget_last(&mut self) {
        self.fresh = None;
        self.passed = None;
    }

    /// Remembers a step that was judged in full, for the next visit.
    pub(super) fn learn(&mut self, abi: &AbiFacts, tables: &Tables, step: &Step<'_>, id: FactsId, facts: &PcFacts) {
        self.fresh = None;
        if self.learned.len() <= id.index() {
            self.learned.resize(id.index().saturating_add(1), Learned::Tried(0));
        }
        let Some(learned) = self.learned.get_mut(id.index()) else { return };
        match *learned {
            Learned::Known(note) => self.fresh = Some(note),
            Learned::Tried(TRIES..) => {}
            Learned::Tried(times) => {
                *learned = Learned::Tried(times.saturating_add(1));
                let known = Known::new(abi, tables, facts, step);
                let number = u32::try_from(self.all.len().saturating_add(1)).ok().and_then(Note::new);
                if let Some((known, note)) = known.zip(number) {
                    self.all.push(known);
                    *learned = Learned::Known(note);
                    self.fresh = Some(note);
                }
            }
        }
    }

    /// Updates the links to the frames of this step.
    fn follow(&mut self, abi: &AbiFacts, tables: &Tables, step: &Step<'_>) {
        self.links.follow(abi, step, |ra| Site::new(abi, tables, ra));
    }

    fn get(&self, note: Note) -> Option<&Known> {
        self.all.get(note.get() as usize - 1)
    }
}

impl Known {
    /// The comparisons for an instruction, if its rows have a comparable form and were right at
    /// this step.
    fn new(abi: &AbiFacts, tables: &Tables, facts: &PcFacts, step: &Step<'_>) -> Option<Known> {
        let pc = step.pc;
        let beginning = step.frames.depth() == 0;
        let mut checks = PerTable::default();
        let rows = facts.slots.map(|table, slot| tables.rules_in(table, slot, pc));
        for (check, table) in [(&mut checks.sframe, Table::Sframe), (&mut checks.eh_frame, Table::EhFrame)] {
            let Some(row) = rows.get(table) else { continue };
            match (beginning, row.ra) {
                (true, ValueRule::Undefined) => {}
                (true, _) => return None,
                (false, _) => *check = Some(Check::new(abi, row, has_own_convention(tables, table, pc))?),
            }
        }
        // A function without a row has to be reported.
        if facts.slots.sframe == Slot::NoRow {
            return None;
        }
        let right = rows.map(|_, row| row.is_some());
        let slots = facts.slots.map(|table, slot| if *right.get(table) { slot } else { Slot::Absent });
        let answered = facts.has_row();
        let PerTable { sframe: check, eh_frame: other } = checks;
        let known = Known {
            check,
            other: other.filter(|_| other != check),
            // If no table has a row, nothing depends on frames.
            outermost: beginning && answered,
            entry: facts.entry,
            answered,
            right,
            last: LastRight { pc, slots },
        };
        known.holds(abi, step).then_some(known)
    }

    #[inline(always)]
    fn holds(&self, abi: &AbiFacts, step: &Step<'_>) -> bool {
        let Some(frame) = step.frames.innermost() else { return self.outermost || !self.answered };
        let registers = Registers { sp: step.regs.sp, fp: step.regs.fp, link: Some(step.regs.ra) };
        // Not an iterator: it would not be inlined into the caller, and the step would have to be
        // stored in memory.
        let right = |check: &Option<Check>| match check {
            Some(check) => check.holds(abi, registers, frame, |address, word| has(&step.stack, address, word)),
            None => true,
        };
        !self.outermost && right(&self.check) && right(&self.other)
    }
}

/// Returns true if `.eh_frame` describes the function at a PC by a convention of its own.
fn has_own_convention(tables: &Tables, table: Table, pc: Pc) -> bool {
    table == Table::EhFrame && tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(pc))
}

impl Judge<'_> {
    /// Records what later steps need to know of the last memo hit.
    #[inline]
    pub(super) fn catch_up(&mut self) {
        if let Some((level, note)) = self.known.passed.take()
            && let Some(last) = self.known.get(note).filter(|known| known.answered).map(|known| known.last)
        {
            self.record.deferred.overwritten.right(level, last);
        }
    }

    /// Counts a call or a return and returns true if an equal one was judged: no finding is
    /// deferred until it, and the chain is unchanged since it was walked. Otherwise it has to be
    /// judged.
    #[inline]
    pub(super) fn repeats_edge(&mut self, id: FactsId, step: &Step<'_>) -> bool {
        let Some(&Learned::Known(note)) = self.known.learned.get(id.index()) else { return false };
        if !matches!(step.event, Event::Call | Event::Return) || !self.record.deferred.is_empty() {
            return false;
        }
        self.catch_up();
        let Some(known) = self.known.get(note).filter(|known| known.holds(self.facts, step)) else { return false };
        let (right, answered) = (known.right, known.answered);
        if self.record.counts.has_walked_most() {
            return false;
        }
        self.known.follow(self.facts, self.tables, step);
        let Some(frames) = self.known.links.walk(right, self.knows_outermost(step), step) else { return false };
        let depth = step.frames.depth();
        if step.event == Event::Call {
            self.record.deferred.overwritten.call(depth);
        }
        if answered {
            self.known.passed = Some((depth, note));
        }
        self.known.fresh = Some(note);
        let counts = &mut self.record.counts;
        counts.steps += 1;
        counts.judged += u64::from(answered);
        counts.frames += frames;
        counts.max_depth = counts.max_depth.max(depth as u64);
        true
    }
}

impl Memo for Judge<'_> {
    fn note(&mut self) -> Option<Note> {
        self.known.fresh.take()
    }

    #[inline(always)]
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool {
        let Some(known) = self.known.all.get(note.get() as usize - 1) else { return false };
        if self.record.deferred.may_be_decided() || !known.holds(self.facts, step) {
            return false;
        }
        let answered = known.answered;
        match step.event {
            Event::Sequential => {}
            Event::Jump if !known.entry => {}
            _ => return false,
        }
        self.record.counts.steps += 1;
        self.record.counts.judged += u64::from(answered);
        match answered {
            true => self.known.passed = Some((step.frames.depth(), note)),
            // The steps that are alike have no answer either.
            false => self.catch_up(),
        }
        true
    }

    fn are_alike(&self, one: Note, other: Note) -> bool {
        let what = |note| {
            let Known { check, other, outermost, answered, .. } = *self.known.get(note)?;
            Some((check, other, outermost, answered))
        };
        what(one).is_some_and(|one| what(other) == Some(one))
    }

    #[inline(always)]
    fn hit_alike(&mut self, note: Note) {
        self.record.counts.steps += 1;
        if let Some((_, last)) = &mut self.known.passed {
            *last = note;
            self.record.counts.judged += 1;
        }
    }
}

impl Judge<'_> {
    /// Walks the chain of a step that was judged in full. At a call or a return it suffices that
    /// the chain is unchanged, if the tables that are right find callers by SP and FP.
    pub(super) fn walk_or_compare(
        &mut self,
        step: &Step<'_>,
        slots: PerTable<Slot>,
        sframe: TableAnswer,
        right: PerTable<bool>,
        first_visit: bool,
    ) {
        let followed = matches!(step.event, Event::Call | Event::Return) && !self.options.repeat_nothing();
        if followed {
            self.known.follow(self.facts, self.tables, step);
        }
        let knows_fp = |row: &UnwindRow| row.fp != ValueRule::Undefined && !row.signal;
        let rows = || slots.map(|table, slot| self.tables.rules_in(table, slot, step.pc));
        let all_know_fp = || rows().all(|row| row.as_ref().is_none_or(knows_fp));
        let compared = followed && !first_visit && all_know_fp();
        let as_before = || self.known.links.walk(right, self.knows_outermost(step), step);
        match compared.then(as_before).flatten() {
            Some(frames) => self.record.counts.frames += frames,
            None => self.walk(step, slots, sframe, right),
        }
    }
}

impl Site {
    /// Answers of both tables for a frame in a call that returns to an address.
    fn new(abi: &AbiFacts, tables: &Tables, ra: Pc) -> Site {
        let at = CodePoint::AfterCall(ra);
        let pc = at.lookup();
        let way = |table, slot| match (tables.rules_in(table, slot, pc), slot) {
            (Some(row), _) if row.ra == ValueRule::Undefined && !matches!(row.cfa, CfaRule::Expression(_)) => {
                Way::Outermost
            }
            (Some(row), _) => {
                Check::new(abi, &row, has_own_convention(tables, table, pc)).map_or(Way::Unknown, Way::Check)
            }
            // A function of `.sframe` without a row has to be reported.
            (None, Slot::NoRow) if table == Table::Sframe => Way::Unknown,
            (None, _) => Way::Ends,
        };
        Site { ways: tables.slots(at).map(way) }
    }
}
