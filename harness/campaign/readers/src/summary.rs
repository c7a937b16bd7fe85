//! Summary of a readers' run: verdicts by reader, and the tables that each reads.

use std::collections::BTreeMap;

use generators::vectors::{Class, Vector};
use results::{ReaderLine, ReaderVerdict, Reading, table_name};
use toolchain::consumer::Reader;

use super::real::origin;
use super::{NotClaimed, VectorResult, made_by};

/// Number of stacks of executions: of generated programs (`drawn`), of frozen ones (`real`), of
/// built ones (`built`).
pub fn stacks_by_origin(vectors: &[Vector]) -> BTreeMap<String, u64> {
    let mut stacks = BTreeMap::new();
    for vector in vectors.iter().filter(|vector| !vector.chains.is_empty()) {
        *stacks.entry(origin(vector).unwrap_or("drawn").to_owned()).or_default() += vector.chains.len() as u64;
    }
    stacks
}

/// The summary line of each reader, in order.
pub fn reader_lines(readers: &[Reader], outcomes: &[VectorResult<'_>], left_out: &[NotClaimed]) -> Vec<ReaderLine> {
    readers.iter().map(|reader| line(reader, outcomes, left_out)).collect()
}

fn line(reader: &Reader, outcomes: &[VectorResult<'_>], left_out: &[NotClaimed]) -> ReaderLine {
    let name = &reader.consumer.name;
    let not_claimed = left_out.iter().find(|one| one.reader == *name).map_or(0, |one| one.sections as u64);
    let mut line =
        ReaderLine { name: name.clone(), version: reader.version.clone(), not_claimed, ..ReaderLine::default() };
    for outcome in outcomes.iter().filter(|outcome| outcome.reader.consumer.name == *name) {
        for judged in &outcome.judged {
            line.verdicts.entry(judged.verdict).or_default().answers += 1;
        }
        if let Some(worst) = outcome.worst() {
            line.verdicts.entry(worst.verdict).or_default().sections += 1;
            if worst.verdict == ReaderVerdict::Broken {
                line.broken.get_or_insert_with(|| format!("{}: {}", outcome.vector.id, worst.got));
            }
        }
        if outcome.vector.class == Class::Valid {
            let table = table_name(outcome.vector.format, outcome.vector.abi);
            let made_by = made_by(outcome.vector);
            add(line.reads.entry(made_by.unwrap_or(table)).or_default(), outcome);
        }
    }
    line
}

fn add(reading: &mut Reading, outcome: &VectorResult<'_>) {
    for judged in &outcome.judged {
        let count = match judged.verdict {
            ReaderVerdict::Right | ReaderVerdict::Free => &mut reading.right,
            ReaderVerdict::Missed => &mut reading.silent,
            ReaderVerdict::WrongRow | ReaderVerdict::WrongCaller | ReaderVerdict::AnsweredMalformed => {
                &mut reading.wrong
            }
            ReaderVerdict::Refused
            | ReaderVerdict::Broken
            | ReaderVerdict::OutOfMemory
            | ReaderVerdict::Hang
            | ReaderVerdict::Crash
            | ReaderVerdict::Sanitiser => &mut reading.refused,
        };
        *count += 1;
    }
}
