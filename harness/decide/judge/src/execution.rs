//! Judges both tables at every step of an execution: the innermost frame always, the complete chain
//! at calls, returns and first visits. Each table is compared with the true frames; agreement of
//! the two tables proves nothing.

mod assumed;
mod chain_links;
mod charge;
mod doubts;
mod explored;
mod findings;
mod handed;
mod jump_entries;
mod known;
mod overwritten;
mod threads;
mod uncalled;
mod waiting;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use results::Report;
use types::{
    AbiFacts, Answer, AssumedEntry, Caller, CodePoint, Event, Extent, Fault, Field, Frame, Image, LeftBy, Observer,
    Outermost, Pc, Reg, RegFile as _, Step, UndecidedCause, Verdict,
};
use unwind::Unwinder;

pub(crate) use self::doubts::{Doubts, Tally};
use self::jump_entries::{Decided, Pending};
use self::known::KnownInstructions;
use self::overwritten::LastRight;
use self::threads::Threads;
use self::waiting::Waiting;
use crate::blame::Table;
use crate::fold::{Fold, Identity};
use crate::memo::{Memo, PcFacts};
use crate::options::{Chains, Options, Rows};
use crate::remarks;
use crate::saves::Saves;
use crate::slot::{Slot, slot};
use crate::tables::Tables;
use crate::verdict::{Bounds, judge};
use crate::witness::Witness;

/// Limits on the frames walked, per step and at the start, because a recursion of depth N would
/// otherwise cost N squared. `--whole-chain` lifts them.
const FRAMES_A_STEP: u64 = 64;
const FRAMES_AT_FIRST: u64 = 1_000_000;

/// The judge of one image. It can observe several executions, one after another.
pub struct Judge<'a> {
    pub(crate) image: &'a Image,
    pub(crate) tables: &'a Tables,
    pub(crate) options: Options,
    /// The report so far.
    pub(crate) report: Report,
    /// Facts about each PC.
    pub(crate) memo: Memo,
    /// Where functions saved values of their callers.
    saves: Saves,
    /// Findings from execution.
    pub(crate) fold: Fold,
    /// Counts of observed and judged steps.
    pub(crate) counts: Counts,
    /// Pairs of rows, of `.sframe` and of `.eh_frame`, that execution showed wrong.
    pub(crate) charged: BTreeSet<(Slot, Slot)>,
    /// Undecided answers.
    pub(crate) doubts: Doubts,
    /// The first row that could not be evaluated: PC, table and fault.
    pub(crate) first_refusal: Option<(Pc, Table, Fault)>,
    /// The first row that could not be evaluated in exploration, in any state.
    pub(crate) explored_refusal: Option<(Pc, Table, Fault)>,
    /// PCs with a row that could not be evaluated in some state of exploration.
    explored_refusals: BTreeSet<Pc>,
    /// PCs at which exploration charges a finding and that no run reached.
    explored_alone: BTreeSet<Pc>,
    /// Functions whose entry exploration assumes, by their first address.
    assumed: BTreeMap<Pc, AssumedEntry>,
    /// Findings in functions that were jumped to with words pushed.
    lowered: BTreeSet<Identity>,
    waiting: Waiting,
    known: KnownInstructions,
    facts: &'static AbiFacts,
    /// True if the execution began in a function that nothing calls, so that the end of the chain
    /// is known.
    outermost_is_real: bool,
    threads: Threads,
}

/// Numbers of observed and judged steps over all runs; exploration counts its states separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of executed instructions.
    pub steps: u64,
    /// Number of steps at which a table answered and was judged.
    pub judged: u64,
    /// Number of distinct PCs at which a table answered.
    pub pcs: u64,
    /// Number of frames judged in walks.
    pub frames: u64,
    /// Number of steps at which a table's row for the innermost frame could not be evaluated.
    pub refused: u64,
    /// Number of rows that could not be evaluated, including those of callers.
    pub refused_answers: u64,
    /// Maximum number of callers.
    pub max_depth: u64,
    /// Number of frames of functions that a signal interrupted and that a table found from the
    /// frame of its handler or of the restorer.
    pub interrupted: u64,
    /// Number of walks that continued in an interrupted function although the table has no row for
    /// the code that the handler returns to.
    pub over_signals: u64,
    /// Number of walks that stopped at a register the table does not track.
    pub stopped: u64,
    /// Number of walks omitted because the stack was so deep that they would have taken longer than
    /// the run.
    pub unwalked: u64,
}

/// One frame with both tables' answers for it. `depth` counts from the innermost frame, 0; `truth`
/// is `None` for the outermost.
pub(crate) struct Answers<'s> {
    step: &'s Step<'s>,
    at: CodePoint,
    depth: usize,
    truth: Option<&'s Frame>,
    slots: (Slot, Slot),
    sframe: Option<Result<Answer, Fault>>,
    cfi: Option<Result<Answer, Fault>>,
}

impl Answers<'_> {
    /// The answer of a table.
    const fn of(&self, table: Table) -> Option<&Result<Answer, Fault>> {
        match table {
            Table::Sframe => self.sframe.as_ref(),
            Table::EhFrame => self.cfi.as_ref(),
        }
    }

    /// Returns true if the frame is a signal frame whose handler has changed the interrupted PC, SP
    /// or FP.
    fn continues_elsewhere(&self) -> bool {
        let kept = self.truth.filter(|frame| frame.left_by == LeftBy::Signal).and_then(|_| {
            let around = self.step.frames.depth().checked_sub(self.depth + 1)?;
            Some(self.step.stack.outer.kept(around))
        });
        kept.is_some_and(|kept| kept.iter().any(|(address, word)| self.step.stack.read(*address) != Ok(*word)))
    }

    /// Returns true if the frame's function is in a call: it is neither executing nor interrupted
    /// by a signal.
    fn is_of_a_caller(&self) -> bool {
        let callee = self.depth.checked_sub(1).and_then(|depth| self.step.frames.iter().nth(depth));
        callee.is_some_and(|frame| frame.left_by == LeftBy::Call)
    }
}

impl<'a> Judge<'a> {
    /// A judge that has observed nothing yet.
    pub fn new(image: &'a Image, tables: &'a Tables, options: Options) -> Self {
        let mut report = Report {
            file: image.name.clone(),
            abi: Some(image.abi),
            sframe_version: tables.version,
            ..Report::default()
        };
        remarks::add_of_tables(&mut report, image, tables);
        Judge {
            image,
            tables,
            options,
            report,
            memo: Memo::new(image),
            saves: Saves::default(),
            fold: Fold::default(),
            counts: Counts::default(),
            charged: BTreeSet::new(),
            doubts: Doubts::default(),
            first_refusal: None,
            explored_refusal: None,
            explored_refusals: BTreeSet::new(),
            explored_alone: BTreeSet::new(),
            assumed: BTreeMap::new(),
            lowered: BTreeSet::new(),
            waiting: Waiting::default(),
            known: KnownInstructions::default(),
            facts: image.abi.facts(),
            outermost_is_real: true,
            threads: Threads::default(),
        }
    }

    /// The report so far, to which an engine adds how it executed the file.
    pub fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Counts of observed and judged steps.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Names of the functions that were entered.
    pub fn entered(&mut self) -> BTreeSet<String> {
        let image = self.image;
        let entered = image.symbols.iter().filter(|symbol| self.memo.truth_at(Pc(symbol.address)).is_some());
        entered.map(|symbol| symbol.name.to_string()).collect()
    }

    /// Returns true if execution showed a wrong row so far.
    pub fn has_errors(&self) -> bool {
        !self.charged.is_empty()
    }

    fn walks_whole_chains(&self) -> bool {
        self.options.chains == Chains::AtEveryStep
    }

    fn evaluates_every_step(&self) -> bool {
        self.options.rows == Rows::AtEveryStep
    }

    /// Removes the step that was observed last from the counts: another judge counts it.
    pub fn uncount_step(&mut self) {
        self.counts.steps = self.counts.steps.saturating_sub(1);
    }

    /// Number of undecided answers.
    pub fn undecided_answers(&self) -> u64 {
        self.counts.refused_answers + self.doubts.open.answers()
    }

    /// Prepares for another execution. `outermost_is_real`: it begins at the ELF entry, or in a
    /// function called by the harness, so that its first function has no caller.
    pub fn begin(&mut self, outermost_is_real: bool) {
        self.end();
        self.known.forget_steps();
        self.threads = Threads::default();
        self.outermost_is_real = outermost_is_real;
    }

    /// Ends an execution: findings that waited for it are charged.
    pub fn end(&mut self) {
        let others = self.threads.end();
        for pending in self.waiting.end().into_iter().chain(others) {
            self.absorb(pending);
        }
        self.fold.join_dead_stack(&self.lowered);
    }

    fn bounds(&self, step: &Step<'_>) -> Bounds {
        let extent = step.stack.extent();
        Bounds {
            start: extent.start,
            end: extent.end,
            sp: step.regs.sp,
            caller_sp_minus_cfa: self.image.abi.facts().caller_sp_minus_cfa,
            ra_is_gone: ra_is_gone(step),
            is_innermost: true,
        }
    }

    /// The bounds of the stack that contains the frame.
    fn bounds_of(&self, answers: &Answers<'_>) -> Bounds {
        let step = answers.step;
        let outer = step.frames.depth().checked_sub(answers.depth + 1).and_then(|frame| step.stack.outer.extent(frame));
        let bounds = Bounds { is_innermost: answers.depth == 0, ..self.bounds(step) };
        match outer {
            None => bounds,
            Some(Extent { start, end, sp }) => Bounds { start, end, sp, ra_is_gone: false, ..bounds },
        }
    }

    /// Judges both answers for one frame and records wrong ones. Returns for each table whether it
    /// was right.
    #[inline]
    fn judge_frame(&mut self, answers: &Answers<'_>) -> (bool, bool) {
        let bounds = self.bounds_of(answers);
        let was_called = answers.truth.is_none_or(|frame| frame.left_by != LeftBy::Nothing);
        let verdict = |table| {
            answers.of(table).map(|answer| match judge(answer, answers.truth, &bounds) {
                Verdict::Agree if !was_called && self.contradicts_itself(answers, table) => {
                    Verdict::Wrong(Field::Outermost)
                }
                Verdict::Wrong(Field::Signed) if self.begins_to_sign(answers, answer) => {
                    judge(&unsigned(answer), answers.truth, &bounds)
                }
                Verdict::Wrong(_) if answers.continues_elsewhere() => Verdict::Undecided(UndecidedCause::Overwritten),
                verdict => verdict,
            })
        };
        let (sframe, cfi) = (verdict(Table::Sframe), verdict(Table::EhFrame));
        let right = |verdict: Option<Verdict>| matches!(verdict, Some(Verdict::Agree));
        let quiet = |verdict: Option<Verdict>| matches!(verdict, None | Some(Verdict::Agree));
        if !(quiet(sframe) && quiet(cfi)) {
            self.charge(answers, sframe, cfi);
        }
        let interrupted = answers.truth.is_some_and(|frame| frame.left_by == LeftBy::Signal);
        self.counts.interrupted += u64::from(interrupted && (right(sframe) || right(cfi)));
        (right(sframe), right(cfi))
    }

    /// Returns true if a row of `.eh_frame` begins at this instruction and marks the return address
    /// as signed with its PC. The directive precedes the signing instruction, because the signature
    /// contains its PC: before that instruction executes, no row can be right (DWARF for the Arm
    /// 64-bit Architecture, `DW_CFA_AARCH64_negate_ra_state_with_pc`).
    #[cold]
    fn begins_to_sign(&self, answers: &Answers<'_>, answer: &Result<Answer, Fault>) -> bool {
        let with_pc = matches!(answer, Ok(Answer::Caller(caller)) if caller.signed_with_pc);
        let unsigned = answers.truth.is_some_and(|frame| frame.signed_by.is_none());
        let before = CodePoint::Exact(Pc(answers.step.pc.0.wrapping_sub(1)));
        let begins = || slot(self.tables.cfi.as_ref(), before) != answers.slots.1;
        with_pc && unsigned && answers.depth == 0 && begins()
    }

    /// A handler begins or ends: findings that wait for the function that it interrupted continue
    /// to wait.
    #[cold]
    fn interrupt(&mut self, step: &Step<'_>) {
        let depth = step.frames.depth();
        if step.event == Event::Resumed {
            self.waiting.resume(depth);
            return;
        }
        for level in [depth, depth.saturating_sub(1)] {
            self.waiting.overwritten.call(level);
        }
        self.waiting.interrupt(depth);
    }

    /// Frames ended: findings that waited for their end may be errors after all. `entry`: a
    /// function begins at this step.
    fn settle(&mut self, step: &Step<'_>, entry: bool) {
        let jumped = self.waiting.jump_entries.leave(step);
        let overwritten = self.waiting.overwritten.leave(step, entry);
        if let Some(Decided::Wrong(pending)) = &jumped {
            self.lowered.extend(pending.fold.identities());
        }
        for decided in jumped.into_iter().chain(overwritten) {
            self.decide(decided);
        }
    }

    /// Applies a decision on answers that waited.
    fn decide(&mut self, decided: Decided) {
        match decided {
            Decided::Wrong(pending) => self.absorb(pending),
            Decided::Right(Pending { undecided, doubted, .. }) => {
                self.doubts.settle(undecided);
                self.doubts.settle(doubted);
            }
        }
    }

    /// Charges answers that were undecided and are wrong.
    fn absorb(&mut self, pending: Pending) {
        self.fold.absorb(pending.fold);
        self.charged.extend(pending.charged);
        self.doubts.charge(&pending.undecided);
    }

    /// Decides findings that waited for a landing, if possible.
    #[cold]
    fn settle_landing(&mut self, step: &Step<'_>, right: bool) {
        self.waiting.landed(step, right).into_iter().for_each(|decided| self.decide(decided));
    }

    /// Records facts of a frame for later, after the innermost frame was judged at this step.
    #[inline]
    fn remember(&mut self, step: &Step<'_>, facts: PcFacts, right: (bool, bool)) {
        if right.0 || right.1 {
            let of = |right: bool, slot| if right { slot } else { Slot::Absent };
            let slots = (of(right.0, facts.sframe), of(right.1, facts.cfi));
            self.waiting.overwritten.right(step.frames.depth(), LastRight { pc: step.pc, slots });
        }
    }

    /// Judges the innermost frame if one common answer does not settle it.
    fn judge_innermost(
        &mut self,
        step: &Step<'_>,
        facts: PcFacts,
        sframe: Option<Result<Answer, Fault>>,
    ) -> (bool, bool) {
        let at = CodePoint::Exact(step.pc);
        self.judge_frame(&Answers {
            step,
            at,
            depth: 0,
            truth: step.frames.innermost(),
            slots: (facts.sframe, facts.cfi),
            sframe,
            cfi: answer(self.tables.cfi.as_ref(), facts.cfi, at, step),
        })
    }
}

impl Observer for Judge<'_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self.catch_up();
        if step.thread != self.threads.now {
            self.change_thread(step.thread);
        }
        let at = CodePoint::Exact(step.pc);
        let id = match self.memo.find(step.pc) {
            Some(id) => id,
            None => self.memo.insert(step.pc, PcFacts::new(self.image, self.tables, step.pc)),
        };
        if self.take_in_edge_at(id, step) {
            return;
        }
        let facts = self.memo.get(id);
        self.counts.steps += 1;
        let answered = matches!(facts.sframe, Slot::Row(_)) || matches!(facts.cfi, Slot::Row(_));
        let unfollowed = step.outermost == Outermost::Unfollowed && step.frames.depth() == 0;
        if answered && !unfollowed && step.frames.depth() == 0 && self.is_where_a_thread_began(step, &facts) {
            self.known.forget_last();
            return;
        }
        self.counts.judged += u64::from(answered && !unfollowed);
        let first_visit = facts.witness.is_none() && !unfollowed;
        if first_visit {
            self.saves.record(step, self.tables, self.image);
            self.memo.witness(id, step.pc, Witness::new(step, &self.saves, self.tables, self.image));
            self.counts.pcs += u64::from(answered);
        }
        match step.event {
            // The target of a jump or fall-through may be a function entry.
            Event::Jump | Event::Sequential if facts.entry => self.waiting.jump_entries.enter(step),
            Event::Return | Event::Unwound => self.settle(step, facts.entry),
            Event::Call => self.waiting.overwritten.call(step.frames.depth()),
            Event::Signal | Event::Resumed => self.interrupt(step),
            Event::Switched => {
                self.waiting.switched(step).into_iter().for_each(|decided| self.decide(decided));
                self.waiting.forget_all();
            }
            Event::Jump | Event::Sequential | Event::Entry => {}
        }
        if self.waiting.leaves() {
            self.settle_landing(step, false);
        }
        if !self.waiting.jump_entries.is_empty()
            && let Some(pending) = self.waiting.jump_entries.raised(step)
        {
            self.lowered.extend(pending.fold.identities());
            self.absorb(pending);
        }
        if unfollowed {
            return self.pass_unfollowed(step, answered);
        }
        let truth = step.frames.innermost();
        let sframe = answer(self.tables.sframe.as_ref(), facts.sframe, at, step);
        // Nearly every step ends here: both rows have equal rules, and their common answer is
        // right.
        let was_called = truth.is_none_or(|frame| frame.left_by != LeftBy::Nothing);
        let both_right = facts.same
            && was_called
            && sframe.as_ref().is_some_and(|answer| judge(answer, truth, &self.bounds(step)) == Verdict::Agree);
        let right = match both_right {
            true => (true, true),
            false => self.judge_innermost(step, facts, sframe),
        };
        self.remember(step, facts, right);
        if self.waiting.leaves() && (right.0 || right.1) {
            self.settle_landing(step, true);
        }
        self.counts.max_depth = self.counts.max_depth.max(step.frames.depth() as u64);
        let edge = !matches!(step.event, Event::Sequential | Event::Jump | Event::Entry);
        let is_walked = first_visit || edge || self.walks_whole_chains();
        if is_walked
            && !self.walks_whole_chains()
            && self.counts.frames > self.counts.steps * FRAMES_A_STEP + FRAMES_AT_FIRST
        {
            self.counts.unwalked += 1;
        } else if is_walked {
            self.walk_or_compare(step, facts, sframe, right, first_visit);
        }
        self.waiting.overwritten.executes(step.frames.depth());
        self.learn(step, id, &facts);
    }
}

/// Returns true after a longjmp whose target executes with SP as it was at the jumping function's
/// call: SP is above the return address, and control cannot return to it any more. Functions that
/// return by a link register have it there.
#[inline]
fn ra_is_gone(step: &Step<'_>) -> bool {
    let facts = step.regs.abi.facts();
    let Some(frame) = step.frames.innermost().filter(|frame| frame.cfa == step.regs.sp) else { return false };
    let held = |number| step.regs.read(Reg(number)) == Some(frame.ra.0);
    !facts.link_register && !(0..facts.general_registers).any(held)
}

/// The answer with the signature of the return address ignored.
fn unsigned(answer: &Result<Answer, Fault>) -> Result<Answer, Fault> {
    match answer {
        Ok(Answer::Caller(caller)) => {
            let plain = Caller { signed_by: None, signed_with_pc: false, ..*caller };
            Ok(Answer::Caller(plain))
        }
        other => *other,
    }
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
