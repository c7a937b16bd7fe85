//! Random CFI text through assemblers: which of them crash, refuse without a word, or write tables that disagree.
//!
//! Every finding is made as short as it gets and then held against the classes that somebody has looked at ([`class`]): it is known by exactly one of
//! them, or new. Same seeds, same assemblers, same findings, however often the run was broken off and by however many threads.

pub mod class;
pub mod found;
pub mod journal;
pub mod observe;
mod shrink;
pub mod symptom;
pub mod tally;
pub mod tool;
pub mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use generators::cfi_text::{Text, random, truth};
use journal::JournalError;
use model::Abi;
use observe::{ObserveError, observe};
use rayon::prelude::*;
use symptom::{Symptom, What};
use tool::Tool;

/// Something that an assembler did with a file, by the shortest text that shows it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The assembler: `gas@2.40`.
    pub assembler: String,
    /// The target of the file.
    pub abi: Abi,
    /// Seed of the file.
    pub seed: u64,
    /// The file is true to its instructions and was executed.
    pub executed: bool,
    /// What was seen: a rule's id or a word.
    pub what: String,
    /// One sentence with the numbers.
    pub detail: String,
    /// The shortest text that shows it.
    pub text: String,
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum FuzzError {
    /// A file cannot be judged.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// What was found cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Consecutive seeds for one assembler: what is done in one go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Its name and version: `gas@2.40`.
    pub assembler: String,
    /// The target of the files.
    pub abi: Abi,
    /// The first seed.
    pub first: u64,
    /// The seed after the last.
    pub next: u64,
}

/// Seeds of a stretch: seconds of work.
const STRETCH: u64 = 25;

/// One file in so many is a true one.
const TRUE_ONE_IN: u64 = 4;

/// Shortened texts whose outcome is remembered; beyond it all are forgotten.
const MOST_REMEMBERED: usize = 1 << 18;

/// The stretches of `count` seeds from `first` on, for each tool: those of one seed stand together, so that all tools get on alike.
pub fn stretches<'a>(tools: &'a [Tool], first: u64, count: u64) -> Vec<(&'a Tool, Stretch)> {
    let end = first.saturating_add(count);
    let mut stretches = Vec::new();
    let mut at = first;
    while at < end {
        let next = (at - at % STRETCH).saturating_add(STRETCH).min(end);
        let of = |tool: &'a Tool| (tool, Stretch { assembler: tool.name.clone(), abi: tool.abi, first: at, next });
        stretches.extend(tools.iter().map(of));
        at = next;
    }
    stretches
}

/// Feeds the files of each stretch to its tool, and hands over what was found as each stretch ends.
///
/// # Errors
/// When the harness itself cannot work, or `take` fails.
pub fn fuzz(
    stretches: &[(&Tool, Stretch)],
    take: impl Fn(&Stretch, &[Finding]) -> Result<(), JournalError> + Sync,
) -> Result<(), FuzzError> {
    let names: BTreeSet<(&str, Abi)> = stretches.iter().map(|(tool, _)| (tool.name.as_str(), tool.abi)).collect();
    let memories: BTreeMap<_, Memory> = names.into_iter().map(|name| (name, Memory::default())).collect();
    stretches.par_iter().try_for_each(|(tool, stretch)| {
        let Some(memory) = memories.get(&(tool.name.as_str(), tool.abi)) else { return Ok(()) };
        let mut worker = Worker { tool, memory, found: Vec::new() };
        for seed in stretch.first..stretch.next {
            if seed % TRUE_ONE_IN == 0 {
                worker.file(seed, &truth::program(tool.abi, seed), true)?;
            } else {
                worker.file(seed, &random::program(tool.abi, seed), false)?;
            }
        }
        Ok(take(stretch, &worker.found)?)
    })
}

/// What a tool did with the texts that were tried, by their hash: ways to the shortest text meet.
type Memory = Mutex<HashMap<u64, Vec<Symptom>>>;

/// One tool at work on a stretch.
struct Worker<'a> {
    tool: &'a Tool,
    memory: &'a Memory,
    found: Vec<Finding>,
}

impl Worker<'_> {
    /// Judges a file: each function alone, where it can be, and then what only the whole shows.
    fn file<T: Text>(&mut self, seed: u64, program: &T, executed: bool) -> Result<(), ObserveError> {
        let whole = observe(self.tool, &program.text(), executed)?;
        if whole.is_empty() {
            return Ok(());
        }
        let mut shown_alone: BTreeSet<String> = BTreeSet::new();
        for alone in program.apart() {
            let symptoms = observe(self.tool, &alone.text(), executed)?;
            shown_alone.extend(symptoms.iter().map(|symptom| symptom.what.family()));
            self.each(seed, &alone, symptoms, executed);
        }
        let rest = whole.into_iter().filter(|symptom| !shown_alone.contains(&symptom.what.family())).collect();
        self.each(seed, program, rest, executed);
        Ok(())
    }

    fn each<T: Text>(&mut self, seed: u64, program: &T, symptoms: Vec<Symptom>, executed: bool) {
        let mut done = BTreeSet::new();
        for symptom in symptoms {
            if !done.insert(symptom.what.to_string()) {
                continue;
            }
            let small = shrink::shrink(program.clone(), seed % 2 == 1, |smaller| {
                self.shows(smaller, executed, &symptom.what).is_some()
            });
            let detail = self.shows(&small, executed, &symptom.what);
            self.found.push(Finding {
                assembler: self.tool.name.clone(),
                abi: self.tool.abi,
                seed,
                executed,
                what: symptom.what.to_string(),
                detail: detail.unwrap_or(symptom.detail),
                text: small.text(),
            });
        }
    }

    /// The symptom's sentence, where the file shows it. A harness that cannot look has not seen it.
    fn shows<T: Text>(&self, program: &T, executed: bool, what: &What) -> Option<String> {
        let text = program.text();
        let mut hasher = DefaultHasher::new();
        (&text, executed).hash(&mut hasher);
        let key = hasher.finish();
        let of = |seen: &Vec<Symptom>| {
            seen.iter().find(|symptom| symptom.what == *what).map(|symptom| symptom.detail.clone())
        };
        if let Some(seen) = self.memory.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return of(seen);
        }
        let seen = observe(self.tool, &text, executed).unwrap_or_default();
        let detail = of(&seen);
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.len() >= MOST_REMEMBERED {
            memory.clear();
        }
        memory.insert(key, seen);
        detail
    }
}
