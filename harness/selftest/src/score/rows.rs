//! What exploration misses: a row changed in every function of a file, and how many of those that
//! were reached are found.

use std::io::{self, Write};

use check::{Include, Options, check};
use generators::blind::{ChangedRow, ChangedRows, Target};
use reports::escape::line;
use results::Finding;
use serde_json::{Value, json};
use types::{Bytes, FileError};

/// What came of the rows changed in one table of a file.
#[derive(Clone, Debug)]
pub struct RowScore {
    /// The file.
    pub file: String,
    /// The table.
    pub table: Target,
    /// Functions of the table.
    pub functions: usize,
    /// Of these, those with a row changed.
    pub changed: usize,
    /// Of these, those that are left out: something is wrong there in the file itself.
    pub wrong_before: usize,
    /// Of the rest, those of which exploration reached an instruction at a changed PC.
    pub reached: usize,
    /// Of these, those reported as an error, at one of these PCs or more.
    pub found: usize,
    /// The others.
    pub missed: Vec<ChangedRow>,
}

/// The file cannot be judged.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct RowsError {
    /// The file.
    pub name: String,
    /// Why.
    pub error: FileError,
}

/// Judges a file as it is and with rows of a table changed.
///
/// # Errors
/// With the reason why that cannot be done.
pub fn rows(name: &str, bytes: &Bytes, table: Target, changed: ChangedRows) -> Result<RowScore, RowsError> {
    let judged = |bytes: &Bytes| {
        let checked = check(name, bytes, &Options { include: [Include::Reached].into(), ..Options::exploring() });
        match checked.report.error {
            Some(error) => Err(RowsError { name: name.to_owned(), error }),
            None => Ok((checked.reached, ranges(&checked.report.discrepancies))),
        }
    };
    let (reached, before) = judged(bytes)?;
    let (_, now) = judged(&Bytes::from(changed.bytes))?;
    let mut score = RowScore {
        file: name.to_owned(),
        table,
        functions: changed.functions,
        changed: changed.rows.len(),
        wrong_before: 0,
        reached: 0,
        found: 0,
        missed: Vec::new(),
    };
    for row in changed.rows {
        let is_reached = |(start, end): &(u64, u64)| {
            let next = reached.partition_point(|pc| pc < start);
            reached.get(next).is_some_and(|pc| pc < end)
        };
        if overlap(&before, &row.pcs) {
            score.wrong_before += 1;
        } else if row.pcs.iter().any(is_reached) {
            score.reached += 1;
            match overlap(&now, &row.pcs) {
                true => score.found += 1,
                false => score.missed.push(row),
            }
        }
    }
    Ok(score)
}

impl RowScore {
    /// At least this share of the rows reached has to be found, in percent.
    pub const LEAST_FOUND: usize = 99;

    /// Enough of them are found.
    pub fn passes(&self) -> bool {
        self.found * 100 >= self.reached * Self::LEAST_FOUND
    }
}

/// Prints a line for each table and each row that was missed.
///
/// # Errors
/// It cannot be written.
pub fn print(scores: &[RowScore], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "functions   changed  wrong before   reached     found      share  table     file")?;
    for score in scores {
        let RowScore { functions, changed, wrong_before, reached, found, .. } = score;
        let share = 100.0 * *found as f64 / (*reached).max(1) as f64;
        let (table, file) = (score.table.name(), line(&score.file));
        writeln!(
            out,
            "{functions:>9} {changed:>9} {wrong_before:>13} {reached:>9} {found:>9} {share:>8.2} %  {table:9} {file}"
        )?;
    }
    for score in scores {
        for row in &score.missed {
            let (start, end) = row.pcs.first().copied().unwrap_or_default();
            let (table, file) = (score.table.name(), line(&score.file));
            writeln!(
                out,
                "missed: {file}: {table}: function {:#x}, {start:#x}..{end:#x}: {} -> {}",
                row.function.0, row.was, row.is
            )?;
        }
    }
    let sum = |of: fn(&RowScore) -> usize| scores.iter().map(of).sum::<usize>();
    writeln!(out, "found {} of {} rows reached", sum(|score| score.found), sum(|score| score.reached))
}

/// The scores as JSON.
pub fn to_json(scores: &[RowScore]) -> Value {
    let files = scores.iter().map(|score| {
        let RowScore { file, table, functions, changed, wrong_before, reached, found, missed } = score;
        let missed = missed.iter().map(|row| json!({"function": row.function, "pcs": row.pcs, "was": row.was, "is": row.is}));
        json!({
            "file": file, "table": table.name(), "functions": functions, "changed": changed, "wrong_before": wrong_before,
            "reached": reached, "found": found, "missed": missed.collect::<Vec<_>>(),
        })
    });
    json!({"schema": 1, "tables": files.collect::<Vec<_>>()})
}

/// PCs of errors, ascending and apart.
fn ranges(findings: &[Finding]) -> Vec<(u64, u64)> {
    let errors = findings.iter().filter(|finding| finding.is_error());
    let mut ranges: Vec<(u64, u64)> = errors.flat_map(|finding| finding.evidence.ranges.iter().copied()).collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let joins = next.0 <= last.1;
        last.1 = if joins { last.1.max(next.1) } else { last.1 };
        joins
    });
    ranges
}

/// Returns true if any of these ranges, ascending and apart, overlaps one of the others.
fn overlap(ranges: &[(u64, u64)], others: &[(u64, u64)]) -> bool {
    others.iter().any(|(start, end)| {
        let behind = ranges.partition_point(|(_, to)| to <= start);
        ranges.get(behind).is_some_and(|(from, _)| from < end)
    })
}
