//! Judges states of functions that are explored: executed without their inputs.

use types::{
    Answer, AssumedEntry, CfaRule, CodePoint, Compared, Event, ExploredCounts, Field, Frame, Handed, Image, Past, Pc,
    Preserved, Probe, RegisterSet, Step, UndecidedCause, Unrestored, UnwindRow, ValueRule, Verdict,
};

use super::Judge;
use super::answers::{Answers, bounds};
use super::doubts::Refusal;
use super::handed::in_handed_frame;
use super::registers::{Place, unrestored};
use crate::blame::Table;
use crate::memo::PcFacts;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::{TableAnswer, Tables, ra_of_call};
use crate::verdict::verdict;
use crate::witness::Witness;

impl Probe for Judge<'_> {
    fn compare(&mut self, step: &Step<'_>, preserved: &Preserved<'_>) -> Compared {
        // Not stored in the memo: a large library has a million such PCs, and most occur once.
        let slots = self.tables.slots(CodePoint::Exact(step.pc));
        let (truth, bounds) = (step.frames.innermost(), bounds(step));
        let answers = self.tables.answers(slots, step);
        let verdicts = answers.map(|_, answer| answer.map(|answer| verdict(&answer, truth, &bounds)));
        let mut compared = Compared { judged: slots.any(|slot| matches!(slot, Slot::Row(_))), ..Compared::default() };
        for table in Table::ALL {
            match verdicts.get(table) {
                Some(Verdict::Refused(fault)) => {
                    compared.refused += 1;
                    self.exploration.refuse(Refusal { pc: step.pc, table, fault: *fault });
                }
                Some(Verdict::Wrong(_)) if self.leads_to_function(step, table, slots) => {}
                Some(Verdict::Wrong(Field::Cfa)) if self.alone(step, table, slots).names_cfa_only(table) => {
                    compared.named = true;
                }
                Some(Verdict::Wrong(_)) => compared.wrong = true,
                Some(Verdict::Agree | Verdict::Missing | Verdict::Undecided(_)) | None => {}
            }
        }
        compared.unrestored = unrestored(self.tables, step, slots.eh_frame, preserved);
        if compared.judged {
            self.exploration.see(step, compared.wrong);
        }
        compared
    }

    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed: &Handed<'_>) -> bool {
        let mut charged = false;
        for pc in pcs {
            charged |= self.charge_explored(&Step { pc: *pc, event: Event::Sequential, ..*step }, past, handed);
        }
        charged
    }

    fn note_names(&mut self, step: &Step<'_>, pcs: &[Pc]) {
        let (image, tables) = (self.image, self.tables);
        for pc in pcs {
            let step = Step { pc: *pc, event: Event::Sequential, ..*step };
            let slots = tables.slots(CodePoint::Exact(*pc));
            let given = PerTable { sframe: None, eh_frame: tables.answers(slots, &step).eh_frame };
            self.judge_frame(&Answers::innermost(image, tables, &step, slots, given));
            self.end();
        }
    }

    fn charge_registers(&mut self, step: &Step<'_>, pcs: &[Pc], preserved: &Preserved<'_>, suspects: Unrestored) {
        for pc in pcs {
            let step = Step { pc: *pc, event: Event::Sequential, ..*step };
            let facts = PcFacts::new(self.image, self.tables, *pc);
            self.show_explored(&step, &facts);
            let place = Place { image: self.image, tables: self.tables, step: &step, facts: &facts };
            self.registers.charge_explored(place, preserved, suspects, &mut self.record);
        }
    }

    fn change_registers(&mut self, registers: RegisterSet) {
        self.registers.change(registers);
    }

    fn leave_open(&mut self, why: UndecidedCause, pcs: &[Pc]) {
        // A run that reached the PC has judged it; code that a signal enters is not entered by a
        // call. States with made-up values were executed with several values.
        let of_states = why != UndecidedCause::MadeUp;
        for pc in pcs {
            let why = match why {
                UndecidedCause::MayBegin if !denies_caller(self.tables, *pc) => UndecidedCause::OwnConvention,
                other => other,
            };
            let executed = self.memo.find(*pc).is_some() && !self.exploration.alone.contains(pc);
            let is_entered_otherwise =
                || is_of_a_signal(self.tables, *pc) || begins_there(self.image, self.tables, why, *pc);
            if !(of_states && (executed || is_entered_otherwise())) {
                self.record.undecided(why, *pc);
            }
        }
    }
}

impl Judge<'_> {
    /// Adds the results of exploration: its counts of states, its judged instructions, each once,
    /// and the entries that it assumes. `reached` returns true if exploration reached any PC of a
    /// range.
    pub fn explored(
        &mut self,
        judged: ExploredCounts,
        judged_pcs: impl Iterator<Item = Pc>,
        assumed: impl IntoIterator<Item = (Pc, AssumedEntry)>,
        reached: impl Fn(Pc, Pc) -> bool + 'static,
    ) {
        for (start, why) in assumed {
            // The entry that a run executed is not assumed.
            if !self.exploration.was_run(&self.memo, start) {
                self.exploration.assumed.entry(start).or_insert(why);
            }
        }
        let ExploredCounts { states, refused, refused_answers } = judged;
        let counts = &mut self.record.counts;
        counts.judged += states;
        counts.refused += refused;
        counts.refused_answers += refused_answers;
        let first_refusal = &mut self.record.doubts.first_refusal;
        *first_refusal = first_refusal.or(self.exploration.refusal.filter(|_| refused > 0));
        for pc in judged_pcs {
            self.record.counts.pcs += u64::from(!self.exploration.was_run(&self.memo, pc));
            if self.exploration.refused.contains(&pc) {
                self.record.doubts.refused.add_first(UndecidedCause::Refused, pc);
            }
        }
        self.memo.explored(reached);
        self.registers.end_exploration(self.image, self.tables, &mut self.record);
    }

    fn leads_to_function(&self, step: &Step<'_>, table: Table, slots: PerTable<Slot>) -> bool {
        let is_part = self.tables.leads_into_code(table, *slots.get(table));
        is_part && self.alone(step, table, slots).leads_to_function(table)
    }

    fn alone<'s>(&'s self, step: &'s Step<'s>, table: Table, slots: PerTable<Slot>) -> Answers<'s> {
        let given = self.tables.answers(slots, step).map(|of, answer| answer.filter(|_| of == table));
        Answers::innermost(self.image, self.tables, step, slots, given)
    }

    /// Adds the witness of a PC that no run reached.
    fn show_explored(&mut self, step: &Step<'_>, facts: &PcFacts) {
        if self.memo.find(step.pc).is_none() {
            let id = self.memo.insert(step.pc, *facts);
            self.memo.witness(id, step.pc, Witness::new(step, &self.saves, self.tables, self.image));
            self.exploration.alone.insert(step.pc);
        }
    }

    /// Judges a state; returns true if it was charged.
    fn charge_explored(&mut self, step: &Step<'_>, past: Past, handed: &Handed<'_>) -> bool {
        let (image, tables, pc) = (self.image, self.tables, step.pc);
        let facts = PcFacts::new(image, tables, pc);
        let slots = facts.slots;
        self.show_explored(step, &facts);
        let is_alone = self.exploration.alone.contains(&pc);
        let mut given = tables.answers(slots, step);
        let own_entry = if handed.by_call { None } else { own_entry(tables, step, handed, given) };
        // A run showed how the function is really entered, and takes precedence.
        if own_entry.is_some() && !is_alone {
            return false;
        }
        let frame = match own_entry {
            Some(OwnEntry::Assumed(frame)) => {
                self.exploration.assume_first_row(image, tables, pc);
                Some(frame)
            }
            Some(OwnEntry::Unknown) | None => step.frames.innermost().copied(),
        };
        let start = |pc: Pc| tables.function_start(image, pc.0);
        // A table marks the frame as outermost, and the system enters the function or a run reached
        // and judged it: the caller in exploration is made up, for both tables.
        if is_unseen(past)
            && given.any(|answer| *answer == Some(Ok(Answer::Outermost)))
            && (start(pc) == start(image.entry) || !is_alone)
        {
            return false;
        }
        let seen = ExploredState { tables, step, frame: frame.as_ref(), own_entry, past, handed };
        for (answer, table) in [(&mut given.sframe, Table::Sframe), (&mut given.eh_frame, Table::EhFrame)] {
            if let Some(why) = seen.take_doubtful(answer, table, *slots.get(table)) {
                self.record.undecided(why, pc);
            }
        }
        if given.all(Option::is_none) {
            return false;
        }
        let truth = frame.as_ref();
        if !is_alone {
            self.compare_with_run(step, &given, truth);
        }
        // Exploration counts its states separately.
        let (refused, answers) = (self.record.counts.refused, self.record.counts.refused_answers);
        let refusals = std::mem::take(&mut self.record.doubts.refused);
        self.judge_frame(&Answers { truth, ..Answers::innermost(image, tables, step, slots, given) });
        (self.record.counts.refused, self.record.counts.refused_answers) = (refused, answers);
        self.record.doubts.refused = refusals;
        // No later step could decide it.
        self.end();
        true
    }
}

/// How a function is entered by its own convention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnEntry {
    /// With this frame, which its first row describes.
    Assumed(Frame),
    /// Its first row does not determine the frame.
    Unknown,
}

/// A state in which a table is not right.
struct ExploredState<'s> {
    tables: &'s Tables,
    step: &'s Step<'s>,
    /// The true frame, or the one that the function's first row describes.
    frame: Option<&'s Frame>,
    own_entry: Option<OwnEntry>,
    past: Past,
    handed: &'s Handed<'s>,
}

impl ExploredState<'_> {
    /// Drops an answer that is not certain to be wrong, and returns the cause.
    fn take_doubtful(&self, answer: &mut TableAnswer, table: Table, slot: Slot) -> Option<UndecidedCause> {
        let given = (*answer)?;
        let judged = |given| verdict(&given, self.frame, &bounds(self.step));
        let verdict = judged(given);
        let agrees = verdict == Verdict::Agree;
        let frame = self.frame.filter(|_| !agrees);
        let in_handed =
            frame.and_then(|frame| in_handed_frame(self.tables, table, slot, self.step, frame, self.handed));
        let may_begin = is_unseen(self.past) && given == Ok(Answer::Outermost);
        let without_fp = self.past == Past::ButForFp && verdict == Verdict::Wrong(Field::Fp);
        let is_overwritten = self.past == Past::Overwritten && verdict == Verdict::Wrong(Field::Ra);
        let is_own = match self.own_entry {
            Some(OwnEntry::Unknown) => true,
            Some(OwnEntry::Assumed(_)) => agrees,
            None => false,
        };
        let why = if is_own {
            UndecidedCause::OwnConvention
        } else if agrees {
            return None;
        } else if in_handed.is_some_and(|given| judged(given) == Verdict::Agree) {
            UndecidedCause::HandedFrame
        } else if may_begin {
            UndecidedCause::MayBegin
        } else if without_fp {
            UndecidedCause::UnknownFp
        } else if is_overwritten {
            UndecidedCause::Overwritten
        } else {
            *answer = in_handed.or(*answer);
            return None;
        };
        *answer = None;
        Some(why)
    }
}

/// Returns true if a table's row for a PC is that of a signal frame.
fn is_of_a_signal(tables: &Tables, pc: Pc) -> bool {
    tables.rows(CodePoint::Exact(pc)).iter().any(|row| row.signal) || tables.is_rowless_signal_frame(pc)
}

/// Returns true if the row is that of a PC without a caller, which no call enters: for dropped
/// words, as where a new thread begins, that of the function's first instruction.
fn begins_there(image: &Image, tables: &Tables, why: UndecidedCause, pc: Pc) -> bool {
    let at = match why {
        UndecidedCause::OwnConvention => pc,
        UndecidedCause::Lowered => Pc(tables.function_start(image, pc.0)),
        _ => return false,
    };
    denies_caller(tables, at)
}

/// Returns true if a table's row for a PC denies a caller.
fn denies_caller(tables: &Tables, pc: Pc) -> bool {
    tables.rows(CodePoint::Exact(pc)).iter().any(|row| row.ra == ValueRule::Undefined)
}

/// How a function is entered by its own convention, as its CIE or the location of its return
/// address shows: with the frame that its first row describes, which is assumed to be right.
fn own_entry(tables: &Tables, step: &Step<'_>, handed: &Handed<'_>, given: PerTable<TableAnswer>) -> Option<OwnEntry> {
    let ra = handed.ra.and_then(|slot| step.stack.read(slot).ok());
    let is_handed = given.map(
        |_, answer| matches!(answer, Some(Ok(Answer::Caller(caller))) if ra.is_some() && Some(caller.raw_ra) == ra),
    );
    let has_own_convention = tables.cfi.as_ref().is_some_and(|table| {
        // A return to where the ABI has the return address, by which SP is as the ABI has it,
        // refutes another column, and another CFA with that return address.
        let is_refuted = || table.has_own_column(step.pc) || begins_with_ra_of_call(tables, step);
        table.has_own_convention(step.pc) && !(handed.returns && is_refuted())
    });
    let assumed = if is_handed.eh_frame || has_own_convention {
        assumed(tables, Table::EhFrame, step, ra.filter(|_| is_handed.eh_frame))
    } else if is_handed.sframe {
        assumed(tables, Table::Sframe, step, ra)
    } else {
        return None;
    };
    Some(assumed.map_or(OwnEntry::Unknown, OwnEntry::Assumed))
}

/// Returns true if the row of `.eh_frame` for the first instruction of a function has the return
/// address where a call leaves it, whatever its CFA. GCC's `__morestack` has that of its caller.
fn begins_with_ra_of_call(tables: &Tables, step: &Step<'_>) -> bool {
    let facts = step.regs.abi.facts();
    let start = tables.function_in(Table::EhFrame, step.pc).map(|function| function.start);
    let row = start.and_then(|start| tables.rules(Table::EhFrame, start));
    let from_sp = |cfa: i64, ra: ValueRule| match ra {
        ValueRule::AtCfa(offset) => Some(cfa.wrapping_add(offset)),
        _ => None,
    };
    row.is_some_and(|row| match row.cfa {
        _ if facts.link_register => row.ra == ValueRule::SameValue,
        CfaRule::Register { reg, offset } if reg == facts.sp => {
            from_sp(offset, row.ra) == from_sp(facts.cfa_minus_sp_at_entry, ra_of_call(facts))
        }
        CfaRule::Register { .. } | CfaRule::Memory { .. } | CfaRule::Expression(_) | CfaRule::Unspecified => false,
    })
}

/// The frame that a table's row for the first instruction of a function describes, if the CFA is
/// based on SP. `handed`: the return address, if the caller stored it.
fn assumed(tables: &Tables, table: Table, step: &Step<'_>, handed: Option<u64>) -> Option<Frame> {
    let (facts, truth) = (step.regs.abi.facts(), step.frames.innermost()?);
    let start = tables.function_in(table, step.pc)?.start;
    let UnwindRow { cfa, ra, fp, .. } = tables.rules(table, start)?;
    let CfaRule::Register { reg, offset } = cfa else { return None };
    let entry_sp = truth.cfa.wrapping_add_signed(-facts.cfa_minus_sp_at_entry);
    let cfa = (reg == facts.sp).then(|| entry_sp.wrapping_add_signed(offset))?;
    let saved = |offset| step.stack.read(cfa.wrapping_add_signed(offset)).ok();
    let raw_ra = match (handed, ra) {
        (Some(handed), _) => handed,
        (None, ValueRule::AtCfa(offset)) => saved(offset)?,
        (None, ValueRule::SameValue) => truth.raw_ra,
        (None, _) => return None,
    };
    // A part of a function that is jumped to: the caller's FP is on the stack.
    let fp = match fp {
        ValueRule::AtCfa(offset) => saved(offset)?,
        ValueRule::SameValue | ValueRule::Undefined => truth.fp,
        _ => return None,
    };
    Some(Frame { cfa, ra: Pc(raw_ra), raw_ra, fp, ..*truth })
}

/// Returns true if no entry of the function was seen, or a new thread may begin at the step.
fn is_unseen(past: Past) -> bool {
    matches!(past, Past::Unseen | Past::SystemCall)
}
