//! Wrong chains by the kind of code in which a method fails.

use std::fmt::Write as _;

use results::{MissPlace, UnwindMethod};

use super::means::percent;
use super::{Cell, Compiler, FramePointers, Libraries, abis, row, rule};
use crate::accuracy::full_title;

/// A table for each ABI: methods by places, in per cent of all samples, averaged over gcc's builds
/// whose libraries are built alike.
pub(super) fn tables(out: &mut String, cells: &[Cell]) {
    for abi in abis(cells) {
        for frames in FramePointers::ALL {
            let of = |cell: &&Cell| cell.abi == abi && cell.frames == frames && cell.libraries == Libraries::Same;
            let is_gcc = |cell: &&Cell| cell.compiler == Compiler::Gcc;
            let chosen: Vec<&Cell> = cells.iter().filter(of).filter(is_gcc).collect();
            let missed = |method: UnwindMethod, place: MissPlace| mean(&chosen, method, place);
            let methods: Vec<UnwindMethod> = UnwindMethod::ALL
                .into_iter()
                .filter(|method| MissPlace::ALL.iter().any(|place| missed(*method, *place) > 0.0))
                .collect();
            let places: Vec<MissPlace> = MissPlace::ALL
                .into_iter()
                .filter(|place| methods.iter().any(|method| missed(*method, *place) > 0.0))
                .collect();
            if places.is_empty() {
                continue;
            }
            let libraries = Libraries::Same.title();
            _ = writeln!(out, "\n### {}, gcc, {}, {libraries}: wrong chains by place\n", abi.name(), frames.title(abi));
            row(out, ["Method".to_owned()].into_iter().chain(places.iter().map(ToString::to_string)));
            rule(out, places.len());
            for method in methods {
                let texts = places.iter().map(|place| match missed(method, *place) {
                    0.0 => String::new(),
                    some if some < 0.1 => "< 0.1".to_owned(),
                    some => percent(some),
                });
                row(out, [full_title(method).to_owned()].into_iter().chain(texts));
            }
        }
    }
}

/// Share of samples whose chain goes wrong at a place, in per cent.
fn mean(cells: &[&Cell], method: UnwindMethod, place: MissPlace) -> f64 {
    let mut sum = 0.0;
    for cell in cells {
        let counts = cell.counts(method).and_then(|counts| counts.misses.get(&place));
        let missed = counts.map_or(0, |[own, library]| own + library);
        sum += missed as f64 * 100.0 / cell.samples.max(1) as f64;
    }
    sum / cells.len().max(1) as f64
}
