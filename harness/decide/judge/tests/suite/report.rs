//! The verdict on a file: precedence of outcomes, exit codes, and the counts derived from findings.

use results::{Deny, Gap, Outcome, Report, Undecided};
use spec::{RuleId, Severity};
use types::{FileError, FileErrorKind, StopReason, UndecidedReason};

use crate::support::finding;

const CFA: RuleId = RuleId::RowCfaMatchesTruth;
const NO_CFI: RuleId = RuleId::CfiNoEhFrame;
const STOPS: RuleId = RuleId::ChainStops;

fn undecided() -> Undecided {
    let reason = UndecidedReason::Stopped(StopReason::StepLimit);
    Undecided { reason, pc: Some(0x1000), message: "it loops".to_owned() }
}

fn error() -> FileError {
    FileError { kind: FileErrorKind::NotElf, offset: Some(0), message: "not an ELF file".to_owned() }
}

fn report(severities: &[Severity], undecided_items: usize, failed: bool) -> Report {
    Report {
        discrepancies: severities.iter().map(|severity| finding(CFA, *severity, "f")).collect(),
        undecided: (0..undecided_items).map(|_| undecided()).collect(),
        error: failed.then(error),
        ..Report::default()
    }
}

#[test]
fn the_worst_outcome_wins() {
    use Outcome::{Clean, Discrepancy, Error, Undecided};
    use Severity::{Info, Warning};
    let wrong = Severity::Error;
    let cases: [(&[Severity], usize, bool, Outcome, Outcome); 10] = [
        // findings, undecided, error: outcome, and with --deny warnings
        (&[], 0, false, Clean, Clean),
        (&[Info], 0, false, Clean, Clean),
        (&[Warning], 0, false, Clean, Discrepancy),
        (&[wrong], 0, false, Discrepancy, Discrepancy),
        (&[], 1, false, Undecided, Undecided),
        (&[Info], 1, false, Undecided, Undecided),
        (&[Warning], 1, false, Undecided, Discrepancy),
        (&[Info, wrong], 1, false, Discrepancy, Discrepancy),
        (&[], 0, true, Error, Error),
        (&[wrong], 1, true, Error, Error),
    ];
    for (severities, items, failed, plain, denied) in cases {
        let report = report(severities, items, failed);
        assert_eq!(report.outcome(Deny::default()), plain, "{severities:?} {items} {failed}");
        assert_eq!(
            report.outcome(Deny { warnings: true, ..Deny::default() }),
            denied,
            "{severities:?} {items} {failed}, warnings denied"
        );
    }
}

#[test]
fn outcomes_have_the_exit_codes_and_words_of_the_contract() {
    let contract = [
        (Outcome::Clean, 0, "clean"),
        (Outcome::Discrepancy, 1, "discrepancy"),
        (Outcome::Undecided, 2, "undecided"),
        (Outcome::Error, 3, "error"),
    ];
    for (outcome, code, name) in contract {
        assert_eq!((outcome.exit_code(), outcome.name()), (code, name));
    }
}

/// Several files: 3 over 1 over 2 over 0.
#[test]
fn outcomes_are_ordered_as_exit_codes_of_several_files_are() {
    let order = [Outcome::Clean, Outcome::Undecided, Outcome::Discrepancy, Outcome::Error];
    assert!(order.is_sorted());
    assert_eq!(order.map(Outcome::exit_code), [0, 2, 1, 3]);
}

#[test]
fn a_failed_report_says_only_why() {
    let report = Report::failed("x.o", error());
    assert_eq!(report.file, "x.o");
    assert_eq!(report.error, Some(error()));
    assert_eq!(report.outcome(Deny::default()), Outcome::Error);
    assert!(report.discrepancies.is_empty() && report.abi.is_none());
}

#[test]
fn settling_counts_findings_by_severity_and_gaps() {
    let gap = |executed| Gap {
        function: "g".to_owned(),
        code: (0x2000, 0x2010),
        place: String::new(),
        reason: None,
        executed,
    };
    let mut report = report(&[Severity::Info, Severity::Error, Severity::Warning, Severity::Error], 0, false);
    report.gaps = vec![gap(true), gap(false), gap(false)];
    report.sort_and_count();
    let summary = report.summary;
    assert_eq!((summary.discrepancies, summary.warnings, summary.missing), (2, 2, 3));
}

#[test]
fn settling_puts_errors_first_then_rules_then_places() {
    let at = |id, severity, function: &str, place: Option<u64>| {
        let mut found = finding(id, severity, function);
        found.evidence.ranges = place.map(|start| (start, start + 4)).into_iter().collect();
        found
    };
    let findings = vec![
        at(STOPS, Severity::Info, "i", Some(0x10)),
        at(CFA, Severity::Error, "later", Some(0x2000)),
        at(RuleId::CfiCfaDiffers, Severity::Error, "c", Some(0x9000)),
        at(NO_CFI, Severity::Warning, "w", Some(0x10)),
        at(CFA, Severity::Error, "b", Some(0x1000)),
        at(CFA, Severity::Error, "a", Some(0x1000)),
        at(CFA, Severity::Error, "nowhere", None),
    ];
    let expected = ["c", "nowhere", "a", "b", "later", "w", "i"];
    let mut backwards = findings.clone();
    backwards.reverse();
    for discrepancies in [findings, backwards] {
        let mut report = Report { discrepancies, ..Report::default() };
        report.sort_and_count();
        let order: Vec<&str> = report.discrepancies.iter().map(|found| found.function()).collect();
        assert_eq!(order, expected);
    }
}
