//! The results of bugs, by file.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::records::{Fate, Record};
use crate::score::table::{Table, in_one_line};

/// Returns true if every bug that changes the code was detected and attributed rightly.
pub fn passes(records: &[Record]) -> bool {
    records.iter().all(|record| record.fate != Fate::Missed && record.attributed != Some(false))
}

/// Prints a row for each file, and each bug that was missed or attributed wrongly.
pub fn print(records: &[Record], out: &mut dyn Write) -> io::Result<()> {
    let mut files: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records {
        files.entry(&record.file).or_default().push(record);
    }
    let heads =
        ["drawn", "not built", "same code", "equivalent", "detected", "missed", "attributed", "wrongly", "seconds"];
    let mut table = Table::new("file", heads);
    for (name, records) in &files {
        table.line(name, cells(records));
    }
    table.line("all", cells(&records.iter().collect::<Vec<_>>()));
    write!(out, "{table}")?;
    for record in records {
        match record.fate {
            Fate::Missed => writeln!(out, "\nmissed: {}", sentence(record))?,
            Fate::Equivalent => writeln!(out, "\nequivalent: {}\n  {}", sentence(record), in_one_line(&record.first))?,
            _ if record.attributed == Some(false) => {
                writeln!(out, "\nattributed wrongly: {}", sentence(record))?;
                writeln!(out, "  {}\n  {}", in_one_line(&record.trial), in_one_line(&record.first))?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// `gas/gen-sframe.c:12 f: off-by-one: 1 -> 2 (0123456789)`.
pub fn sentence(record: &Record) -> String {
    let Record { file, line: number, definition, was, by, id, .. } = record;
    let operator = serde_json::to_value(record.operator).ok();
    let operator = operator.as_ref().and_then(Value::as_str).unwrap_or_default();
    format!("{file}:{number} {definition}: {operator}: {} -> {} ({id})", in_one_line(was), in_one_line(by))
}

fn cells(records: &[&Record]) -> Vec<String> {
    let fate = |fate: Fate| records.iter().filter(|record| record.fate == fate).count();
    let attributed = |right: bool| records.iter().filter(|record| record.attributed == Some(right)).count();
    let seconds: f64 = records.iter().map(|record| record.seconds).sum();
    let counts = [
        records.len(),
        fate(Fate::NotBuilt),
        fate(Fate::SameCode),
        fate(Fate::Equivalent),
        fate(Fate::Detected),
        fate(Fate::Missed),
        attributed(true),
        attributed(false),
    ];
    let mut cells: Vec<String> = counts.iter().map(ToString::to_string).collect();
    cells.push(format!("{seconds:.0}"));
    cells
}

pub fn to_json(records: &[Record]) -> Value {
    json!({ "schema": 1, "mutants": records })
}
