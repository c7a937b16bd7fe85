//! No false alarms: the complete check of every valid file of the generators, on four targets, with
//! every version and kind of file, reports only rules that the version always breaks.

use std::collections::BTreeSet;

use check::{Judging, Options};
use generators::corpus::clean;
use results::Undecided;
use spec::{RuleId, Severity};
use types::{Bytes, UndecidedCause, UndecidedReason};

use crate::check;

#[test]
fn files_that_are_right_draw_no_finding() {
    let options = Options { judging: Judging::whole_chains(), ..Options::exploring() };
    let (mut steps, mut frames, mut compared, mut wrong) = (0, 0, 0, Vec::new());
    let files = clean();
    for file in &files {
        let checked = check(&file.name, &Bytes::copy_from_slice(&file.bytes), &options);
        let report = checked.report;
        let found: BTreeSet<RuleId> = report
            .discrepancies
            .iter()
            .filter(|found| found.severity > Severity::Info && !file.expected.contains(&found.rule()))
            .map(|found| found.rule())
            .collect();
        // No code enters it, and it returns like a called function: its rows begin in a frame.
        let is_part = |one: &Undecided| one.reason == UndecidedReason::Answers(UndecidedCause::OwnConvention);
        // It denies a caller, and returns like a called function.
        let may_begin = |one: &Undecided| one.reason == UndecidedReason::Answers(UndecidedCause::MayBegin);
        // Nothing jumps to the part, and nothing calls the slots.
        let is_unreached = |one: &Undecided| one.reason == UndecidedReason::Unreached;
        let is_due = |one: &Undecided| match file.name.rsplit(", ").next() {
            Some("a cold part") => is_part(one) || is_unreached(one),
            Some("a linkage table" | "stubs") => is_unreached(one),
            _ => file.name.ends_with("outermost") && (may_begin(one) || is_unreached(one)),
        };
        if !found.is_empty() || report.error.is_some() || !report.undecided.iter().all(is_due) {
            wrong.push(format!("{}: {found:?} {:?} {:?}", file.name, report.error, report.undecided));
        }
        steps += report.summary.steps_judged;
        frames += report.summary.frames_walked;
        compared += report.summary.pcs_compared_static;
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    // Files that were not executed or compared would be clean too.
    assert!(files.len() >= 400, "{} files", files.len());
    assert!(
        steps >= 1_000_000 && frames >= 1_000 && compared >= 3_000,
        "{steps} steps, {frames} frames, {compared} PCs"
    );
}
