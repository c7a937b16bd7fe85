//! Words of the trackers and of readelf.

use model::{Abi, Finding};

/// The machine as trackers and manuals write it.
pub(super) const fn machine(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86-64",
        Abi::Aarch64 => "AArch64",
        Abi::Aarch64Be => "AArch64 big-endian",
        Abi::S390x => "s390x",
    }
}

/// Product and component in the Bugzilla of a culprit's project; none where that takes issues on GitHub only.
pub(super) fn bugzilla(culprit: &str) -> Option<(&'static str, &'static str)> {
    let is = |name: &str| culprit.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    match () {
        () if is("GNU as") => Some(("binutils", "gas")),
        () if is("GNU ld") => Some(("binutils", "ld")),
        () if is("GNU gold") => Some(("binutils", "gold")),
        () if is("GCC") => Some(("gcc", "target")),
        () if ["clang", "LLVM lld", "mold", "wild"].into_iter().any(is) => None,
        () => Some(("binutils", "binutils")),
    }
}

/// The version at the end of a culprit's name.
pub(super) fn version(culprit: &str) -> &str {
    culprit.rsplit(' ').next().unwrap_or_default()
}

/// The language of a code block.
pub(super) fn language(name: &str) -> &'static str {
    if name.ends_with(".c") { "c" } else { "asm" }
}

/// The column's name in what readelf prints.
pub(super) fn column(column: u8) -> &'static str {
    match column {
        2 => "CFA",
        3 => "FP",
        _ => "RA",
    }
}

/// The disassembly with the rows beside it.
pub(super) fn window(found: &Finding) -> String {
    let has_truth = found.window.iter().any(|line| !line.truth.is_empty());
    let head = ["", "", "", "truth", ".sframe", ".eh_frame"].map(str::to_owned);
    let mut rows = vec![head];
    for line in &found.window {
        let mark = if line.wrong { ">" } else { "" };
        let cells = [mark, &line.place, &line.text, &line.truth, &line.sframe, &line.eh_frame];
        rows.push(cells.map(super::one_line));
    }
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
        let columns = row.iter().zip(widths).enumerate().filter(|(at, _)| *at != 3 || has_truth);
        let cells: Vec<String> = columns.map(|(_, (cell, width))| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
