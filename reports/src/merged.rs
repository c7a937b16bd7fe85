//! Results as one JSON document: what the run knew, the distinct findings, and every trial as in `results.jsonl`.
//!
//! Its shape is published: `reports/schemas/report.schema.json`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use model::{RunFacts, SCHEMA, TrialLine};
use serde_json::json;

use crate::findings::ranked;
use crate::tally::{Tally, word};

/// Writes the document on one line.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    let counts: BTreeMap<&str, u64> = Tally::of(trials).iter().map(|(status, count)| (word(status), count)).collect();
    let findings = ranked(trials).into_iter().map(|group| {
        json!({
            "fingerprint": group.fingerprint,
            "rule": group.best.rule(),
            "blame": group.best.blame(),
            "function": group.best.function(),
            "message": group.best.message,
            "known": group.known,
            "new": group.new,
            "trials": group.trial_names().collect::<Vec<_>>(),
        })
    });
    let document = json!({
        "schema": SCHEMA,
        "run": facts,
        "finished": !facts.unfinished,
        "counts": counts,
        "findings": findings.collect::<Vec<_>>(),
        "trials": trials,
    });
    writeln!(out, "{document}")
}
