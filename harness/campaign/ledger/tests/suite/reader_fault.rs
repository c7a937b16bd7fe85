//! Versions in which a recorded bug of a reader may show.

use std::path::Path;

use ledger::KnownFault;
use results::{ReaderCause, ReaderFinding, ReaderVerdict, ToolVersion};
use toolchain::yaml;

/// A release between two recorded versions may have what only the later one was seen to have.
#[test]
fn a_version_between_two_recorded_ones_may_show_the_bugs_of_the_later() {
    let entry: KnownFault = yaml::parse(
        Path::new("entry.yaml"),
        "{title: one, project: p, versions: {first: '2.47.50', last: '2.47.50'}, reason: planted, link: unfiled, \
         added: '2026-11-27', expires: '2999-01-01', shows: [{causes: {'missed: valid/a: none': [v3-amd64]}}]}",
    )
    .expect("an entry");
    let cause = ReaderCause {
        project: "p".to_owned(),
        verdict: ReaderVerdict::Missed,
        topic: "valid/a".to_owned(),
        shape: "none".to_owned(),
    };
    let covers = |version: &str, recorded: &[&str]| {
        let finding: ReaderFinding = serde_json::from_value(serde_json::json!({
            "schema": 1, "fingerprint": cause.fingerprint(), "blame": "consumer", "project": "p", "reader": "own",
            "version": version, "verdict": "missed", "cause": cause.title(), "tables": {"v3-amd64": 1},
            "answers": 1, "shown_by": [], "example": null, "known": null,
        }))
        .expect("a finding");
        let recorded: Vec<ToolVersion> = recorded.iter().map(|one| ToolVersion::new(*one)).collect();
        entry.covers(&finding, &cause, "v3-amd64", &recorded)
    };
    assert!(covers("2.47.50.20261021", &[]));
    assert!(covers("2.47.20260726", &["2.40", "2.44", "2.47.50"]));
    // 2.46 is recorded, and right; nothing older than 2.39 is.
    assert!(!covers("2.45", &["2.40", "2.44", "2.46", "2.47.50"]));
    assert!(!covers("2.39", &["2.40", "2.44", "2.47.50"]));
    assert!(!covers("2.47", &[]));
}
