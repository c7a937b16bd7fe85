//! Data for pages without scripts.

use std::collections::BTreeMap;

use results::{Blame, READERS_SCHEMA, ReaderExample, ReaderFinding, ReaderVerdict, SweepTotals};

/// Findings of readers: a new one with an example, and one whose cause is private.
pub(crate) fn reader_findings() -> Vec<ReaderFinding> {
    let finding = |number: u64, cause: &str, known: Option<&str>| ReaderFinding {
        schema: READERS_SCHEMA,
        fingerprint: format!("{number:016x}"),
        blame: Blame::Consumer,
        project: "binutils".to_owned(),
        reader: "readelf".to_owned(),
        version: "2.44".to_owned(),
        verdict: ReaderVerdict::ALL[0],
        cause: cause.to_owned(),
        tables: BTreeMap::from([("v2-amd64".to_owned(), 3)]),
        answers: 40,
        shown_by: (0..if cause.is_empty() { 0 } else { 40 }).map(|nth| format!("valid/v2-amd64/gap-{nth}")).collect(),
        example: (!cause.is_empty()).then(|| ReaderExample {
            id: "valid/v2-amd64/cfa".to_owned(),
            about: "A row".to_owned(),
            address: 0x1000,
            section: "e2de0300".to_owned(),
            pc: Some(0x40),
            got: "cfa=rsp+8".to_owned(),
            want: "cfa=rsp+16".to_owned(),
        }),
        known: known.map(str::to_owned),
    };
    vec![
        finding(1, "wrong-row: valid/cfa-word-N", None),
        finding(2, "", Some("readelf-memory.yaml")),
        finding(3, "missed: valid/gap-N: none", Some("readelf-gap.yaml")),
    ]
}

/// The result of a sweep of a few files.
pub(crate) fn sweep() -> SweepTotals {
    let mut totals = SweepTotals { day: "2026-11-21".to_owned(), bytes: 4_000_000, ..SweepTotals::default() };
    totals.verdicts.discrepancy = 3;
    totals.verdicts.clean = 37;
    totals
}
