//! Tests exploration: changes a row in every function of a file, and counts how many of the reached
//! ones are detected.
//!
//! A byte of an instruction of `.eh_frame` and of a row of `.sframe` is changed (`byte`), or an
//! offset is moved by a slot (`slot`). In `.eh_frame` also: a saved RA or FP is said to be in its
//! register (`unsaved`), the CFA counts from a register that does not exist (`absent`), the FDE
//! ends before its last row or is empty (`range`, where `.sframe` is beside it). A row that loses a
//! saved FP which is still in its register is `equivalent` if the function's code proves that.

mod kept;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use check::{Include, Options, check};
use elf::load;
use generators::blind::{ChangedRow, ChangedRows, DamagedPart, RowChange};
use judge::tables::read_cfi;
use results::{Finding, UndecidedIn};
use serde_json::{Value, json};
use types::ranges::joined;
use types::{Bytes, FileError, UndecidedCause};
use unwind::CfiUnwinder;

use super::Fates;
use super::table::{Table, in_one_line};

use self::kept::Unchanged;

/// A file that is judged unchanged and with rows changed.
#[derive(Debug)]
pub struct RowsFile {
    name: String,
    unchanged: Option<Unchanged>,
    reached: Vec<u64>,
    before: Judged,
}

/// The part of a file's report that shows whether a changed row was detected.
#[derive(Clone, Debug)]
struct Judged {
    errors: Vec<(u64, u64)>,
    /// Rules that are broken somewhere else than at a PC: in a CIE, in the search table.
    elsewhere: BTreeSet<String>,
    undecided: Vec<UndecidedIn>,
}

/// Results for the rows changed in one table of a file.
#[derive(Clone, Debug)]
pub struct RowScore {
    /// Name of the file.
    pub file: String,
    /// The table.
    pub table: DamagedPart,
    /// Kind of change.
    pub change: RowChange,
    /// Number of functions in the table.
    pub functions: usize,
    /// Number of functions with a changed row.
    pub changed: usize,
    /// Number of these that are not counted further, because the unchanged file has an error there.
    pub wrong_before: usize,
    /// Rows that are right all the same, as the code proves; not counted further.
    pub equivalent: Vec<ChangedRow>,
    /// Number of the remaining ones of which exploration reached an instruction at a changed PC.
    pub reached: usize,
    /// Number of these that are reported as an error at one or more of these PCs.
    pub found: usize,
    /// Rows about which more answers are undecided than before.
    pub undecided: Vec<(UndecidedCause, ChangedRow)>,
    /// The remaining rows: missed ones.
    pub missed: Vec<ChangedRow>,
    /// Results by each cause of undecided answers that covers a changed row, in the unchanged or
    /// the changed file.
    pub reasons: BTreeMap<UndecidedCause, Fates>,
}

/// The error for a file that cannot be judged.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct RowsError {
    /// Name of the file.
    pub name: String,
    /// Reason.
    pub error: FileError,
}

impl RowsFile {
    /// Judges the unchanged file.
    pub fn new(name: &str, bytes: Bytes) -> Result<RowsFile, RowsError> {
        let (reached, before) = judged(name, &bytes)?;
        let unchanged = load(name, &bytes).ok().and_then(Unchanged::new);
        Ok(RowsFile { name: name.to_owned(), unchanged, reached, before })
    }

    /// Judges the file with rows changed.
    pub fn score(&self, table: DamagedPart, change: RowChange, changed: ChangedRows) -> Result<RowScore, RowsError> {
        let bytes = Bytes::from(changed.bytes);
        let (_, now) = judged(&self.name, &bytes)?;
        let is = load(&self.name, &bytes).ok().and_then(|image| read_cfi(&image));
        let proves =
            |row: &ChangedRow, is: &CfiUnwinder| self.unchanged.as_ref().is_some_and(|was| was.proves(row, is));
        let mut score = RowScore {
            file: self.name.clone(),
            table,
            change,
            functions: changed.functions,
            changed: changed.rows.len(),
            wrong_before: 0,
            equivalent: Vec::new(),
            reached: 0,
            found: 0,
            undecided: Vec::new(),
            missed: Vec::new(),
            reasons: BTreeMap::new(),
        };
        for row in changed.rows {
            let reached = |(start, end): &(u64, u64)| any_in(&self.reached, *start, *end);
            if overlap(&self.before.errors, &row.pcs) {
                score.wrong_before += 1;
            } else if is.as_ref().is_some_and(|is| proves(&row, is)) {
                score.equivalent.push(row);
            } else if row.pcs.iter().any(reached) {
                score.add(row, &self.before, &now);
            }
        }
        Ok(score)
    }
}

/// Instructions that exploration reached, and what it reports.
fn judged(name: &str, bytes: &Bytes) -> Result<(Vec<u64>, Judged), RowsError> {
    let checked = check(name, bytes, &Options { include: [Include::Reached].into(), ..Options::exploring() });
    match checked.report.error {
        Some(error) => Err(RowsError { name: name.to_owned(), error }),
        None => {
            let errors = ranges(&checked.report.discrepancies);
            let all = checked.report.discrepancies.iter();
            let elsewhere = all.filter(|one| one.is_error() && one.evidence.ranges.is_empty());
            let elsewhere = elsewhere.map(|one| one.rule().to_string()).collect();
            Ok((checked.reached, Judged { errors, elsewhere, undecided: checked.report.undecided_in }))
        }
    }
}

impl Judged {
    /// Number of PCs with undecided answers about a row, by cause.
    fn undecided(&self, row: &ChangedRow) -> BTreeMap<UndecidedCause, usize> {
        let mut all = BTreeMap::new();
        let near = |one: &&UndecidedIn| one.code.0 < row.function.1 && row.function.0 < one.code.1;
        for one in self.undecided.iter().filter(near) {
            let inside = |pc: &&u64| row.pcs.iter().any(|(start, end)| (*start..*end).contains(pc));
            let count = one.pcs.iter().filter(inside).count();
            if count > 0 {
                *all.entry(one.why).or_default() += count;
            }
        }
        all
    }
}

impl RowScore {
    /// Minimum share of reached rows that have to be detected, in percent.
    pub const LEAST_FOUND: usize = 99;

    /// Returns true if enough rows are detected, or undecided and so not clean.
    pub fn passes(&self) -> bool {
        (self.found + self.undecided.len()) * 100 >= self.reached * Self::LEAST_FOUND
    }

    /// Adds a row that was reached.
    fn add(&mut self, row: ChangedRow, before: &Judged, now: &Judged) {
        self.reached += 1;
        let (was, is) = (before.undecided(&row), now.undecided(&row));
        let more = is.iter().find(|(why, count)| was.get(why).is_none_or(|before| before < count)).map(|(why, _)| *why);
        // What many functions share is reported where it is.
        let is_shared = matches!(self.change, RowChange::Column | RowChange::Search);
        let found = overlap(&now.errors, &row.pcs) || is_shared && !now.elsewhere.is_subset(&before.elsewhere);
        let covering: BTreeSet<UndecidedCause> = was.keys().chain(is.keys()).copied().collect();
        for why in covering {
            self.reasons.entry(why).or_default().add(found, more.is_some());
        }
        match (found, more) {
            (true, _) => self.found += 1,
            (false, Some(why)) => self.undecided.push((why, row)),
            (false, None) => self.missed.push(row),
        }
    }
}

/// Results by cause, merged over all scores.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// The causes, and the number of changed rows in the files where each occurs.
    causes: BTreeMap<UndecidedCause, (Fates, usize)>,
}

impl Reasons {
    /// Merges scores.
    pub fn new(scores: &[RowScore]) -> Reasons {
        let mut causes: BTreeMap<UndecidedCause, (Fates, usize)> = BTreeMap::new();
        for score in scores {
            for (why, fates) in &score.reasons {
                let (sum, reached) = causes.entry(*why).or_default();
                *sum += *fates;
                *reached += score.reached;
            }
        }
        Reasons { causes }
    }

    /// Returns true if no cause hides more than a small share of the rows.
    pub fn pass(&self) -> bool {
        self.causes.values().all(|(fates, reached)| fates.hides_few_of(*reached))
    }
}

/// Prints a line for each table and each row that was missed.
pub fn print(scores: &[RowScore], out: &mut dyn Write) -> io::Result<()> {
    let heads = ["functions", "changed", "wrong before", "reached", "found", "undecided", "share"];
    let mut table = Table::new("table, change, file", heads);
    for score in scores {
        let RowScore { functions, changed, wrong_before, reached, found, undecided, .. } = score;
        let share = 100.0 * *found as f64 / (*reached).max(1) as f64;
        let counts = [functions, changed, wrong_before, reached, found, &undecided.len()].map(ToString::to_string);
        let name = format!("{} {} {}", score.table.name(), score.change.name(), in_one_line(&score.file));
        table.line(&name, counts.into_iter().chain([format!("{share:.2} %")]));
    }
    write!(out, "{table}")?;
    for score in scores {
        let undecided = score.undecided.iter().map(|(why, row)| (why.name(), row));
        let equivalent = score.equivalent.iter().map(|row| ("equivalent", row));
        for (fate, row) in undecided.chain(equivalent).chain(score.missed.iter().map(|row| ("missed", row))) {
            let (start, end) = row.pcs.first().copied().unwrap_or_default();
            let (table, file) = (score.table.name(), in_one_line(&score.file));
            writeln!(
                out,
                "{fate}: {file}: {table}: function {:#x}, {start:#x}..{end:#x}: {} -> {}",
                row.function.0, row.was, row.is
            )?;
        }
    }
    let reasons = Reasons::new(scores).causes;
    write!(out, "{}", Fates::table(reasons.iter().map(|(why, (fates, _))| (why.name(), *fates))))?;
    let sum = |of: fn(&RowScore) -> usize| scores.iter().map(of).sum::<usize>();
    writeln!(out, "found {} of {} rows reached", sum(|score| score.found), sum(|score| score.reached))
}

/// The scores as JSON.
pub fn to_json(scores: &[RowScore]) -> Value {
    let row = |row: &ChangedRow| json!({"function": row.function, "pcs": row.pcs, "was": row.was, "is": row.is});
    let files = scores.iter().map(|score| {
        let RowScore { file, table, change, functions, changed, wrong_before, reached, found, .. } = score;
        let undecided = score.undecided.iter().map(|(why, one)| json!({"why": why, "row": row(one)}));
        json!({
            "file": file, "table": table.name(), "change": change.name(), "functions": functions, "changed": changed,
            "wrong_before": wrong_before, "reached": reached, "found": found,
            "equivalent": score.equivalent.iter().map(row).collect::<Vec<_>>(),
            "undecided": undecided.collect::<Vec<_>>(), "missed": score.missed.iter().map(row).collect::<Vec<_>>(),
        })
    });
    let reasons = Reasons::new(scores).causes.into_iter().map(|(why, (fates, reached))| {
        let mut one = fates.to_json(why.name());
        one["reached"] = reached.into();
        one
    });
    json!({"schema": 1, "tables": files.collect::<Vec<_>>(), "reasons": reasons.collect::<Vec<_>>()})
}

/// Returns true if one of these addresses, ascending, is in a range.
fn any_in(pcs: &[u64], start: u64, end: u64) -> bool {
    pcs.get(pcs.partition_point(|pc| *pc < start)).is_some_and(|pc| *pc < end)
}

/// Ranges of PCs with errors, ascending and disjoint.
fn ranges(findings: &[Finding]) -> Vec<(u64, u64)> {
    let errors = findings.iter().filter(|finding| finding.is_error());
    joined(errors.flat_map(|finding| finding.evidence.ranges.iter().copied()))
}

/// Returns true if any of these ranges, ascending and disjoint, overlaps one of the others.
fn overlap(ranges: &[(u64, u64)], others: &[(u64, u64)]) -> bool {
    others.iter().any(|(start, end)| {
        let behind = ranges.partition_point(|(_, to)| to <= start);
        ranges.get(behind).is_some_and(|(from, _)| from < end)
    })
}
