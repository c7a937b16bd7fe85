//! Sections that are truncated at every byte.

use spec::RuleId;

use super::Class;
use super::bench::{Bench, Draft};
use crate::sframe::{FunctionSpec, Layout};

/// Truncations to every length.
pub(super) fn drafts(bench: Bench) -> Vec<Draft> {
    let whole = || bench.two("whole", "");
    let length = whole().bytes().len();
    let spec = whole().section;
    let rows_at = length - spec.row_bytes();
    (0..length)
        .map(|cut| {
            let name = format!("cut-{cut:03}");
            let about = format!("Only the first {cut} bytes of {length}.");
            let rule = match cut {
                0 => RuleId::HeaderEmptySection,
                1..28 => RuleId::HeaderSize,
                _ if cut < rows_at => RuleId::HeaderFdeTableFits,
                _ => RuleId::HeaderFreAreaFits,
            };
            let mut draft = bench.two(&name, &about);
            (draft.class, draft.cut) = (Class::Malformed(rule), Some(cut));
            let mut at = rows_at;
            for (index, function) in spec.functions.iter().enumerate() {
                // A truncated function whose FDE may still be complete.
                let descriptor = rows_at - spec.layout.fde_size() * (spec.functions.len() - index - 1);
                let whole = if cut < descriptor { 0 } else { rows_within(function, spec.layout, at, cut) };
                draft = draft.nothing_for(index, whole);
                at += function.row_bytes(spec.layout);
            }
            draft
        })
        .collect()
}

/// Number of rows of a function that end within a length, if its rows or attributes begin at `at`.
fn rows_within(function: &FunctionSpec, layout: Layout, at: usize, length: usize) -> usize {
    let upto = |count: usize| {
        at + FunctionSpec { rows: function.rows[..count].to_vec(), ..function.clone() }.row_bytes(layout)
    };
    (0..=function.rows.len()).rev().find(|count| *count == 0 || upto(*count) <= length).unwrap_or(0)
}
