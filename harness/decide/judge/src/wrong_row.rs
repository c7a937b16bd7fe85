//! The record of a wrong row: both tables' claims, the true frame, and the adjacent rows.

use results::{Source, WrongRow};
use types::{Claim, CodePoint, Image, Pc};
use unwind::Unwinder;

use crate::slot::{Slot, slot};
use crate::tables::{Tables, claim};

/// A row found wrong at a PC, before its claims are added.
#[derive(Clone, Debug)]
pub(crate) struct WrongAt {
    /// PC that was looked up.
    pub(crate) pc: Pc,
    /// Entry of each table for the PC.
    pub(crate) slots: (Slot, Slot),
    /// Table whose row is wrong.
    pub(crate) wrong: Source,
    /// Table, or machine, that is right.
    pub(crate) right: Option<Source>,
    /// The true frame.
    pub(crate) truth: Option<Claim>,
}

impl WrongAt {
    /// The wrong row with both tables' claims.
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

/// Claims of a table's rows one boundary before and one after, within the function.
fn next_to<U: Unwinder>(table: Option<&U>, at: Slot, pc: Pc, image: &Image) -> (Option<Claim>, Option<Claim>) {
    let (Some(table), Slot::Row(row)) = (table, at) else { return (None, None) };
    let here = table.rules(row, pc);
    let function = table.function_at(pc);
    let within = |pc: Pc| function.is_some_and(|function| function.start <= pc && pc < function.end);
    let said = |pc: Pc| within(pc).then(|| claim(Some(table), slot(Some(table), CodePoint::Exact(pc)), pc, image));
    (here.start.0.checked_sub(1).and_then(|before| said(Pc(before))), said(here.end))
}
