//! Random CFI text through assemblers: which of them crash, refuse without a word, or write tables that disagree.
//!
//! Each finding is made small before it is compared with those already there, so that a finding is told once, by what it takes to
//! show it. Same seed, same assemblers, same findings.

pub mod found;
pub mod observe;
mod shrink;
pub mod tool;

use std::collections::BTreeMap;

use generators::cfi_text::{Text, random, truth};
use rayon::prelude::*;

use observe::{Symptom, observe};
use tool::Tool;

/// A distinct finding.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Found {
    /// The assembler: `gas@2.40`.
    pub assembler: String,
    /// Target.
    pub abi: String,
    /// What was seen: a rule's id or a word.
    pub what: String,
    /// What it takes to show it.
    pub kinds: Vec<String>,
    /// One sentence with the numbers.
    pub detail: String,
    /// Seed of the file that showed it first.
    pub seed: u64,
    /// The file is true to its instructions and was executed.
    pub executed: bool,
    /// The shortest file.
    pub text: String,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Fuzzed {
    /// Files assembled and judged, those of shrinking left out.
    pub files: u64,
    /// Times that a symptom was seen, by assembler, ABI and what.
    pub seen: BTreeMap<(String, String, String), u64>,
    /// Distinct findings.
    pub found: Vec<Found>,
}

/// Distinct findings of one kind for one assembler and ABI: beyond it they are counted and not made small.
const MOST_OF_A_KIND: usize = 24;

/// A file that a finding already explains is looked into once in so many times: it may show another thing as well.
const LOOK_AGAIN: u64 = 24;

/// One file in so many is a true one.
const TRUE_ONE_IN: u64 = 4;

/// Feeds files of the seeds `first..first + count` to each tool.
///
/// # Errors
/// When the harness itself cannot work.
pub fn fuzz(tools: &[Tool], first: u64, count: u64) -> Result<Fuzzed, String> {
    let each: Vec<Fuzzed> = tools.par_iter().map(|tool| fuzz_one(tool, first, count)).collect::<Result<_, _>>()?;
    let mut all = Fuzzed::default();
    for one in each {
        all.files += one.files;
        all.seen.extend(one.seen);
        all.found.extend(one.found);
    }
    Ok(all)
}

fn fuzz_one(tool: &Tool, first: u64, count: u64) -> Result<Fuzzed, String> {
    let mut fuzzed = Fuzzed::default();
    for seed in first..first.saturating_add(count) {
        if seed % TRUE_ONE_IN == 0 {
            one_file(tool, seed, truth::program(tool.abi, seed), true, &mut fuzzed)?;
        } else {
            one_file(tool, seed, random::program(tool.abi, seed), false, &mut fuzzed)?;
        }
    }
    Ok(fuzzed)
}

fn one_file<T: Text>(tool: &Tool, seed: u64, program: T, executed: bool, fuzzed: &mut Fuzzed) -> Result<(), String> {
    fuzzed.files += 1;
    let symptoms = observe(tool, &program.text(), executed)?;
    let ended_early = symptoms.iter().any(|symptom| symptom.function.is_none());
    judge(tool, seed, &program, symptoms, executed, fuzzed);
    // One function that ends the assembly hides the others.
    for alone in program.apart().into_iter().filter(|_| ended_early) {
        let symptoms = observe(tool, &alone.text(), executed)?;
        judge(tool, seed, &alone, symptoms, executed, fuzzed);
    }
    Ok(())
}

fn judge<T: Text>(tool: &Tool, seed: u64, program: &T, symptoms: Vec<Symptom>, executed: bool, fuzzed: &mut Fuzzed) {
    for symptom in symptoms {
        let key = (tool.name.clone(), tool.abi.name().to_owned(), symptom.what.clone());
        let seen = fuzzed.seen.entry(key).or_default();
        *seen += 1;
        let only = symptom.function.as_deref().and_then(|name| program.only(name));
        let near = only.as_ref().unwrap_or(program);
        let same = |found: &&Found| found.what == symptom.what && found.executed == executed;
        let explained = fuzzed.found.iter().filter(same).any(|found| is_within(&found.kinds, &near.kinds()));
        let many = fuzzed.found.iter().filter(same).count() >= MOST_OF_A_KIND;
        if many || (explained && !seen.is_multiple_of(LOOK_AGAIN)) {
            continue;
        }
        // What the function shows beside others it need not show alone.
        let alone = only.filter(|only| shows(tool, only, executed, &symptom).is_some());
        let small = shrink::shrink(alone.unwrap_or_else(|| program.clone()), |smaller| {
            shows(tool, smaller, executed, &symptom).is_some()
        });
        let kinds = small.kinds();
        if fuzzed.found.iter().filter(same).any(|found| found.kinds == kinds) {
            continue;
        }
        let detail = shows(tool, &small, executed, &symptom).unwrap_or_else(|| symptom.detail.clone());
        fuzzed.found.push(Found {
            assembler: tool.name.clone(),
            abi: tool.abi.name().to_owned(),
            what: symptom.what,
            kinds,
            detail,
            seed,
            executed,
            text: small.text(),
        });
    }
}

/// The symptom's sentence, where the file shows it. A harness that cannot look has not seen it.
fn shows<T: Text>(tool: &Tool, program: &T, executed: bool, symptom: &Symptom) -> Option<String> {
    let seen = observe(tool, &program.text(), executed).ok()?;
    seen.into_iter().find(|other| other.what == symptom.what).map(|other| other.detail)
}

/// True when `part` stands in `whole` in the same order, with anything between.
fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|kind| whole.any(|other| other == kind))
}
