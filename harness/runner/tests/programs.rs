//! No false alarm on programs from nothing: random programs of every target and version, with tables that are true by
//! construction, are judged clean, run as deep as they go, and together reach every kind of frame, row and width there is. Their
//! machine code reads back in the disassembler as it was emitted.
//!
//! A failure shrinks to a small program, and its seed is kept in `tests/programs/`, to be tried first from then on. The full run is
//! `sframe-conformance generate --check --count 10000`.

use std::collections::BTreeMap;

use generators::elf::FileKind;
use generators::program::{Program, numbered, programs};
use matrix::generate::{Numbered, Totals, combinations, files, judge, judge_many};
use model::{Abi, SframeVersion};
use proptest::test_runner::{
    Config, FileFailurePersistence, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner,
};
use rayon::prelude::*;

/// Drawn and, on failure, shrunk, for each target and version.
const DRAWN: u32 = 24;
/// Counted, for all targets and versions together: enough that each kind is reached many times over.
const COUNTED: u64 = 1_400;
const SEED: u64 = 3;

fn draw(abi: Abi, version: SframeVersion) -> Result<(), TestError<Program>> {
    let file = format!("{}/tests/programs/{abi}-{version}.txt", env!("CARGO_MANIFEST_DIR"));
    let config = Config {
        cases: DRAWN,
        max_shrink_iters: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file.leak()))),
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[SEED as u8; 32]);
    TestRunner::new_with_rng(config, rng).run(&programs(abi, version), |program| {
        let judged = judge("drawn", &program);
        match judged.problems.as_slice() {
            [] => Ok(()),
            problems => Err(TestCaseError::fail(problems.join("\n"))),
        }
    })
}

#[test]
fn drawn_programs_are_judged_clean() {
    let failed: Vec<String> = combinations(None, None)
        .into_par_iter()
        .filter_map(|(abi, version)| draw(abi, version).err().map(|error| format!("{abi} {version}: {error}")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn numbered_programs_are_judged_clean_and_reach_every_kind() {
    let combinations = combinations(None, None);
    let programs: Vec<Numbered> =
        (0..COUNTED).filter_map(|number| Numbered::new(&combinations, SEED, number)).collect();
    let totals: Totals = judge_many(programs);
    println!("{}", totals.table(&combinations));
    let judged = &totals.judged;
    assert!(judged.problems.is_empty(), "{}", judged.problems.join("\n"));
    assert_eq!(totals.not_reached(&combinations), Vec::<String>::new());
    assert_eq!(totals.programs, COUNTED);
    // Programs that stopped being executed would be found clean too.
    let (steps, frames, compared) = (judged.steps, judged.frames, judged.compared);
    assert!(
        steps > 150 * COUNTED && frames > 200 * COUNTED && compared > 20 * COUNTED,
        "{steps} steps, {frames} frames, {compared} PCs"
    );
    assert!(judged.instructions > 500 * COUNTED, "{} instructions", judged.instructions);
}

/// What is not reached is listed, by target and version.
#[test]
fn a_kind_that_no_program_shows_is_noticed() {
    let combinations = [(Abi::Amd64, SframeVersion::V3)];
    let none = judge_many(Vec::new());
    let missed = none.not_reached(&combinations);
    assert!(missed.contains(&"amd64 v3 style/red-zone".to_owned()), "{missed:?}");
    assert!(!missed.iter().any(|kind| kind.contains("key-b")), "{missed:?}");
}

/// The judge of these tests is not deaf: true tables for other code are found wrong.
#[test]
fn a_program_with_the_tables_of_another_is_found_wrong() {
    let mut found = BTreeMap::new();
    for (abi, version) in combinations(None, None) {
        let mut programs = (0..).map(|number| numbered(abi, version, SEED, number));
        let program = programs.find(|program| program.kind == FileKind::Executable && !program.functions.is_empty());
        let built = program.map(|program| program.build().expect("a program"));
        let mut sample = built.expect("executables are drawn").sample;
        // One instruction that does nothing in front of all: every row comes too early.
        let nop = generators::code::nops(abi, 4);
        for function in &mut sample.section.functions {
            function.start = function.start.wrapping_sub(nop.len() as u64);
        }
        let checked = matrix::check::check("shifted", &sample.bytes().expect("a file"), &Default::default());
        let errors = checked.report.discrepancies.iter().filter(|one| one.severity == model::Severity::Error).count();
        found.insert((abi, version), errors);
    }
    assert!(found.values().all(|errors| *errors > 0), "{found:?}");
}

/// The same seed gives the same files, another gives others; expected rows tile each function.
#[test]
fn files_are_reproducible_and_expected_rows_tile_functions() {
    let combinations = combinations(None, None);
    let made = |seed, number| {
        let numbered = Numbered::new(&combinations, seed, number).expect("a program");
        files(&numbered).expect("files")
    };
    for number in 0..30 {
        let (one, again) = (made(7, number), made(7, number));
        assert_eq!((&one.elf, &one.sframe, &one.expected), (&again.elf, &again.sframe, &again.expected));
        assert_ne!(one.elf, made(8, number).elf);
        let whole = one.elf.windows(one.sframe.len()).any(|window| window == one.sframe);
        assert!(whole && one.sframe.len() >= 28, "{}: the section is in the file", one.name);
        for function in one.expected["functions"].as_array().expect("functions") {
            let start = function["start"].as_u64().expect("a start");
            let mut at = start;
            for row in function["rows"].as_array().expect("rows") {
                assert_eq!(row["start"].as_u64(), Some(at), "{} {function}", one.name);
                at = row["end"].as_u64().expect("an end");
            }
            assert_eq!(Some(at - start), function["size"].as_u64(), "{} {function}", one.name);
        }
    }
}

/// The command writes three files a program, the same ones again, and says exit code 3 where it cannot write.
#[test]
fn the_command_writes_files_or_says_why_not() {
    let generate = |folder: &std::path::Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
        command.args(["generate", "--seed", "5", "--count", "4", "--abi", "s390x", "--sframe-version", "v3", "--out"]);
        command.arg(folder).output().expect("the command runs")
    };
    let read = |folder: &std::path::Path| -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        entries.map(|one| (one.file_name().display().to_string(), std::fs::read(one.path()).expect("a file"))).collect()
    };
    let (one, again) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    assert_eq!(generate(one.path()).status.code(), Some(0));
    assert_eq!(generate(&again.path().join("new")).status.code(), Some(0));
    let files = read(one.path());
    assert_eq!(files.len(), 12);
    assert!(files.contains_key("000003-s390x-v3.json"), "{:?}", files.keys());
    assert_eq!(files, read(&again.path().join("new")));
    // A file stands where the folder should be.
    let refused = generate(&one.path().join("000003-s390x-v3.elf"));
    assert_eq!(refused.status.code(), Some(3), "{}", String::from_utf8_lossy(&refused.stderr));
}
