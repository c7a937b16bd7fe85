//! Memo hits: the results, including all counts, are the same as with `--every-step`. Tested with
//! valid files, wrong files, and code that is right at the first visit of an instruction and wrong
//! at a later one.

mod entered;
mod threads;

use std::path::Path;

use check::signals::{Due, SignalAt};
use check::{Checked, Inputs, Judging, Limits, Options, Rows, check_image};
use generators::code::{FrameAt, FrameState, Function};
use generators::corpus::clean;
use generators::elf::FileKind;
use generators::program::{Program, numbered};
use generators::sample::Sample;
use generators::sframe::Word;
use rayon::prelude::*;
use spec::Severity;
use types::memo::{Memo, Note};
use types::{Abi, Bytes, CfaRule, Event, Observer, SframeVersion, Step, ValueRule, combinations};

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

/// The emulator adds a minimum to itself, and subtracts it from zero, without overflow: the
/// operands are checked also where the instruction is known. Each sum overflows in the third round
/// alone.
#[test]
fn operands_of_known_instructions_are_checked() {
    let program = program(
        Abi::S390x,
        "llihh %r3, 0x8000
         llilh %r8, 0x8000
         llihh %r5, 0x2000
         llilh %r9, 0x2000
         lghi %r10, -2
         lghi %r1, 0
         lghi %r4, 3
         1: lgr %r2, %r5
         agr %r2, %r3
         jno 2f
         aghi %r1, 1
         2: lgr %r2, %r8
         ar %r2, %r9
         jno 2f
         aghi %r1, 1
         2: lgr %r2, %r10
         sgr %r2, %r3
         jno 2f
         aghi %r1, 1
         2: lgr %r2, %r10
         sr %r2, %r8
         jno 2f
         aghi %r1, 1
         2: aghi %r10, 1
         sllg %r5, %r5, 1
         sllg %r9, %r9, 1
         brctg %r4, 1b
         cghi %r1, 4
         je 2f
         .long 0
         2:",
        "",
    );
    let checked = both("sums", &program, &Options::default()).expect("an image");
    assert_eq!(checked.report.exit_status, Some(0), "{:?}", checked.report);
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
    let due = Due::Random { count: 8, seed: SEED };
    let inputs = Inputs { signals: vec![SignalAt { due, signal: None }], ..Inputs::default() };
    let options = Options { inputs, limits: Limits::steps(200_000), ..Options::default() };
    let programs: Vec<(u64, Program)> = combinations(None, None)
        .into_iter()
        .flat_map(|(abi, version)| (0..count).map(move |number| (number, numbered(abi, version, SEED, number))))
        .filter(|(_, program)| program.kind == FileKind::Executable)
        .collect();
    let outcomes: Vec<(u64, u64, bool)> = programs
        .par_iter()
        .map(|(number, program)| {
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
        steps > 20_000 && interrupted > 20 && wrong > 50,
        "{steps} steps, {interrupted} interrupted, {wrong} wrong"
    );
}

/// A row from an offset on: the distance of the CFA from SP, and whether FP is unchanged or saved
/// below the return address.
#[derive(Clone, Copy)]
enum Row {
    Own(u32, i64),
    Saved(u32, i64),
}

impl Row {
    fn frame(self) -> FrameAt {
        let (Row::Own(offset, size) | Row::Saved(offset, size)) = self;
        let facts = Abi::Amd64.facts();
        let fp = match self {
            Row::Own(..) => ValueRule::SameValue,
            Row::Saved(..) => ValueRule::AtCfa(-16),
        };
        let cfa = CfaRule::Register { reg: facts.sp, offset: size };
        FrameAt { offset, frame: FrameState { cfa, fp, ..FrameState::at_entry(Abi::Amd64) } }
    }
}

/// `_start` calls `outer`, which calls `middle`, which may call `victim`. AMD64.
fn sample(middle: &[u8], rows: &[Row], victim: &[u8], calls_at: Option<usize>) -> Vec<u8> {
    calling(middle, rows, calls_at.as_slice(), victim, &[Row::Own(0, 8)])
}

/// Like [`sample`], with calls at some offsets and rows of `victim`.
fn calling(middle: &[u8], rows: &[Row], calls: &[usize], victim: &[u8], its_rows: &[Row]) -> Vec<u8> {
    let abi = Abi::Amd64;
    let call = |at: &usize| generators::code::Call { at: *at, ..Function::framed(abi, "", "victim").calls.remove(0) };
    let function = |name, code: &[u8], rows: &[Row]| Function {
        code: code.to_vec(),
        frames: rows.iter().map(|row| row.frame()).collect(),
        ..Function::leaf(abi, name)
    };
    let middle = Function { calls: calls.iter().map(call).collect(), ..function("middle", middle, rows) };
    let victim = function("victim", victim, its_rows);
    built(abi, vec![Function::start(abi, "_start", "outer"), Function::framed(abi, "outer", "middle"), middle, victim])
}

/// The file of a program.
fn built(abi: Abi, functions: Vec<Function>) -> Vec<u8> {
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    sample.bytes().expect("a file")
}

fn judged(bytes: &[u8]) -> (Vec<(String, u64)>, u64) {
    let checked = both("planted", bytes, &Options::default()).expect("a file that loads");
    let errors = checked.report.discrepancies.iter().filter(|one| one.severity == Severity::Error);
    (errors.map(|one| (one.rule().name().to_owned(), one.evidence.steps)).collect(), checked.report.summary.undecided)
}

/// mov %rbp,%r8; mov $2,%ecx; 1: nop; dec %ecx; jz 2f; mov %rcx,%rbp; jmp 1b; 2: mov %r8,%rbp; ret:
/// FP differs at the second visit of the loop.
#[test]
fn a_register_that_changes_between_two_visits_is_seen() {
    let code = [
        0x49, 0x89, 0xe8, 0xb9, 2, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 5, 0x48, 0x89, 0xcd, 0xeb, 0xf6, 0x4c, 0x89, 0xc5,
        0xc3,
    ];
    let (errors, _) = judged(&sample(&code, &[Row::Own(0, 8)], &[0xc3], None));
    // jmp once, nop, dec, jz and mov once more.
    assert_eq!(errors, [("row/fp-matches-truth".to_owned(), 5)]);
}

/// mov $2,%ecx; 1: nop; dec %ecx; jz 2f; push %rax; jmp 1b; 2: pop %rax; ret: SP differs.
#[test]
fn a_stack_pointer_that_changes_between_two_visits_is_seen() {
    let code = [0xb9, 2, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 3, 0x50, 0xeb, 0xf8, 0x58, 0xc3];
    let (errors, _) = judged(&sample(&code, &[Row::Own(0, 8)], &[0xc3], None));
    assert_eq!(errors, [("row/cfa-matches-truth".to_owned(), 5)]);
}

/// push %rbp; mov $2,%ecx; 1: nop; dec %ecx; jz 2f; mov %rcx,(%rsp); jmp 1b; 2: pop %rbp; ret: the
/// saved FP is overwritten after the first visit.
#[test]
fn a_slot_that_is_written_over_after_the_first_visit_is_seen() {
    let code = [0x55, 0xb9, 2, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 6, 0x48, 0x89, 0x0c, 0x24, 0xeb, 0xf5, 0x5d, 0xc3];
    let (errors, undecided) =
        judged(&sample(&code, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(18, 8)], &[0xc3], None));
    assert_eq!((errors, undecided > 0), (Vec::new(), true));
}

/// `middle` calls `victim` twice; the second call overwrites the value that `outer`, two calls
/// further out, saved: mov $2,%ecx; 1: call victim; test %ecx,%ecx; jnz 1b; ret, and dec %ecx; jnz
/// 2f; mov %rsp,(%rbp); 2: ret.
#[test]
fn a_slot_of_a_caller_that_is_written_over_is_seen() {
    let middle = [0xb9, 2, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0x85, 0xc9, 0x75, 0xf7, 0xc3];
    let victim = [0xff, 0xc9, 0x75, 4, 0x48, 0x89, 0x65, 0, 0xc3];
    let (errors, undecided) = judged(&sample(&middle, &[Row::Own(0, 8)], &victim, Some(5)));
    assert!(errors.iter().any(|(rule, _)| rule == "row/chain-matches-truth") || undecided > 0, "{errors:?}");
}

/// `jmp *%rax` by a retpoline in a loop: the call in it makes no frame, however often it is
/// executed.
#[test]
fn a_call_of_a_known_retpoline_makes_no_frame() {
    // mov $100,%ecx; 1: lea 4f(%rip),%rax; call 3f; 2: pause; jmp 2b
    let head = [0xb9, 100, 0, 0, 0, 0x48, 0x8d, 0x05, 14, 0, 0, 0, 0xe8, 4, 0, 0, 0, 0xf3, 0x90, 0xeb, 0xfc];
    // 3: mov %rax,(%rsp); ret; 4: dec %ecx; jnz 1b; ret
    let rest = [0x48, 0x89, 0x04, 0x24, 0xc3, 0xff, 0xc9, 0x75, 0xe7, 0xc3];
    let rows = [Row::Own(0, 8), Row::Own(21, 16), Row::Own(26, 8)];
    let judged = judged(&sample(&[&head[..], &rest].concat(), &rows, &[0xc3], None));
    assert_eq!(judged, (Vec::new(), 0));
}

/// Counts steps that are memo hits, and others; calls and returns are always shown. Shows that the
/// comparisons above do not compare a run with itself.
#[test]
fn most_steps_are_taken_in_again() {
    /// Number of steps shown and of memo hits, each for other steps and for calls and returns.
    struct Counting<'a>(judge::execution::Judge<'a>, [[u64; 2]; 2]);
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
    let middle = [0xb9, 100, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0x85, 0xc9, 0x75, 0xf7, 0xc3];
    let bytes = sample(&middle, &[Row::Own(0, 8)], &[0xff, 0xc9, 0xc3], Some(5));
    let image = elf::load("counted", &bytes.into()).expect("an image");
    let tables = judge::tables::Tables::new(&image);
    let mut counting = Counting(judge::execution::Judge::new(&image, &tables, false), [[0; 2]; 2]);
    counting.0.begin(true);
    let run = machine::run_with_memo(&machine::Plan::new(&image), &mut counting).expect("a run");
    let Counting(judge, [shown, again]) = counting;
    assert_eq!(judge.counts.steps, run.steps);
    assert_eq!(shown.iter().chain(&again).sum::<u64>(), run.steps);
    assert!(shown[0] < 40 && shown[1] > 200 && again[0] > 250 && again[1] == 0, "{shown:?} shown, {again:?} again");
}
