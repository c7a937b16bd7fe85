//! State of a run and its results so far, `state.json`, from which an interrupted run is resumed.

use std::collections::BTreeMap;
use std::path::Path;

use results::ProgramCause;
use types::Abi;

use super::observe::{ProgramEnd, ProgramResult};
use super::subject::CompilerSubject;
use crate::journal::{self, Journal, JournalError};

const STATE: &str = "state.json";

#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The next seed, by compiler and ABI: `gcc@12.2.0 amd64`.
    pub next: BTreeMap<String, u64>,
    pub programs: u64,
    /// Number of programs, by how they ended.
    pub ends: BTreeMap<String, u64>,
    /// Milliseconds of compilers, assemblers and linkers.
    pub tools: u64,
    /// Milliseconds of the judge.
    pub judge: u64,
    /// Causes by compiler, `gcc@12.2.0`, and by folder.
    pub causes: BTreeMap<String, BTreeMap<String, FoundCause>>,
}

impl State {
    /// Reads the state of a folder; `None` if it has none.
    pub fn read(folder: &Path) -> Result<Option<State>, JournalError> {
        journal::read(&folder.join(STATE))
    }

    /// Returns true if any version of the compiler showed the cause.
    pub fn has(&self, subject: &CompilerSubject, cause: &ProgramCause) -> bool {
        let project = |name: &str| name.split_once('@').map(|(project, _)| project.to_owned());
        let same = |name: &str| project(name) == project(&subject.name);
        self.causes.iter().any(|(name, causes)| same(name) && causes.contains_key(&cause.slug()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundCause {
    pub cause: ProgramCause,
    /// Ledger entry that covers it.
    pub known: Option<String>,
    /// Number of programs that show it.
    pub times: u64,
    /// The smallest of these programs.
    pub first: First,
    /// Headline of one of its findings.
    pub headline: String,
    /// Options that this program needs to show it, after reduction.
    pub needs: Option<String>,
}

/// The smallest program that showed a cause; of several the first.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// The target.
    pub abi: Abi,
    /// Seed of program and options.
    pub seed: u64,
    /// Number of functions, parameters and statements of the program.
    pub size: usize,
    pub options: String,
}

impl FoundCause {
    /// Adds a program that shows it, with the ledger entry that covers it in this program. A
    /// smaller program replaces the first one, and one that no entry covers replaces one that an
    /// entry covers.
    fn add(&mut self, first: &First, headline: &str, known: Option<String>) {
        self.times += 1;
        let is_news = self.known.is_some() && known.is_none();
        let is_smaller = first.size < self.first.size && self.needs.is_none() && self.known == known;
        if is_news || is_smaller {
            (self.first, self.headline) = (first.clone(), headline.to_owned());
            (self.known, self.needs) = (known, None);
        }
    }
}

/// A run with its folder.
#[derive(Debug)]
pub struct Run {
    pub state: State,
    journal: Journal,
}

impl Run {
    /// Begins in a folder, or resumes there with `resume`.
    pub fn open(folder: &Path, resume: bool) -> Result<Run, JournalError> {
        let journal = Journal::open(folder)?;
        let state = if resume { State::read(folder)?.unwrap_or_default() } else { State::default() };
        Ok(Run { state, journal })
    }

    /// Next seed of a subject.
    pub fn next(&self, subject: &CompilerSubject, first: u64) -> u64 {
        self.state.next.get(&key(subject)).copied().unwrap_or(first)
    }

    /// Adds the causes that a program showed, each with the ledger entry that covers it.
    pub fn add(
        &mut self,
        subject: &CompilerSubject,
        first: &First,
        seen: &ProgramResult,
        entry: impl Fn(&ProgramCause) -> Option<String>,
    ) {
        let state = &mut self.state;
        state.next.insert(key(subject), first.seed.saturating_add(1));
        state.programs += 1;
        *state.ends.entry(name(seen.end).to_owned()).or_default() += 1;
        let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        state.tools = state.tools.saturating_add(millis(seen.tools));
        state.judge = state.judge.saturating_add(millis(seen.judge));
        let causes = state.causes.entry(subject.name.clone()).or_default();
        for (cause, headline) in &seen.causes {
            let known = entry(cause);
            let found = causes.entry(cause.slug()).or_insert_with(|| {
                let (cause, first, headline) = (cause.clone(), first.clone(), headline.clone());
                FoundCause { cause, known: known.clone(), times: 0, first, headline, needs: None }
            });
            found.add(first, headline, known);
        }
    }

    /// The record of a cause.
    pub fn found(&mut self, subject: &CompilerSubject, cause: &ProgramCause) -> Option<&mut FoundCause> {
        self.state.causes.get_mut(&subject.name)?.get_mut(&cause.slug())
    }

    /// Writes a file for a cause.
    pub fn keep(
        &self,
        subject: &CompilerSubject,
        cause: &ProgramCause,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), JournalError> {
        self.journal.keep(&Path::new(&subject.name).join(cause.slug()), name, bytes)
    }

    /// Writes the state atomically, so that an interruption loses nothing.
    pub fn save(&self) -> Result<(), JournalError> {
        self.journal.write(STATE, &self.state)
    }
}

fn key(subject: &CompilerSubject) -> String {
    format!("{} {}", subject.name, subject.abi)
}

pub const fn name(end: ProgramEnd) -> &'static str {
    match end {
        ProgramEnd::Right => "right",
        ProgramEnd::Wrong => "wrong",
        ProgramEnd::Unfinished => "unfinished",
        ProgramEnd::NotCompiled => "not-compiled",
        ProgramEnd::NotBuilt => "not-built",
    }
}

#[cfg(test)]
mod tests {
    use results::{Blame, ProgramCause};
    use types::Abi;

    use super::{First, FoundCause};

    #[test]
    fn a_program_that_no_entry_covers_is_not_hidden_by_one_that_is_covered() {
        let first = |seed, size| First { abi: Abi::Amd64, seed, size, options: String::new() };
        let [arch, rule, shape, after] = ["amd64", "crash", "", ""].map(str::to_owned);
        let cause = ProgramCause { arch, rule, blame: Blame::Compiler, shape, after };
        let entry = || Some("an-entry".to_owned());
        let mut found =
            FoundCause { cause, known: entry(), times: 0, first: first(1, 9), headline: String::new(), needs: None };
        for (next, known, expected) in [
            (first(2, 8), entry(), (2, entry())),
            (first(3, 20), None, (3, None)),
            (first(4, 5), entry(), (3, None)),
            (first(5, 10), None, (5, None)),
        ] {
            found.add(&next, "", known);
            assert_eq!((found.first.seed, found.known.clone()), expected);
        }
        assert_eq!(found.times, 4);
    }
}
