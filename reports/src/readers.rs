//! The results of tested readers of `.sframe`, as text, and functions shared by all output formats.
//! Of private findings only their existence is published.

pub mod questions;
pub mod text;

use std::collections::BTreeMap;

use results::{ReaderFinding, ReaderVerdict, ReadersRun};

use types::counted;

/// The exit code: 1 for a new finding or a problem with the ledger, 2 if a reader could not be
/// judged, else 0.
pub fn exit_code(findings: &[ReaderFinding], run: &ReadersRun) -> u8 {
    let is_broken = run.readers.iter().any(|line| line.verdicts.contains_key(&ReaderVerdict::Broken));
    match findings.iter().any(|finding| finding.known.is_none()) || !run.problems.is_empty() {
        true => 1,
        false if is_broken => 2,
        false => 0,
    }
}

/// The findings of a reader, given by name with version.
pub(crate) fn of_reader<'a>(findings: &'a [ReaderFinding], reader: &str) -> Vec<&'a ReaderFinding> {
    findings.iter().filter(|finding| finding.reader == reader).collect()
}

/// The text of a finding, or the note that it is private.
pub(crate) fn cause(finding: &ReaderFinding) -> String {
    match finding.cause.is_empty() {
        true => format!("{}: private, for its maintainers first", finding.verdict),
        false => finding.cause.clone(),
    }
}

/// `12 sections of v2-amd64, v3-amd64`.
pub(crate) fn spread(finding: &ReaderFinding) -> String {
    let sections: u64 = finding.tables.values().sum();
    let tables: Vec<&str> = finding.tables.keys().map(String::as_str).collect();
    format!("{} of {}", counted(sections, "section"), tables.join(", "))
}

/// The result of each reader for each kind of table, in one word.
pub(crate) fn reads(run: &ReadersRun) -> BTreeMap<&str, BTreeMap<&str, &'static str>> {
    let mut all: BTreeMap<&str, BTreeMap<&str, &'static str>> = BTreeMap::new();
    for reader in &run.readers {
        for (table, reading) in &reader.reads {
            all.entry(table).or_default().insert(&reader.name, reading.word());
        }
    }
    all
}

/// The names of readers, in order of their file.
pub(crate) fn names(run: &ReadersRun) -> Vec<&str> {
    run.readers.iter().map(|reader| reader.name.as_str()).collect()
}
