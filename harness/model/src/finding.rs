//! One finding, however many PCs and steps show it.

use crate::{Blame, Rule, Severity};

/// A finding of a check.
#[derive(Clone, Debug)]
pub struct Discrepancy {
    /// 16 hex digits over rule, blame, function and shape: stable across addresses and runs.
    pub fingerprint: String,
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How bad.
    pub severity: Severity,
    /// Who is at fault.
    pub blame: Blame,
    /// The function, or the section for findings about no code.
    pub function: String,
    /// What the tables say at the first occurrence, as text: part of the fingerprint.
    pub shape: String,
    /// The PC of the first occurrence, whose values are told.
    pub at: Option<u64>,
    /// PCs that show it: first address and first address after it, ascending, merged.
    pub ranges: Vec<(u64, u64)>,
    /// The first range as the file's own tools name it: in ET_REL by section and offset.
    pub place: String,
    /// Executed steps that showed it.
    pub steps: u64,
    /// `cfa`, `ra`, `fp`, `structure` or `coverage`.
    pub field: &'static str,
    /// What the machine did, at the first occurrence.
    pub truth: Option<Values>,
    /// What `.sframe` says there.
    pub sframe: Option<Values>,
    /// What `.eh_frame` says there.
    pub eh_frame: Option<Values>,
    /// One sentence with the numbers.
    pub message: String,
    /// Section the finding is about.
    pub section: String,
    /// Byte offset in that section, where one byte can be named.
    pub offset: Option<u64>,
    /// Shown by execution.
    pub executed: bool,
    /// How many frames below the innermost, for findings of a chain walk.
    pub depth: usize,
    /// Disassembly around the first PC with what each voice says.
    pub window: Vec<WindowLine>,
}

/// What one voice says at one step. Addresses as the voice found them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Values {
    /// CFA.
    pub cfa: Option<u64>,
    /// Return address.
    pub ra: Option<u64>,
    /// The caller's FP.
    pub fp: Option<u64>,
    /// The row as text, or why there is no answer.
    pub row: String,
}

/// One instruction near a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WindowLine {
    /// Its address.
    pub pc: u64,
    /// Its address as people name it.
    pub place: String,
    /// Its disassembly.
    pub text: String,
    /// The row `.sframe` gives.
    pub sframe: String,
    /// The row `.eh_frame` gives.
    pub eh_frame: String,
    /// The truth, where it was executed.
    pub truth: String,
    /// The finding is shown at this PC.
    pub wrong: bool,
}

/// The fingerprint of a finding: FNV-1a over its identity.
pub fn fingerprint(rule: &str, blame: Blame, function: &str, shape: &str) -> String {
    // http://www.isthe.com/chongo/tech/comp/fnv/: 64-bit offset basis and prime.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in [rule, blame.name(), function, shape].join("\0").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// Sorts ranges and joins those that touch.
pub fn merge_ranges(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}
