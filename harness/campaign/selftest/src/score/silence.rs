//! Measures the silence of `check`: one wrong value at a time in a field of a table, or of a header
//! that leads to it, and everything else untouched. Only values count that change an answer of the
//! second reader ([`generators::blind`]) at an instruction, or break a clause.

mod print;
mod states;

use std::collections::BTreeSet;

use check::{Options, check};
use generators::blind::{Fields, WrongValue};
use isa::flow::{Marks, decode};
use rayon::prelude::*;
use results::Report;
use types::{Bytes, FileError, Image, UndecidedCause};

use self::states::{States, Values};
use super::blind::MutantId;
use crate::journal::{Journal, JournalError};

pub use print::{Silence, print, to_json};

/// A file in whose fields wrong values are planted.
#[derive(Debug)]
pub struct SilenceFile {
    name: String,
    image: Image,
    fields: Fields,
    options: Options,
    before: Reported,
}

/// The part of a report that decides whether a wrong value was noticed.
#[derive(Clone, Debug)]
struct Reported {
    /// Fingerprints of errors, with their ranges.
    errors: BTreeSet<(String, Vec<(u64, u64)>)>,
    undecided: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planted {
    pub file: String,
    pub seed: u64,
    pub number: u64,
    /// Name of the field.
    pub place: String,
    /// Offset in the file.
    pub at: u64,
    /// Size in bytes.
    pub size: u64,
    pub was: u64,
    pub is: u64,
    /// The first instruction at which an answer changed, as text, and the answers.
    pub answer: Option<ChangedText>,
    /// Number of instructions at which an answer changed.
    pub instructions: usize,
    /// The clauses that it breaks.
    pub clauses: Vec<String>,
    pub fate: Fate,
}

/// A changed answer as text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangedText {
    pub place: String,
    pub was: String,
    pub is: String,
}

/// The result of a wrong value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// An error that the unchanged file does not have: exit code 1. Its rule.
    Error(String),
    /// The file cannot be judged: exit code 3.
    Refused(String),
    /// Undecided for a reason that the unchanged file does not have: exit code 2.
    Undecided(String),
    /// No plant: the same values in every state of exploration, so that the answer is right all the
    /// same.
    Right,
    /// No plant: the unchanged file has an error at each of the instructions.
    WrongBefore,
    /// Exit code 0, as far as the unchanged file has it.
    Silent {
        /// Reason for the silence.
        cause: Cause,
        /// `--gaps` has a line about the code, or the findings a warning.
        listed: bool,
    },
}

types::named! {
    /// Why a wrong value has no effect on the exit code.
    pub enum Cause {
        /// It breaks a clause, and changes no answer.
        Clause = "clause",
        /// Exploration reached none of the instructions.
        Unreached = "unreached",
        /// It reached one in a state in which the table finds no caller any more.
        Caller = "caller",
        Cfa = "cfa",
        Ra = "ra",
        Fp = "fp",
        Register = "register",
        Mark = "mark",
    }
}

/// The error for a file in which nothing can be planted.
#[derive(Debug, thiserror::Error)]
pub enum SilenceError {
    /// It cannot be loaded.
    #[error("{0}: {1}")]
    Load(String, elf::LoadError),
    /// It cannot be judged.
    #[error("{0}: {1}")]
    Judge(String, FileError),
    #[error("{0}: no ELF64 file with a readable table")]
    NoTable(String),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The file of a journal with the results.
const KEPT: &str = "planted.jsonl";

/// Plants `count` wrong values in the files in turn, and judges each. What a journal has is not
/// planted again.
pub fn silence(
    files: &[SilenceFile],
    seed: u64,
    count: usize,
    journal: Option<&Journal>,
) -> Result<Vec<Planted>, SilenceError> {
    let mut kept: Vec<Planted> = Vec::new();
    if let Some(journal) = journal {
        kept = journal.lines(KEPT)?.collect::<Result<_, _>>()?;
        journal.replace(KEPT, kept.iter().map(Ok))?;
    }
    let known: BTreeSet<(&str, u64, u64)> = kept.iter().map(|one| (one.file.as_str(), one.seed, one.number)).collect();
    let all =
        (0..count).filter_map(|index| Some((files.get(index % files.len().max(1))?, (index / files.len()) as u64)));
    let open: Vec<_> = all.filter(|(file, number)| !known.contains(&(file.name.as_str(), seed, *number))).collect();
    let made = open.into_par_iter().map(|(file, number)| {
        let planted = file.plant(seed, number);
        if let (Some(planted), Some(journal)) = (&planted, journal) {
            journal.append(KEPT, std::slice::from_ref(planted))?;
        }
        Ok(planted)
    });
    let made = made.collect::<Result<Vec<Option<Planted>>, SilenceError>>()?;
    kept.retain(|one| one.seed == seed && files.iter().any(|file| file.name == one.file));
    kept.extend(made.into_iter().flatten());
    kept.sort_by(|one, other| (&one.file, one.number).cmp(&(&other.file, other.number)));
    Ok(kept)
}

impl SilenceFile {
    /// Judges the unchanged file.
    pub fn new(name: &str, bytes: Bytes, options: Options) -> Result<SilenceFile, SilenceError> {
        let image = elf::load(name, &bytes).map_err(|error| SilenceError::Load(name.to_owned(), error))?;
        let report = check(name, &bytes, &options).report;
        if let Some(error) = report.error {
            return Err(SilenceError::Judge(name.to_owned(), error));
        }
        let fields = Fields::new(bytes.to_vec(), |fields, start, end| instructions(&image, fields, start, end));
        let fields = fields.ok_or_else(|| SilenceError::NoTable(name.to_owned()))?;
        Ok(SilenceFile { name: name.to_owned(), image, fields, options, before: Reported::new(&report) })
    }

    /// Plants the value of a number. `None` if none of those drawn matters.
    fn plant(&self, seed: u64, number: u64) -> Option<Planted> {
        // The same draw in whatever folder the file is.
        let base = self.name.rsplit('/').next().unwrap_or_default().to_owned();
        let id = MutantId { seed, number, file: base };
        let wrong = self.fields.wrong_value(id.seed())?;
        let report = check(&self.name, &Bytes::copy_from_slice(&wrong.bytes), &self.options).report;
        let fate = self.before.fate(&report).unwrap_or_else(|| self.silent(&wrong, &report));
        let first = wrong.changed.first();
        Some(Planted {
            file: self.name.clone(),
            seed,
            number,
            place: wrong.place.clone(),
            at: wrong.at,
            size: wrong.size,
            was: wrong.was,
            is: wrong.is,
            answer: first.map(|first| {
                let (was, is) = self.fields.describe(&wrong, first);
                let place = in_image(&self.image, &self.fields, first.pc).map(|pc| self.image.place(pc));
                ChangedText { place: place.unwrap_or_default(), was, is }
            }),
            instructions: wrong.changed.len(),
            clauses: wrong.clauses.clone(),
            fate,
        })
    }

    /// Why a value was not noticed.
    fn silent(&self, wrong: &WrongValue, report: &Report) -> Fate {
        let pcs = wrong.changed.iter().filter_map(|one| in_image(&self.image, &self.fields, one.pc));
        let pcs: BTreeSet<u64> = pcs.collect();
        let cause = match (wrong.changed.is_empty(), wrong.clauses.is_empty()) {
            (true, _) => Cause::Clause,
            (false, true) if pcs.iter().all(|pc| self.before.has_error_at(*pc)) => return Fate::WrongBefore,
            (false, has_none) => match States::new(&self.image, &self.fields, wrong).values() {
                Values::Unreached => Cause::Unreached,
                Values::Differ(what) => what,
                Values::Same if has_none => return Fate::Right,
                Values::Same => Cause::Clause,
            },
        };
        let warned = report.discrepancies.iter().any(|found| found.severity == spec::Severity::Warning);
        Fate::Silent { cause, listed: is_listed(report, &pcs) || wrong.changed.is_empty() && warned }
    }
}

/// Returns true if `--gaps` has a line about the functions of these instructions.
fn is_listed(report: &Report, pcs: &BTreeSet<u64>) -> bool {
    let gaps = report.gaps.iter().map(|one| one.code);
    let unreached = report.unreached.iter().map(|one| (one.counts.start, one.counts.end));
    let undecided = report.undecided_in.iter().filter(|one| one.why != UndecidedCause::Refused).map(|one| one.code);
    let mut lines = gaps.chain(unreached).chain(undecided);
    lines.any(|(start, end)| start < end && pcs.range(start..end).next().is_some())
}

impl Reported {
    fn new(report: &Report) -> Reported {
        let errors = report.discrepancies.iter().filter(|found| found.is_error());
        let undecided = report.undecided.iter();
        Reported {
            errors: errors.map(|found| (found.fingerprint().to_owned(), found.evidence.ranges.clone())).collect(),
            undecided: undecided.map(|one| one.message.clone()).collect(),
        }
    }

    fn has_error_at(&self, pc: u64) -> bool {
        self.errors.iter().flat_map(|(_, ranges)| ranges).any(|(start, end)| (*start..*end).contains(&pc))
    }

    /// The result if it is not silence.
    fn fate(&self, report: &Report) -> Option<Fate> {
        if let Some(error) = &report.error {
            return Some(Fate::Refused(error.message.clone()));
        }
        let errors = report.discrepancies.iter().filter(|found| found.is_error());
        let mut new = errors
            .filter(|found| !self.errors.contains(&(found.fingerprint().to_owned(), found.evidence.ranges.clone())));
        if let Some(found) = new.next() {
            return Some(Fate::Error(found.rule().to_string()));
        }
        let open = report.undecided.iter().find(|one| !self.undecided.contains(&one.message));
        open.map(|one| Fate::Undecided(one.reason.name().to_owned()))
    }
}

/// The instructions of a function, without those that only fill space. Addresses are those of the
/// second reader.
fn instructions(image: &Image, fields: &Fields, start: u64, end: u64) -> Vec<u64> {
    let mut all = Vec::new();
    let mut pc = start;
    while pc < end {
        let Some(at) = in_image(image, fields, pc) else { break };
        let Some(insn) = image.bytes_at(at).and_then(|bytes| decode(image.abi, bytes, at)) else { break };
        if !insn.marks.any(Marks::NOP) {
            all.push(pc);
        }
        pc = pc.saturating_add(u64::from(insn.length.max(1)));
    }
    all
}

/// The address in the image of one of the second reader, which places the sections of objects by
/// itself.
fn in_image(image: &Image, fields: &Fields, address: u64) -> Option<u64> {
    let (index, offset) = fields.section_of(address)?;
    if !fields.is_object() {
        return image.section_at(address).map(|_| address);
    }
    let home = image.sections.iter().find(|home| home.index == index)?;
    home.address.checked_add(offset)
}
