//! Rules about the FRE sub-section as a whole: counts, lengths, sharing and gaps.

use super::function::{Blob, Blobs};
use super::report::{BreachAt, Report};
use super::view::View;
use crate::header::at;
use alloc::format;
use alloc::vec::Vec;
use spec::RuleId;

/// Checks the ranges of all functions' rows together.
pub(crate) fn check(view: &View<'_>, blobs: &Blobs, report: &mut Report) {
    let header = &view.section.header;
    if header.num_fdes == 0 {
        return;
    }
    row_count(view, blobs, report);
    let mut sorted = blobs.blobs.clone();
    sorted.sort_by_key(|blob| (blob.start, blob.end, blob.function));
    shared(view, &sorted, report);
    // The claims of an unreadable function are unknown.
    if !blobs.complete {
        return;
    }
    // Rows that functions share completely are counted once, and unused bytes are checked by
    // another rule; rows that partly overlap are counted twice.
    let mut distinct: Vec<(u64, u64)> = sorted.iter().map(|blob| (blob.start, blob.end)).collect();
    distinct.dedup();
    let claimed = distinct.iter().fold(0_u64, |sum, (start, end)| sum.saturating_add(end.saturating_sub(*start)));
    let overlap = distinct.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if start < end));
    let shared = distinct.len() < sorted.len();
    if claimed != u64::from(header.fre_len) && (overlap || !shared) {
        report.add(RuleId::HeaderFreLength, BreachAt::byte(at::FRE_LEN), || {
            format!("the FRE sub-section has {:#x} bytes, the functions' rows take {claimed:#x}", header.fre_len)
        });
    }
    gaps(view, &sorted, report);
}

fn row_count(view: &View<'_>, blobs: &Blobs, report: &mut Report) {
    let Some(sum) = blobs.rows else { return };
    let count = view.section.header.num_fres;
    if sum != u64::from(count) {
        report.add(RuleId::HeaderRowCount, BreachAt::byte(at::NUM_FRES), || {
            format!("the header counts {count} rows, the functions {sum}")
        });
    }
}

/// Reports functions whose rows begin inside the rows of another.
fn shared(view: &View<'_>, sorted: &[Blob], report: &mut Report) {
    let mut reach: Option<Blob> = None;
    for blob in sorted.iter().filter(|blob| blob.start < blob.end) {
        if let Some(other) = reach.filter(|other| blob.start < other.end) {
            // Attributes without rows contain nothing that is specific to one function.
            let identical = (blob.start, blob.end) == (other.start, other.end);
            if !(identical && blob.rows == 0 && other.rows == 0) {
                let described = view.function(blob.function);
                let offset = described.as_ref().map_or(blob.start, |function| view.section.fre_off_at(&function.entry));
                let place = BreachAt::byte(offset).about(described.and_then(|function| function.range));
                report.add(RuleId::FdeSharedRows, place, || {
                    format!("functions {} and {} share row bytes at {:#x}", other.function, blob.function, blob.start)
                });
            }
        }
        if reach.is_none_or(|other| blob.end > other.end) {
            reach = Some(*blob);
        }
    }
}

fn gaps(view: &View<'_>, sorted: &[Blob], report: &mut Report) {
    let header = &view.section.header;
    let mut covered = header.fres_at();
    let area_end = (header.fres_end(), header.fres_end());
    for (start, end) in sorted.iter().map(|blob| (blob.start, blob.end)).chain([area_end]) {
        if start > covered {
            report.add(RuleId::FdeRowAreaTiled, BreachAt::byte(covered), || {
                format!("bytes {covered:#x}..{start:#x} of the FRE sub-section belong to no function")
            });
        }
        covered = covered.max(end);
    }
}
