//! Summary of one file's report: counts and one example of each kind, of bounded size.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use check::{Checked, Options};
use ledger::Baseline;
use results::{
    CauseCount, Counted, Judged, Outside, OutsideFunction, OutsideShare, Report, SweepVerdict, short, skip_of,
    without_numbers,
};
use spec::Severity;
use types::{Bytes, FileError, FileErrorKind, UndecidedReason};

/// Maximum number of causes listed for one file. Only a specially made file has more.
const MOST_CAUSES: usize = 256;
/// Maximum number of characters in a name or a sentence.
const MOST_TEXT: usize = 1000;

/// Judges a file. Never fails: a panic of the harness becomes an error in that file's line.
pub(super) fn judged_file(name: &str, bytes: &Bytes, options: &Options, baseline: &Baseline) -> Judged {
    match catch_unwind(AssertUnwindSafe(|| check::check(name, bytes, options))) {
        Ok(mut checked) => match baseline.apply(&mut checked.report) {
            Ok(()) => judged(&checked),
            Err(error) => failed(FileError::new(FileErrorKind::Harness, error.to_string())),
        },
        Err(_) => failed(of_the_harness()),
    }
}

/// The error for a bug of the harness.
pub(super) fn of_the_harness() -> FileError {
    FileError::new(FileErrorKind::Harness, "the harness panicked on it")
}

/// The result for a file that could not be read or judged.
pub(super) fn failed(error: FileError) -> Judged {
    Judged { error: Some(error), ..Judged::default() }
}

/// Status of a file with these results.
pub(super) fn verdict(judged: &Judged, named: bool) -> SweepVerdict {
    let is_error = |count: &CauseCount| count.cause.severity == Severity::Error;
    match &judged.error {
        Some(error) if !named && skip_of(error.kind).is_some() => SweepVerdict::Skipped,
        Some(_) => SweepVerdict::Error,
        None if judged.causes.iter().any(is_error) => SweepVerdict::Discrepancy,
        None if !named && has_nothing_to_judge(judged) => SweepVerdict::Skipped,
        None if !judged.undecided.is_empty() => SweepVerdict::Undecided,
        None => SweepVerdict::Clean,
    }
}

/// Returns true if the only thing to report about a file is that it has no `.sframe`.
fn has_nothing_to_judge(judged: &Judged) -> bool {
    let nothing = UndecidedReason::NothingJudged.name();
    let only = !judged.undecided.is_empty() && judged.undecided.iter().all(|one| one.reason == nothing);
    only && judged.sframe_version.is_none() && judged.sizes.is_none() && judged.causes.is_empty()
}

fn judged(checked: &Checked) -> Judged {
    let report = &checked.report;
    let (causes, causes_cut) = causes(report);
    let text = |text: &str| short(text, MOST_TEXT);
    let gap = |gap: &results::Gap| {
        let why = gap.reason.as_deref().unwrap_or("no reason: the version could describe it");
        (text(&without_numbers(why)), text(&format!("{} at {}", gap.function, gap.place)))
    };
    let error = report.error.clone().map(|error| FileError { message: text(&error.message), ..error });
    Judged {
        abi: report.abi,
        sframe_version: report.sframe_version,
        error,
        summary: report.summary,
        sizes: checked.sizes,
        causes,
        causes_cut,
        gaps: counted(report.gaps.iter().map(gap)),
        undecided: counted(report.undecided.iter().map(|one| (one.reason.name().to_owned(), text(&one.message)))),
        outside: report.outside.iter().map(outside).collect(),
        build_id: report.build_id.clone(),
        static_only: report.static_only,
        gone: report.gone.iter().map(|gone| text(gone)).collect(),
    }
}

/// The findings that count by cause, the most severe first, and the number of further causes.
fn causes(report: &Report) -> (Vec<CauseCount>, u64) {
    let mut causes = CauseCount::from_report(report, |found| report.counts(found));
    let cut = causes.len().saturating_sub(MOST_CAUSES);
    causes.truncate(MOST_CAUSES);
    (causes, cut as u64)
}

/// Number of a section's bytes outside every FDE, with the first function there.
fn outside(section: &Outside) -> Counted {
    let first = section.functions.first();
    let name = |one: &OutsideFunction| match one.function.as_str() {
        "" => one.place.clone(),
        name => format!("{name} at {}", one.place),
    };
    let share = OutsideShare { bytes: section.bytes, of: section.of };
    let example = format!("{} of it, the first {}", share.percent(), first.map(name).unwrap_or_default());
    Counted { reason: short(&section.section, MOST_TEXT), count: section.bytes, example: short(&example, MOST_TEXT) }
}

/// Counts occurrences by reason, with an example for each.
fn counted(occurrences: impl Iterator<Item = (String, String)>) -> Vec<Counted> {
    let mut counts: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for (reason, example) in occurrences {
        counts.entry(reason).or_insert((0, example)).0 += 1;
    }
    counts.into_iter().map(|(reason, (count, example))| Counted { reason, count, example }).collect()
}
