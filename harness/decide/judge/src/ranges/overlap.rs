//! FDEs of `.eh_frame` that cover the same addresses.

use std::collections::BTreeMap;

use results::{Blame, Finding};
use spec::RuleId;
use types::Image;
use unwind::{CfiUnwinder, FunctionRange};

use super::of_fde;

/// Reports each FDE that reaches into others, which begin at or after its start. Functions that a
/// linker folded keep an FDE each, with equal ranges and rows.
pub(super) fn findings(image: &Image, cfi: &CfiUnwinder, live: &[FunctionRange]) -> Vec<Finding> {
    let mut found: BTreeMap<u64, (Finding, usize)> = BTreeMap::new();
    let mut longest: Option<&FunctionRange> = None;
    for range in live.iter().filter(|range| range.start < range.end) {
        let Some(before) = longest.filter(|before| range.start < before.end) else {
            longest = Some(range);
            continue;
        };
        let is_folded = (before.start, before.end) == (range.start, range.end) && cfi.have_same_rows(before, range);
        if !is_folded {
            let (_, count) = found.entry(before.offset).or_insert_with(|| {
                let message = format!(
                    "the FDE at {:#x} covers {}, that at {:#x} {}",
                    before.offset,
                    image.span(before.start.0, before.end.0),
                    range.offset,
                    image.span(range.start.0, range.end.0)
                );
                let shared = (range.start.0, range.end.0.min(before.end.0));
                (of_fde(image, RuleId::EhFrameOverlap, Blame::EhFrame, before, shared, message), 0)
            });
            *count += 1;
        }
        if before.end < range.end {
            longest = Some(range);
        }
    }
    let with_count = |(mut finding, count): (Finding, usize)| {
        if count > 1 {
            finding.shown.message.push_str(&format!(" (and {} others like it)", count - 1));
        }
        finding
    };
    found.into_values().map(with_count).collect()
}
