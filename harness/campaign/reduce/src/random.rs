//! Tests assemblers with random CFI text ([`selftest::fuzz`]): reduces the text of each finding.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use generators::cfi_text::{Text, random, truth};
use rayon::prelude::*;
use results::bundle::{Size, Unit};
use selftest::fuzz::observe::{ObserveError, observe};
use selftest::fuzz::symptom::{Symptom, What};
use selftest::fuzz::tool::Tool;
use selftest::fuzz::{Finding, FuzzError, Stretch};
use selftest::journal::JournalError;
use types::Abi;

use crate::parts::{Cut, Files, Parts, Set};
use crate::search::{Bounds, Counts, Search, Shows, Watch};

/// One in this many files is correct.
const TRUE_ONE_IN: u64 = 4;

/// Number of texts whose result is remembered; beyond it all are forgotten.
const MOST_REMEMBERED: usize = 1 << 18;

/// Maximum number of candidates for one finding. Few need more than a hundred; for others the
/// result is not minimal. Time is not limited: the same seed gives the same text on any machine.
const BOUNDS: Bounds = Bounds { time: Duration::MAX, tries: 400 };

/// Tests each tool with the files of its stretches, and passes the results on as each stretch ends.
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

/// Results of a tool for texts, by their hash: a function alone may be the whole file, and
/// reductions meet at the same texts.
type Memory = Mutex<HashMap<u64, Vec<Symptom>>>;

/// State of testing one tool with a stretch.
struct Worker<'a> {
    tool: &'a Tool,
    memory: &'a Memory,
    found: Vec<Finding>,
}

impl Worker<'_> {
    /// Tests a file: each function alone, if possible, and then what only the whole file shows.
    fn file<T: Text>(&mut self, seed: u64, program: &T, executed: bool) -> Result<(), ObserveError> {
        let text = program.text();
        let whole = observe(self.tool, &text, executed)?;
        if whole.is_empty() {
            return Ok(());
        }
        self.remember(key(&text, executed), &whole);
        let mut shown_alone: BTreeSet<String> = BTreeSet::new();
        for alone in program.apart() {
            let symptoms = self.observed(&alone.text(), executed)?;
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
            let from_the_end = seed % 2 == 1;
            let small = least_from(program.clone(), from_the_end, BOUNDS, &|smaller| {
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

    /// Detail of the symptom, if the file shows it. If the harness cannot test it, it does not.
    fn shows<T: Text>(&self, program: &T, executed: bool, what: &What) -> Option<String> {
        let seen = self.observed(&program.text(), executed).unwrap_or_default();
        seen.into_iter().find(|symptom| symptom.what == *what).map(|symptom| symptom.detail)
    }

    /// Result of the tool for a text, computed once.
    fn observed(&self, text: &str, executed: bool) -> Result<Vec<Symptom>, ObserveError> {
        let key = key(text, executed);
        if let Some(seen) = self.memory.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(seen.clone());
        }
        let seen = observe(self.tool, text, executed)?;
        self.remember(key, &seen);
        Ok(seen)
    }

    fn remember(&self, key: u64, seen: &[Symptom]) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.len() >= MOST_REMEMBERED {
            memory.clear();
        }
        memory.insert(key, seen.to_vec());
    }
}

/// Key for remembering a text.
fn key(text: &str, executed: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (text, executed).hash(&mut hasher);
    hasher.finish()
}

/// The smallest file found that still `shows` the symptom.
pub(crate) fn least<T: Text>(text: T, bounds: Bounds, shows: &dyn Fn(&T) -> bool) -> T {
    least_from(text, false, bounds, shows)
}

/// Like [`least`], where `from_the_end` decides whether the first or the last of several possible
/// lines is kept.
fn least_from<T: Text>(text: T, from_the_end: bool, bounds: Bounds, shows: &dyn Fn(&T) -> bool) -> T {
    let shows = |candidate: &Legal<T>| shows(&candidate.text).then(Files::new);
    search_quietly(Legal { text, from_the_end }, bounds, &shows).text
}

/// The smallest candidate found, without progress reports.
pub(crate) fn search_quietly<P: Parts>(whole: P, bounds: Bounds, shows: &Shows<'_, P>) -> P {
    let mut nobody = Nobody;
    let mut search = Search::new(whole.clone(), shows, bounds, &mut nobody);
    search.run(&Files::new());
    // Storing cannot fail, because nothing is stored.
    search.finish().map_or(whole, |(least, _)| least)
}

/// A text that stays valid: a single part, with simpler variants.
#[derive(Clone)]
struct Legal<T> {
    text: T,
    from_the_end: bool,
}

impl<T: Text> Parts for Legal<T> {
    fn size(&self) -> Size {
        Size(vec![(self.text.kinds().len(), Unit::Lines)])
    }

    fn len(&self) -> usize {
        1
    }

    fn sets(&self, _: Cut) -> Vec<Set> {
        Vec::new()
    }

    fn without(&self, _: &Set) -> Option<Self> {
        None
    }

    fn bare(&self) -> Vec<Self> {
        Vec::new()
    }

    fn plainer(&self, _: usize) -> Vec<Self> {
        let mut smaller = self.text.smaller();
        if self.from_the_end {
            smaller.reverse();
        }
        smaller.sort_by_cached_key(|candidate| candidate.kinds().len());
        smaller.into_iter().map(|text| Legal { text, from_the_end: self.from_the_end }).collect()
    }

    fn key(&self) -> String {
        self.text.text()
    }
}

/// An observer that ignores progress.
struct Nobody;

impl Watch for Nobody {
    fn tried(&mut self, _: &Counts) {}

    fn kept(&mut self, _: &Files) -> io::Result<()> {
        Ok(())
    }
}
