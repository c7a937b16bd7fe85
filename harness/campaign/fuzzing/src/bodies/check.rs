//! Fuzzes `check`: from the bytes of a file to the printed report.

use check::{Include, Limits, Options, check};
use reports::{json, text};
use results::Deny;
use types::{Bytes, FileErrorKind};

use super::Nowhere;

pub(crate) fn statically(input: &[u8]) -> bool {
    report(input, &Options { include: [Include::Features].into(), ..Options::static_only() })
}

/// Few steps are allowed, since more would repeat the same.
pub(crate) fn with_a_run(input: &[u8]) -> bool {
    report(input, &Options { limits: Limits::steps(300), ..Options::exploring() })
}

/// Returns true if there was something to judge.
fn report(input: &[u8], options: &Options) -> bool {
    let report = check("fuzzed", &Bytes::copy_from_slice(input), options).report;
    // A panic in a worker is reported as a panic; without a worker nothing was tested.
    if let Some(error) = report.error.as_ref().filter(|error| error.kind == FileErrorKind::Harness) {
        panic!("{}", error.message);
    }
    let outcome = report.outcome(Deny::default());
    let _ = text::print(&report, outcome, text::Detail { info: true, ..text::Detail::default() }, &mut Nowhere);
    let _ = json::to_json(&report, outcome, "0").to_string();
    report.error.is_none()
}
