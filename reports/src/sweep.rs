//! The totals of a sweep: exit code, verdicts as text.

pub mod text;

use results::{SweepTotals, VerdictTotals};

/// The exit code of a sweep: 3 over 1 over 2 over 0; at least 2 if it was not finished, and 3 if no
/// file could be judged. A part of a sweep may have no file.
pub fn exit_code(totals: &SweepTotals) -> u8 {
    match totals.exit_code {
        0 if totals.unfinished => 2,
        0 if totals.verdicts == VerdictTotals::default() && totals.asked.shard.is_none() => 3,
        code => code,
    }
}

/// `12 discrepancy, 3 undecided, 1 error, 2000 clean`: the verdicts that occur, the worst first.
pub fn verdicts(verdicts: &VerdictTotals) -> String {
    let VerdictTotals { clean, discrepancy, undecided, error } = *verdicts;
    let counts = [(error, "error"), (discrepancy, "discrepancy"), (undecided, "undecided"), (clean, "clean")];
    let words: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if words.is_empty() { "no ELF file was judged".to_owned() } else { words.join(", ") }
}
