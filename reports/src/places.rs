//! Paths for the reader of a report, ready to be typed: the command, the checkout, the results, and
//! the kept files of trials.

use results::{Blame, Finding, Key, LedgerFacts, RunFacts, TrialLine, kept_folder};

use types::Abi;

use crate::escape::{line, shell};
use crate::place::ledger_file;

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

    /// The commands for a finding: `accept` only for a new one, with what is known of the entry;
    /// its name and the reason are a person's. `all` are the fingerprints of all findings with the
    /// same cause.
    pub fn steps(&self, trial: &TrialLine, found: &Finding, all: &[&str], facts: &RunFacts) -> Steps {
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
        let alike: &[&str] = if all.len() > 1 { &["--alike"] } else { &[] };
        let (project, day) = (project(trial, found), in_a_year(&facts.day));
        let target = trial.key.parse::<Key>().map_or("", |key| target(key.abi));
        let what = found.contrast().unwrap_or_else(|| found.shown.message.clone());
        let title = format!("{project}: {what} ({target})");
        let accept = [&["accept", fingerprint], alike, &["--results", &self.results, "--entry", "NAME"]].concat();
        let rest =
            ["--project", &project, "--title", &title, "--reason", "WHY", "--link", "unfiled", "--expires", &day];
        steps.push(("accept", self.call(&[&accept[..], &rest].concat())));
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

/// The project of the tool to blame: the producer of the trial where the blame leaves it open.
fn project(trial: &TrialLine, found: &Finding) -> String {
    let kind = match found.blame() {
        Blame::Compiler => "compiler",
        Blame::Linker => "linker",
        _ => "assembler",
    };
    let name = trial.tools.get(kind).or(Some(&trial.key)).map(|name| name.split('@').next().unwrap_or_default());
    name.unwrap_or_default().to_owned()
}

/// The target in titles of the ledger.
const fn target(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "AMD64",
        Abi::Aarch64 => "AArch64",
        Abi::Aarch64Be => "AArch64 big-endian",
        Abi::S390x => "s390x",
    }
}

/// The same day of the next year.
fn in_a_year(day: &str) -> String {
    let (year, rest) = day.split_once('-').unwrap_or((day, "01-01"));
    let year = year.parse::<u32>().unwrap_or_default() + 1;
    format!("{year}-{}", if rest == "02-29" { "02-28" } else { rest })
}

fn is_frozen(trial: &TrialLine) -> bool {
    trial.key.parse::<Key>().is_ok_and(|key| key.topic == "objects")
}
