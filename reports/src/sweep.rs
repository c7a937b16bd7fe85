//! The totals of a sweep: exit code, verdicts as text.

pub mod text;

use results::{SweepTotals, VerdictTotals};
use types::{Skip, counted};

/// The exit code of a sweep: 3 over 1 over 2 over 0; at least 2 if it was not finished or if no
/// file had a table, and 3 if no ELF file could be read. A part of a sweep may have no file.
pub fn exit_code(totals: &SweepTotals) -> u8 {
    match totals.exit_code {
        0 if totals.unfinished => 2,
        0 if totals.verdicts == VerdictTotals::default() && totals.asked.shard.is_none() => {
            if without_table(totals) > 0 { 2 } else { 3 }
        }
        code => code,
    }
}

/// `12 discrepancy, 3 undecided, 1 error, 2000 clean`: the verdicts that occur, the worst first.
pub fn verdicts(totals: &SweepTotals) -> String {
    let VerdictTotals { clean, discrepancy, undecided, error } = totals.verdicts;
    let counts = [(error, "error"), (discrepancy, "discrepancy"), (undecided, "undecided"), (clean, "clean")];
    let words: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    match without_table(totals) {
        _ if !words.is_empty() => words.join(", "),
        0 => "no ELF file was judged".to_owned(),
        files => format!("nothing to judge: {} without any unwind table", counted(files, "ELF file")),
    }
}

/// Number of ELF files that were read and have no table to judge.
fn without_table(totals: &SweepTotals) -> u64 {
    totals.skipped.get(&Skip::NoTable).copied().unwrap_or_default()
}
