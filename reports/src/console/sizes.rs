//! What `.sframe` costs beside `.eh_frame` and its header, in compiled programs.

use std::collections::BTreeMap;

use model::TrialLine;

use super::columns::Table;
use crate::sizes::{Cost, compared};

const HEADS: [&str; 11] =
    ["sizes (bytes)", "abi", "vers", "files", "text", ".sframe", ".eh_frame", "+ hdr", "ratio", "bytes/fn", "rows/fn"];

/// Sums by producer, ABI and SFrame version, in that order.
pub(super) fn table(trials: &[TrialLine]) -> Table {
    let mut costs: BTreeMap<(&str, &str, &str), Cost> = BTreeMap::new();
    for (trial, sizes) in trials.iter().filter_map(|trial| Some((trial, compared(trial)?))) {
        costs.entry((&trial.producer, &trial.abi, &trial.sframe)).or_default().add(sizes);
    }
    let mut table = Table::new(3, &HEADS);
    for ((producer, abi, version), cost) in costs {
        let sizes = &cost.sizes;
        let fixed =
            |value: Option<f64>, digits: usize| value.map_or("0".to_owned(), |value| format!("{value:.digits$}"));
        table.row(vec![
            producer.to_owned(),
            abi.to_owned(),
            version.to_owned(),
            cost.files.to_string(),
            sizes.text.to_string(),
            sizes.sframe.to_string(),
            sizes.eh_frame.to_string(),
            sizes.eh_frame_hdr.to_string(),
            fixed(cost.ratio(), 2),
            fixed(cost.per_function(sizes.sframe), 1),
            fixed(cost.per_function(sizes.rows), 2),
        ]);
    }
    table
}
