//! Sizes of tables of all builds.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use types::Abi;

use super::cell::Size;
use super::{Cell, Compiler, FramePointers, Libraries, row, rule};

/// Executed instructions of builds with frame pointers beside those without, by ABI and compiler:
/// average over programs, least and most.
pub(super) fn instructions(out: &mut String, cells: &[Cell]) {
    let mut rows: BTreeMap<(Abi, Compiler, FramePointers), Vec<f64>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.frames != FramePointers::Omit && cell.finished) {
        let key = |cell: &Cell| (cell.program.clone(), cell.abi, cell.compiler, cell.libraries);
        let without = cells.iter().find(|one| one.frames == FramePointers::Omit && key(one) == key(cell));
        if let Some(without) = without.filter(|one| one.finished) {
            let more = (cell.steps as f64 / without.steps.max(1) as f64 - 1.0) * 100.0;
            rows.entry((cell.abi, cell.compiler, cell.frames)).or_default().push(more);
        }
    }
    if rows.is_empty() {
        return;
    }
    _ = writeln!(out, "\n### Executed instructions more than without, in %\n");
    row(out, ["Target", "Compiler", "Built with", "Average", "From", "To"].map(str::to_owned).into_iter());
    rule(out, 5);
    for ((abi, compiler, frames), more) in rows {
        let average = more.iter().sum::<f64>() / more.len() as f64;
        let (least, most) =
            (more.iter().copied().fold(f64::MAX, f64::min), more.iter().copied().fold(f64::MIN, f64::max));
        let numbers = [average, least, most].map(|number| format!("{number:+.1}"));
        let names = [abi.name().to_owned(), compiler.to_string(), frames.title(abi).to_owned()];
        row(out, names.into_iter().chain(numbers));
    }
}

/// Bytes, functions and bytes of code, by section.
type Sums = BTreeMap<String, [u64; 3]>;

/// Sizes by ABI, compiler and treatment of frame pointers: the programs and libraries that were
/// built, each once.
pub(super) fn table(out: &mut String, cells: &[Cell]) {
    let mut sums: BTreeMap<(Abi, Compiler, FramePointers), (HashSet<&Size>, Sums)> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.libraries == Libraries::Same) {
        let (seen, sums) = sums.entry((cell.abi, cell.compiler, cell.frames)).or_default();
        for size in &cell.tables {
            if seen.insert(size) {
                let Size(_, section, bytes, functions, text) = size;
                let sum = sums.entry(section.clone()).or_default();
                for (sum, one) in sum.iter_mut().zip([bytes, functions, text]) {
                    *sum += one;
                }
            }
        }
    }
    let mut sections: Vec<&String> = sums.values().flat_map(|(_, sums)| sums.keys()).collect();
    sections.sort();
    sections.dedup();
    if sections.is_empty() {
        return;
    }
    _ = writeln!(out, "\n### Bytes a function, and per cent of the code\n");
    let heads = sections.iter().map(|section| format!("`{section}`"));
    row(out, ["Target", "Compiler", "Built with"].map(str::to_owned).into_iter().chain(heads));
    rule(out, sections.len() + 2);
    for ((abi, compiler, frames), (_, sums)) in &sums {
        let texts = sections.iter().map(|section| match sums.get(*section) {
            Some([bytes, functions, text]) => {
                let each = *bytes as f64 / (*functions).max(1) as f64;
                format!("{each:.1} ({:.1} %)", *bytes as f64 * 100.0 / (*text).max(1) as f64)
            }
            None => "-".to_owned(),
        });
        let names = [abi.name().to_owned(), compiler.to_string(), frames.title(*abi).to_owned()];
        row(out, names.into_iter().chain(texts));
    }
}
