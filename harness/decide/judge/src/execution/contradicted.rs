//! Places at which a run and exploration judge the same state of a table differently: one of them
//! is wrong, which is a bug of the harness.

use results::Contradicted;
use types::{CfaRule, Frame, Image, Pc, Step, Verdict};

use super::Judge;
use super::answers::bounds;
use crate::blame::Table;
use crate::per_table::PerTable;
use crate::tables::TableAnswer;
use crate::verdict::verdict;
use crate::witness::Witness;

impl Judge<'_> {
    /// Notes each table that is wrong in this explored state, and was right in a run at the same PC
    /// with the caller's values in the same places, and with the same FP if the row's CFA is based
    /// on it: the FP of a caller, restored too early, may be right by chance.
    pub(super) fn compare_with_run(&mut self, step: &Step<'_>, given: &PerTable<TableAnswer>, truth: Option<&Frame>) {
        let Some(ran) = self.memo.find(step.pc).map(|id| self.memo.get(id)) else { return };
        let bounds = bounds(step);
        let differs = |table: &Table| {
            let wrong =
                given.get(*table).is_some_and(|answer| matches!(verdict(&answer, truth, &bounds), Verdict::Wrong(_)));
            wrong && *ran.right.get(*table)
        };
        let differing: Vec<Table> = Table::ALL.into_iter().filter(differs).collect();
        let Some(witness) = ran.witness.filter(|_| !differing.is_empty()) else { return };
        let explored = Witness::new(step, &self.saves, self.tables, self.image);
        let facts = step.regs.abi.facts();
        let is_equal = |table: &Table| match self.tables.rules(*table, step.pc).map(|row| row.cfa) {
            Some(CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. }) if reg == facts.sp => {
                witness.has_places_of(&explored)
            }
            Some(CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. }) => reg == facts.fp && witness == explored,
            Some(CfaRule::Expression(_) | CfaRule::Unspecified) | None => witness.has_places_of(&explored),
        };
        let differing = differing.into_iter().filter(is_equal);
        self.exploration.contradicted.extend(differing.map(|table| (step.pc, table)));
    }
}

/// The places, by address.
pub(super) fn listed<'a>(places: impl Iterator<Item = &'a (Pc, Table)>, image: &Image) -> Vec<Contradicted> {
    let one = |(pc, table): &(Pc, Table)| Contradicted { pc: pc.0, place: image.place(pc.0), table: table.source() };
    places.map(one).collect()
}
