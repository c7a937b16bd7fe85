//! Results as one JSON document: facts about the run, the distinct findings, and every trial as in
//! `results.jsonl`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use results::{Blame, RunFacts, SCHEMA, TrialLine, schema::FINGERPRINT};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use spec::RuleId;

use crate::findings::ranked;
use results::tally::{STATUSES, Tally, word};

/// Results of one or more matrix runs, merged.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "report --format json")]
pub struct Merged<'a> {
    /// Version of this shape.
    #[schemars(extend("const" = SCHEMA))]
    schema: u32,
    /// As `run.json`.
    run: &'a RunFacts,
    /// Every trial had its turn.
    finished: bool,
    /// Trials by status.
    #[schemars(extend("required" = STATUSES.map(word).to_vec(), "propertyNames" = { "enum": STATUSES.map(word).to_vec() }))]
    counts: BTreeMap<&'static str, u64>,
    /// Distinct findings, those that explain most trials first.
    findings: Vec<Distinct<'a>>,
    /// Every trial, in order of names.
    trials: &'a [TrialLine],
}

/// One distinct finding.
#[derive(Debug, Serialize, JsonSchema)]
struct Distinct<'a> {
    /// Over rule, blame, function and shape.
    #[schemars(regex(pattern = FINGERPRINT))]
    fingerprint: &'a str,
    /// The rule that is broken.
    rule: RuleId,
    /// The blamed producer.
    blame: Blame,
    /// Function, or section for findings about no code.
    function: &'a str,
    /// One sentence with the numbers, of one trial.
    message: &'a str,
    /// Files of the ledger that cover it, without folders.
    #[schemars(inner(regex(pattern = r"^[^/]+$")))]
    known: Vec<&'a str>,
    /// Trials that show it without an entry of the ledger.
    new: usize,
    /// Names of the trials that show it.
    #[schemars(length(min = 1))]
    trials: Vec<&'a str>,
}

/// Writes the document on one line.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    let groups = ranked(trials);
    let distinct = groups.iter().map(|group| Distinct {
        fingerprint: group.fingerprint,
        rule: group.best.rule(),
        blame: group.best.blame(),
        function: group.best.function(),
        message: &group.best.shown.message,
        known: group.known.iter().copied().collect(),
        new: group.new,
        trials: group.trial_names().collect(),
    });
    let document = Merged {
        schema: SCHEMA,
        run: facts,
        finished: !facts.unfinished,
        counts: Tally::new(trials).iter().map(|(status, count)| (word(status), count)).collect(),
        findings: distinct.collect(),
        trials,
    };
    writeln!(out, "{}", json!(document))
}
