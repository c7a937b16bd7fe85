//! No false alarms on generated programs: random programs of every target and version, with tables
//! that are correct by construction, are judged clean, run with their full depth, and together
//! contain every kind of frame, row and width. The disassembler decodes their machine code as it
//! was emitted.
//!
//! A failure is reduced to a small program, and its seed is kept in `tests/programs/`, to be tested
//! first from then on. The full run is `sframe-conformance generate --check --count 10000`.

use std::collections::BTreeMap;

use check::signals::{Due, SignalAt};
use check::{Checked, Inputs, Options, check_image};
use generators::code::Function;
use generators::eh_frame::Cfi;
use generators::elf::FileKind;
use generators::program::{Coverage, Ending, Program, numbered, possible, programs};
use generators::sample::Sample;
use generators::sframe::Word;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner,
};
use rayon::prelude::*;
use selftest::generate::{Numbered, ProgramOutcome, Totals, files, judge_many, outcome_of};
use spec::Severity;
use testing::samples;
use types::{Abi, SframeVersion, combinations};

/// Number of programs generated and, on failure, reduced, for each target and version; four times
/// as many with all samples.
const DRAWN: u32 = 6;
/// Number of programs made for all targets and versions together: enough that each kind occurs many
/// times. All are judged with `SAMPLES=all`.
const MADE: u64 = 1_000;
/// Number of programs that are always judged, from the first on.
const JUDGED: usize = 40;
/// Of the others those are judged that contain a kind which fewer have contained.
const OF_EACH_KIND: u64 = 2;
const SEED: u64 = 3;

fn draw(abi: Abi, version: SframeVersion) -> Result<(), Box<TestError<Program>>> {
    let file = format!("{}/tests/programs/{abi}-{version}.txt", env!("CARGO_MANIFEST_DIR"));
    let config = Config {
        cases: if samples::all() { 4 * DRAWN } else { DRAWN },
        max_shrink_iters: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(file.leak()))),
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[SEED as u8; 32]);
    let ran = TestRunner::new_with_rng(config, rng).run(&programs(abi, version), |program| {
        let judged = outcome_of("drawn", &program);
        match judged.problems.as_slice() {
            [] => Ok(()),
            problems => Err(TestCaseError::fail(problems.join("\n"))),
        }
    });
    ran.map_err(Box::new)
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
    let numbers = (0..MADE).into_par_iter();
    let made: Vec<Numbered> = numbers.filter_map(|number| Numbered::new(&combinations, SEED, number)).collect();
    assert_eq!(made.len() as u64, MADE);
    let programs = if samples::all() { made } else { some_of_each_kind(made) };
    let count = programs.len() as u64;
    assert!(count >= 100, "{count} programs");
    let totals: Totals = judge_many(programs);
    println!("{}", totals.table(&combinations));
    let judged = &totals.judged;
    assert!(judged.problems.is_empty(), "{}", judged.problems.join("\n"));
    assert_eq!(totals.not_reached(&combinations), Vec::<String>::new());
    assert_eq!(totals.programs, count);
    // Programs that were not executed would be clean too.
    let ProgramOutcome { steps, frames, interrupted, compared, .. } = judged;
    assert!(
        *steps > 150 * count && *frames > 200 * count && *interrupted > 20 * count && *compared > 20 * count,
        "{steps} steps, {frames} frames, {interrupted} of them interrupted by a signal, {compared} PCs of {count} programs"
    );
    assert!(judged.instructions > 500 * count, "{} instructions", judged.instructions);
}

/// The first programs, and of the others, in order, those that contain a kind that few before them
/// contain.
fn some_of_each_kind(made: Vec<Numbered>) -> Vec<Numbered> {
    let shown = |one: &Numbered| one.program.build().map(|built| built.coverage).unwrap_or_default();
    let coverages: Vec<Coverage> = made.par_iter().map(shown).collect();
    let mut seen = Coverage::default();
    let mut chosen = Vec::new();
    for (nth, (one, shows)) in made.into_iter().zip(coverages).enumerate() {
        let (abi, version) = (one.program.abi, one.program.version);
        let rare =
            |kind: &&'static str| shows.count(abi, version, kind) > 0 && seen.count(abi, version, kind) < OF_EACH_KIND;
        if nth < JUDGED || possible(abi, version).iter().any(rare) {
            seen.add(&shows);
            chosen.push(one);
        }
    }
    chosen
}

/// A kind that does not occur is listed, by target and version.
#[test]
fn a_kind_that_no_program_shows_is_noticed() {
    let combinations = [(Abi::Amd64, SframeVersion::V3)];
    let none = judge_many(Vec::new());
    let missed = none.not_reached(&combinations);
    assert!(missed.contains(&"amd64 v3 style/red-zone".to_owned()), "{missed:?}");
    assert!(!missed.iter().any(|kind| kind.contains("key-b")), "{missed:?}");
}

/// Checks a program that was made here, so that no worker has to execute it.
fn checked(sample: &Sample, options: &Options) -> Checked {
    let bytes = sample.bytes().expect("a file").into();
    check_image(&elf::load("planted", &bytes).expect("a file that loads"), options)
}

/// Shows that the judge of these tests works: correct tables for other code are found wrong.
#[test]
fn a_program_with_the_tables_of_another_is_found_wrong() {
    let mut found = BTreeMap::new();
    for (abi, version) in combinations(None, None) {
        let mut programs = (0..).map(|number| numbered(abi, version, SEED, number));
        let program = programs.find(|program| program.kind == FileKind::Executable && !program.functions.is_empty());
        let built = program.map(|program| program.build().expect("a program"));
        let mut sample = built.expect("executables are drawn").sample;
        // A no-op before all other instructions: every row is too early.
        let nop = generators::code::nops(abi, 4);
        for function in &mut sample.section.functions {
            function.start = function.start.wrapping_sub(nop.len() as u64);
        }
        let checked = checked(&sample, &Options::default());
        let errors = checked.report.discrepancies.iter().filter(|one| one.severity == Severity::Error).count();
        found.insert((abi, version), errors);
    }
    assert!(found.values().all(|errors| *errors > 0), "{found:?}");
}

/// Condition for a special kind of function in a program.
type Special = (&'static str, fn(&Program, &str, &[u8]) -> bool);

/// Functions whose frames end, begin or return in a special way.
const SPECIAL: [Special; 6] = [
    ("a jump through a stored address", |program, name, _| program.got && name == "stubs"),
    ("a call that never returns", |_, name, _| name == "throw"),
    ("a throw", |_, name, _| name == "raise"),
    ("what a call to the next instruction leads to", |program, name, _| {
        program.ending == Ending::CallNext && name == "finish"
    }),
    ("a return that authenticates", |program, _, code| {
        let returns = |word: &[u8]| [[0xff, 0x0b, 0x5f, 0xd6], [0xff, 0x0f, 0x5f, 0xd6]].iter().any(|ret| word == ret);
        program.abi.facts().link_register && code.chunks_exact(4).any(returns)
    }),
    ("a return address in a register", |program, _, code| {
        program.abi == Abi::Amd64 && code.windows(4).any(|bytes| bytes == [0x4c, 0x89, 0x5c, 0x24])
    }),
];

/// A CFA that is 8 bytes off in the rows of such a function is found wrong there.
#[test]
fn a_bug_in_each_special_kind_of_function_is_found() {
    let (mut planted, mut found) = ([0; SPECIAL.len()], [0; SPECIAL.len()]);
    for (abi, version) in combinations(None, None) {
        for program in (0..40).map(|number| numbered(abi, version, SEED, number)) {
            if planted.iter().all(|planted| *planted >= EACH) {
                break;
            }
            if program.kind != FileKind::Executable {
                continue;
            }
            let built = program.build().expect("a program").sample;
            for (nth, (_, is_special)) in SPECIAL.iter().enumerate() {
                if planted[nth] >= EACH {
                    continue;
                }
                let special = |function: &Function| is_special(&program, &function.name, &function.code);
                let Some(at) = built.functions.iter().find(|placed| special(&placed.function)) else { continue };
                let (name, start) = (&at.function.name, built.text_address() + at.offset);
                let mut sample = built.clone();
                let Some(spec) = sample.section.functions.iter_mut().find(|spec| spec.start == start) else { continue };
                for row in &mut spec.rows {
                    let cfa = usize::from(spec.flex);
                    if let Some(Word::Offset(offset)) = row.words.get_mut(cfa) {
                        *offset += if abi == Abi::S390x { 1 } else { 8 };
                    }
                }
                let options = Options::exploring();
                let checked = checked(&sample, &options);
                let mut errors = checked.report.discrepancies.iter().filter(|one| one.severity == Severity::Error);
                planted[nth] += 1;
                found[nth] += u32::from(errors.any(|one| one.function() == name));
            }
        }
    }
    for (nth, (what, _)) in SPECIAL.iter().enumerate() {
        assert!(planted[nth] > 0 && found[nth] == planted[nth], "{what}: {} of {}", found[nth], planted[nth]);
    }
}

/// Number of bugs planted in each special kind of function.
const EACH: u32 = 6;

/// A signal frame in which every register is 8 bytes from where the kernel saved it is found wrong
/// by the walks through it.
#[test]
fn a_bug_in_the_frame_of_a_signal_is_found() {
    let due = Due::Random { count: 8, seed: SEED };
    let inputs = Inputs { signals: vec![SignalAt { due, signal: None }], ..Inputs::default() };
    let options = Options { inputs, ..Options::default() };
    let (mut planted, mut found) = (0, 0);
    for (abi, version) in combinations(None, None) {
        let mut programs = (0..).map(|number| numbered(abi, version, SEED, number));
        let handles = |program: &Program| {
            let signals = program.signals.as_ref().filter(|_| program.kind == FileKind::Executable);
            signals.is_some_and(|signals| !signals.sent.is_empty())
        };
        for program in programs.by_ref().filter(handles).take(8) {
            let mut sample = program.build().expect("a program").sample;
            let check = |sample: &Sample| checked(sample, &options);
            if check(&sample).interrupted == 0 {
                continue;
            }
            let restorer = sample.functions.iter().find(|placed| placed.function.name == "restorer").expect("one");
            let start = sample.text_address() + restorer.offset;
            let fdes = sample.eh_frame.cies.iter_mut().flat_map(|cie| &mut cie.fdes);
            for (_, cfi) in fdes.filter(|fde| fde.start == start).flat_map(|fde| &mut fde.program) {
                if let Cfi::DefCfaExpression(expression) | Cfi::Expression(_, expression) = cfi {
                    // The first byte of the LEB128 after DW_OP_breg0 and so on: 8 more or less.
                    expression[1] ^= 8;
                }
            }
            let checked = check(&sample);
            let mut errors = checked.report.discrepancies.iter().filter(|one| one.severity == Severity::Error);
            planted += 1;
            found += u32::from(errors.any(|one| one.function() == "restorer"));
        }
    }
    assert!(planted > 20 && found == planted, "{found} of {planted}");
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
