//! Sizes of `.sframe` compared with `.eh_frame` and its header, in compiled programs.

use std::collections::BTreeMap;

use results::TrialLine;

use super::columns::Table;
use super::newest_first;
use crate::sizes::{COLUMNS, Cost, compared};

/// Sums by producer, ABI and SFrame version, the newest version first.
pub(super) fn table(trials: &[TrialLine]) -> Table {
    let mut costs: BTreeMap<_, Cost> = BTreeMap::new();
    for (trial, sizes) in trials.iter().filter_map(|trial| Some((trial, compared(trial)?))) {
        let row = (newest_first(&trial.sframe), &trial.producer, &trial.abi, &trial.sframe);
        costs.entry(row).or_default().add(sizes);
    }
    let mut table = Table::new(3, &[&["sizes (bytes)", "abi", "vers"], &COLUMNS[..]].concat());
    for ((_, producer, abi, version), cost) in costs {
        let names = [producer, abi, version].map(String::clone);
        table.row(names.into_iter().chain(cost.cells()).collect());
    }
    table
}
