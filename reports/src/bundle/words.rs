//! Terms of the trackers and of readelf.

use results::bundle::{Provenance, ReducedFinding, Upstream};
use types::Abi;

use crate::columns::aligned;
use crate::escape::one_line;

/// The machine name in trackers and manuals.
pub(super) const fn machine(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "x86-64",
        Abi::Aarch64 => "AArch64",
        Abi::Aarch64Be => "AArch64 big-endian",
        Abi::S390x => "s390x",
    }
}

/// The machine name in GCC's test suite.
pub(super) const fn machine_of_gcc(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "{ x86_64-*-* && { ! ia32 } }",
        Abi::Aarch64 => "aarch64*-*-*",
        Abi::Aarch64Be => "aarch64_be-*-*",
        Abi::S390x => "s390x-*-*",
    }
}

/// The language of a code block.
pub(super) fn language(name: &str) -> &'static str {
    if name.ends_with(".c") { "c" } else { "asm" }
}

/// The disassembly with the rows next to it.
pub(super) fn window(shown: &ReducedFinding) -> String {
    let has_truth = shown.window.iter().any(|line| !line.truth.is_empty());
    let mut rows = vec![["", "", "", "truth", ".sframe", ".eh_frame"].map(str::to_owned).to_vec()];
    rows.extend(shown.window.iter().map(|line| {
        let mark = if line.wrong { ">" } else { "" };
        [mark, &line.place, &line.text, &line.truth, &line.sframe, &line.eh_frame].map(one_line).to_vec()
    }));
    if !has_truth {
        rows.iter_mut().for_each(|row| drop(row.remove(3)));
    }
    aligned(&rows, |_| false).join("\n") + "\n"
}

/// The origin of the reproducer, the reduction in size, and what a person remarked on it.
pub(super) fn origin(found: &Provenance, remark: Option<&str>) -> Option<String> {
    let from = found.trial.as_ref().unwrap_or(&found.by);
    let sizes = match (&found.before, &found.after) {
        (Some(before), Some(after)) => format!(" ({before} to {after})"),
        (None, Some(after)) => format!(" (to {after})"),
        (_, None) => String::new(),
    };
    let hand = if found.by_hand { ", by hand" } else { "" };
    let why = found.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let remark = remark.map(|remark| format!(". {}", one_line(remark))).unwrap_or_default();
    (!from.is_empty()).then(|| format!("reduced from {from}{sizes}{hand}{why}{remark}"))
}

/// The state of the report at its project, with date.
pub(super) fn upstream(upstream: &Upstream) -> String {
    let Upstream { link, fixed, on } = upstream;
    let known = if link == "unfiled" { format!("not reported as of {on}") } else { format!("{link}, as of {on}") };
    let fixed = fixed.as_ref().map(|fixed| format!("; fixed in {fixed}")).unwrap_or_default();
    one_line(&format!("Upstream: {known}{fixed}"))
}
