//! Instructions that were judged before, with the result: at later visits it suffices that the same
//! comparisons hold. They compare everything that the rows read, so a step for which they hold has
//! the same result as the first; any other step is judged in full.

use types::memo::{Memo, Note};
use types::{AbiFacts, Answer, CfaRule, Event, Fault, Pc, Step, UnwindRow, ValueRule};
use unwind::Unwinder;

use super::chain_links::{Links, Site, Way};
use super::overwritten::LastRight;
use super::{FRAMES_A_STEP, FRAMES_AT_FIRST, Judge};
use crate::memo::{FactsId, PcFacts};
use crate::quick::{Check, Registers, has};
use crate::slot::Slot;
use crate::tables::Tables;

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
    /// The tables that are right if the comparison holds, encoded as in [`Links`].
    right: u8,
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
        self.fresh = None;
        self.passed = None;
        self.links = Links::default();
    }

    /// Resets the state for another thread.
    pub(super) fn forget_last(&mut self) {
        self.fresh = None;
        self.passed = None;
    }

    fn get(&self, note: Note) -> Option<&Known> {
        self.all.get(note.get() as usize - 1)
    }
}

impl Known {
    /// The comparisons for an instruction, if its rows have a comparable form and were right at
    /// this step.
    fn new(abi: &'static AbiFacts, tables: &Tables, facts: &PcFacts, step: &Step<'_>) -> Option<Known> {
        let pc = step.pc;
        let beginning = step.frames.depth() == 0;
        let mut checks = [None; 2];
        let mut right = 0;
        let own_convention = tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(pc));
        let sframe = row(tables.sframe.as_ref(), facts.sframe, pc);
        let cfi = row(tables.cfi.as_ref(), facts.cfi, pc);
        for (number, (row, own_convention)) in [(&sframe, false), (&cfi, own_convention)].into_iter().enumerate() {
            let Some(row) = row else { continue };
            right |= 1 << number;
            match (beginning, row.ra) {
                (true, ValueRule::Undefined) => {}
                (true, _) => return None,
                (false, _) => checks[number] = Some(Check::new(abi, row, own_convention)?),
            }
        }
        // A function without a row has to be reported.
        if facts.sframe == Slot::NoRow {
            return None;
        }
        if checks[0] == checks[1] {
            checks[1] = None;
        }
        let of = |number: u8, slot| if right >> number & 1 == 1 { slot } else { Slot::Absent };
        let last = LastRight { pc, slots: (of(0, facts.sframe), of(1, facts.cfi)) };
        // If no table has a row, nothing depends on frames.
        let outermost = beginning && right != 0;
        let [check, other] = checks;
        let known = Known { check, other, outermost, entry: facts.entry, answered: right != 0, right, last };
        known.holds(abi, step).then_some(known)
    }

    #[inline(always)]
    fn holds(&self, abi: &AbiFacts, step: &Step<'_>) -> bool {
        let Some(frame) = step.frames.innermost() else { return self.outermost || self.right == 0 };
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

fn row<U: Unwinder>(table: Option<&U>, slot: Slot, pc: Pc) -> Option<UnwindRow> {
    match (table, slot) {
        (Some(table), Slot::Row(row)) => Some(table.rules(row, pc)),
        _ => None,
    }
}

impl Judge<'_> {
    /// Records the result of a step that was judged in full, for the next visit.
    pub(super) fn learn(&mut self, step: &Step<'_>, id: FactsId, facts: &PcFacts) {
        self.known.fresh = None;
        if self.evaluates_every_step() || self.walks_whole_chains() {
            return;
        }
        if self.known.learned.len() <= id.index() {
            self.known.learned.resize(id.index().saturating_add(1), Learned::Tried(0));
        }
        let Some(learned) = self.known.learned.get_mut(id.index()) else { return };
        match *learned {
            Learned::Known(note) => self.known.fresh = Some(note),
            Learned::Tried(TRIES..) => {}
            Learned::Tried(times) => {
                *learned = Learned::Tried(times.saturating_add(1));
                let known = Known::new(self.facts, self.tables, facts, step);
                let number = u32::try_from(self.known.all.len().saturating_add(1)).ok().and_then(Note::new);
                if let Some((known, note)) = known.zip(number) {
                    self.known.all.push(known);
                    *learned = Learned::Known(note);
                    self.known.fresh = Some(note);
                }
            }
        }
    }

    /// Records what later steps need to know of the last memo hit.
    #[inline]
    pub(super) fn catch_up(&mut self) {
        if let Some((level, note)) = self.known.passed.take()
            && let Some(last) = self.known.get(note).filter(|known| known.answered).map(|known| known.last)
        {
            self.waiting.overwritten.right(level, last);
        }
    }

    /// Handles a call or a return as a memo hit if an equal one was judged: no finding waits for
    /// it, and the chain is unchanged since it was walked. Returns false if it has to be judged.
    #[inline]
    pub(super) fn take_in_edge_at(&mut self, id: FactsId, step: &Step<'_>) -> bool {
        let Some(&Learned::Known(note)) = self.known.learned.get(id.index()) else { return false };
        if !matches!(step.event, Event::Call | Event::Return) || !self.waiting.is_idle() {
            return false;
        }
        self.catch_up();
        let Some(known) = self.known.get(note).filter(|known| known.holds(self.facts, step)) else { return false };
        let (right, answered) = (known.right, known.answered);
        if self.counts.frames > self.counts.steps * FRAMES_A_STEP + FRAMES_AT_FIRST {
            return false;
        }
        self.follow(step);
        let Some(frames) = self.known.links.walk(right, self.knows_outermost(step), step) else { return false };
        let depth = step.frames.depth();
        if step.event == Event::Call {
            self.waiting.overwritten.call(depth);
        }
        if answered {
            self.known.passed = Some((depth, note));
        }
        self.known.fresh = Some(note);
        self.counts.steps += 1;
        self.counts.judged += u64::from(answered);
        self.counts.frames += frames;
        self.counts.max_depth = self.counts.max_depth.max(depth as u64);
        true
    }

    /// Updates the links to the frames of this step.
    pub(super) fn follow(&mut self, step: &Step<'_>) {
        let (abi, tables) = (self.facts, self.tables);
        self.known.links.follow(abi, step, |ra| site(abi, tables, ra));
    }
}

impl Memo for Judge<'_> {
    fn note(&mut self) -> Option<Note> {
        self.known.fresh.take()
    }

    #[inline(always)]
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool {
        let Some(known) = self.known.all.get(note.get() as usize - 1) else { return false };
        if self.waiting.may_settle() || !known.holds(self.facts, step) {
            return false;
        }
        let answered = known.answered;
        match step.event {
            Event::Sequential => {}
            Event::Jump if !known.entry => {}
            _ => return false,
        }
        self.counts.steps += 1;
        self.counts.judged += u64::from(answered);
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
        self.counts.steps += 1;
        if let Some((_, last)) = &mut self.known.passed {
            *last = note;
            self.counts.judged += 1;
        }
    }
}

impl Judge<'_> {
    /// Walks the chain of a step that was judged in full. At a call or a return it suffices that
    /// the chain is unchanged, if the tables that are right find callers by SP and FP.
    pub(super) fn walk_or_compare(
        &mut self,
        step: &Step<'_>,
        facts: PcFacts,
        sframe: Option<Result<Answer, Fault>>,
        right: (bool, bool),
        first_visit: bool,
    ) {
        let followed = matches!(step.event, Event::Call | Event::Return)
            && !self.evaluates_every_step()
            && !self.walks_whole_chains();
        if followed {
            self.follow(step);
        }
        let knows_fp = |table: Option<UnwindRow>| table.is_none_or(|row| row.fp != ValueRule::Undefined && !row.signal);
        let compared = followed
            && !first_visit
            && knows_fp(row(self.tables.sframe.as_ref(), facts.sframe, step.pc))
            && knows_fp(row(self.tables.cfi.as_ref(), facts.cfi, step.pc));
        let alive = u8::from(right.0) | u8::from(right.1) << 1;
        let as_before = || self.known.links.walk(alive, self.knows_outermost(step), step);
        match compared.then(as_before).flatten() {
            Some(frames) => self.counts.frames += frames,
            None => self.walk(step, facts, sframe, right),
        }
    }
}

/// Answers of both tables for a frame in a call that returns to an address.
fn site(abi: &AbiFacts, tables: &Tables, ra: Pc) -> Site {
    let at = types::CodePoint::AfterCall(ra);
    let pc = at.lookup();
    let (sframe, cfi) = tables.slots(at);
    let own_convention = tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(pc));
    let way = |row: Option<UnwindRow>, slot, own_convention, rowless| match (row, slot) {
        (Some(row), _) if row.ra == ValueRule::Undefined && !matches!(row.cfa, CfaRule::Expression(_)) => {
            Way::Outermost
        }
        (Some(row), _) => Check::new(abi, &row, own_convention).map_or(Way::Unknown, Way::Check),
        (None, Slot::NoRow) => rowless,
        (None, _) => Way::Ends,
    };
    Site {
        ways: [
            way(row(tables.sframe.as_ref(), sframe, pc), sframe, false, Way::Unknown),
            way(row(tables.cfi.as_ref(), cfi, pc), cfi, own_convention, Way::Ends),
        ],
    }
}
