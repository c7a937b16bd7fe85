//! Tests the ledger: a second bug is planted into a file with a known one, and the ledger must not
//! cover it.
//!
//! Planted bugs are those of [`score::blind`](crate::score::blind): random changes of bytes whose
//! effect is determined from the bytes alone. One counts if it changes a row that execution or the
//! other table can contradict, and the judge reports it.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Mutex, PoisonError};

use check::{Options, check};
use judge::stages::{self, Build, Directives};
use ledger::Ledger;
use ledger::known::{Part, standing};
use matrix::trial::{Subject, Trial};
use results::{Finding, Key, Report, Stage, ToolName};
use types::Bytes;

use crate::score::blind::{BlindFile, Demand, MutantId, Source, one, open};

/// A trial's file that has known bugs.
#[derive(Debug)]
pub struct Bed {
    /// Name of the trial.
    pub key: Key,
    tools: Vec<ToolName>,
    file: BlindFile,
    build: Stages,
    /// Its findings of severity error, each with its rows as text.
    before: BTreeSet<(String, String)>,
}

/// Stage of the file in its build.
#[derive(Clone, Copy, Debug)]
enum Stages {
    /// A single file of this stage.
    Alone(Stage),
    /// The program of a build, with the same bugs as its object.
    Program(Directives),
}

/// Result of the ledger for a planted bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Planted {
    /// The trial fails: there is a new finding.
    New,
    /// The ledger covers all findings, including one that was not there before.
    Covered(String),
    /// No bug was planted: no row with evidence changed, or the judge reports none, or the changed
    /// row is right.
    Nothing,
}

impl Bed {
    /// Prepares a trial that can run here and has errors, all of which the ledger covers. `None` if
    /// the trial has none, or no file.
    pub fn new(trial: &Trial, ledger: &Ledger) -> Option<Bed> {
        let (bytes, build) = match &trial.subject {
            Subject::Frozen { folder, object } => {
                let stage = if object.kind == "o" { Stage::Object } else { Stage::Linked };
                (fs::read(folder.join(&object.file)).ok()?.into(), Stages::Alone(stage))
            }
            Subject::Built { case, pipeline } => {
                let built = pipeline.build(case, trial.key.abi).ok()?;
                let directives = if pipeline.compiler.is_some() { Directives::Compiled } else { Directives::True };
                (built.linked?, Stages::Program(directives))
            }
            Subject::Linked { .. } | Subject::Absent { .. } => return None,
        };
        let file = open(Source { name: trial.key.to_string(), bytes: bytes.clone(), program: None }).ok()?;
        let mut bed = Bed { key: trial.key.clone(), tools: trial.tools(), file, build, before: BTreeSet::new() };
        let findings = bed.findings(&check(&bed.file.name, &bytes, &bed.file.options).report);
        let known = bed.standing(ledger, &findings).new.is_empty();
        bed.before = findings.iter().flat_map(parts).collect();
        (known && !findings.is_empty()).then_some(bed)
    }

    /// Plants the bug of a seed.
    pub fn plant(&self, ledger: &Ledger, seed: u64) -> Planted {
        let id = MutantId { seed, number: 0, file: self.file.name.clone() };
        let reported = Mutex::new(Report::default());
        let judge = |name: &str, bytes: &[u8], options: &Options| {
            let report = check(name, &Bytes::copy_from_slice(bytes), options).report;
            report.clone_into(&mut reported.lock().unwrap_or_else(PoisonError::into_inner));
            report
        };
        let Some(result) = one(&self.file, &id, &judge) else { return Planted::Nothing };
        let report = reported.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !result.class.is_witnessed() || result.demand != Demand::Error || result.exit_code != 1 {
            return Planted::Nothing;
        }
        let findings = self.findings(&report);
        let after: BTreeSet<(String, String)> = findings.iter().flat_map(parts).collect();
        if after.is_subset(&self.before) && after != self.before {
            return Planted::Nothing;
        }
        match self.standing(ledger, &findings).new.is_empty() {
            false => Planted::New,
            true => {
                let new =
                    after.difference(&self.before).map(|(rule, row)| format!("{rule}: {row}")).collect::<Vec<_>>();
                Planted::Covered(format!(
                    "{} seed {seed}: {:?}\n  {}",
                    self.key,
                    result.mutant.effect,
                    new.join("\n  ")
                ))
            }
        }
    }

    /// The errors of the trial with this report on its file.
    fn findings(&self, report: &Report) -> Vec<Finding> {
        match self.build {
            Stages::Alone(stage) => {
                let errors = report.discrepancies.iter().filter(|found| found.is_error()).cloned();
                let mut errors: Vec<Finding> = errors.collect();
                errors.iter_mut().for_each(|found| found.stage = stage);
                errors
            }
            Stages::Program(directives) => {
                let reports = std::slice::from_ref(report);
                let build = Build { objects: reports, relocatable: &[], linked: reports, stripped: &[], directives };
                stages::findings(&build)
            }
        }
    }

    fn standing(&self, ledger: &Ledger, findings: &[Finding]) -> ledger::known::Coverage {
        standing(&ledger.entries, (&self.key, &self.tools), findings, &ledger.today)
    }
}

/// Every part of a finding as text: fingerprint and row.
fn parts(found: &Finding) -> Vec<(String, String)> {
    let row = |part: Part<'_>| part.row.map(ToString::to_string).unwrap_or_default();
    let name = format!("{} {} {}", found.rule(), found.blame(), found.function());
    Part::all(found).into_iter().map(|part| (name.clone(), row(part))).collect()
}
