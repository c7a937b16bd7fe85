//! Tests the judge: mutants with one known bug each, and how many it detects with the right blame.

pub mod blind;
pub mod reasons;
pub mod rows;
pub mod source;
mod table;

use std::collections::BTreeMap;

use generators::elf::FileKind;
use generators::mutate::{Effect, Expectation, Mutant, Operator, WrongTable, bases, operators};
use generators::sample::SampleError;
use rayon::prelude::*;
use results::{Blame, Finding, Report};
use spec::{RuleGroup, Severity};
use types::{Abi, Aspect, Bytes, SframeVersion};

pub use table::{print, to_json};

use check::{Options, check};

/// Result for a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Reported with the required severity and the right blame.
    Caught,
    /// Not reported, or with too low a severity.
    Missed,
    /// Reported with the wrong blame.
    WrongBlame,
    /// Not a bug: the meaning is that of the original, and no clause is violated.
    Equivalent,
}

/// A mutant with its result.
#[derive(Clone, Debug)]
pub struct MutantResult {
    /// Name of its operator.
    pub operator: &'static str,
    /// Operator, position, target, version and kind of file.
    pub name: String,
    /// Target.
    pub abi: Abi,
    /// Version.
    pub version: SframeVersion,
    /// Effect of the planted bug.
    pub effect: Effect,
    /// Required severity.
    pub expected: Expectation,
    /// Result.
    pub fate: Fate,
    /// True if structural rules alone also report it.
    pub by_structure: bool,
    /// Findings as `rule=blame`, errors first.
    pub findings: Vec<String>,
}

/// Results of all mutants.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Sorted by operator, target, version and position.
    pub mutants: Vec<MutantResult>,
}

/// Numbers of mutants by fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub caught: usize,
    pub missed: usize,
    pub wrong_blame: usize,
    pub equivalent: usize,
    /// Number of detected mutants that structural rules alone also report.
    pub by_structure: usize,
}

/// Selection of mutants.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only operators whose name contains this; all if empty.
    pub filter: String,
    /// Maximum number of mutants of each operator for each target, version and kind of file, evenly
    /// spread; `None` for all.
    pub most: Option<usize>,
}

/// The judge under test: returns a report on a file's bytes.
pub type Judge<'a> = &'a (dyn Fn(&str, &[u8]) -> Report + Sync);

/// Makes the mutants and judges them with `check`.
pub fn score(selection: &Selection) -> Result<Score, SampleError> {
    score_judge(selection, &|name, bytes| check(name, &Bytes::copy_from_slice(bytes), &Options::default()).report)
}

/// Makes the mutants and judges them with `judge`.
pub fn score_judge(selection: &Selection, judge: Judge<'_>) -> Result<Score, SampleError> {
    let bases = bases()?;
    let chosen: Vec<Operator> =
        operators().into_iter().filter(|operator| operator.name.contains(&selection.filter)).collect();
    let pairs: Vec<_> = chosen.iter().flat_map(|operator| bases.iter().map(move |base| (operator, base))).collect();
    let scored = pairs.par_iter().map(|(operator, base)| {
        let mutants = spread(operator.mutants(base)?, selection.most);
        mutants.iter().map(|mutant| one(mutant, judge)).collect::<Result<Vec<_>, _>>()
    });
    let scored: Vec<Vec<MutantResult>> = scored.collect::<Result<_, SampleError>>()?;
    Ok(Score { mutants: scored.into_iter().flatten().collect() })
}

/// At most `most` of the mutants, evenly spread; those with an effect precede equivalent ones.
fn spread(mut mutants: Vec<Mutant>, most: Option<usize>) -> Vec<Mutant> {
    let Some(most) = most.filter(|most| *most < mutants.len()) else { return mutants };
    mutants.sort_by_key(|mutant| matches!(mutant.effect, Effect::Equivalent(_)));
    let relevant = mutants.iter().filter(|mutant| !matches!(mutant.effect, Effect::Equivalent(_))).count();
    let pool = relevant.max(most).min(mutants.len());
    let chosen: Vec<usize> = (0..most).map(|index| index * pool / most).collect();
    let mut index = 0;
    mutants.retain(|_| {
        index += 1;
        chosen.contains(&(index - 1))
    });
    mutants
}

fn one(mutant: &Mutant, judge: Judge<'_>) -> Result<MutantResult, SampleError> {
    let name = mutant.name();
    let report = judge(&name, &mutant.bytes()?);
    let mut findings: Vec<String> = report
        .discrepancies
        .iter()
        .map(|found| format!("{:?} {}={}", found.severity, found.rule(), found.blame()))
        .collect();
    findings.dedup();
    Ok(MutantResult {
        operator: mutant.operator,
        name,
        abi: mutant.abi,
        version: mutant.version,
        effect: mutant.effect.clone(),
        expected: mutant.expected,
        fate: fate(mutant, &report),
        by_structure: by_structure(mutant, &report),
        findings,
    })
}

/// Result for a mutant with this report.
pub fn fate(mutant: &Mutant, report: &Report) -> Fate {
    if let Effect::Equivalent(_) = mutant.effect {
        return Fate::Equivalent;
    }
    if expected(mutant) == Expectation::Gap && report.gaps.iter().any(|gap| gap.reason.is_none()) {
        return Fate::Caught;
    }
    let least = severity(expected(mutant));
    let rights = rights(mutant);
    let errors = || report.discrepancies.iter().filter(|found| found.severity == Severity::Error);
    let severe = report.discrepancies.iter().filter(|found| found.severity >= least);
    // Tables that differ in a linked file do not show which tool is to blame: none is blamed.
    let open = |found: &Finding| {
        let linked = mutant.kind != FileKind::Relocatable;
        linked && found.rule().group() == RuleGroup::Cfi && found.blame() == Blame::Undetermined
    };
    let fair = |found: &Finding| rights.contains(&found.blame()) || open(found);
    match severe.map(fair).collect::<Vec<bool>>() {
        blames if blames.is_empty() => Fate::Missed,
        blames if !blames.contains(&true) => Fate::WrongBlame,
        // A second finding must not blame another tool either.
        _ if errors().any(|found| !fair(found)) => Fate::WrongBlame,
        _ => Fate::Caught,
    }
}

/// Required severity: a change of the meaning is an error, whatever else it breaks.
fn expected(mutant: &Mutant) -> Expectation {
    match (&mutant.effect, mutant.expected) {
        (Effect::Meaning(_), Expectation::Gap) => Expectation::Gap,
        (Effect::Meaning(_), _) => Expectation::Error,
        (_, expected) => expected,
    }
}

fn severity(expected: Expectation) -> Severity {
    match expected {
        Expectation::Error | Expectation::Gap => Severity::Error,
        Expectation::Warning => Severity::Warning,
        Expectation::Info => Severity::Info,
    }
}

/// Producers that may be blamed, by construction of the mutant. A linked file alone does not show
/// whether assembler or linker made it, except for rules that only linkers can break.
fn rights(mutant: &Mutant) -> &'static [Blame] {
    match (mutant.fault, mutant.kind) {
        (WrongTable::Sframe, FileKind::Relocatable) => &[Blame::Assembler],
        (WrongTable::Sframe, _) => &[Blame::AssemblerOrLinker, Blame::Linker],
        (WrongTable::EhFrame, _) => &[Blame::EhFrame],
        (WrongTable::Both, _) => &[Blame::Compiler],
        (WrongTable::Linker, _) => &[Blame::Linker],
    }
}

/// Returns true if structural rules, which need neither execution nor the other table, report the
/// mutant.
fn by_structure(mutant: &Mutant, report: &Report) -> bool {
    let least = severity(expected(mutant));
    report.discrepancies.iter().any(|found| {
        found.evidence.field == Aspect::Structure && found.rule().group() != RuleGroup::Cfi && found.severity >= least
    })
}

impl Score {
    /// Counts of the mutants that `of` selects.
    pub fn counts(&self, of: impl Fn(&MutantResult) -> bool) -> Counts {
        let mut counts = Counts::default();
        for mutant in self.mutants.iter().filter(|mutant| of(mutant)) {
            match mutant.fate {
                Fate::Caught => counts.caught += 1,
                Fate::Missed => counts.missed += 1,
                Fate::WrongBlame => counts.wrong_blame += 1,
                Fate::Equivalent => counts.equivalent += 1,
            }
            counts.by_structure += usize::from(mutant.fate == Fate::Caught && mutant.by_structure);
        }
        counts
    }

    /// Counts by operator, target and version.
    pub fn cells(&self) -> BTreeMap<(&'static str, Abi, SframeVersion), Counts> {
        let keys = self.mutants.iter().map(|mutant| (mutant.operator, mutant.abi, mutant.version));
        let mut cells: BTreeMap<_, Counts> = keys.map(|key| (key, Counts::default())).collect();
        for (key, counts) in &mut cells {
            *counts = self.counts(|mutant| (mutant.operator, mutant.abi, mutant.version) == *key);
        }
        cells
    }

    /// Mutants that are missed, or blamed on the wrong tool.
    pub fn failures(&self) -> impl Iterator<Item = &MutantResult> {
        self.mutants.iter().filter(|mutant| matches!(mutant.fate, Fate::Missed | Fate::WrongBlame))
    }
}

impl Fate {
    /// Name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Caught => "caught",
            Fate::Missed => "missed",
            Fate::WrongBlame => "wrong-blame",
            Fate::Equivalent => "equivalent",
        }
    }
}
