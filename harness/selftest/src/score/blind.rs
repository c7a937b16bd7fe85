//! The judge's blind test: random damage to real files, its effect as decided from bytes alone, and
//! the judge's verdict.
//!
//! A mutant is named by seed, number and file; the same name gives the same bytes on every machine
//! and with any number of threads.

mod class;
mod files;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

use generators::blind::{Mutant, Original, Span};
use rayon::prelude::*;
use results::{Blame, Finding, Outcome, Report};
use spec::Severity;
use types::{Abi, Aspect, Bytes, SframeVersion};

pub use class::{BlindFate, Class, Demand};
pub use files::{FilesError, Source, Sources, files, open};
pub use table::{print, show, to_json};

use check::{Options, check};

/// A file from which mutants are made. What the judge finds wrong in it already is no answer to
/// damage.
#[derive(Clone, Debug)]
pub struct BlindFile {
    /// Where it is from: `frozen/...`, `built/...`, `generated/...`.
    pub name: String,
    /// As the generators' own readers see it, with the PCs that its run executed.
    pub original: Original,
    /// How it is judged.
    pub options: Options,
    /// What is wrong with it already.
    pub known: Vec<KnownFinding>,
    /// Functions that `.sframe` leaves out already, by place.
    pub gaps: Vec<String>,
}

/// A finding of the file itself.
#[derive(Clone, Debug)]
pub struct KnownFinding {
    pub fingerprint: String,
    pub blame: Blame,
    pub severity: Severity,
    pub field: Aspect,
    pub executed: bool,
    pub ranges: Vec<(u64, u64)>,
}

/// Which mutant of which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutantId {
    /// Of the whole drawing.
    pub seed: u64,
    /// Which one of the file.
    pub number: u64,
    /// Name of the file.
    pub file: String,
}

/// A mutant and what came of it.
#[derive(Clone, Debug)]
pub struct BlindResult {
    pub id: MutantId,
    pub abi: Abi,
    pub version: SframeVersion,
    /// What it is.
    pub class: Class,
    /// What has to be reported.
    pub demand: Demand,
    /// What came of it.
    pub fate: BlindFate,
    /// The mutant.
    pub mutant: Mutant,
    /// Of what is reported beyond what is wrong with the file itself.
    pub exit_code: u8,
    /// Severity, rule and blame of the findings, errors first.
    pub findings: Vec<String>,
}

/// All mutants of a drawing.
#[derive(Debug, Default)]
pub struct BlindScore {
    /// In order of their numbers and files.
    pub mutants: Vec<BlindResult>,
    /// Files that mutants were made of.
    pub files: usize,
    /// Files that were skipped.
    pub left_out: Vec<files::Skipped>,
}

/// The judge that is tested: what it reports on a file's bytes.
pub type BlindJudge<'a> = &'a (dyn Fn(&str, &[u8], &Options) -> Report + Sync);

/// Draws `count` mutants of the files in turn and has `check` judge them.
pub fn blind(files: &[BlindFile], seed: u64, count: usize) -> BlindScore {
    blind_judge(files, seed, count, &|name, bytes, options| check(name, &Bytes::copy_from_slice(bytes), options).report)
}

/// The same with another judge.
pub fn blind_judge(files: &[BlindFile], seed: u64, count: usize, judge: BlindJudge<'_>) -> BlindScore {
    let numbers = (0..count).into_par_iter().filter_map(|index| {
        let file = files.get(index.checked_rem(files.len())?)?;
        let number = index.checked_div(files.len())? as u64;
        one(file, &MutantId { seed, number, file: file.name.clone() }, judge)
    });
    BlindScore { mutants: numbers.collect(), files: files.len(), left_out: Vec::new() }
}

/// One mutant. `None` if the file has nothing to damage.
pub fn one(file: &BlindFile, id: &MutantId, judge: BlindJudge<'_>) -> Option<BlindResult> {
    let mutant = file.original.mutant(id.seed())?;
    let name = id.to_string();
    // What brings the judge down is a failure like any other of its answers; its message is printed
    // where it happens.
    let report = catch_unwind(AssertUnwindSafe(|| judge(&name, &mutant.bytes, &file.options))).ok();
    let (class, demand) = class::classify(&mutant);
    let fate = match &report {
        Some(report) => class::fate(file, &mutant, demand, report),
        None => BlindFate::Panicked,
    };
    let outcome = report.as_ref().map_or(Outcome::Error, |report| file.outcome(report));
    let fresh = report.iter().flat_map(|report| file.fresh(report));
    let mut findings: Vec<String> = fresh.map(class::line).collect();
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
        mutant,
        exit_code: outcome.exit_code(),
        findings,
    })
}

impl BlindFile {
    /// Findings that the file itself does not have. What the code's directives have wrong can come
    /// as another finding where damage leaves one table less to show it: the same field at the same
    /// PCs, and no other tool blamed.
    fn fresh<'r>(&self, report: &'r Report) -> impl Iterator<Item = &'r Finding> {
        let is_known = move |found: &&Finding| self.known.iter().any(|known| known.is(found) || known.shows_as(found));
        report.discrepancies.iter().filter(move |found| !is_known(found))
    }

    /// Returns true if a known error about all these PCs is still reported, as it was: the row is
    /// wrong whatever it is.
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

    /// What a report has beyond the bugs of the file itself.
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
        let covers = |(from, to): &(u64, u64)| self.ranges.iter().any(|(start, end)| start <= from && to <= end);
        self.severity == Severity::Error
            && self.field == found.evidence.field
            && [self.blame, Blame::Compiler, Blame::Undetermined].contains(&found.blame())
            && self.executed
            && found.evidence.executed
            && !found.evidence.ranges.is_empty()
            && found.evidence.ranges.iter().all(covers)
    }
}

impl MutantId {
    /// The seed of its damage: FNV-1a over its parts.
    fn seed(&self) -> u64 {
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

/// Text that names no mutant.
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
    /// What has to be looked at.
    pub fn failures(&self) -> impl Iterator<Item = &BlindResult> {
        self.mutants.iter().filter(|mutant| mutant.fate.is_failure())
    }

    /// Rows that changed where code was executed or the other table has a row: all of them,
    /// and those that the bytes do not decide.
    pub fn witnessed(&self) -> (usize, usize) {
        let rows = || self.mutants.iter().filter(|mutant| mutant.class.is_witnessed());
        (rows().count(), rows().filter(|mutant| matches!(mutant.demand, Demand::Unseen(_))).count())
    }

    /// At most this share of them may be unseen, in percent.
    pub const MOST_UNSEEN: usize = 2;

    /// Of a small drawing as many may be, whatever their share: 3 of 122 show nothing.
    pub const FEW_UNSEEN: usize = 5;

    /// Returns true if so few rows are unseen that the others show what the judge finds.
    pub fn is_witnessed(&self) -> bool {
        let (rows, unseen) = self.witnessed();
        unseen <= (rows * Self::MOST_UNSEEN / 100).max(Self::FEW_UNSEEN)
    }

    /// Everything that has to be reported is, with the right blame, nothing else is, and few rows
    /// have no witness.
    pub fn passes(&self) -> bool {
        self.failures().next().is_none() && self.is_witnessed()
    }
}
