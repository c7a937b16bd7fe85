//! Memo hits: the results, including all counts, are the same as with `--every-step`. Tested with
//! valid files and wrong ones. Code that is right at the first visit of an instruction and wrong at
//! another: `programs/every-step`.

use std::path::Path;

use check::signals::{Due, SignalAt};
use check::{Checked, Inputs, Judging, Limits, Options, Rows, check_image};
use generators::corpus::clean;
use generators::elf::FileKind;
use generators::program::{Program, numbered};
use generators::sframe::Word;
use rayon::prelude::*;
use spec::Severity;
use types::memo::{Memo, Note};
use types::{Abi, Bytes, Event, Observer, Step, combinations};

use crate::asm::program;
use crate::check;

const SEED: u64 = 5;

/// Judges a file both ways; returns the result, and the number of steps that were judged in full in
/// normal mode.
fn both(name: &str, bytes: &[u8], options: &Options) -> Option<Checked> {
    let image = elf::load(name, &Bytes::copy_from_slice(bytes)).ok()?;
    let usual = check_image(&image, options);
    let every = check_image(
        &image,
        &Options { judging: Judging { rows: Rows::AtEveryStep, ..options.judging }, ..options.clone() },
    );
    assert_eq!(usual, every, "{name}");
    Some(usual)
}

/// Takes one in `usual` of the generators' valid files; all of them at night.
fn one_in(usual: usize) -> usize {
    if testing::samples::every_step() { 1 } else { usual }
}

#[test]
fn clean_files_come_out_the_same() {
    let files = clean();
    let chosen: Vec<_> = files.iter().step_by(one_in(8)).collect();
    let steps: u64 = chosen
        .into_par_iter()
        .filter_map(|file| both(&file.name, &file.bytes, &Options::default()))
        .map(|checked| checked.report.summary.steps_judged)
        .sum();
    assert!(steps > 200, "{steps} steps");
}

/// Real objects, valid and wrong.
#[test]
fn frozen_objects_come_out_the_same() {
    let folder = testing::root().join("cases");
    let mut files = Vec::new();
    // A new file in the second folder does not change the selection from the first.
    for topic in ["objects", "found"] {
        let first = files.len();
        gather(&folder.join(topic), &mut files);
        files[first..].sort();
    }
    let step = one_in(4);
    let reports: Vec<Checked> = files
        .par_iter()
        .step_by(step)
        .map(|path| {
            // Checked in workers, like a user's files.
            let (name, bytes) = (path.display().to_string(), Bytes::from(std::fs::read(path).expect("a file")));
            let usual = check(&name, &bytes, &Options::default());
            let every = check(&name, &bytes, &Options { judging: Judging::every_step(), ..Options::default() });
            assert_eq!(usual, every, "{name}");
            usual
        })
        .collect();
    let judged = |checked: &&Checked| checked.report.summary.steps_judged > 0;
    assert!(reports.iter().filter(judged).count() >= 3, "{} of {}", reports.len(), files.len());
}

pub(crate) fn gather(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => gather(&path, files),
            path => files.push(path),
        }
    }
}

/// Random programs with signals, throws, second stacks and tail calls: with correct tables, and
/// with tables that are wrong about one function.
#[test]
fn generated_programs_come_out_the_same() {
    let count = 160 / one_in(13) as u64;
    // With one seed for all, all would get their first signal after the same number of steps.
    let options = |seed| {
        let due = Due::Random { count: 8, seed };
        let inputs = Inputs { signals: vec![SignalAt { due, signal: None }], ..Inputs::default() };
        Options { inputs, limits: Limits::steps(200_000), ..Options::default() }
    };
    let programs: Vec<(u64, Program)> = combinations(None, None)
        .into_iter()
        .flat_map(|(abi, version)| (0..count).map(move |number| (number, numbered(abi, version, SEED, number))))
        .filter(|(_, program)| program.kind == FileKind::Executable)
        .collect();
    let outcomes: Vec<(u64, u64, bool)> = programs
        .par_iter()
        .map(|(number, program)| {
            let options = options(*number);
            let mut sample = program.build().expect("a program").sample;
            let right = both("right", &sample.bytes().expect("a file"), &options).expect("a file that loads");
            let functions = sample.section.functions.len();
            if let Some(spec) = sample.section.functions.get_mut(*number as usize % functions.max(1)) {
                for row in &mut spec.rows {
                    if let Some(Word::Offset(offset)) = row.words.get_mut(usize::from(spec.flex)) {
                        *offset += if program.abi == Abi::S390x { 1 } else { 8 };
                    }
                }
            }
            let wrong = both("wrong", &sample.bytes().expect("a file"), &options).expect("a file that loads");
            let is_error = wrong.report.discrepancies.iter().any(|one| one.severity == Severity::Error);
            (right.report.summary.steps_judged, right.interrupted, is_error)
        })
        .collect();
    let steps: u64 = outcomes.iter().map(|one| one.0).sum();
    let interrupted = outcomes.iter().filter(|one| one.1 > 0).count();
    let wrong = outcomes.iter().filter(|one| one.2).count();
    assert!(
        steps > 20_000 && interrupted > 12 && wrong > 50,
        "{steps} steps, {interrupted} interrupted, {wrong} wrong"
    );
}

/// Counts steps that are memo hits, and others; calls and returns are always shown. Shows that the
/// comparisons above do not compare a run with itself.
#[test]
fn most_steps_are_taken_in_again() {
    /// Number of steps shown and of memo hits, each for other steps and for calls and returns.
    struct Counting<'a>(judge::Judge<'a>, [[u64; 2]; 2]);
    impl Observer for Counting<'_> {
        fn step(&mut self, step: &Step<'_>) {
            self.1[0][usize::from(matches!(step.event, Event::Call | Event::Return))] += 1;
            self.0.step(step);
        }
    }
    impl Memo for Counting<'_> {
        fn note(&mut self) -> Option<Note> {
            self.0.note()
        }
        fn hit(&mut self, note: Note, step: &Step<'_>) -> bool {
            let is = self.0.hit(note, step);
            self.1[1][usize::from(matches!(step.event, Event::Call | Event::Return))] += u64::from(is);
            is
        }
        fn are_alike(&self, _: Note, _: Note) -> bool {
            false
        }
        fn hit_alike(&mut self, _: Note) {}
    }
    let function = "f: .cfi_startproc\ndec %ecx\nret\n.cfi_endproc";
    let bytes = program(Abi::Amd64, "mov $120, %ecx\n1: call f\ntest %ecx, %ecx\njnz 1b", function);
    let image = elf::load("counted", &bytes).expect("an image");
    let tables = judge::tables::Tables::new(&image);
    let mut counting = Counting(judge::Judge::new(&image, &tables, judge::Options::default()), [[0; 2]; 2]);
    counting.0.begin(true);
    let run = machine::run_with_memo(&machine::Plan::new(&image), &mut counting).expect("a run");
    let Counting(judge, [shown, again]) = counting;
    assert_eq!(judge.counts().steps, run.steps);
    assert_eq!(shown.iter().chain(&again).sum::<u64>(), run.steps);
    assert!(shown[0] < 40 && shown[1] > 200 && again[0] > 250 && again[1] == 0, "{shown:?} shown, {again:?} again");
}
