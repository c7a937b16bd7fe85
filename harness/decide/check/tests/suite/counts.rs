//! The counts of a report are consistent for every file: valid, broken, frozen, random.

use std::path::Path;

use check::{Options, check_image};
use generators::corpus::{broken, clean};
use generators::program::numbered;
use rayon::prelude::*;
use results::{Report, Summary};
use types::{Bytes, Reach, combinations};

use crate::check;

/// Contradictions in the report of a file, executed and explored.
fn contradictions(name: &str, bytes: &[u8]) -> Vec<String> {
    let Ok(image) = elf::load(name, &Bytes::copy_from_slice(bytes)) else { return Vec::new() };
    let report = check_image(&image, &Options::exploring()).report;
    all(&report).into_iter().map(|one| format!("{name}: {one}: {:?}", report.summary)).collect()
}

/// Statements about counts that do not hold, and places that a run and exploration judge
/// differently.
fn all(report: &Report) -> Vec<String> {
    let places = report.contradicted.iter().map(|one| format!("a run and exploration differ at {}", one.place));
    report.contradictions().into_iter().map(str::to_owned).chain(places).collect()
}

/// Takes one in `usual` files; all of them at night.
fn one_in(usual: usize) -> usize {
    if testing::samples::all() { 1 } else { usual }
}

#[test]
fn of_files_made_here() {
    let clean = clean().into_iter().map(|file| (file.name, file.bytes));
    let broken = broken().into_iter().map(|file| (file.name(), file.bytes));
    let files: Vec<(String, Vec<u8>)> = clean.chain(broken).step_by(one_in(16)).collect();
    let found: Vec<String> = files.par_iter().flat_map(|(name, bytes)| contradictions(name, bytes)).collect();
    assert!(found.is_empty() && files.len() > 40, "{} of {}:\n{}", found.len(), files.len(), found.join("\n"));
}

#[test]
fn of_frozen_objects() {
    let mut files = Vec::new();
    for topic in ["objects", "found"] {
        crate::every_step::gather(&testing::root().join("cases").join(topic), &mut files);
    }
    let of_file = |path: &Path| {
        let bytes = Bytes::from(std::fs::read(path).expect("a file"));
        let report = check(&path.display().to_string(), &bytes, &Options::exploring()).report;
        all(&report).into_iter().map(|one| format!("{}: {one}", report.file)).collect::<Vec<_>>()
    };
    files.sort();
    let found: Vec<String> = files.par_iter().step_by(one_in(4)).flat_map(|path| of_file(path)).collect();
    assert!(found.is_empty() && files.len() > 100, "{} of {}:\n{}", found.len(), files.len(), found.join("\n"));
}

/// Random programs, every other one without some of its descriptors, so that calls lead to code
/// that no table describes.
#[test]
fn of_random_programs() {
    let programs: Vec<_> = combinations(None, None)
        .into_iter()
        .flat_map(|(abi, version)| (0..8).map(move |number| (number, numbered(abi, version, 7, number))))
        .collect();
    let found: Vec<String> = programs
        .par_iter()
        .flat_map(|(number, program)| {
            let mut sample = program.build().expect("a program").sample;
            if number % 2 == 1 {
                sample.eh_frame.cies.iter_mut().for_each(|cie| cie.fdes.truncate(1));
            }
            contradictions("random", &sample.bytes().expect("a file"))
        })
        .collect();
    assert!(found.is_empty(), "{} of {}:\n{}", found.len(), programs.len(), found.join("\n"));
}

/// Output of earlier versions: `0 of 12 instructions reached` and `13 judged at 0 PCs`.
#[test]
fn contradictions_are_found() {
    let reach = Reach { covered: 12, unconfirmed: 12, states: 13, ..Reach::default() };
    let summary = Summary { steps_executed: 13, steps_judged: 13, reach: Some(reach), ..Summary::default() };
    let report = Report { summary, ..Report::default() };
    let expected = ["a judged step has a PC", "a judged state is of a reached instruction"];
    assert_eq!(report.contradictions(), expected);
}
