//! Paths for the reader of a report, ready to be typed: the command, the checkout, the results, and
//! the kept files of trials.

use results::{Finding, Key, LedgerFacts, RunFacts, TrialLine};

use crate::escape::{line, shell};
use crate::place::ledger_file;

/// The directory within the results with the kept files of trials.
pub const KEPT: &str = "kept";

/// Paths for the reader of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The command of this program, as it was called.
    pub program: String,
    /// The checkout with the cases; empty if it is the current directory.
    pub root: String,
    /// The directory of the results.
    pub results: String,
    /// Names of trials whose files are kept in the results.
    pub kept: std::collections::BTreeSet<String>,
}

/// The directory of a trial's kept files in the results: `kept/gas@2.44/amd64/v2/frames/no-fp`. No
/// character of a name leads out of the directory or is refused by services that store files.
pub fn kept_folder(key: &str) -> String {
    let plain = |part: &str| match part {
        "" | "." | ".." => "_".to_owned(),
        part => part.replace(|c: char| !(c.is_ascii_alphanumeric() || "._-+@=,".contains(c)), "_"),
    };
    let parts: Vec<String> = key.split("::").map(plain).collect();
    format!("{KEPT}/{}", parts.join("/"))
}

/// Commands to call next, most useful first, each with its purpose.
pub type Steps = Vec<(&'static str, String)>;

impl Places {
    /// A path below the checkout.
    pub fn in_checkout(&self, path: &str) -> String {
        if self.root.is_empty() { path.to_owned() } else { format!("{}/{path}", self.root) }
    }

    fn call(&self, words: &[&str]) -> String {
        let program = if self.program.is_empty() { "sframe-conformance" } else { &self.program };
        let words: Vec<String> = std::iter::once(&program).chain(words).map(|word| shell(word)).collect();
        words.join(" ")
    }

    /// The command that prints all of the results.
    pub fn report(&self) -> String {
        self.call(&["report", &self.results])
    }

    fn result(&self, path: &str) -> String {
        format!("{}/{path}", self.results.trim_end_matches('/'))
    }

    /// The file that shows a finding; `None` if it was not kept.
    pub fn file(&self, trial: &TrialLine, found: &Finding) -> Option<String> {
        if found.shown.file.is_empty() {
            return None;
        }
        match is_frozen(trial) {
            true => Some(self.in_checkout(&format!("cases/objects/{}", found.shown.file))),
            false => Some(format!("{}/{}", self.kept(trial)?, found.shown.file)),
        }
    }

    /// The directory with the kept files of a trial; `None` if they were not kept.
    pub fn kept(&self, trial: &TrialLine) -> Option<String> {
        self.kept.contains(&trial.key).then(|| self.result(&kept_folder(&trial.key)))
    }

    /// The commands for a finding: `accept` only for a new one. `all` are the fingerprints of all
    /// findings with the same cause.
    pub fn steps(&self, trial: &TrialLine, found: &Finding, all: &[&str], facts: &RunFacts) -> Steps {
        const MOST: usize = 12;
        let mut steps = Steps::new();
        if let Some(file) = self.file(trial, found) {
            steps.push(("look", self.call(&["check", &file])));
        }
        let fingerprint = found.fingerprint();
        steps.push(("page", line(&self.result(&format!("index.html#finding={fingerprint}")))));
        steps.push(("explain", self.call(&["explain", fingerprint, "--results", &self.results])));
        // With the tools of the run: from a producers' file of the user, or replaced by an option.
        let file = facts.asked.producers.iter().flat_map(|file| ["--producers", file.as_str()]);
        let tools: Vec<&str> = file.chain(facts.asked.programs.iter().map(String::as_str)).collect();
        let reduce = ["reduce", &trial.key, "--finding", fingerprint];
        steps.push(("reduce", self.call(&[&reduce[..], &tools].concat())));
        if !is_frozen(trial) {
            let results = self.result("results.jsonl");
            let out = self.result(&format!("bundle-{fingerprint}"));
            let bundle = ["bundle", fingerprint, "--results", &results, "--out", &out];
            steps.push(("bundle", self.call(&[&bundle[..], &tools].concat())));
        }
        if found.standing.known.is_some() {
            return steps;
        }
        let more = if all.len() > MOST { " ..." } else { "" };
        let all: Vec<&str> = all.iter().copied().take(MOST).collect();
        let accept = self.call(&[&["accept"], &all[..], &["--results", &self.results]].concat());
        let rest = "--entry NAME --project TOOL --title LINE --reason WHY --link URL --expires DAY";
        steps.push(("accept", format!("{accept}{more} {rest}")));
        steps
    }

    /// The commands for a known bug: show its entry, run one of its trials again, open its report.
    pub fn steps_of_bug(&self, entry: &LedgerFacts, trial: &TrialLine) -> Steps {
        let mut steps = vec![
            ("entry", line(&self.in_checkout(&ledger_file(&entry.file)))),
            ("again", self.call(&["run", "--filter", &trial.key])),
        ];
        if entry.bundle {
            let out = self.result(&format!("bundle-{}", entry.name()));
            steps.push(("bundle", self.call(&["bundle", entry.name(), "--out", &out])));
        }
        steps
    }

    /// The commands for a trial that failed for another reason.
    pub fn steps_of_trial(&self, trial: &TrialLine) -> Steps {
        let mut steps: Steps = self.kept(trial).map(|folder| ("files", shell(&folder))).into_iter().collect();
        let page: String = self.result("index.html#trial=") + &trial.key;
        steps.push(("page", line(&page)));
        steps
    }
}

fn is_frozen(trial: &TrialLine) -> bool {
    trial.key.parse::<Key>().is_ok_and(|key| key.topic == "objects")
}
