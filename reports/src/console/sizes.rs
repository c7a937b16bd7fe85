//! What `.sframe` costs beside `.eh_frame` and its header, in compiled programs.

use std::collections::BTreeMap;

use results::TrialLine;

use super::columns::Table;
use crate::sizes::{COLUMNS, Cost, compared};

/// Sums by producer, ABI and SFrame version, in that order.
pub(super) fn table(trials: &[TrialLine]) -> Table {
    let mut costs: BTreeMap<(&str, &str, &str), Cost> = BTreeMap::new();
    for (trial, sizes) in trials.iter().filter_map(|trial| Some((trial, compared(trial)?))) {
        costs.entry((&trial.producer, &trial.abi, &trial.sframe)).or_default().add(sizes);
    }
    let mut table = Table::new(3, &[&["sizes (bytes)", "abi", "vers"], &COLUMNS[..]].concat());
    for ((producer, abi, version), cost) in costs {
        let names = [producer, abi, version].map(str::to_owned);
        table.row(names.into_iter().chain(cost.cells()).collect());
    }
    table
}
