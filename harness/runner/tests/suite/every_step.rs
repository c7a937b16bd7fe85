//! Steps that are like one that was judged are not judged again: what comes out is the same as with `--every-step`, to the count. Shown on files that are
//! right, that are wrong, and where what was right at the first visit of an instruction is wrong at a later one.

use std::path::Path;

use generators::code::{FrameAt, FrameState, Function};
use generators::corpus::clean;
use generators::elf::FileKind;
use generators::program::{Program, numbered};
use generators::sample::Sample;
use generators::sframe::Word;
use matrix::check::{Checked, Options, check, check_image};
use matrix::generate::combinations;
use matrix::signals::{Due, SignalAt};
use model::{Abi, Bytes, CfaRule, Event, Observer, PacKey, Severity, SframeVersion, Step, ValueRule};
use rayon::prelude::*;

const SEED: u64 = 5;

/// The same file both ways: what came out, and how many steps of the usual way were judged in full.
fn both(name: &str, bytes: &[u8], options: &Options) -> Option<Checked> {
    let image = elf::load(name, &Bytes::copy_from_slice(bytes)).ok()?;
    let usual = check_image(&image, options);
    let blocks = check_image(&image, &Options { blocks_from: 0, ..options.clone() });
    assert_eq!(usual, blocks, "{name}, blocks taken in at once");
    let every = check_image(&image, &Options { every_step: true, ..options.clone() });
    assert_eq!(usual, every, "{name}");
    Some(usual)
}

/// Of every so many of the generators' clean files; all of them where `EVERY_STEP=all` asks for it.
fn one_in(usual: usize) -> usize {
    if std::env::var("EVERY_STEP").is_ok_and(|word| word == "all") { 1 } else { usual }
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

/// Real objects, right and wrong.
#[test]
fn frozen_objects_come_out_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut files = Vec::new();
    for topic in ["objects", "found"] {
        gather(&folder.join(topic), &mut files);
    }
    files.sort();
    let step = one_in(4);
    let reports: Vec<Checked> = files
        .par_iter()
        .step_by(step)
        .map(|path| {
            // As files of anybody are: in workers.
            let (name, bytes) = (path.display().to_string(), Bytes::from(std::fs::read(path).expect("a file")));
            let usual = check(&name, &bytes, &Options::default());
            let every = check(&name, &bytes, &Options { every_step: true, ..Options::default() });
            assert_eq!(usual, every, "{name}");
            usual
        })
        .collect();
    let judged = |checked: &&Checked| checked.report.summary.steps_judged > 0;
    assert!(reports.iter().filter(judged).count() >= 3, "{} of {}", reports.len(), files.len());
}

fn gather(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => gather(&path, files),
            path => files.push(path),
        }
    }
}

/// Random programs with signals, throws, second stacks and tail calls: with their own tables, and with tables that are wrong about one function.
#[test]
fn generated_programs_come_out_the_same() {
    let count = 160 / one_in(8) as u64;
    let due = Due::Random { count: 8, seed: SEED };
    let options = Options { signals: vec![SignalAt { due, signal: None }], step_limit: 200_000, ..Options::default() };
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

/// From an offset on: how far the CFA is from SP, and FP is the caller's or saved below the return address; or how far it is from FP, which is saved.
#[derive(Clone, Copy)]
enum Row {
    Own(u32, i64),
    Saved(u32, i64),
    Based(u32, i64),
}

impl Row {
    fn frame(self) -> FrameAt {
        let (Row::Own(offset, size) | Row::Saved(offset, size) | Row::Based(offset, size)) = self;
        let facts = Abi::Amd64.facts();
        let (reg, fp) = match self {
            Row::Own(..) => (facts.sp, ValueRule::SameValue),
            Row::Saved(..) => (facts.sp, ValueRule::AtCfa(-16)),
            Row::Based(..) => (facts.fp, ValueRule::AtCfa(-16)),
        };
        let cfa = CfaRule::Register { reg, offset: size };
        FrameAt { offset, frame: FrameState { cfa, fp, ..FrameState::at_entry(Abi::Amd64) } }
    }
}

/// `_start` calls `outer`, which calls `middle`, which calls `victim` or not. AMD64.
fn sample(middle: &[u8], rows: &[Row], victim: &[u8], calls_at: Option<usize>) -> Vec<u8> {
    calling(middle, rows, calls_at.as_slice(), victim, &[Row::Own(0, 8)])
}

/// The same, with calls at some offsets and rows of `victim`.
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
    (errors.map(|one| (one.rule().name().to_owned(), one.steps)).collect(), checked.report.summary.undecided)
}

/// mov %rbp,%r8; mov $2,%ecx; 1: nop; dec %ecx; jz 2f; mov %rcx,%rbp; jmp 1b; 2: mov %r8,%rbp; ret: FP is another at the second visit of the loop.
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

/// mov $2,%ecx; 1: nop; dec %ecx; jz 2f; push %rax; jmp 1b; 2: pop %rax; ret: SP is another.
#[test]
fn a_stack_pointer_that_changes_between_two_visits_is_seen() {
    let code = [0xb9, 2, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 3, 0x50, 0xeb, 0xf8, 0x58, 0xc3];
    let (errors, _) = judged(&sample(&code, &[Row::Own(0, 8)], &[0xc3], None));
    assert_eq!(errors, [("row/cfa-matches-truth".to_owned(), 5)]);
}

/// push %rbp; mov $2,%ecx; 1: nop; dec %ecx; jz 2f; mov %rcx,(%rsp); jmp 1b; 2: pop %rbp; ret: the saved FP is written over after the first visit.
#[test]
fn a_slot_that_is_written_over_after_the_first_visit_is_seen() {
    let code = [0x55, 0xb9, 2, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 6, 0x48, 0x89, 0x0c, 0x24, 0xeb, 0xf5, 0x5d, 0xc3];
    let (errors, undecided) =
        judged(&sample(&code, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(18, 8)], &[0xc3], None));
    assert_eq!((errors, undecided > 0), (Vec::new(), true));
}

/// `middle` calls `victim` twice, which the second time writes over what `outer`, two calls further out, saved: mov $2,%ecx; 1: call victim; test
/// %ecx,%ecx; jnz 1b; ret, and dec %ecx; jnz 2f; mov %rsp,(%rbp); 2: ret.
#[test]
fn a_slot_of_a_caller_that_is_written_over_is_seen() {
    let middle = [0xb9, 2, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0x85, 0xc9, 0x75, 0xf7, 0xc3];
    let victim = [0xff, 0xc9, 0x75, 4, 0x48, 0x89, 0x65, 0, 0xc3];
    let (errors, undecided) = judged(&sample(&middle, &[Row::Own(0, 8)], &victim, Some(5)));
    assert!(errors.iter().any(|(rule, _)| rule == "row/chain-matches-truth") || undecided > 0, "{errors:?}");
}

/// A loop of six rounds in `middle`, so that blocks that were learned in the first two are taken in at once in the others.
fn in_blocks(code: &[u8], rows: &[Row]) -> (Vec<(String, u64)>, u64) {
    judged(&sample(code, rows, &[0xc3], None))
}

/// nop; dec %ecx; jz 2f; cmp $1,%ecx; jne 1b, and what is changed after the fifth round: FP by mov %rcx,%rbp, SP by push %rax, the saved FP by mov %rcx,(%rsp).
#[test]
fn what_changes_between_two_visits_of_a_known_block_is_seen() {
    let fp = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 10, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0xcd,
        0xeb, 0xf1, 0x4c, 0x89, 0xc5, 0xc3,
    ];
    // The jump back, nop, dec, jz and what follows the loop.
    assert_eq!(in_blocks(&fp, &[Row::Own(0, 8)]).0, [("row/fp-matches-truth".to_owned(), 5)]);
    let sp = [0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75, 0xf6, 0x50, 0xeb, 0xf3, 0x58, 0xc3];
    assert_eq!(in_blocks(&sp, &[Row::Own(0, 8)]).0, [("row/cfa-matches-truth".to_owned(), 5)]);
    let slot = [
        0x55, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 11, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0x0c, 0x24, 0xeb,
        0xf0, 0x5d, 0xc3,
    ];
    let (errors, undecided) = in_blocks(&slot, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(23, 8)]);
    assert!(errors.is_empty() && undecided >= 5, "{errors:?}, {undecided} undecided");
}

/// push %rbp; lea -64(%rsp),%r9; mov $6,%ecx; 1: dec %ecx; cmovz %rsp,%r9; mov %rcx,(%r9); nop; nop; test %ecx,%ecx; jnz 1b; pop %rbp; ret: in the last round
/// the saved FP is written over in the middle of a block that was taken in at once before.
#[test]
fn a_slot_that_is_written_over_within_a_known_block_is_seen() {
    let code = [
        0x55, 0x4c, 0x8d, 0x4c, 0x24, 0xc0, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x4c, 0x0f, 0x44, 0xcc, 0x49, 0x89, 0x09,
        0x90, 0x90, 0x85, 0xc9, 0x75, 0xf1, 0x5d, 0xc3,
    ];
    let (errors, undecided) = in_blocks(&code, &[Row::Own(0, 8), Row::Saved(1, 16), Row::Own(27, 8)]);
    // nop, nop, test, jnz and pop; FP is not restored either.
    assert!(undecided >= 5, "{errors:?}, {undecided} undecided");
}

/// A loop of six rounds, in the last of which an instruction in the middle of a block fails that was taken in at once before. Messages name the place.
#[test]
fn a_fault_within_a_known_block_ends_the_run_where_it_is() {
    let table: [(Abi, &str, u64, &str); 9] = [
        // mov %rsp,%r9; mov $6,%ecx; 1: dec %ecx; cmovz %rcx,%r9; nop; mov (%r9),%rax; nop; test %ecx,%ecx; jnz 1b; ret
        (Abi::Amd64, "4989e1 b906000000 ffc9 4c0f44c9 90 498b01 90 85c9 75f1 c3", 15, "cannot read 8 bytes at 0x0"),
        // mov $6,%ecx; 1: dec %ecx; xor %edx,%edx; mov $1,%eax; nop; div %ecx; nop; test %ecx,%ecx; jnz 1b; ret
        (Abi::Amd64, "b906000000 ffc9 31d2 b801000000 90 f7f1 90 85c9 75ef c3", 15, "divide error"),
        // mov x9,sp; mov x1,#6; 1: subs x1,x1,#1; csel x9,x1,x9,eq; nop; ldr x0,[x9]; nop; cbnz x1,1b; ret
        (Abi::Aarch64, A64_LOW, 20, "cannot read 8 bytes at 0x0"),
        (Abi::Aarch64Be, A64_LOW, 20, "cannot read 8 bytes at 0x0"),
        // The same with an address of more than 48 bits: mov x3,#0x1234 lsl 48; ... csel x9,x3,x9,eq
        (Abi::Aarch64, A64_HIGH, 24, "data abort"),
        (Abi::Aarch64Be, A64_HIGH, 24, "data abort"),
        // lgr %r2,%r15; lghi %r1,6; llihf %r3,0x1234; 1: aghi %r1,-1; locgre %r2,%r3; nopr; lg %r0,0(%r2); nopr; ltgr %r1,%r1; jne 1b; br %r14
        (
            Abi::S390x,
            "b904002f a7190006 c03e00001234 a71bffff b9e28023 0700 e30020000004 0700 b9020011 a774fff5 07fe",
            24,
            "program interruption",
        ),
        // lghi %r1,6; 1: aghi %r1,-1; lghi %r5,7; nopr; dsgr %r4,%r1; nopr; ltgr %r1,%r1; jne 1b; br %r14
        (
            Abi::S390x,
            "a7190006 a71bffff a7590007 0700 b90d0041 0700 b9020011 a774fff6 07fe",
            14,
            "program interruption",
        ),
        // lghi %r1,6; lghi %r3,0; 1: aghi %r1,-1; nopr; cgrte %r1,%r3; nopr; ltgr %r1,%r1; jne 1b; br %r14
        (
            Abi::S390x,
            "a7190006 a7390000 a71bffff 0700 b9608013 0700 b9020011 a774fff8 07fe",
            14,
            "program interruption",
        ),
    ];
    for (abi, code, offset, what) in table {
        let middle = Function { code: bytes_of(code), ..Function::leaf(abi, "middle") };
        let functions = vec![Function::start(abi, "_start", "outer"), Function::framed(abi, "outer", "middle"), middle];
        let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
        let bytes = sample.bytes().expect("a file");
        let image = elf::load("planted", &Bytes::copy_from_slice(&bytes)).expect("an image");
        let middle = image.symbols.iter().find(|symbol| symbol.name.as_str() == "middle").expect("a symbol").address;
        let checked = both("planted", &bytes, &Options::default()).expect("a file that loads");
        let ended: Vec<_> = checked.report.undecided.iter().map(|one| (one.pc, one.message.as_str())).collect();
        let found = ended.iter().any(|(pc, message)| *pc == Some(middle + offset) && message.contains(what));
        assert!(found, "{abi} {code}: {middle:#x} {ended:?}");
    }
}

const A64_LOW: &str = "e9030091 c10080d2 210400f1 2900899a 1f2003d5 200140f9 1f2003d5 61ffffb5 c0035fd6";
const A64_HIGH: &str = "e9030091 c10080d2 8346e2d2 210400f1 6900899a 1f2003d5 200140f9 1f2003d5 61ffffb5 c0035fd6";

fn bytes_of(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}

/// A real program of s390x in which an instruction was made none: the emulator translates nothing at all there, and the run ends all the same.
#[test]
fn what_is_no_instruction_ends_the_run_where_it_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/objects/s390x/gas-2.47.50--v3--gcc12-O2--exe");
    let mut bytes = std::fs::read(path).expect("a file");
    // c0e5ffff7381, brasl %r14, becomes e0e5ffff7381, of an opcode that there is not.
    bytes[0x1232e] ^= 0x20;
    let checked = both("changed", &bytes, &Options::default()).expect("a file that loads");
    let ended: Vec<&str> = checked.report.undecided.iter().map(|one| one.message.as_str()).collect();
    assert!(ended.iter().any(|message| message.contains("program interruption at 0x101232e")), "{ended:?}");
}

/// mov %rbp,%r8; mov $6,%ecx; 1: dec %ecx; cmovz %rcx,%rbp; nop; test %ecx,%ecx; jnz 1b; mov %r8,%rbp; ret: in the last round FP is another from the middle of
/// the block on.
#[test]
fn a_register_that_changes_within_a_known_block_is_seen() {
    let code = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x85, 0xc9, 0x75, 0xf5, 0x4c,
        0x89, 0xc5, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop, test, jnz and mov.
    assert_eq!(errors, [("row/fp-matches-truth".to_owned(), 4)]);
}

/// mov $6,%ecx; xor %edx,%edx; 1: dec %ecx; setz %dl; shl $3,%edx; sub %rdx,%rsp; nop; test %ecx,%ecx; jnz 1b; add $8,%rsp; ret: in the last round SP moves.
#[test]
fn a_stack_pointer_that_changes_within_a_known_block_is_seen() {
    let code = [
        0xb9, 6, 0, 0, 0, 0x31, 0xd2, 0xff, 0xc9, 0x0f, 0x94, 0xc2, 0xc1, 0xe2, 3, 0x48, 0x29, 0xd4, 0x90, 0x85, 0xc9,
        0x75, 0xf0, 0x48, 0x83, 0xc4, 8, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop, test, jnz and add.
    assert_eq!(errors, [("row/cfa-matches-truth".to_owned(), 4)]);
}

/// The same, and FP is what it was again at the end of the block: mov %r8,%rbp after the nop.
#[test]
fn a_register_that_is_made_good_within_a_known_block_is_seen() {
    let code = [
        0x49, 0x89, 0xe8, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x4c, 0x89, 0xc5, 0x85, 0xc9,
        0x75, 0xf2, 0xc3,
    ];
    let (errors, _) = in_blocks(&code, &[Row::Own(0, 8)]);
    // nop and mov.
    assert_eq!(errors, [("row/fp-matches-truth".to_owned(), 2)]);
}

/// nop; dec %ecx; jz 2f; cmp $1,%ecx; jne 1b as above, and then another way leads to the known block, which is right itself: with FP changed, that is saved, or
/// with a word pushed.
#[test]
fn another_state_of_a_known_block_is_none_that_is_known() {
    let fp = [
        0x55, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 10, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x89, 0xcd, 0xeb, 0xf1,
        0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Own(1, 16), Row::Saved(19, 16), Row::Own(22, 8)];
    assert_eq!(in_blocks(&fp, &rows).0, [("row/fp-matches-truth".to_owned(), 3)]);
    let sp = [0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75, 0xf6, 0x50, 0xeb, 0xf3, 0x58, 0xc3];
    let rows = [Row::Own(0, 8), Row::Own(16, 16), Row::Own(19, 8)];
    assert_eq!(in_blocks(&sp, &rows).0, [("row/cfa-matches-truth".to_owned(), 3)]);
}

/// As above with a CFA that counts from FP: push %rbp; mov %rsp,%rbp, the loop, and lea 8(%rbp),%rbp for another way to the known block; then cmovz %rcx,%rbp
/// within it, in the last round.
#[test]
fn a_frame_pointer_that_the_cfa_counts_from_is_part_of_the_state() {
    let between = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0x90, 0xff, 0xc9, 0x74, 11, 0x83, 0xf9, 1, 0x75, 0xf6, 0x48, 0x8d,
        0x6d, 8, 0xeb, 0xf0, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Based(4, 16), Row::Saved(23, 16), Row::Own(26, 8)];
    assert_eq!(in_blocks(&between, &rows).0, [("row/cfa-matches-truth".to_owned(), 3)]);
    let within = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0xff, 0xc9, 0x48, 0x0f, 0x44, 0xe9, 0x90, 0x85, 0xc9, 0x75, 0xf5,
        0x48, 0x89, 0xe5, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Based(4, 16), Row::Saved(23, 16), Row::Own(24, 8)];
    // nop, test, jnz and mov: FP is 0, and at 8 there is no return address.
    assert_eq!(in_blocks(&within, &rows).0, [("row/ra-matches-truth".to_owned(), 4)]);
}

/// push %rbp; mov %rsp,%rbp; mov $6,%ecx; 1: nop; mov %rbp,%rsp; dec %ecx; jz 2f; cmp $1,%ecx; jne 1b; push %rax; jmp 1b; 2: pop %rbp; ret: another SP, which
/// the known block itself makes what it was.
#[test]
fn a_stack_pointer_that_a_known_block_makes_good_is_part_of_the_state() {
    let code = [
        0x55, 0x48, 0x89, 0xe5, 0xb9, 6, 0, 0, 0, 0x90, 0x48, 0x89, 0xec, 0xff, 0xc9, 0x74, 8, 0x83, 0xf9, 1, 0x75,
        0xf3, 0x50, 0xeb, 0xf0, 0x5d, 0xc3,
    ];
    let rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Saved(23, 24), Row::Saved(25, 16), Row::Own(26, 8)];
    // nop and mov.
    assert_eq!(in_blocks(&code, &rows).0, [("row/cfa-matches-truth".to_owned(), 2)]);
}

/// `middle` of AArch64, called as by [`sample`]; where it calls, a function that signs its return address.
fn aarch64(words: impl IntoIterator<Item = u32>, frames: &[(u32, FrameState)], calls_at: Option<usize>) -> Vec<u8> {
    let abi = Abi::Aarch64;
    let code = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let frames = frames.iter().map(|(offset, frame)| FrameAt { offset: *offset, frame: *frame }).collect();
    let calls = calls_at.map(|at| {
        let call = Function::framed(abi, "", "signing").calls.remove(0);
        generators::code::Call { at, ..call }
    });
    let middle = Function { code, frames, calls: calls.into_iter().collect(), ..Function::leaf(abi, "middle") };
    let signing = Function::signed(abi, "signing", "leaf", PacKey::B).expect("a function");
    let (start, outer) = (Function::start(abi, "_start", "outer"), Function::framed(abi, "outer", "middle"));
    let functions = vec![start, outer, middle, signing, Function::leaf(abi, "leaf")];
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    sample.bytes().expect("a file")
}

/// str x30,[sp,#-16]!; movz x19,#6; 1: bl signing; subs x19,x19,#1; b.ne 1b; ldr x30,[sp],#16; ret.
#[test]
fn addresses_that_are_signed_in_known_blocks_are_followed() {
    let entry = FrameState::at_entry(Abi::Aarch64);
    let saved = FrameState {
        cfa: CfaRule::Register { reg: Abi::Aarch64.facts().sp, offset: 16 },
        ra: ValueRule::AtCfa(-16),
        ..entry
    };
    let words = [0xf81f_0ffe, 0xd280_00d3, 0x9400_0000, 0xf100_0673, 0x54ff_ffc1, 0xf841_07fe, 0xd65f_03c0];
    let (errors, undecided) = judged(&aarch64(words, &[(0, entry), (4, saved), (24, entry)], Some(8)));
    assert_eq!((errors, undecided), (Vec::new(), 0));
}

/// As above with the link register, by which the loop's rows find the return address: str x30,[sp,#-16]!; movz x1,#6; 1: nop; subs x1,x1,#1; b.eq 2f;
/// cmp x1,#1; b.ne 1b; mov x30,x1; b 1b; 2: ldr x30,[sp],#16; ret. Then within the block: mov x2,x30; movz x1,#6; 1: subs x1,x1,#1; csel x30,x1,x30,eq; nop;
/// cbnz x1,1b; mov x30,x2; ret.
#[test]
fn a_link_register_is_part_of_the_state() {
    let entry = FrameState::at_entry(Abi::Aarch64);
    let pushed = FrameState { cfa: CfaRule::Register { reg: Abi::Aarch64.facts().sp, offset: 16 }, ..entry };
    let saved = FrameState { ra: ValueRule::AtCfa(-16), ..pushed };
    let between = [
        0xf81f_0ffe,
        0xd280_00c1,
        0xd503_201f,
        0xf100_0421,
        0x5400_00a0,
        0xf100_043f,
        0x54ff_ff81,
        0xaa01_03fe,
        0x17ff_fffa,
        0xf841_07fe,
        0xd65f_03c0,
    ];
    let rows = [(0, entry), (4, pushed), (32, saved), (40, entry)];
    assert_eq!(judged(&aarch64(between, &rows, None)).0, [("row/ra-matches-truth".to_owned(), 3)]);
    let within =
        [0xaa1e_03e2, 0xd280_00c1, 0xf100_0421, 0x9a9e_003e, 0xd503_201f, 0xb5ff_ffa1, 0xaa02_03fe, 0xd65f_03c0];
    // nop, cbnz and mov.
    assert_eq!(judged(&aarch64(within, &[(0, entry)], None)).0, [("row/ra-matches-truth".to_owned(), 3)]);
}

/// A loop in which the last instruction of a page signs the return address, so that a block ends with it: 1: nop; paciasp; autiasp; subs x1,x1,#1;
/// b.ne 1b; ret. Where that was not followed, the return address would be taken for another one.
#[test]
fn an_address_that_is_signed_at_the_end_of_a_block_is_followed() {
    const PAGE: u64 = 4096;
    const NOP: u32 = 0xd503_201f;
    let plain = FrameState::at_entry(Abi::Aarch64);
    let built = |nops: usize| {
        let words = [0xd280_00c1, NOP, 0xd503_233f, 0xd503_23bf, 0xf100_0421, 0x54ff_ff81, 0xd65f_03c0];
        let signed = nops as u32 * 4 + 12;
        let frames = [(0, plain), (signed, FrameState { signed: true, ..plain }), (signed + 4, plain)];
        aarch64(std::iter::repeat_n(NOP, nops).chain(words), &frames, None)
    };
    let begins = |bytes: &[u8]| {
        let image = elf::load("signed", &Bytes::copy_from_slice(bytes)).expect("an image");
        image.symbols.iter().find(|symbol| symbol.name.as_str() == "middle").expect("a symbol").address
    };
    let signs_at = (begins(&built(0)) + 8) % PAGE;
    let nops = (2 * PAGE - 4 - signs_at) % PAGE / 4;
    let (errors, undecided) = judged(&built(nops as usize));
    assert_eq!((errors, undecided), (Vec::new(), 0));
}

/// Counts who judges what: steps that the judge takes in again, one by one or in blocks; without blocks calls and returns are shown to it always. The
/// comparisons above are none of a thing with itself.
#[test]
fn most_steps_are_taken_in_again() {
    /// Of calls and returns, and of others: how many were shown, and taken in again. Then those in blocks.
    struct Counting<'a>(judge::execution::Judge<'a>, [[u64; 2]; 2], u64);
    impl Counting<'_> {
        fn counted(&mut self, take: impl FnOnce(&mut judge::execution::Judge<'_>) -> bool) -> bool {
            let before = self.0.counts.steps;
            let is = take(&mut self.0);
            self.2 += self.0.counts.steps - before;
            is
        }
    }
    impl Observer for Counting<'_> {
        fn step(&mut self, step: &Step<'_>) {
            self.1[0][usize::from(matches!(step.event, Event::Call | Event::Return))] += 1;
            self.0.step(step);
        }
        fn note(&mut self) -> Option<model::Note> {
            self.0.note()
        }
        fn again(&mut self, note: model::Note, step: &Step<'_>) -> bool {
            let is = self.0.again(note, step);
            self.1[1][usize::from(matches!(step.event, Event::Call | Event::Return))] += u64::from(is);
            is
        }
        fn takes_blocks(&self) -> bool {
            self.0.takes_blocks()
        }
        fn like(&mut self, step: &Step<'_>) -> Option<model::Note> {
            self.0.like(step)
        }
        fn block(&mut self, block: &model::Block<'_>) -> Option<model::Note> {
            self.0.block(block)
        }
        fn open(&mut self, block: model::Note, step: &Step<'_>) {
            self.0.open(block, step);
        }
        fn close(&mut self, after: &model::Boundary<'_>) {
            self.0.close(after);
        }
        fn block_again(&mut self, block: model::Note, step: &Step<'_>, shown: bool) -> bool {
            self.counted(|judge| judge.block_again(block, step, shown))
        }
        fn block_entered(&mut self, block: model::Note, step: &Step<'_>) -> bool {
            self.counted(|judge| judge.block_entered(block, step))
        }
        fn ended(&mut self, after: &model::Boundary<'_>) -> bool {
            self.0.ended(after)
        }
    }
    let middle = [0xb9, 100, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0x85, 0xc9, 0x75, 0xf7, 0xc3];
    let bytes = sample(&middle, &[Row::Own(0, 8)], &[0xff, 0xc9, 0xc3], Some(5));
    let image = elf::load("counted", &bytes.into()).expect("an image");
    let tables = judge::tables::Tables::of(&image);
    let counted = |blocks_from| {
        let mut counting = Counting(judge::execution::Judge::new(&image, &tables, false), [[0; 2]; 2], 0);
        counting.0.begin(true);
        let plan = machine::Plan { blocks_from, ..machine::Plan::new(&image) };
        let run = machine::run(&plan, &mut counting).expect("a run");
        let Counting(judge, one_by_one, in_blocks) = counting;
        assert_eq!(judge.counts.steps, run.steps);
        assert_eq!(one_by_one.as_flattened().iter().sum::<u64>() + in_blocks, run.steps);
        (one_by_one, in_blocks)
    };
    let ([shown, again], in_blocks) = counted(u64::MAX);
    assert!(shown[0] < 40 && shown[1] > 200 && again[0] > 250 && again[1] == 0, "{shown:?} shown, {again:?} again");
    assert_eq!(in_blocks, 0);
    let (one_by_one, in_blocks) = counted(0);
    assert!(in_blocks > 450, "{one_by_one:?}, {in_blocks} in blocks");
}

/// mov $6,%ecx; 1: call victim; dec %ecx; jnz 1b; ret, with any number of steps as the limit: the run ends at the same instruction.
#[test]
fn a_limit_ends_the_run_at_the_same_step() {
    let middle = [0xb9, 6, 0, 0, 0, 0xe8, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xc9, 0x75, 0xf7, 0xc3];
    let bytes = sample(&middle, &[Row::Own(0, 8)], &[0xc3], Some(5));
    for step_limit in 1..60 {
        both("limited", &bytes, &Options { step_limit, ..Options::default() });
    }
}

/// push %rbp; lea -64(%rsp),%r9; mov $6,%r10d; mov $60,%r12d; 1: mov $39,%eax; xor %edi,%edi; dec %r10d; cmovz %rsp,%r9; cmovz %r12d,%eax; mov %r10,(%r9); nop;
/// nop; syscall; jmp 1b: in the last round the saved FP is written over, and the program exits at the end of that very block.
#[test]
fn a_slot_that_is_written_over_in_the_last_block_is_seen() {
    let code = bytes_of(
        "55 4c8d4c24c0 41ba06000000 41bc3c000000 b827000000 31ff 41ffca 4c0f44cc 410f44c4 4d8911 90 90 0f05 ebe5",
    );
    let bytes = sample(&code, &[Row::Own(0, 8), Row::Saved(1, 16)], &[0xc3], None);
    let checked = both("exits", &bytes, &Options::default()).expect("a file that loads");
    assert!(checked.report.summary.undecided >= 2, "{}", checked.report.summary.undecided);
}

/// push %rbp; mov %rsp,%rbp; and $-16,%rsp; nop; mov %rbp,%rsp; pop %rbp; ret, called with SP at one alignment, six times at the other, and at the first again: how far
/// AND moves SP is no part of the state, and the block itself makes it good.
#[test]
fn a_stack_pointer_that_is_aligned_within_a_known_block_is_seen() {
    let victim = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xe4, 0xf0, 0x90, 0x48, 0x89, 0xec, 0x5d, 0xc3];
    // push %rax; call victim; pop %rax; mov $6,%ecx; 1: call victim; dec %ecx; jnz 1b; push %rax; call victim; pop %rax; ret
    let middle = bytes_of("50 e8fbffffff 58 b906000000 e8fbffffff ffc9 75f7 50 e8fbffffff 58 c3");
    let rows = [Row::Own(0, 8), Row::Own(1, 16), Row::Own(7, 8), Row::Own(22, 16), Row::Own(28, 8)];
    // As it is, and with SP another word away.
    let away = [&[0x50][..], &middle[..28], &[0x58], &middle[28..]].concat();
    let rows_away = [
        Row::Own(0, 8),
        Row::Own(1, 16),
        Row::Own(2, 24),
        Row::Own(8, 16),
        Row::Own(23, 24),
        Row::Own(29, 16),
        Row::Own(30, 8),
    ];
    let its_rows = [Row::Own(0, 8), Row::Saved(1, 16), Row::Own(13, 8)];
    let wrong: Vec<u64> = [(&middle, &rows[..], [1, 12, 22]), (&away, &rows_away[..], [2, 13, 23])]
        .into_iter()
        .map(|(middle, rows, calls)| {
            judged(&calling(middle, rows, &calls, &victim, &its_rows)).0.iter().map(|one| one.1).sum()
        })
        .collect();
    // nop and mov of the calls at which AND moves SP.
    assert_eq!(wrong.iter().sum::<u64>(), 2 * 8, "{wrong:?}");
}

/// A program that makes a stack of its own and takes it away at the end of a block that is known: mmap; lea 65536(%rax),%rsp; call middle; hlt, and push %rbp;
/// mov $6,%r12d; 1: xor %edi,%edi; mov $11,%eax; mov $65536,%esi; dec %r12d; cmovz %rbx,%rdi; mov %r12,-64(%rsp); nop; syscall; jmp 1b.
#[test]
fn a_stack_that_is_taken_away_by_a_known_block_ends_the_run_where_it_is() {
    let abi = Abi::Amd64;
    let mut code =
        bytes_of("b809000000 31ff be00000100 ba03000000 41ba22000000 49c7c0ffffffff 4531c9 0f05 4889c3 488da000000100");
    let at = code.len();
    code.extend(bytes_of("e8fbffffff f4"));
    let call = Function::framed(abi, "", "middle").calls.remove(0);
    let calls = vec![generators::code::Call { at, ..call }];
    let start = Function { code, calls, ..Function::start(abi, "_start", "middle") };
    let middle = Function {
        code: bytes_of("55 41bc06000000 31ff b80b000000 be00000100 41ffcc 480f44fb 4c896424c0 90 0f05 ebe3"),
        frames: [Row::Own(0, 8), Row::Saved(1, 16)].iter().map(|row| row.frame()).collect(),
        ..Function::leaf(abi, "middle")
    };
    let checked = both("unmaps", &built(abi, vec![start, middle]), &Options::default()).expect("a file that loads");
    let ended: Vec<&str> = checked.report.undecided.iter().map(|one| one.message.as_str()).collect();
    assert!(ended.iter().any(|message| message.contains("cannot write 8 bytes")), "{ended:?}");
}
