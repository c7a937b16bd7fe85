//! Bugs put into the source of a real assembler and linker, or of a reader, one at a time: the
//! programs are built anew and tried in the matrix, or asked about vectors, against the results of
//! the source as it is.

mod answers;
mod draw;
mod operators;
mod records;
mod table;
mod text;
mod tree;
mod unmodified;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ledger::{Home, Ledger, LedgerError};
use matrix::link::RecipeError;
use matrix::trial::{Outputs, Subject, Trial};
use matrix::{Extent, Matrix};
use rayon::prelude::*;
use results::TrialLine;
use toolchain::consumer::ConsumersError;
use toolchain::interrupt;
use toolchain::local::{LocalError, Role};
use toolchain::process::ProcessError;
use toolchain::producers::ProducersError;

pub use records::{Fate, Record};
pub use table::{passes, print, sentence, to_json};
pub use tree::TreeError;

use crate::journal::JournalError;

use answers::Answers;
use draw::{Mutant, draw, given};
use records::{First, Records};
use text::Code;
use tree::{Part, SourceFile, Tree};
use unmodified::Unmodified;

/// Options of a score of bugs in source.
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// A folder that `ci/source-score` made.
    pub tree: PathBuf,
    /// Only files whose path contains this.
    pub filter: String,
    /// The seed of the draw.
    pub seed: u64,
    /// Number of bugs.
    pub count: usize,
    /// A file of bugs, which are tried in place of drawn ones.
    pub bugs: Option<PathBuf>,
    /// Where results are kept; what is there is not tried again.
    pub out: PathBuf,
}

/// Why there is no score.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Build(#[from] ProcessError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Producers(#[from] ProducersError),
    #[error(transparent)]
    Local(#[from] LocalError),
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error(transparent)]
    Consumers(#[from] ConsumersError),
    #[error("a folder for sections: {0}")]
    Scratch(std::io::Error),
    #[error("interrupted; run the same command again to continue")]
    Interrupted,
}

/// Tries bugs until `count` have been tried, and returns their records; `tell` is called with each.
pub fn score(options: &SourceOptions, home: &Home, tell: &dyn Fn(&Record)) -> Result<Vec<Record>, SourceError> {
    let tree = Tree::open(&options.tree)?;
    let mut kept = Records::open(&options.out)?;
    let mutants = match &options.bugs {
        Some(path) => given(&tree, path)?,
        None => draw(&tree, &options.filter, options.seed, options.count)?,
    };
    let mut bench = Bench::new(home, &tree, kept.shown())?;
    if mutants.iter().any(|mutant| mutant.file.part.is_read() && kept.record(&mutant.id).is_none()) {
        tree.build_readers(&home.root)?;
        bench.readers = Some((tree.sum_of_readers()?, Answers::new(home, &tree)?));
    }
    let mut records = Vec::new();
    for mutant in &mutants {
        if let Some(known) = kept.record(&mutant.id) {
            records.push(kept.counted(known));
            continue;
        }
        let record = bench.try_mutant(mutant);
        // Whatever the result, the source is restored.
        tree.write(mutant.file, &tree.text(mutant.file)?)?;
        let record = record?;
        tell(&record);
        *bench.shown.entry(record.shown_by()).or_default() += 1;
        kept.add(record.clone())?;
        records.push(record);
    }
    // Whatever is used of the tree afterwards has no bug of ours.
    for target in &tree.targets {
        tree.build(target, &Part::ALL)?;
    }
    if bench.readers.is_some() {
        tree.build_readers(&home.root)?;
    }
    Ok(records)
}

struct Bench<'a> {
    home: &'a Home,
    tree: &'a Tree,
    /// Checksums of the unmodified assembler and linker, by target.
    sums: BTreeMap<String, String>,
    unmodified: Unmodified,
    /// Numbers of bugs of each file that each trial showed first: what showed many is tried first.
    shown: BTreeMap<(String, String), usize>,
    /// Checksum of the unmodified readers, and their answers.
    readers: Option<(String, Answers)>,
}

impl<'a> Bench<'a> {
    /// Builds the source as it is.
    fn new(home: &'a Home, tree: &'a Tree, shown: BTreeMap<(String, String), usize>) -> Result<Bench<'a>, SourceError> {
        let (mut sums, mut programs) = (BTreeMap::new(), Vec::new());
        for target in &tree.targets {
            tree.build(target, &Part::ALL)?;
            sums.insert(target.clone(), tree.sum(target)?);
            programs.push(tree.copy_programs(target)?);
        }
        let unmodified = Unmodified::new(trials(home, &programs)?, Ledger::read(home)?);
        Ok(Bench { home, tree, sums, unmodified, shown, readers: None })
    }

    /// The trials in which programs of a target take part, the telling ones first.
    fn trials(&self, target: &str, file: &SourceFile) -> Result<Vec<Trial>, SourceError> {
        let mut trials = trials(self.home, &[self.tree.programs(target)])?;
        // A wrong assembler also shows in links: those whose first tool is made of the file come
        // first.
        let order = match file.part {
            Part::Linker | Part::Library => ["link", "cfi", "refusals", "sizes", "frames", "s390x", "pac", "calls"],
            _ => ["cfi", "refusals", "sizes", "frames", "s390x", "pac", "calls", "link"],
        };
        let place = |trial: &Trial| {
            let topic = trial.key.topic.as_str();
            order.iter().position(|other| *other == topic).unwrap_or(order.len())
        };
        let shown = |trial: &Trial| {
            let place = (file.path.to_owned(), trial.key.to_string());
            self.shown.get(&place).copied().unwrap_or_default()
        };
        trials.sort_by_cached_key(|trial| (Reverse(shown(trial)), place(trial)));
        Ok(trials)
    }

    fn try_mutant(&self, mutant: &Mutant) -> Result<Record, SourceError> {
        let began = Instant::now();
        let code = Code::new(&self.tree.text(mutant.file)?);
        self.tree.write(mutant.file, &mutant.edit.apply(&code.text))?;
        let record = |fate, first: Option<&TrialLine>| {
            Record::new(mutant, &code, fate, first.map(|line| First::trial(line, mutant)), began.elapsed())
        };
        let mut fate = Fate::SameCode;
        // What one target shows needs no build of the others.
        let builds = if mutant.file.part == Part::Reader { Vec::new() } else { self.tree.builds(mutant.file) };
        for target in builds {
            // All of it: the bug before this one may be in the other program of this target.
            match self.tree.build(&target, &Part::ALL) {
                Ok(()) if Some(&self.tree.sum(&target)?) == self.sums.get(&target) => continue,
                Ok(()) => fate = Fate::Missed,
                Err(ProcessError::Interrupted { .. }) => return Err(SourceError::Interrupted),
                Err(_) => return Ok(record(Fate::NotBuilt, None)),
            }
            let trials = match self.trials(&target, mutant.file) {
                Ok(trials) => trials,
                // It cannot even print its version, and the message names the program.
                Err(SourceError::Local(error)) => {
                    let first = First { attributed: Some(true), why: error.to_string(), ..First::default() };
                    return Ok(Record::new(mutant, &code, Fate::Detected, Some(first), began.elapsed()));
                }
                Err(error) => return Err(error),
            };
            let outputs = if mutant.file.part == Part::Assembler { Outputs::Objects } else { Outputs::All };
            let failed = self.first_failure(&trials, outputs);
            if interrupt::is_requested() {
                return Err(SourceError::Interrupted);
            }
            if failed.is_some() {
                return Ok(record(Fate::Detected, failed.as_ref()));
            }
        }
        let Some((sum, answers)) = self.readers.as_ref().filter(|_| mutant.file.part.is_read()) else {
            return Ok(record(fate, None));
        };
        match self.tree.build_readers(&self.home.root) {
            Ok(()) if self.tree.sum_of_readers()? == *sum => return Ok(record(fate, None)),
            Ok(()) => {}
            Err(ProcessError::Interrupted { .. }) => return Err(SourceError::Interrupted),
            Err(_) => return Ok(record(Fate::NotBuilt, None)),
        }
        let wrong = answers.first_new(self.home, self.tree)?;
        if interrupt::is_requested() {
            return Err(SourceError::Interrupted);
        }
        let fate = if wrong.is_some() { Fate::Detected } else { Fate::Missed };
        let first = wrong.map(|wrong| First { attributed: Some(true), trial: wrong.vector, why: wrong.cause });
        Ok(Record::new(mutant, &code, fate, first, began.elapsed()))
    }

    /// Of the trials run until one failed, the failing one that is first in order.
    fn first_failure(&self, trials: &[Trial], outputs: Outputs) -> Option<TrialLine> {
        let first: Mutex<Option<(usize, TrialLine)>> = Mutex::new(None);
        let held = || first.lock().unwrap_or_else(PoisonError::into_inner);
        trials.par_iter().enumerate().with_max_len(1).for_each(|(index, trial)| {
            if held().as_ref().is_some_and(|(other, _)| *other < index) || interrupt::is_requested() {
                return;
            }
            let Some(line) = self.unmodified.failure(trial, outputs) else { return };
            let mut held = held();
            if held.as_ref().is_none_or(|(other, _)| index < *other) {
                *held = Some((index, line));
            }
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map(|(_, line)| line)
    }
}

/// The trials in which these assemblers and linkers take part.
fn trials(home: &Home, programs: &[[PathBuf; 2]]) -> Result<Vec<Trial>, SourceError> {
    // Outcomes of the programs under test are never kept, those of compilers are.
    let mut matrix = Matrix::new(home.clone(), None, Some(home.cache()))?;
    let mut names = Vec::new();
    for [assembler, linker] in programs {
        for (role, program) in [(Role::Assembler, assembler), (Role::Linker, linker)] {
            let (producers, name) = matrix.producers.with_program(role, program)?;
            matrix.producers = producers;
            names.push(name);
        }
    }
    let mut trials = matrix.trials(Extent::Often)?;
    let takes_part = |trial: &Trial| trial.tools().iter().any(|tool| names.contains(&tool.name));
    trials.retain(|trial| trial.absent().is_none() && takes_part(trial) && !is_compiled(trial));
    Ok(trials)
}

/// Returns true for a trial of a case in C. These take longest by far, and show little that cases
/// in assembly do not: they are left out.
fn is_compiled(trial: &Trial) -> bool {
    matches!(&trial.subject, Subject::Built { pipeline, .. } if pipeline.compiler.is_some())
}

/// The folder in which results are kept if none is named.
pub fn default_out(tree: &Path) -> PathBuf {
    tree.join("score")
}
