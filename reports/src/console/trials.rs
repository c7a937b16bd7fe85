//! The last table of a run: trials by producer, ABI and SFrame version, with counts of judged steps
//! and blamed tools.

use std::collections::BTreeMap;

use results::{Status, Summary, TrialLine};

use super::columns::Table;
use super::newest_first;
use results::tally::{STATUSES, Tally, word};

const COUNTS: [&str; 7] = ["functions", "steps", "PCs", "compared", "depth", "missing", "undecided"];

/// Counts by producer, ABI and SFrame version, the newest version first.
pub(super) fn table(trials: &[TrialLine]) -> Table {
    let mut rows: BTreeMap<_, Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials {
        let row = (newest_first(&trial.sframe), &trial.producer, &trial.abi, &trial.sframe);
        rows.entry(row).or_default().push(trial);
    }
    let heads = [["producer", "abi", "vers"].as_slice(), &STATUSES.map(word), &COUNTS, &["findings by blame"]].concat();
    let mut table = Table::new(3, &heads);
    for ((_, producer, abi, version), trials) in rows {
        let tally = Tally::new(trials.iter().copied());
        // The reason why nothing ran is printed once.
        if tally.count(Status::Unsupported) == tally.all() {
            continue;
        }
        let sum = summed(trials.iter().filter_map(|trial| trial.summary.as_ref()));
        let counts = [
            sum.functions,
            sum.steps_judged,
            sum.pcs_judged,
            sum.pcs_compared_static,
            sum.max_depth,
            sum.missing,
            sum.undecided,
        ];
        let numbers = tally.iter().map(|(_, count)| count).chain(counts).map(|count| count.to_string());
        let names = [producer, abi, version].map(String::clone);
        table.row(names.into_iter().chain(numbers).chain([blames(&trials)]).collect());
    }
    table
}

/// Sums; the maximum of depths.
fn summed<'a>(summaries: impl Iterator<Item = &'a Summary>) -> Summary {
    summaries.fold(Summary::default(), |sum, one| Summary {
        functions: sum.functions.saturating_add(one.functions),
        steps_judged: sum.steps_judged.saturating_add(one.steps_judged),
        pcs_judged: sum.pcs_judged.saturating_add(one.pcs_judged),
        pcs_compared_static: sum.pcs_compared_static.saturating_add(one.pcs_compared_static),
        max_depth: sum.max_depth.max(one.max_depth),
        missing: sum.missing.saturating_add(one.missing),
        undecided: sum.undecided.saturating_add(one.undecided),
        ..sum
    })
}

/// `assembler 12, linker 3`: occurrences by blamed tool.
fn blames(trials: &[&TrialLine]) -> String {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for found in trials.iter().flat_map(|trial| &trial.findings) {
        *counts.entry(found.blame().name()).or_default() += 1;
    }
    let parts: Vec<String> = counts.into_iter().map(|(blame, count)| format!("{blame} {count}")).collect();
    parts.join(", ")
}
