//! The table of blame (reports/README.md), tested by execution: generated files with one bug in one
//! table or both, on every target.

use check::Options;
use generators::code::{Call, FrameAt, FrameState, Function, Transfer};
use generators::eh_frame::Cfi;
use generators::elf::{FileKind, Symbol, SymbolKind};
use generators::sample::Sample;
use generators::sframe::{RowSpec, Word};
use results::{Blame, Deny, Finding, Outcome, Report};
use spec::Severity;
use types::{Abi, Bytes, CfaRule, PacKey, SframeVersion, ValueRule};

use crate::check;
use crate::sample::sample;
use testing::elf::Elf;

// Positions of the functions below, in both tables.
const FRAMED: usize = 0;
const LEAF: usize = 1;
const START: usize = 2;

fn judged(sample: &Sample) -> Report {
    check("sample", &sample.bytes().expect("a file").into(), &Options::default()).report
}

/// The errors as rule, blame and function.
fn errors(report: &Report) -> Vec<(&'static str, Blame, &str)> {
    let errors = report.discrepancies.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found: &Finding| (found.rule().name(), found.blame(), found.function())).collect()
}

/// Makes the CFA of `leaf` wrong by `bytes` in `.sframe` (SFrame V2 errata 1: s390x stores it
/// divided by 8).
fn shift_sframe(sample: &mut Sample, bytes: i32) {
    let unit = i32::try_from(sample.abi.facts().cfa_word.scale).expect("a small scale");
    for word in sample.section.functions[LEAF].rows[0].words.iter_mut().take(1) {
        let Word::Offset(offset) = word else { panic!("a default row") };
        *offset += bytes / unit;
    }
}

/// Makes the CFA of `leaf` wrong by `bytes` in `.eh_frame`.
fn shift_eh_frame(sample: &mut Sample, bytes: i64) {
    let offset = sample.abi.facts().cfa_minus_sp_at_entry + bytes;
    sample.eh_frame.cies[0].fdes[LEAF].program.insert(0, (0, Cfi::DefCfaOffset(offset)));
}

/// Reports on every target's executable with a bug.
fn with(edit: impl Fn(&mut Sample)) -> Vec<(Abi, Report)> {
    let report = |abi| {
        let mut sample = sample(abi, FileKind::Executable);
        edit(&mut sample);
        (abi, judged(&sample))
    };
    Abi::ALL.map(report).into()
}

#[test]
fn both_right_is_clean() {
    for (abi, report) in with(|_| ()) {
        assert_eq!(errors(&report), [], "{abi}");
        assert_eq!(report.outcome(Deny::default()), Outcome::Clean, "{abi}: {:?}", report.undecided);
        assert_eq!(report.summary.max_depth, 2, "{abi}");
        assert_eq!(report.summary.steps_executed, report.summary.steps_judged, "{abi}");
    }
}

#[test]
fn sframe_alone_wrong() {
    for (abi, report) in with(|sample| shift_sframe(sample, 8)) {
        assert_eq!(errors(&report), [("row/cfa-matches-truth", Blame::AssemblerOrLinker, "leaf")], "{abi}");
        let found = &report.discrepancies[0];
        let cfa = |values: &Option<results::Values>| values.as_ref().and_then(|values| values.cfa);
        assert_eq!(cfa(&found.evidence.sframe), cfa(&found.evidence.truth).map(|cfa| cfa + 8), "{abi}");
        assert_eq!(cfa(&found.evidence.eh_frame), cfa(&found.evidence.truth), "{abi}");
        assert!(found.evidence.executed && found.shown.offset.is_some() && !found.shown.window.is_empty(), "{abi}");
    }
}

/// Control reaches the jump back at the end before the return at the beginning: both are wrong, and
/// the first to occur is reported.
#[test]
fn the_code_that_is_shown_is_where_the_values_were_seen() {
    const RETURN: u32 = 2;
    let abi = Abi::Amd64;
    let mut leaf = Function::leaf(abi, "leaf");
    leaf.code = [&[0xeb, 0x13, 0xc3][..], &[0x90; 18], &[0xeb, 0xeb]].concat();
    let functions = vec![Function::framed(abi, "framed", "leaf"), leaf, Function::start(abi, "_start", "framed")];
    let mut sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    let rows = &mut sample.section.functions[LEAF].rows;
    rows.push(RowSpec { start: RETURN, words: vec![Word::Offset(16)], ..rows[0].clone() });
    let report = judged(&sample);
    assert_eq!(errors(&report), [("row/cfa-matches-truth", Blame::AssemblerOrLinker, "leaf")]);
    let found = &report.discrepancies[0];
    assert!(found.shown.message.contains("leaf+0x15"), "{}", found.shown.message);
    assert!(found.shown.window.iter().any(|line| line.place == "leaf+0x15" && line.wrong), "{:?}", found.shown.window);
}

#[test]
fn eh_frame_alone_wrong() {
    for (abi, report) in with(|sample| shift_eh_frame(sample, 8)) {
        assert_eq!(errors(&report), [("eh-frame/cfa-matches-truth", Blame::EhFrame, "leaf")], "{abi}");
    }
}

#[test]
fn both_wrong_alike() {
    let edit = |sample: &mut Sample| {
        shift_sframe(sample, 8);
        shift_eh_frame(sample, 8);
    };
    for (abi, report) in with(edit) {
        assert_eq!(errors(&report), [("row/cfa-matches-truth", Blame::Compiler, "leaf")], "{abi}");
    }
}

#[test]
fn both_wrong_in_different_ways() {
    let edit = |sample: &mut Sample| {
        shift_sframe(sample, 8);
        shift_eh_frame(sample, 16);
    };
    for (abi, report) in with(edit) {
        let expected = [
            ("eh-frame/cfa-matches-truth", Blame::Compiler, "leaf"),
            ("row/cfa-matches-truth", Blame::AssemblerOrLinker, "leaf"),
        ];
        assert_eq!(errors(&report), expected, "{abi}");
    }
}

/// Only `.eh_frame` has a rule for the caller's SP. With a CFA far outside the stack that rule
/// faults, while `.sframe` answers: this is still one wrong rule in both tables.
#[test]
fn both_wrong_alike_where_eh_frame_cannot_answer() {
    const FAR: i32 = 1 << 30;
    for abi in Abi::ALL {
        let mut sample = sample(abi, FileKind::Executable);
        shift_sframe(&mut sample, FAR);
        sample.section.functions[LEAF].rows[0].width = generators::sframe::Width::Four;
        shift_eh_frame(&mut sample, FAR.into());
        let sp = abi.facts().sp;
        sample.eh_frame.cies[0].fdes[LEAF].program.insert(1, (0, Cfi::Offset(sp, -40)));
        let report = judged(&sample);
        // A fixed slot of the return address (AMD64) faults too, in both tables.
        let rule = if abi.facts().fixed_ra.is_some() { "row/ra-matches-truth" } else { "row/cfa-matches-truth" };
        assert_eq!(errors(&report), [(rule, Blame::Compiler, "leaf")], "{abi}");
    }
}

/// Not executed: the object's tables differ, and its assembler wrote both.
#[test]
fn tables_of_an_object_that_differ() {
    for abi in Abi::ALL {
        let mut sample = sample(abi, FileKind::Relocatable);
        shift_sframe(&mut sample, 8);
        let report = judged(&sample);
        assert_eq!(errors(&report), [("cfi/cfa-differs", Blame::Assembler, "leaf")], "{abi}");
        assert!(!report.discrepancies.iter().any(|found| found.evidence.executed), "{abi}");
    }
}

/// An assembler names one source. An object that names several was made by `ld -r`: the file does
/// not show whose bug it is.
#[test]
fn an_object_of_several_sources_is_not_the_assemblers_alone() {
    let both = Blame::AssemblerOrLinker;
    let cases: [(&[&str], Blame); 4] = [
        (&[], Blame::Assembler),
        (&["one.c"], Blame::Assembler),
        (&["one.c", "one.c", ""], Blame::Assembler),
        (&["one.c", "two.c"], both),
    ];
    for abi in Abi::ALL {
        for (sources, blame) in cases {
            let mut sample = sample(abi, FileKind::Relocatable);
            shift_sframe(&mut sample, 8);
            let mut file = sample.elf().expect("a file");
            for source in sources {
                let name = (*source).to_owned();
                file.push_symbol(Symbol {
                    name,
                    kind: SymbolKind::File,
                    local: true,
                    section: None,
                    value: 0,
                    size: 0,
                });
            }
            let bytes = generators::elf::write(&file).expect("bytes");
            let report = check("sample", &Bytes::copy_from_slice(&bytes), &Options::default()).report;
            assert_eq!(errors(&report), [("cfi/cfa-differs", blame, "leaf")], "{abi} {sources:?}");
        }
    }
}

#[test]
fn a_function_without_a_row_for_an_executed_instruction() {
    for (abi, report) in with(|sample| drop(sample.section.functions[FRAMED].rows.remove(0))) {
        let found = errors(&report);
        assert!(found.contains(&("row/missing", Blame::AssemblerOrLinker, "framed")), "{abi}: {found:?}");
    }
}

#[test]
fn a_caller_claimed_where_execution_began() {
    let edit = |sample: &mut Sample| {
        let leaf: RowSpec = sample.section.functions[LEAF].rows[0].clone();
        sample.section.functions[START].rows = vec![leaf];
    };
    for (abi, report) in with(edit) {
        let found = errors(&report);
        assert!(found.contains(&("row/outermost", Blame::AssemblerOrLinker, "_start")), "{abi}: {found:?}");
    }
}

/// A row that still reads slots of a frame that has been popped: below SP nothing is safe on
/// AArch64; 128 bytes are on AMD64.
#[test]
fn slots_of_a_popped_frame() {
    let stale = |abi: Abi| {
        let mut sample = sample(abi, FileKind::Executable);
        let rows = &mut sample.section.functions[FRAMED].rows;
        let (first, count) = (rows[0].words[0], rows.len());
        let saved = rows[count - 2].words[1..].to_vec();
        rows[count - 1].words = [vec![first], saved].concat();
        judged(&sample)
    };
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let report = stale(abi);
        assert_eq!(errors(&report), [("row/reads-dead-stack", Blame::AssemblerOrLinker, "framed")], "{abi}");
    }
    // The saved FP is still in the red zone: no step shows which table is wrong, but they differ.
    assert_eq!(errors(&stale(Abi::Amd64)), [("cfi/fp-differs", Blame::Undetermined, "framed")]);
}

#[test]
fn how_a_return_address_is_signed() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let judged_with = |edit: &dyn Fn(&mut Sample)| {
            let signed = Function::signed(abi, "signed", "leaf", PacKey::A).expect("AArch64 signs");
            let functions = vec![signed, Function::leaf(abi, "leaf"), Function::start(abi, "_start", "signed")];
            let mut sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
            edit(&mut sample);
            judged(&sample)
        };
        let plain = judged_with(&|sample| {
            for row in &mut sample.section.functions[0].rows {
                row.signed = false;
            }
        });
        let key = judged_with(&|sample| sample.section.functions[0].key = PacKey::B);
        assert_eq!(errors(&judged_with(&|_| ())), [], "{abi}");
        for report in [plain, key] {
            let expected = ("row/signed-matches-truth", Blame::AssemblerOrLinker, "signed");
            assert!(errors(&report).contains(&expected), "{abi}: {:?}", errors(&report));
        }
    }
}

#[test]
fn one_table_alone() {
    for abi in Abi::ALL {
        let report = |edit: &dyn Fn(&mut Sample), hidden: &str| {
            let mut sample = sample(abi, FileKind::Executable);
            edit(&mut sample);
            let mut elf = Elf::new(sample.bytes().expect("a file"));
            elf.hide(hidden);
            check("sample", &Bytes::copy_from_slice(&elf.bytes), &Options::default()).report
        };
        let sframe = |edit: &dyn Fn(&mut Sample)| report(edit, ".eh_frame");
        let eh_frame = |edit: &dyn Fn(&mut Sample)| report(edit, ".sframe");
        assert_eq!(errors(&sframe(&|_| ())), [], "{abi}");
        assert_eq!(errors(&eh_frame(&|_| ())), [], "{abi}");
        let wrong = sframe(&|sample| shift_sframe(sample, 8));
        assert_eq!(errors(&wrong), [("row/cfa-matches-truth", Blame::Undetermined, "leaf")], "{abi}");
        let wrong = eh_frame(&|sample| shift_eh_frame(sample, 8));
        assert_eq!(errors(&wrong), [("eh-frame/cfa-matches-truth", Blame::Compiler, "leaf")], "{abi}");
    }
}

/// A fingerprint depends on rule, blame, function and rows, not on addresses: code inserted before
/// moves everything without changing it.
#[test]
fn a_fingerprint_does_not_depend_on_addresses() {
    for abi in Abi::ALL {
        let mut near = sample(abi, FileKind::Executable);
        let functions = vec![
            Function::leaf(abi, "in_front").padded(abi, 2, 4096),
            Function::framed(abi, "framed", "leaf"),
            Function::leaf(abi, "leaf"),
            Function::start(abi, "_start", "framed"),
        ];
        let mut far = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
        shift_sframe(&mut near, 8);
        far.section.functions[LEAF + 1].rows[0] = near.section.functions[LEAF].rows[0].clone();
        let (near, far) = (judged(&near), judged(&far));
        assert_ne!(near.discrepancies[0].evidence.ranges, far.discrepancies[0].evidence.ranges, "{abi}");
        assert_eq!(near.discrepancies[0].fingerprint(), far.discrepancies[0].fingerprint(), "{abi}");
        assert_eq!(errors(&near), errors(&far), "{abi}");
    }
}

/// Little-endian words, as AArch64 instructions are in both byte orders.
fn words(code: &[u32]) -> Vec<u8> {
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An AArch64 function of these words whose frame is as at entry, except for the given offsets of
/// the CFA and the saved pair.
fn function(
    abi: Abi,
    name: &str,
    code: &[u32],
    to: Option<(usize, &str, Transfer)>,
    frames: &[(u32, FrameState)],
) -> Function {
    let call =
        |(at, callee, transfer): (usize, &str, Transfer)| Call { at, callee: callee.to_owned(), into: 0, transfer };
    let at = |(offset, frame): &(u32, FrameState)| FrameAt { offset: *offset, frame: *frame };
    Function {
        name: name.to_owned(),
        code: words(code),
        calls: to.map(call).into_iter().collect(),
        frames: frames.iter().map(at).collect(),
        ..Function::leaf(abi, name)
    }
}

/// `_start` calls `keeps`, which calls `lowers`, which reserves 32 bytes of stack and jumps to
/// `last`.
fn lowering(abi: Abi, last: &[u32]) -> Report {
    let facts = abi.facts();
    let entry = FrameState::at_entry(abi);
    let cfa = |reg, offset| FrameState { cfa: CfaRule::Register { reg, offset }, ..entry };
    let saved = |frame| FrameState { ra: ValueRule::AtCfa(-8), fp: ValueRule::AtCfa(-16), ..frame };
    let keeps = function(
        abi,
        "keeps",
        // stp x29, x30, [sp, #-16]!; mov x29, sp; bl; mov sp, x29; ldp x29, x30, [sp], #16; ret
        &[0xa9bf_7bfd, 0x9100_03fd, 0x9400_0000, 0x9100_03bf, 0xa8c1_7bfd, 0xd65f_03c0],
        Some((8, "lowers", Transfer::Call)),
        &[(0, entry), (4, saved(cfa(facts.sp, 16))), (8, saved(cfa(facts.fp, 16))), (20, entry)],
    );
    // sub sp, sp, #32; b
    let lowers = function(
        abi,
        "lowers",
        &[0xd100_83ff, 0x1400_0000],
        Some((4, "last", Transfer::Jump)),
        &[(0, entry), (4, cfa(facts.sp, 32))],
    );
    let last = function(abi, "last", last, None, &[(0, entry)]);
    let functions = vec![keeps, lowers, last, Function::start(abi, "_start", "keeps")];
    judged(&Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample"))
}

/// As clang outlines an allocation on the stack together with the call after it: `last` is an
/// ordinary function, which cannot know that SP was lowered for its caller's caller.
#[test]
fn a_function_jumped_to_with_stack_kept_for_the_caller_is_not_wrong() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let report = lowering(abi, &[0xd503_201f, 0xd65f_03c0]); // nop; ret
        assert_eq!(errors(&report), [], "{abi}");
        assert_eq!(report.summary.undecided, 0, "{abi}");
        // Two tables at two steps: it returned with the SP that their rows describe.
        assert!(
            report.notes.iter().any(|note| note.ends_with("be right: 4 lowered-stack")),
            "{abi}: {:?}",
            report.notes
        );
        assert_eq!(report.outcome(Deny::default()), Outcome::Clean, "{abi}: {:?}", report.undecided);
    }
}

/// A part of a function instead of a function: it frees the stack, so its rows have the wrong CFA.
#[test]
fn a_part_jumped_to_that_gives_the_stack_back_is_wrong() {
    for abi in [Abi::Aarch64, Abi::Aarch64Be] {
        let report = lowering(abi, &[0xd503_201f, 0x9100_83ff, 0xd65f_03c0]); // nop; add sp, sp, #32; ret
        assert_eq!(errors(&report), [("row/cfa-matches-truth", Blame::Compiler, "last")], "{abi}");
        let found = &report.discrepancies.iter().find(|found| found.function() == "last").expect("the finding");
        assert_eq!(found.evidence.steps, 2, "{abi}");
        assert_eq!(report.summary.undecided, 0, "{abi}: {:?}", report.notes);
        assert!(!report.notes.iter().any(|note| note.contains("lowered")), "{abi}: {:?}", report.notes);
    }
}

/// A row of unknown width: the function cannot be read, which is reported; it is not omitted.
#[test]
fn a_function_that_cannot_be_read_is_no_gap() {
    const WORDS_OF_SIZE_3: u8 = 3 << 5 | 1 << 1 | 1;
    for (abi, report) in with(|sample| sample.section.functions[LEAF].rows[0].info = Some(WORDS_OF_SIZE_3)) {
        assert!(errors(&report).iter().any(|(rule, ..)| *rule == "row/word-size"), "{abi}: {:?}", errors(&report));
        assert_eq!((report.summary.missing, report.gaps.len()), (0, 0), "{abi}");
    }
}
