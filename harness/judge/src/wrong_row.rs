//! What is to be remembered of a row that is wrong: both tables' claims, the truth, and the rows
//! next to it.

use results::{Source, WrongRow};
use types::{Claim, CodePoint, Image, Pc};
use unwind::Unwinder;

use crate::slot::{Slot, slot};
use crate::tables::{Tables, claim};

/// A row found wrong at a PC, still without addresses.
#[derive(Clone, Debug)]
pub(crate) struct WrongAt {
    /// The address that was looked up.
    pub(crate) pc: Pc,
    /// What each table has there.
    pub(crate) slots: (Slot, Slot),
    /// Whose row is wrong.
    pub(crate) wrong: Source,
    /// Whose is right.
    pub(crate) right: Option<Source>,
    /// What the machine showed.
    pub(crate) truth: Option<Claim>,
}

impl WrongAt {
    /// The wrong row with what both tables say.
    pub(crate) fn describe(self, tables: &Tables, image: &Image) -> WrongRow {
        let WrongAt { pc, slots, wrong, right, truth } = self;
        let trusted = match right {
            Some(table @ (Source::Sframe | Source::EhFrame)) => table,
            Some(Source::Truth) | None => wrong,
        };
        let (before, after) = match trusted {
            Source::Sframe => next_to(tables.sframe.as_ref(), slots.0, pc, image),
            Source::EhFrame => next_to(tables.cfi.as_ref(), slots.1, pc, image),
            Source::Truth => (None, None),
        };
        WrongRow {
            ranges: Vec::new(),
            wrong,
            right,
            sframe: claim(tables.sframe.as_ref(), slots.0, pc, image),
            eh_frame: claim(tables.cfi.as_ref(), slots.1, pc, image),
            truth,
            before,
            after,
        }
    }
}

/// A table's rows one boundary earlier and one later, within the function.
fn next_to<U: Unwinder>(table: Option<&U>, at: Slot, pc: Pc, image: &Image) -> (Option<Claim>, Option<Claim>) {
    let (Some(table), Slot::Row(row)) = (table, at) else { return (None, None) };
    let here = table.rules(row, pc);
    let function = table.function_at(pc);
    let within = |pc: Pc| function.is_some_and(|function| function.start <= pc && pc < function.end);
    let said = |pc: Pc| within(pc).then(|| claim(Some(table), slot(Some(table), CodePoint::Exact(pc)), pc, image));
    (here.start.0.checked_sub(1).and_then(|before| said(Pc(before))), said(here.end))
}
