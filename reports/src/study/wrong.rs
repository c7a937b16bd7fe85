//! How chains are wrong: callers omitted, callers that do not exist, chains that end too early.

use std::fmt::Write as _;

use results::UnwindMethod;

use super::means::percent;
use super::{Cell, Compiler, FramePointers, Libraries, abis, row, rule};
use crate::accuracy::full_title;

const METHODS: [UnwindMethod; 4] =
    [UnwindMethod::FramePointer, UnwindMethod::BackChain, UnwindMethod::CodeAnalysis, UnwindMethod::Sframe];

/// A table for each ABI: builds by gcc and methods, in per cent of all samples, averaged over
/// programs.
pub(super) fn tables(out: &mut String, cells: &[Cell]) {
    for abi in abis(cells) {
        let of = |cell: &&Cell| cell.abi == abi && cell.compiler == Compiler::Gcc;
        let chosen: Vec<&Cell> = cells.iter().filter(of).collect();
        let methods: Vec<UnwindMethod> =
            METHODS.into_iter().filter(|method| chosen.iter().any(|cell| cell.counts(*method).is_some())).collect();
        if methods.is_empty() {
            continue;
        }
        _ = writeln!(out, "\n### {}, gcc: chains that omit a caller / have a bogus one / end early\n", abi.name());
        let heads = methods.iter().map(|method| full_title(*method).to_owned());
        row(out, ["Built with", "Libraries"].map(str::to_owned).into_iter().chain(heads));
        rule(out, methods.len() + 1);
        for libraries in Libraries::ALL {
            for frames in FramePointers::ALL {
                let builds: Vec<&Cell> = chosen
                    .iter()
                    .copied()
                    .filter(|cell| cell.libraries == libraries && cell.frames == frames)
                    .collect();
                if builds.is_empty() {
                    continue;
                }
                let texts = methods.iter().map(|method| mean(&builds, *method));
                let names = [frames.title(abi), libraries.short()].map(str::to_owned);
                row(out, names.into_iter().chain(texts));
            }
        }
    }
}

/// The three shares of samples, in per cent.
fn mean(cells: &[&Cell], method: UnwindMethod) -> String {
    let applied: Vec<_> = cells.iter().filter_map(|cell| Some((cell.counts(method)?.wrong, cell.samples))).collect();
    if applied.is_empty() {
        return "-".to_owned();
    }
    let share = |place: usize| {
        let all = applied.iter().map(|(wrong, samples)| wrong[place] as f64 * 100.0 / (*samples).max(1) as f64);
        percent(all.sum::<f64>() / applied.len() as f64)
    };
    [0, 1, 2].map(share).join(" / ")
}
