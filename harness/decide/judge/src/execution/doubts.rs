//! Undecided answers, by cause and instruction; later steps may decide them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use results::UndecidedIn;
use types::{Fault, Image, Pc, UndecidedCause};
use unwind::{FunctionRange, Unwinder as _};

use crate::blame::Table;
use crate::tables::Tables;

/// Number of answers, by cause and PC.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<(UndecidedCause, Pc), u64>);

/// A row that could not be evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    pub(crate) pc: Pc,
    pub(crate) table: Table,
    pub(crate) fault: Fault,
}

/// All undecided answers of the executions.
#[derive(Debug, Default)]
pub(crate) struct Doubts {
    /// Answers that no later step decided.
    pub(crate) open: Tally,
    /// Answers that the end of the function, or the landing of control, showed to be right.
    pub(crate) confirmed: Tally,
    /// Answers about a frame that a longjmp had left, by the row of that frame.
    pub(crate) gone: Tally,
    /// The first row that could not be evaluated.
    pub(crate) first_refusal: Option<Refusal>,
    /// Answers of rows that cannot be evaluated.
    pub(crate) refused: Tally,
}

impl Tally {
    /// Adds one answer.
    pub(super) fn add(&mut self, why: UndecidedCause, pc: Pc) {
        *self.0.entry((why, pc)).or_default() += 1;
    }

    pub(crate) fn answers(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an answer at a PC that has none.
    pub(super) fn add_first(&mut self, why: UndecidedCause, pc: Pc) {
        self.0.entry((why, pc)).or_insert(1);
    }

    /// Number of answers for each cause, and their PCs.
    pub(crate) fn by_reason(&self) -> BTreeMap<UndecidedCause, (u64, Vec<Pc>)> {
        let mut by_reason: BTreeMap<UndecidedCause, (u64, Vec<Pc>)> = BTreeMap::new();
        for ((why, pc), answers) in &self.0 {
            let of_reason = by_reason.entry(*why).or_default();
            of_reason.0 += answers;
            of_reason.1.push(*pc);
        }
        by_reason
    }

    /// The functions that contain the answers, by cause and address.
    pub(crate) fn functions(&self, image: &Image, tables: &Tables) -> Vec<UndecidedIn> {
        let mut all: Vec<UndecidedIn> = Vec::new();
        for ((why, pc), count) in &self.0 {
            let same = |last: &&mut UndecidedIn| last.why == *why && (last.code.0..last.code.1).contains(&pc.0);
            if let Some(last) = all.last_mut().filter(same) {
                last.pcs.push(pc.0);
                last.answers += count;
                continue;
            }
            let code = extent(image, tables, *pc);
            all.push(UndecidedIn {
                why: *why,
                function: image.place(code.0),
                code,
                place: image.span(code.0, code.1),
                pcs: vec![pc.0],
                answers: *count,
            });
        }
        all
    }

    fn take(&mut self, other: &Tally) {
        for (key, answers) in &other.0 {
            if let Entry::Occupied(mut count) = self.0.entry(*key) {
                *count.get_mut() = count.get().saturating_sub(*answers);
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
    }

    pub(super) fn give(&mut self, other: Tally) {
        for (key, answers) in other.0 {
            *self.0.entry(key).or_default() += answers;
        }
    }
}

impl Doubts {
    /// Removes undecided answers that turned out wrong.
    pub(super) fn charge(&mut self, answers: &Tally) {
        self.open.take(answers);
    }

    /// Moves undecided answers about a frame that control has left to those that no row can give.
    pub(super) fn leave(&mut self, answers: Tally) {
        self.open.take(&answers);
        self.gone.give(answers);
    }

    /// Moves undecided answers that turned out right to the confirmed ones.
    pub(super) fn confirm(&mut self, answers: Tally) {
        self.open.take(&answers);
        self.confirmed.give(answers);
    }
}

/// Range of the function that contains a PC, from a table or else the symbols.
pub(super) fn extent(image: &Image, tables: &Tables, pc: Pc) -> (u64, u64) {
    let range = |range: FunctionRange| (range.start.0, range.end.0);
    let of_cfi = || tables.cfi.as_ref().and_then(|table| table.function_at(pc)).map(range);
    let of_sframe = || tables.sframe.as_ref().and_then(|table| table.function_at(pc)).map(range);
    let symbol = || image.function_at(pc).map(|one| (one.address, one.address.saturating_add(one.size)));
    let known = of_cfi().or_else(of_sframe).or_else(symbol);
    known.filter(|(start, end)| (*start..*end).contains(&pc.0)).unwrap_or((pc.0, pc.0.saturating_add(1)))
}
