//! Rides on an execution and judges both tables at every step: the innermost frame always, the whole chain at calls, returns and
//! first visits. Each voice is compared with the truth; the agreement of two tables proves nothing.

mod findings;
mod lowered;

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Answer, CfaRule, CodePoint, Event, Fault, Field, Frame, Image, Observer, Reg, RegFile as _, Step, Verdict, Why,
};
use unwind::Unwinder;

use self::lowered::Lowered;
use crate::blame::{Voices, alike, charges};
use crate::chain::{Climb, Rung};
use crate::compare::Shared;
use crate::fold::Fold;
use crate::memo::{Memo, PcFacts};
use crate::slot::Slot;
use crate::tables::Tables;
use crate::verdict::{Bounds, judge};
use crate::witness::Witness;

/// Bounds on the frames walked, for each step and at first: a recursion of depth N would cost N squared. `--whole-chain` lifts them.
const FRAMES_A_STEP: u64 = 64;
const FRAMES_AT_FIRST: u64 = 1_000_000;

/// General registers of AMD64: DWARF numbers below this.
const GENERAL: u16 = 16;

/// The judge of one image. It can ride on several executions, one after another.
pub struct Judge<'a> {
    image: &'a Image,
    tables: &'a Tables,
    /// What is known about each PC.
    pub memo: Memo,
    /// Findings so far.
    pub fold: Fold,
    /// Counts so far.
    pub counts: Counts,
    /// Rows that execution showed wrong, `.sframe`'s and `.eh_frame`'s.
    pub charged: BTreeSet<(Slot, Slot)>,
    /// Why answers could not be decided, and how many.
    pub undecided: BTreeMap<&'static str, u64>,
    /// Functions jumped to with SP lowered.
    lowered: Lowered,
    /// Walk the whole chain at every step.
    whole_chain: bool,
    /// The execution began in a function that nothing calls, so that its end of the chain is known.
    outermost_is_real: bool,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps witnessed.
    pub steps: u64,
    /// Steps at which a table answered and was judged.
    pub judged: u64,
    /// PCs judged.
    pub pcs: u64,
    /// Frames judged in walks.
    pub frames: u64,
    /// Answers that could not be decided.
    pub undecided: u64,
    /// Most callers at once.
    pub max_depth: u64,
    /// Walks that stopped at a register the table does not track.
    pub stopped: u64,
    /// Walks left out because the stack was so deep that they would have taken longer than the run.
    pub unwalked: u64,
}

/// One frame and what both tables say about it.
pub(crate) struct Asked<'s> {
    step: &'s Step<'s>,
    at: CodePoint,
    depth: usize,
    truth: Option<&'s Frame>,
    slots: (Slot, Slot),
    sframe: Option<Result<Answer, Fault>>,
    cfi: Option<Result<Answer, Fault>>,
}

impl<'a> Judge<'a> {
    /// A judge with nothing seen yet.
    pub fn new(image: &'a Image, tables: &'a Tables, whole_chain: bool) -> Self {
        Judge {
            image,
            tables,
            memo: Memo::new(image),
            fold: Fold::default(),
            counts: Counts::default(),
            charged: BTreeSet::new(),
            undecided: BTreeMap::new(),
            lowered: Lowered::default(),
            whole_chain,
            outermost_is_real: true,
        }
    }

    /// Tells whether the next execution begins where nothing calls (the ELF entry), or in a function called by the harness.
    pub fn begin(&mut self, outermost_is_real: bool) {
        self.outermost_is_real = outermost_is_real;
        self.lowered.clear();
    }

    fn bounds(&self, step: &Step<'_>) -> Bounds {
        Bounds {
            start: step.stack.base,
            end: step.stack.base.saturating_add(step.stack.bytes.len() as u64),
            sp: step.regs.sp,
            caller_sp_minus_cfa: self.image.abi.facts().caller_sp_minus_cfa,
            ra_is_gone: ra_is_gone(step),
        }
    }

    /// Judges both answers for one frame and keeps what is wrong. Returns whether each voice was right.
    #[inline]
    fn judge_frame(&mut self, asked: &Asked<'_>) -> (bool, bool) {
        let bounds = self.bounds(asked.step);
        let verdict = |answer: &Option<Result<Answer, Fault>>| answer.as_ref().map(|a| judge(a, asked.truth, &bounds));
        let (sframe, cfi) = (verdict(&asked.sframe), verdict(&asked.cfi));
        let right = |verdict: Option<Verdict>| matches!(verdict, Some(Verdict::Agree));
        let quiet = |verdict: Option<Verdict>| matches!(verdict, None | Some(Verdict::Agree));
        if !(quiet(sframe) && quiet(cfi)) {
            self.charge(asked, sframe, cfi);
        }
        (right(sframe), right(cfi))
    }

    #[cold]
    fn charge(&mut self, asked: &Asked<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>) {
        let sframe = sframe.map(|verdict| self.mid_chain(asked, verdict));
        let sframe =
            sframe.map(|verdict| leaving(self.tables.sframe.as_ref(), asked, asked.slots.0, &asked.sframe, verdict));
        let cfi = cfi.map(|verdict| self.mid_chain(asked, verdict));
        let cfi = cfi.map(|verdict| leaving(self.tables.cfi.as_ref(), asked, asked.slots.1, &asked.cfi, verdict));
        let waits = self.waits(asked, sframe, cfi);
        for verdict in [sframe, cfi].into_iter().flatten() {
            match verdict {
                Verdict::Wrong(_) if waits.is_some() => {
                    self.undecided(Why::Lowered.name());
                    if let Some(waiting) = waits.and_then(|level| self.lowered.waiting(level)) {
                        waiting.undecided += 1;
                    }
                }
                Verdict::Undecided(why) => self.undecided(why.name()),
                Verdict::Refused(Fault::UnknownRegister { .. }) if asked.depth > 0 => self.counts.stopped += 1,
                Verdict::Refused(_) => self.undecided("refused"),
                Verdict::Agree | Verdict::Wrong(_) | Verdict::Missing => {}
            }
        }
        if asked.depth > 0 && matches!(sframe, Some(Verdict::Refused(Fault::UnknownRegister { .. }))) {
            findings::stopped(self, asked);
        }
        let same = matches!((&asked.sframe, &asked.cfi), (Some(a), Some(b)) if alike(a, b));
        let shared = self.shared(asked);
        let voices = Voices { sframe, eh_frame: cfi, alike: same, shared };
        let origin = crate::tables::origin(self.image, asked.at.lookup().0);
        for charge in charges(&voices, origin).into_iter().flatten() {
            if charge.verdict == Verdict::Wrong(Field::Outermost) && !self.outermost_is_real {
                continue;
            }
            match waits.and_then(|level| self.lowered.waiting(level)) {
                Some(waiting) => waiting.charged.insert(asked.slots),
                None => self.charged.insert(asked.slots),
            };
            findings::charge(self, asked, charge, cfi, waits);
        }
        let rowless = sframe == Some(Verdict::Missing) && asked.slots.0 == Slot::NoRow;
        if rowless && cfi == Some(Verdict::Agree) && !self.tables.is_rowless_signal_frame(asked.at.lookup()) {
            findings::missing_row(self, asked, origin.blame());
        }
    }

    /// What both rows say by the same rule.
    fn shared(&self, asked: &Asked<'_>) -> Shared {
        let pc = asked.at.lookup();
        match (&self.tables.sframe, asked.slots.0, &self.tables.cfi, asked.slots.1) {
            (Some(table), Slot::Row(a), Some(other), Slot::Row(b)) => {
                Shared::of(&table.rules(a, pc), &other.rules(b, pc))
            }
            _ => Shared::default(),
        }
    }

    /// Whether all that is wrong is a CFA as it would be had the function been called where it was jumped to; if so, for the return
    /// of the function with how many frames around it the findings wait.
    fn waits(&self, asked: &Asked<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>) -> Option<usize> {
        let level = asked.step.frames.depth().checked_sub(asked.depth)?;
        let moved = Frame { cfa: self.lowered.cfa(level)?, ..*asked.truth? };
        let bounds = self.bounds(asked.step);
        let (mut wrong, mut as_called) = (0, 0);
        for (verdict, answer) in [(sframe, &asked.sframe), (cfi, &asked.cfi)] {
            if let (Some(Verdict::Wrong(field)), Some(answer)) = (verdict, answer) {
                wrong += 1;
                let right = judge(answer, Some(&moved), &bounds) == Verdict::Agree;
                as_called += u32::from(field == Field::Cfa && right);
            }
        }
        (wrong > 0 && wrong == as_called).then_some(level)
    }

    /// Frames have ended: what waited for the return of one that gave all its stack back was wrong after all.
    fn settle(&mut self, step: &Step<'_>) {
        let Some(waiting) = self.lowered.leave(step) else { return };
        self.fold.absorb(waiting.fold);
        self.charged.extend(waiting.charged);
        self.counts.undecided -= waiting.undecided;
        let name = Why::Lowered.name();
        if let Some(count) = self.undecided.get_mut(name) {
            *count -= waiting.undecided;
        }
        self.undecided.retain(|_, count| *count > 0);
    }

    fn undecided(&mut self, why: &'static str) {
        self.counts.undecided += 1;
        *self.undecided.entry(why).or_default() += 1;
    }

    /// In a caller's frame the link register holds something else by then: a row that still looks for the return address there is
    /// wrong, not merely unable to answer. (It is trusted in the innermost frame only.)
    fn mid_chain(&self, asked: &Asked<'_>, verdict: Verdict) -> Verdict {
        let facts = self.image.abi.facts();
        match verdict {
            Verdict::Refused(Fault::UnknownRegister { reg })
                if asked.depth > 0 && facts.link_register && reg == facts.ra =>
            {
                Verdict::Wrong(Field::Ra)
            }
            other => other,
        }
    }

    /// Judges the innermost frame where one answer does not settle it.
    fn judge_innermost(
        &mut self,
        step: &Step<'_>,
        facts: PcFacts,
        sframe: Option<Result<Answer, Fault>>,
    ) -> (bool, bool) {
        let at = CodePoint::Exact(step.pc);
        self.judge_frame(&Asked {
            step,
            at,
            depth: 0,
            truth: step.frames.innermost(),
            slots: (facts.sframe, facts.cfi),
            sframe,
            cfi: answer(self.tables.cfi.as_ref(), facts.cfi, at, step),
        })
    }

    /// Walks from the innermost frame, whose answers were right, to the outermost.
    fn walk(&mut self, step: &Step<'_>, facts: PcFacts, sframe: Option<Result<Answer, Fault>>, right: (bool, bool)) {
        let at = CodePoint::Exact(step.pc);
        let tables = self.tables;
        let cfi = answer(tables.cfi.as_ref(), facts.cfi, at, step);
        let mut sframe = start(tables.sframe.as_ref(), facts.sframe, at, sframe, right.0, step);
        let mut cfi = start(tables.cfi.as_ref(), facts.cfi, at, cfi, right.1, step);
        for depth in 1..=step.frames.depth() {
            let truth = step.frames.iter().nth(depth);
            if truth.is_none() && !self.outermost_is_real {
                break;
            }
            let rungs = (ask(&sframe, step), ask(&cfi, step));
            let Some(at) = rungs.0.as_ref().or(rungs.1.as_ref()).map(|rung| rung.at) else { break };
            let asked = Asked {
                step,
                at,
                depth,
                truth,
                slots: (rung_slot(&rungs.0), rung_slot(&rungs.1)),
                sframe: rungs.0.as_ref().map(|rung| rung.answer),
                cfi: rungs.1.as_ref().map(|rung| rung.answer),
            };
            self.counts.frames += 1;
            let right = self.judge_frame(&asked);
            advance(&mut sframe, rungs.0, right.0, step);
            advance(&mut cfi, rungs.1, right.1, step);
        }
    }
}

impl Observer for Judge<'_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        let at = CodePoint::Exact(step.pc);
        let id = match self.memo.find(step.pc) {
            Some(id) => id,
            None => self.memo.insert(step.pc, PcFacts::of(self.image, self.tables, step.pc)),
        };
        let facts = self.memo.get(id);
        self.counts.steps += 1;
        let answered = matches!(facts.sframe, Slot::Row(_)) || matches!(facts.cfi, Slot::Row(_));
        self.counts.judged += u64::from(answered);
        let first_visit = facts.witness.is_none();
        if first_visit {
            self.memo.witness(id, step.pc, Witness::of(step));
            self.counts.pcs += u64::from(answered);
        }
        match step.event {
            Event::Jump if facts.entry => self.lowered.enter(step),
            Event::Return | Event::Unwound => self.settle(step),
            Event::Jump | Event::Call | Event::Sequential | Event::Entry => {}
        }
        let truth = step.frames.innermost();
        let sframe = answer(self.tables.sframe.as_ref(), facts.sframe, at, step);
        // Nearly every step ends here: equal rules, and their one answer is right.
        let both_right = facts.same
            && sframe.as_ref().is_some_and(|answer| judge(answer, truth, &self.bounds(step)) == Verdict::Agree);
        let right = match both_right {
            true => (true, true),
            false => self.judge_innermost(step, facts, sframe),
        };
        self.counts.max_depth = self.counts.max_depth.max(step.frames.depth() as u64);
        let edge = matches!(step.event, Event::Call | Event::Return | Event::Unwound);
        let wanted = first_visit || edge || self.whole_chain;
        if wanted && !self.whole_chain && self.counts.frames > self.counts.steps * FRAMES_A_STEP + FRAMES_AT_FIRST {
            self.counts.unwalked += 1;
        } else if wanted {
            self.walk(step, facts, sframe, right);
        }
    }
}

/// A longjmp's last instructions may be described, on purpose, as if they had landed: the row's CFA is in neither SP nor FP, and its
/// caller is no live frame but a place where a live function's earlier call came back. The truth has no say about such a row.
fn leaving<U: Unwinder>(
    table: Option<&U>,
    asked: &Asked<'_>,
    slot: Slot,
    answer: &Option<Result<Answer, Fault>>,
    verdict: Verdict,
) -> Verdict {
    let facts = asked.step.regs.abi.facts();
    let (Verdict::Wrong(_), Some(table), Slot::Row(row), Some(Ok(Answer::Caller(caller)))) =
        (verdict, table, slot, answer)
    else {
        return verdict;
    };
    let elsewhere = match table.rules(row, asked.at.lookup()).cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg != facts.sp && reg != facts.fp,
        CfaRule::Expression(_) => true,
        CfaRule::Unspecified => false,
    };
    let caller_sp = |frame: &Frame| frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
    let live = asked.step.frames.iter().any(|frame| frame.ra.0 == caller.ra && caller_sp(frame) == caller.sp);
    match elsewhere && !live && asked.step.earlier_calls.came_back(caller.ra, caller.sp) {
        true => Verdict::Undecided(Why::Leaving),
        false => verdict,
    }
}

/// A longjmp to a place that runs with the SP which the call of the jumping function was made with: SP is past the return address,
/// and nobody can go there any more. Code that returns with its return address in a register has it there.
#[inline]
fn ra_is_gone(step: &Step<'_>) -> bool {
    let abi = step.regs.abi;
    let Some(frame) = step.frames.innermost().filter(|frame| frame.cfa == step.regs.sp) else { return false };
    !abi.facts().link_register && (0..GENERAL).all(|number| step.regs.read(Reg(number)) != Some(frame.ra.0))
}

#[inline]
fn answer<U: Unwinder>(table: Option<&U>, slot: Slot, at: CodePoint, step: &Step<'_>) -> Option<Result<Answer, Fault>> {
    match slot {
        Slot::Row(row) => table.map(|table| table.evaluate(row, at, &step.regs, &step.stack)),
        Slot::NoRow => Some(Err(Fault::NoRow)),
        Slot::NoFunction => Some(Err(Fault::NoFunction)),
        Slot::Absent => None,
    }
}

fn start<'t, U: Unwinder>(
    table: Option<&'t U>,
    slot: Slot,
    at: CodePoint,
    answer: Option<Result<Answer, Fault>>,
    right: bool,
    step: &Step<'_>,
) -> Option<Climb<'t, U>> {
    match (table, slot, answer) {
        (Some(table), Slot::Row(row), Some(Ok(Answer::Caller(caller)))) if right => {
            Some(Climb::start(table, row, at, &caller, &step.regs, &step.stack))
        }
        _ => None,
    }
}

fn ask<U: Unwinder>(climb: &Option<Climb<'_, U>>, step: &Step<'_>) -> Option<Rung> {
    climb.as_ref().map(|climb| climb.ask(&step.stack))
}

fn rung_slot(rung: &Option<Rung>) -> Slot {
    rung.as_ref().map_or(Slot::Absent, |rung| rung.slot)
}

/// A voice that was wrong, or has no caller to name, goes no further.
fn advance<U: Unwinder>(climb: &mut Option<Climb<'_, U>>, rung: Option<Rung>, right: bool, step: &Step<'_>) {
    let goes_on = match (climb.as_mut(), &rung) {
        (Some(climb), Some(rung)) if right => climb.climb(rung, &step.stack),
        _ => false,
    };
    if !goes_on {
        *climb = None;
    }
}
