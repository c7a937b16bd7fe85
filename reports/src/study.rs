//! Document of the study of unwinding methods: tables rendered from kept results of many programs.

mod cell;
mod costs;
mod means;
mod misses;
mod wrong;

use std::fmt::Write as _;

use results::UnwindMethod;
use types::Abi;

use crate::accuracy::full_title;
pub use cell::{Cell, Compiler, FramePointers, Libraries};
use means::Means;

/// The rendered tables of the study, as Markdown.
pub fn tables(kept: &str) -> serde_json::Result<String> {
    let cells = kept.lines().map(serde_json::from_str).collect::<serde_json::Result<Vec<Cell>>>()?;
    let mut out = String::new();
    inventory(&mut out, &cells);
    let compared = compared(&cells);
    for libraries in Libraries::ALL {
        for abi in abis(&cells) {
            for compiler in Compiler::ALL {
                methods(&mut out, &compared, abi, libraries, compiler);
            }
        }
    }
    misses::tables(&mut out, &compared);
    wrong::tables(&mut out, &compared);
    costs::table(&mut out, &compared);
    costs::instructions(&mut out, &cells);
    unfinished(&mut out, &cells);
    out += "\n## Appendix: each program\n";
    programs(&mut out, &cells);
    Ok(out)
}

/// ABIs that have cells, in their order.
fn abis(cells: &[Cell]) -> Vec<Abi> {
    Abi::ALL.into_iter().filter(|abi| cells.iter().any(|cell| cell.abi == *abi)).collect()
}

/// The cells that averages are taken of. Those of different programs cannot be compared, so of each
/// ABI, C library and compiler only programs count that were measured in each way.
fn compared(cells: &[Cell]) -> Vec<Cell> {
    let group = |cell: &Cell| (cell.abi, cell.libraries, cell.compiler);
    let is_whole = |cell: &&Cell| {
        let mut others = cells.iter().filter(|other| group(other) == group(cell));
        let of_program = |other: &Cell| {
            let mut same = cells.iter().filter(|one| group(one) == group(cell) && one.program == cell.program);
            same.any(|one| one.frames == other.frames)
        };
        others.all(of_program)
    };
    cells.iter().filter(is_whole).cloned().collect()
}

/// The programs and compilers, with their versions.
fn inventory(out: &mut String, cells: &[Cell]) {
    let mut programs: Vec<String> = Vec::new();
    let mut compilers: Vec<String> = Vec::new();
    for cell in cells {
        for (list, text) in [
            (&mut programs, format!("{} ({})", cell.program, cell.version)),
            (&mut compilers, cell.compiler_version.clone()),
        ] {
            if !list.contains(&text) {
                list.push(text);
            }
        }
    }
    let steps: u64 = cells.iter().map(|cell| cell.steps).sum();
    let samples: u64 = cells.iter().map(|cell| cell.samples).sum();
    _ = writeln!(
        out,
        "{} builds of {} programs, {} million executed instructions, {samples} samples. Programs: {}. Compilers: {}.",
        cells.len(),
        programs.len(),
        steps / 1_000_000,
        programs.join(", "),
        compilers.join("; ")
    );
}

/// Right chains by method, for each treatment of frame pointers.
fn methods(out: &mut String, cells: &[Cell], abi: Abi, libraries: Libraries, compiler: Compiler) {
    let is = |cell: &&Cell| cell.abi == abi && cell.libraries == libraries && cell.compiler == compiler;
    let chosen: Vec<&Cell> = cells.iter().filter(is).collect();
    let has = |frames: &FramePointers| chosen.iter().any(|cell| cell.frames == *frames);
    let columns: Vec<FramePointers> = FramePointers::ALL.into_iter().filter(has).collect();
    if columns.is_empty() {
        return;
    }
    let names: Vec<&str> = chosen.iter().filter(|cell| cell.frames == columns[0]).map(|cell| &*cell.program).collect();
    _ = writeln!(out, "\n### {}, {compiler}, {}\n\n{}.\n", abi.name(), libraries.title(), names.join(", "));
    row(out, ["Method"].into_iter().chain(columns.iter().map(|frames| frames.title(abi))).map(str::to_owned));
    rule(out, columns.len());
    for method in UnwindMethod::ALL {
        let mut values = Vec::new();
        for frames in &columns {
            let cells = chosen.iter().filter(|cell| cell.frames == *frames);
            values.push(Means::new(cells.copied(), method));
        }
        if values.iter().all(Option::is_none) {
            continue;
        }
        let texts = values.iter().map(|means| means.as_ref().map_or("-".to_owned(), Means::text));
        row(out, [full_title(method).to_owned()].into_iter().chain(texts));
    }
    let counts = columns.iter().map(|frames| {
        let of = chosen.iter().filter(|cell| cell.frames == *frames);
        Means::new(of.copied(), UnwindMethod::EhFrame).map_or("-".to_owned(), |means| means.programs())
    });
    row(out, ["*programs*".to_owned()].into_iter().chain(counts));
}

/// Right chains by program.
fn programs(out: &mut String, cells: &[Cell]) {
    use FramePointers::{All, NonLeaf, Omit};
    use UnwindMethod::{BackChain, CodeAnalysis, EhFrame, FramePointer, Sframe};
    let wanted = [
        (NonLeaf, FramePointer),
        (All, FramePointer),
        (All, BackChain),
        (Omit, CodeAnalysis),
        (Omit, Sframe),
        (Omit, EhFrame),
    ];
    let mut names: Vec<&str> = Vec::new();
    for cell in cells {
        if !names.contains(&cell.program.as_str()) {
            names.push(&cell.program);
        }
    }
    for abi in abis(cells) {
        let is = |cell: &&Cell, name: &str| cell.abi == abi && cell.program == name && cell.compiler == Compiler::Gcc;
        let columns: Vec<(FramePointers, UnwindMethod)> = wanted
            .into_iter()
            .filter(|(frames, method)| {
                let mut of = cells.iter().filter(|cell| cell.abi == abi && cell.frames == *frames);
                of.any(|cell| cell.counts(*method).is_some())
            })
            .collect();
        _ = writeln!(out, "\n### {}, gcc, each program\n", abi.name());
        let heads = columns.iter().map(|(frames, method)| format!("{}, {}", full_title(*method), frames.title(abi)));
        row(out, ["Program".to_owned(), "Libraries".to_owned()].into_iter().chain(heads));
        rule(out, columns.len() + 1);
        for name in &names {
            for libraries in Libraries::ALL {
                let of = |frames| {
                    let mut found = cells.iter().filter(|cell| is(cell, name));
                    found.find(|cell| cell.frames == frames && cell.libraries == libraries)
                };
                if columns.iter().all(|(frames, _)| of(*frames).is_none()) {
                    continue;
                }
                let texts = columns.iter().map(|(frames, method)| {
                    let means = of(*frames).and_then(|cell| Means::new([cell].into_iter(), *method));
                    means.map_or("-".to_owned(), |means| means.chain())
                });
                row(out, [(*name).to_owned(), libraries.short().to_owned()].into_iter().chain(texts));
            }
        }
    }
}

/// The executions that did not end by themselves.
fn unfinished(out: &mut String, cells: &[Cell]) {
    let ended: Vec<&Cell> = cells.iter().filter(|cell| !cell.finished).collect();
    if ended.is_empty() {
        _ = writeln!(out, "\nEvery program ran to its end.");
        return;
    }
    _ = writeln!(out, "\nNot run to the end, measured up to there:\n");
    for cell in ended {
        _ = writeln!(out, "- {}: {}", cell.name(), cell.end);
    }
}

fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    for cell in cells {
        _ = write!(out, "| {cell} ");
    }
    out.push_str("|\n");
}

fn rule(out: &mut String, columns: usize) {
    _ = writeln!(out, "|---|{}", "---|".repeat(columns));
}
