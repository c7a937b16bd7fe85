//! Rules about function addresses, alone and relative to each other. Addresses are effective ones:
//! raw start fields of a sorted section are not monotonic if each is relative to its own position.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec::Vec;

use spec::RuleId;

use super::report::{BreachAt, Report};
use super::view::{FunctionView, View};

/// Checks all functions' addresses.
pub(crate) fn check(view: &View<'_>, report: &mut Report) {
    for function in view.functions() {
        alone(view, &function, report);
    }
    if view.section.header.flags.sorted() {
        sorted(view, report);
    }
    together(view, report);
}

fn place(function: &FunctionView) -> BreachAt {
    BreachAt::byte(function.entry.offset).about(function.range)
}

fn alone(view: &View<'_>, function: &FunctionView, report: &mut Report) {
    let entry = &function.entry;
    if entry.size == 0 {
        let place = BreachAt::byte(view.section.size_at(entry)).about(function.range);
        report.add(RuleId::FdeEmptyFunction, place, || format!("FDE {} has size 0", entry.index));
    }
    let Some(range) = function.range else {
        report.add(RuleId::FdeAddressWrap, place(function), || {
            format!("FDE {}: start field {} and size {:#x}", entry.index, entry.start, entry.size)
        });
        return;
    };
    if !view.linked() || view.code.holds(range) {
        return;
    }
    // A linker that discards code resolves relocations against it to 0, or leaves the field at 0.
    if range.0 == 0 || entry.start == 0 {
        report.add(RuleId::ElfDiscardedCode, place(function), || {
            format!("FDE {} is at {:#x} (start field {})", entry.index, range.0, entry.start)
        });
    }
    report.add(RuleId::ElfFunctionInCode, place(function), || {
        format!("FDE {} at {:#x}..{:#x} lies in no executable section", entry.index, range.0, range.1)
    });
}

/// Compares the functions of each section separately in object files, where sections have no order
/// yet.
fn sorted(view: &View<'_>, report: &mut Report) {
    let mut last: BTreeMap<Option<usize>, u64> = BTreeMap::new();
    for function in view.functions() {
        let Some(range) = function.range else { continue };
        let home = match view.linked() {
            true => None,
            false => view.code.section_of(view.image, range).map(|section| section.index),
        };
        let before = last.entry(home).or_default();
        if range.0 < *before {
            report.add(RuleId::FdeSortedClaim, place(&function), || {
                format!("FDE {} at {:#x} comes after one at {before:#x}", function.entry.index, range.0)
            });
        }
        *before = (*before).max(range.0);
    }
}

fn together(view: &View<'_>, report: &mut Report) {
    let mut by_address: Vec<(u64, u64, u32)> = Vec::with_capacity(view.section.header.num_fdes as usize);
    for function in view.functions() {
        by_address.extend(function.range.map(|(start, end)| (start, end, function.entry.index)));
    }
    by_address.sort_unstable_by_key(|(start, _, index)| (*start, *index));
    let mut previous: Option<u64> = None;
    // The function with the highest end so far, and that end.
    let mut reach: Option<(u64, u32)> = None;
    for (start, end, index) in by_address {
        let Some(function) = view.function(index) else { continue };
        if previous == Some(start) {
            report.add(RuleId::FdeDuplicateStart, place(&function), || {
                format!("another function starts at {start:#x} too")
            });
        }
        previous = Some(start);
        if start == end {
            continue;
        }
        if let Some((farthest, other)) = reach.filter(|(farthest, _)| view.linked() && start < *farthest) {
            report.add(RuleId::FdeOverlap, place(&function), || {
                format!(
                    "FDE {} at {start:#x}..{end:#x} overlaps FDE {other}, which ends at {farthest:#x}",
                    function.entry.index
                )
            });
        }
        if reach.is_none_or(|(farthest, _)| end > farthest) {
            reach = Some((end, index));
        }
    }
}
