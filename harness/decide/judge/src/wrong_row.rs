//! The record of a wrong row: both tables' claims, the true frame, and the adjacent rows.

use results::{Source, WrongRow};
use types::{Claim, CodePoint, Image, Pc};

use crate::blame::Table;
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::Tables;

/// A row found wrong at a PC, before its claims are added.
#[derive(Clone, Debug)]
pub(crate) struct WrongAt {
    /// PC that was looked up.
    pub(crate) pc: Pc,
    /// Entry of each table for the PC.
    pub(crate) slots: PerTable<Slot>,
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
            Source::Sframe => next_to(tables, Table::Sframe, slots.sframe, pc, image),
            Source::EhFrame => next_to(tables, Table::EhFrame, slots.eh_frame, pc, image),
            Source::Truth => (None, None),
        };
        let PerTable { sframe, eh_frame } = slots.map(|table, slot| tables.claim(table, slot, pc, image));
        WrongRow { ranges: Vec::new(), wrong, right, sframe, eh_frame, truth, before, after }
    }
}

/// Claims of a table's rows one boundary before and one after, within the function.
fn next_to(tables: &Tables, table: Table, at: Slot, pc: Pc, image: &Image) -> (Option<Claim>, Option<Claim>) {
    let Some(here) = tables.rules_in(table, at, pc) else { return (None, None) };
    let function = tables.function_in(table, pc);
    let within = |pc: Pc| function.is_some_and(|function| function.start <= pc && pc < function.end);
    let claim = |pc: Pc| within(pc).then(|| tables.claim(table, tables.slot(table, CodePoint::Exact(pc)), pc, image));
    (here.start.0.checked_sub(1).and_then(|before| claim(Pc(before))), claim(here.end))
}
