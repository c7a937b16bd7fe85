//! Judges both tables at every step of an execution: the innermost frame always, the complete chain
//! at calls, returns and first visits. Each table is compared with the true frames; agreement of
//! the two tables proves nothing.

mod answers;
mod chain_links;
mod charge;
mod contradicted;
mod deferred;
mod doubts;
mod excuses;
mod exploration;
mod explored;
mod findings;
mod handed;
mod jump_entries;
mod known;
mod overwritten;
mod record;
mod registers;
mod threads;
mod walk;

use std::collections::BTreeSet;

use results::Report;
use types::{
    AbiFacts, Answer, Caller, CodePoint, Event, Fault, Field, Image, LeftBy, Observer, Outermost, Pc, Step,
    UndecidedCause, Verdict,
};

use self::answers::{Answers, bounds};
pub(crate) use self::doubts::{Doubts, Refusal, Tally};
pub(crate) use self::exploration::Exploration;
use self::known::KnownInstructions;
use self::record::Record;
use self::registers::{Place, Registers};
use self::threads::{Threads, is_where_a_thread_began};
use crate::blame::Table;
use crate::memo::{FactsId, Memo, PcFacts};
use crate::options::Options;
use crate::per_table::PerTable;
use crate::remarks;
use crate::saves::Saves;
use crate::signal_marks::SignalMarks;
use crate::tables::{TableAnswer, Tables};
use crate::verdict::verdict;
use crate::witness::{Witness, is_telling};

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
    /// What the steps so far have shown.
    pub(crate) record: Record,
    pub(crate) exploration: Exploration,
    known: KnownInstructions,
    registers: Registers,
    pub(crate) marks: SignalMarks,
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

impl Counts {
    /// Returns true if more walks would take longer than the run.
    fn has_walked_most(&self) -> bool {
        self.frames > self.steps * FRAMES_A_STEP + FRAMES_AT_FIRST
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
            record: Record::default(),
            exploration: Exploration::default(),
            known: KnownInstructions::default(),
            registers: Registers::new(image.abi.facts(), tables),
            marks: SignalMarks::new(image, tables),
            facts: image.abi.facts(),
            outermost_is_real: true,
            threads: Threads::default(),
        }
    }

    /// The PCs that runs executed, ascending.
    pub fn executed_pcs(&self) -> Vec<u64> {
        self.memo.executed_pcs().map(|pc| pc.0).collect()
    }

    /// The report so far, to which an engine adds how it executed the file.
    pub fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Counts of observed and judged steps.
    pub fn counts(&self) -> Counts {
        self.record.counts
    }

    /// Names of the functions that were entered.
    pub fn entered(&mut self) -> BTreeSet<String> {
        let image = self.image;
        let entered = image.symbols.iter().filter(|symbol| self.memo.truth_at(Pc(symbol.address)).is_some());
        entered.map(|symbol| symbol.name.to_string()).collect()
    }

    /// Returns true if execution showed a wrong row so far.
    pub fn has_errors(&self) -> bool {
        !self.record.charged.is_empty()
    }

    /// Removes the step that was observed last from the counts: another judge counts it.
    pub fn uncount_step(&mut self) {
        self.record.counts.steps = self.record.counts.steps.saturating_sub(1);
    }

    pub fn undecided_answers(&self) -> u64 {
        self.record.counts.refused_answers + self.record.doubts.open.answers()
    }

    /// Prepares for another execution. `outermost_is_real`: it begins at the ELF entry, or in a
    /// function called by the harness, so that its first function has no caller.
    pub fn begin(&mut self, outermost_is_real: bool) {
        self.end();
        self.known.forget_steps();
        self.threads = Threads::default();
        self.outermost_is_real = outermost_is_real;
    }

    /// Ends an execution: findings that were deferred until then are charged.
    pub fn end(&mut self) {
        self.registers.end(self.image, self.tables, &mut self.record);
        self.record.end(self.threads.end());
    }

    /// Judges both answers for one frame and records wrong ones. Returns for each table whether it
    /// was right.
    #[inline]
    fn judge_frame(&mut self, answers: &Answers<'_>) -> PerTable<bool> {
        let bounds = answers.bounds();
        let was_called = answers.truth.is_none_or(|frame| frame.left_by != LeftBy::Nothing);
        let marks = &mut self.marks;
        let verdicts = answers.given.map(|table, answer| {
            answer.map(|answer| match verdict(&answer, answers.truth, &bounds) {
                Verdict::Agree if !was_called && answers.contradicts_itself(table) => Verdict::Wrong(Field::Outermost),
                Verdict::Wrong(Field::Signed) if answers.begins_to_sign(&answer) => {
                    verdict(&unsigned(answer), answers.truth, &bounds)
                }
                Verdict::Wrong(_) if answers.leads_to_function(table) => Verdict::Agree,
                Verdict::Wrong(_) if answers.continues_elsewhere() => Verdict::Undecided(UndecidedCause::Overwritten),
                Verdict::Undecided(UndecidedCause::Unmarked) if marks.lose(answers.tables, table, answers.pc()) => {
                    Verdict::Agree
                }
                verdict => verdict,
            })
        });
        if !verdicts.all(|verdict| matches!(verdict, None | Some(Verdict::Agree))) {
            self.record.charge(answers, verdicts, &self.saves, self.outermost_is_real);
        }
        let right = verdicts.map(|table, verdict| match verdict {
            Some(Verdict::Wrong(Field::Cfa)) => answers.names_cfa_only(table),
            verdict => verdict == Some(Verdict::Agree),
        });
        let interrupted = answers.truth.is_some_and(|frame| frame.left_by == LeftBy::Signal);
        self.record.counts.interrupted += u64::from(interrupted && right.any(|is_right| *is_right));
        right
    }

    /// Judges the other registers of the innermost frame.
    #[cold]
    fn judge_registers(&mut self, step: &Step<'_>, id: FactsId, facts: &PcFacts) {
        let start = self.memo.find(Pc(self.tables.function_start(self.image, step.pc.0)));
        let place = Place { image: self.image, tables: self.tables, step, facts };
        self.registers.judge(place, id, start, &mut self.record);
    }

    /// Judges the innermost frame. `sframe`: the answer of `.sframe`.
    #[inline]
    fn judge_innermost(&mut self, step: &Step<'_>, facts: &PcFacts, sframe: TableAnswer) -> PerTable<bool> {
        // Nearly every step ends here: both rows have equal rules, and their common answer is
        // right.
        let truth = step.frames.innermost();
        let was_called = truth.is_none_or(|frame| frame.left_by != LeftBy::Nothing);
        if facts.same
            && was_called
            && sframe.as_ref().is_some_and(|answer| verdict(answer, truth, &bounds(step)) == Verdict::Agree)
        {
            return PerTable { sframe: true, eh_frame: true };
        }
        let (tables, slots, at) = (self.tables, facts.slots, CodePoint::Exact(step.pc));
        let eh_frame = tables.answer(Table::EhFrame, slots.eh_frame, at, &step.regs, &step.stack);
        self.judge_frame(&Answers::innermost(self.image, tables, step, slots, PerTable { sframe, eh_frame }))
    }
}

impl Observer for Judge<'_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self.catch_up();
        if step.thread != self.threads.now {
            self.threads.change(step.thread, &mut self.record.deferred, &mut self.known);
            self.registers.forget_entries();
        }
        let id = match self.memo.find(step.pc) {
            Some(id) => id,
            None => self.memo.insert(step.pc, PcFacts::new(self.image, self.tables, step.pc)),
        };
        let (image, tables, facts) = (self.image, self.tables, || self.memo.get(id));
        self.registers.observe_event(image, tables, step, id, facts, &mut self.record);
        self.marks.observe(step);
        if self.repeats_edge(id, step) {
            return;
        }
        let (facts, depth) = (self.memo.get(id), step.frames.depth());
        self.record.counts.steps += 1;
        let answered = facts.has_row();
        let unfollowed = step.outermost == Outermost::Unfollowed && depth == 0;
        if answered && !unfollowed && depth == 0 && is_where_a_thread_began(self.tables, step, &facts) {
            self.known.forget_last();
            return;
        }
        self.record.counts.judged += u64::from(answered && !unfollowed);
        let first_visit = facts.witness.is_none() && !unfollowed;
        if first_visit {
            self.saves.record(step, self.tables, self.image);
            self.memo.witness(id, step.pc, Witness::new(step, &self.saves, self.tables, self.image));
            self.record.counts.pcs += u64::from(answered);
        }
        self.record.observe_event(step, facts.entry);
        if unfollowed {
            // Its callers are not known: neither table can be judged there.
            if answered {
                self.record.undecided(UndecidedCause::OtherStack, step.pc);
            }
            return self.known.forget_last();
        }
        let at = CodePoint::Exact(step.pc);
        let sframe = self.tables.answer(Table::Sframe, facts.slots.sframe, at, &step.regs, &step.stack);
        let right = self.judge_innermost(step, &facts, sframe);
        // A small value may be in a slot by chance.
        if first_visit && step.frames.innermost().is_some_and(|frame| is_telling(frame.fp)) {
            self.memo.judged(id, right);
        }
        self.record.observe_right(step, &facts, right);
        self.record.counts.max_depth = self.record.counts.max_depth.max(depth as u64);
        if step.event == Event::Jump && facts.entry {
            self.registers.jump(step);
        }
        if right.eh_frame && depth > 0 && !self.registers.is_done(id) {
            self.judge_registers(step, id, &facts);
        }
        let edge = !matches!(step.event, Event::Sequential | Event::Jump | Event::Entry);
        if first_visit || edge || self.options.walk_all() {
            if !self.options.walk_all() && self.record.counts.has_walked_most() {
                self.record.counts.unwalked += 1;
            } else {
                self.walk_or_compare(step, facts.slots, sframe, right, first_visit);
            }
        }
        self.record.deferred.overwritten.executes(depth);
        let is_open = right.eh_frame && depth > 0 && !self.registers.is_done(id);
        if is_open {
            self.known.forget_last();
        } else if !self.options.repeat_nothing() {
            self.known.learn(self.facts, self.tables, step, id, &facts);
        }
    }
}

/// The answer with the signature of the return address ignored.
fn unsigned(answer: Result<Answer, Fault>) -> Result<Answer, Fault> {
    match answer {
        Ok(Answer::Caller(caller)) => {
            let plain = Caller { signed_by: None, signed_with_pc: false, ..caller };
            Ok(Answer::Caller(plain))
        }
        other => other,
    }
}
