//! The blind test of the judge: random damage to real files, its effect as determined from the
//! bytes alone, compared with the judge's verdict.
//!
//! A mutant is identified by seed, number and file; the same identification gives the same bytes on
//! every machine and with any number of threads.

mod class;
mod counts;
mod files;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use generators::blind::{Mutant, Original, Span};
use rayon::prelude::*;
use results::{Blame, Finding, Outcome, Report};
use spec::Severity;
use types::{Abi, Aspect, SframeVersion};

pub use class::{BlindFate, Class, Demand};
pub use counts::{Counts, operators_to_json, print, print_operators, show, to_json};
pub use files::{FilesError, Source, Sources, files, open};

use check::Options;

/// A file from which mutants are made. Findings about the undamaged file do not count as detection.
#[derive(Clone, Debug)]
pub struct BlindFile {
    /// Origin: `frozen/...`, `built/...`, `generated/...`.
    pub name: String,
    /// The file as the generators' own readers decode it, with the PCs that its execution reached.
    pub original: Original,
    /// Options for judging it.
    pub options: Options,
    /// Findings about the undamaged file.
    pub known: Vec<KnownFinding>,
    /// Functions that `.sframe` omits in the undamaged file, by position.
    pub gaps: Vec<String>,
}

/// A finding about the undamaged file.
#[derive(Clone, Debug)]
pub struct KnownFinding {
    pub fingerprint: String,
    pub blame: Blame,
    pub severity: Severity,
    pub field: Aspect,
    pub executed: bool,
    pub ranges: Vec<(u64, u64)>,
}

/// Identification of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantId {
    pub seed: u64,
    /// Number of the mutant of the file.
    pub number: u64,
    pub file: String,
}

/// A mutant with its result.
#[derive(Clone, Debug)]
pub struct BlindResult {
    pub id: MutantId,
    pub abi: Abi,
    pub version: SframeVersion,
    /// Class of the mutant.
    pub class: Class,
    /// What has to be reported.
    pub demand: Demand,
    pub fate: BlindFate,
    /// Structural rules alone, which need neither execution nor the other table, also report an
    /// error.
    pub by_structure: bool,
    pub mutant: Mutant,
    /// Exit code from the findings beyond those about the undamaged file.
    pub exit_code: u8,
    /// Severity, rule and blame of the findings, errors first.
    pub findings: Vec<String>,
}

/// Results of all mutants.
#[derive(Debug, Default)]
pub struct BlindScore {
    /// Sorted by number and file.
    pub mutants: Vec<BlindResult>,
    /// Number of files from which mutants were made.
    pub files: usize,
    pub left_out: Vec<files::Skipped>,
}

/// The judge under test: returns a report on a file's bytes.
pub type BlindJudge<'a> = &'a (dyn Fn(&str, &[u8], &Options) -> Report + Sync);

/// Makes `count` mutants of the files in turn and judges them with `judge`.
pub fn blind(files: &[BlindFile], seed: u64, count: usize, judge: BlindJudge<'_>) -> BlindScore {
    let numbers = (0..count).into_par_iter().filter_map(|index| {
        let file = files.get(index.checked_rem(files.len())?)?;
        let number = index.checked_div(files.len())? as u64;
        one(file, &MutantId { seed, number, file: file.name.clone() }, judge)
    });
    BlindScore { mutants: numbers.collect(), files: files.len(), left_out: Vec::new() }
}

/// Makes and judges one mutant. `None` if the file has nothing to damage.
pub fn one(file: &BlindFile, id: &MutantId, judge: BlindJudge<'_>) -> Option<BlindResult> {
    one_of(file, id, judge, |_| true)
}

/// Like [`one`], if `accepts` accepts the name of the mutant's operator.
pub fn one_of(
    file: &BlindFile,
    id: &MutantId,
    judge: BlindJudge<'_>,
    accepts: impl Fn(&str) -> bool,
) -> Option<BlindResult> {
    let mutant = file.original.mutant_of(id.seed(), accepts)?;
    let name = id.to_string();
    // A panic of the judge is a failure like a wrong verdict; its message is printed where it
    // occurs.
    let report = catch_unwind(AssertUnwindSafe(|| judge(&name, &mutant.bytes, &file.options))).ok();
    let (class, demand) = class::classify(&mutant);
    let fate = match &report {
        Some(report) => class::fate(file, &mutant, demand, report),
        None => BlindFate::Panicked,
    };
    let outcome = report.as_ref().map_or(Outcome::Error, |report| file.outcome(report));
    let fresh = || report.iter().flat_map(|report| file.fresh(report));
    let mut findings: Vec<String> = fresh().map(class::line).collect();
    findings.dedup();
    findings.extend(report.iter().flat_map(|report| &report.error).map(|error| error.message.clone()));
    findings.extend(report.iter().flat_map(|report| &report.undecided).map(|undecided| undecided.message.clone()));
    Some(BlindResult {
        id: id.clone(),
        abi: file.original.abi(),
        version: file.original.version(),
        class,
        demand,
        fate,
        by_structure: fresh().any(class::is_structural),
        mutant,
        exit_code: outcome.exit_code(),
        findings,
    })
}

impl BlindResult {
    /// Name of the operator that planted the bug.
    pub fn operator(&self) -> &str {
        &self.mutant.damage.operator
    }
}

impl BlindFile {
    /// Returns true if the file is a program, which execution judges.
    pub fn is_executed(&self) -> bool {
        self.original.is_executed()
    }

    /// Findings that the undamaged file does not have. An error of the directives may become
    /// another finding if damage leaves one table fewer to show it: the same field at the same PCs,
    /// with no other tool blamed.
    fn fresh<'r>(&self, report: &'r Report) -> impl Iterator<Item = &'r Finding> {
        let is_known = move |found: &&Finding| self.known.iter().any(|known| known.is(found) || known.shows_as(found));
        report.discrepancies.iter().filter(move |found| !is_known(found))
    }

    /// Returns true if a known error about all these PCs is still reported as before: the row is
    /// wrong in any case.
    fn is_still_wrong(&self, report: &Report, spans: &[Span]) -> bool {
        let is_over = |found: &Finding, span: &Span| {
            let all = |(start, end): &(u64, u64)| *start <= span.start && span.end <= *end;
            found.is_error() && found.evidence.executed && found.evidence.ranges.iter().any(all)
        };
        let is_known = |found: &Finding| self.known.iter().any(|known| known.is(found));
        let is_wrong = |span: &Span| report.discrepancies.iter().any(|found| is_over(found, span) && is_known(found));
        let mut executed = spans.iter().filter(|span| span.executed).peekable();
        executed.peek().is_some() && executed.all(is_wrong)
    }

    /// Outcome from the findings beyond those about the undamaged file.
    fn outcome(&self, report: &Report) -> Outcome {
        if report.error.is_some() {
            Outcome::Error
        } else if self.fresh(report).any(Finding::is_error) {
            Outcome::Discrepancy
        } else if !report.undecided.is_empty() {
            Outcome::Undecided
        } else {
            Outcome::Clean
        }
    }
}

impl KnownFinding {
    fn is(&self, found: &Finding) -> bool {
        self.fingerprint == found.fingerprint()
            && self.ranges == found.evidence.ranges
            && found.severity <= self.severity
    }

    fn shows_as(&self, found: &Finding) -> bool {
        // Where a damaged `.sframe` is right by chance, `.eh_frame` alone is wrong.
        let is_alone = self.blame == Blame::Compiler && found.blame() == Blame::EhFrame;
        let covers = |(from, to): &(u64, u64)| self.ranges.iter().any(|(start, end)| start <= from && to <= end);
        self.severity == Severity::Error
            && self.field == found.evidence.field
            && (is_alone || [self.blame, Blame::Compiler, Blame::Undetermined].contains(&found.blame()))
            && self.executed
            && found.evidence.executed
            && !found.evidence.ranges.is_empty()
            && found.evidence.ranges.iter().all(covers)
    }
}

impl MutantId {
    /// Seed of the damage: FNV-1a over the parts of the identification.
    pub(super) fn seed(&self) -> u64 {
        let numbers = [self.seed.to_le_bytes(), self.number.to_le_bytes()];
        let bytes = numbers.iter().flatten().chain(self.file.as_bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}

impl std::fmt::Display for MutantId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.seed, self.number, self.file)
    }
}

/// The error for a text that is not an identification of a mutant.
#[derive(Debug, thiserror::Error)]
#[error("{0}: not SEED:NUMBER:FILE")]
pub struct NoMutantId(String);

impl std::str::FromStr for MutantId {
    type Err = NoMutantId;

    fn from_str(text: &str) -> Result<Self, NoMutantId> {
        let mut parts = text.splitn(3, ':');
        let mut number = || parts.next().and_then(|part| part.parse().ok());
        let id = number().zip(number()).zip(text.splitn(3, ':').nth(2));
        let ((seed, number), file) = id.ok_or_else(|| NoMutantId(text.to_owned()))?;
        Ok(MutantId { seed, number, file: file.to_owned() })
    }
}

impl BlindScore {
    /// Targets and versions.
    fn columns(&self) -> BTreeSet<(Abi, SframeVersion)> {
        self.mutants.iter().map(|mutant| (mutant.abi, mutant.version)).collect()
    }

    /// Mutants that need attention.
    pub fn failures(&self) -> impl Iterator<Item = &BlindResult> {
        self.mutants.iter().filter(|mutant| mutant.fate.is_failure())
    }

    /// Number of changed rows where code was executed or the other table has a row: all of them,
    /// and those that the bytes do not decide.
    pub fn witnessed(&self) -> (usize, usize) {
        let rows = || self.mutants.iter().filter(|mutant| mutant.class.is_witnessed());
        (rows().count(), rows().filter(|mutant| matches!(mutant.demand, Demand::Unseen(_))).count())
    }

    /// Maximum share of undecidable rows among them, in percent.
    pub const MOST_UNSEEN: usize = 2;

    /// Maximum number of undecidable rows in a small run, whatever their share: 3 of 122 show
    /// nothing.
    pub const FEW_UNSEEN: usize = 5;

    /// Returns true if few enough rows are undecidable that the result is meaningful.
    pub fn is_witnessed(&self) -> bool {
        let (rows, unseen) = self.witnessed();
        unseen <= (rows * Self::MOST_UNSEEN / 100).max(Self::FEW_UNSEEN)
    }

    /// Returns true if all required findings are reported with the right blame, no others are, and
    /// few rows are undecidable.
    pub fn passes(&self) -> bool {
        self.failures().next().is_none() && self.is_witnessed()
    }
}
