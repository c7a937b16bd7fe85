//! Slots that the program overwrites, in both directions: the row has the right slot, or one that
//! held the value by chance. AArch64 in both byte orders, where the code determines the slots.

use check::Options;
use generators::code::{FrameAt, FrameState, Function, OwnCfi};
use generators::eh_frame::Cfi;
use generators::elf::FileKind;
use generators::sample::Sample;
use results::{Blame, Report};
use spec::Severity;
use types::{Abi, CfaRule, Reg, SframeVersion, ValueRule};

use crate::check;

const ABIS: [Abi; 2] = [Abi::Aarch64, Abi::Aarch64Be];
const RET: u32 = 0xd65f_03c0;

/// `_start` calls `outer`, which calls `victim` with this code, and these frames by offset.
fn report(abi: Abi, victim: &[u32], frames: &[(u32, FrameState)]) -> Report {
    let code = victim.iter().flat_map(|word| word.to_le_bytes()).collect();
    let at = |(offset, frame): &(u32, FrameState)| FrameAt { offset: *offset, frame: *frame };
    let victim = Function { code, frames: frames.iter().map(at).collect(), ..Function::leaf(abi, "victim") };
    let functions = vec![Function::framed(abi, "outer", "victim"), victim, Function::start(abi, "_start", "outer")];
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    let options = Options::default();
    check("overwritten", &sample.bytes().expect("a file").into(), &options).report
}

fn errors(report: &Report) -> Vec<(&'static str, Blame, &str)> {
    let errors = report.discrepancies.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| (found.rule().name(), found.blame(), found.function())).collect()
}

fn undecided(report: &Report) -> bool {
    report.undecided.iter().any(|one| one.reason.name() == "overwritten-slot")
}

/// The row at entry, and one with the CFA at SP plus `size`, and the return address and FP saved at
/// these offsets from it.
fn states(abi: Abi, size: i64, ra: i64, fp: i64) -> (FrameState, FrameState) {
    let entry = FrameState::at_entry(abi);
    let cfa = CfaRule::Register { reg: abi.facts().sp, offset: size };
    (entry, FrameState { cfa, ra: ValueRule::AtCfa(ra), fp: ValueRule::AtCfa(fp), ..entry })
}

/// stp x29, x30, [sp, #-16]!; mov x29, #7; str x29, [sp]; ldp x29, x30, [sp], #16; ret: the caller
/// gets FP 7.
#[test]
fn a_saved_fp_that_the_program_wrote_over_accuses_nobody() {
    for abi in ABIS {
        let (entry, saved) = states(abi, 16, -8, -16);
        let code = [0xa9bf_7bfd, 0xd280_00fd, 0xf900_03fd, 0xa8c1_7bfd, RET];
        let report = report(abi, &code, &[(0, entry), (4, saved), (16, entry)]);
        assert_eq!(errors(&report), [], "{abi}");
        assert!(undecided(&report), "{abi}: {:?}", report.notes);
    }
}

/// The same code, but the true FP is in x9 and is restored from there: the slot was free, and the
/// row is wrong. stp x29, x30, [sp, #-16]!; mov x9, x29; mov x29, #7; str x29, [sp]; mov x29, x9;
/// ldr x30, [sp, #8]; add sp, sp, #16; ret
#[test]
fn a_slot_that_the_function_does_not_restore_from_is_the_wrong_one() {
    for abi in ABIS {
        let (entry, saved) = states(abi, 16, -8, -16);
        let code = [0xa9bf_7bfd, 0xaa1d_03e9, 0xd280_00fd, 0xf900_03fd, 0xaa09_03fd, 0xf940_07fe, 0x9100_43ff, RET];
        let report = report(abi, &code, &[(0, entry), (4, saved), (28, entry)]);
        let rule = |(rule, blame, function): &(&'static str, Blame, &str)| {
            *rule == "row/fp-matches-truth" && *blame == Blame::Compiler && *function == "victim"
        };
        assert!(errors(&report).iter().any(rule), "{abi}: {:?}", errors(&report));
        assert!(!undecided(&report), "{abi}: {:?}", report.notes);
    }
}

/// The row has a slot that never held the value: an error, whatever is written there later. stp
/// x29, x30, [sp, #-32]!; str xzr, [sp, #16]; mov x29, #7; str x29, [sp, #16]; ldp x29, x30, [sp],
/// #32; ret
#[test]
fn a_slot_that_never_held_the_value_is_the_wrong_one() {
    for abi in ABIS {
        let (entry, saved) = states(abi, 32, -24, -16);
        let code = [0xa9be_7bfd, 0xf900_0bff, 0xd280_00fd, 0xf900_0bfd, 0xa8c2_7bfd, RET];
        let report = report(abi, &code, &[(0, entry), (4, saved), (20, entry)]);
        assert_eq!(errors(&report), [("row/fp-matches-truth", Blame::Compiler, "victim")], "{abi}");
        assert!(!undecided(&report), "{abi}: {:?}", report.notes);
    }
}

/// A row that still applies after the restore, when the slot is reused, is wrong: stp x29, x30,
/// [sp, #-16]!; mov x29, #7; ldp x29, x30, [sp]; str xzr, [sp]; add sp, sp, #16; ret
#[test]
fn a_row_that_is_late_where_its_slot_is_used_again_is_wrong() {
    for abi in ABIS {
        let (entry, saved) = states(abi, 16, -8, -16);
        let code = [0xa9bf_7bfd, 0xd280_00fd, 0xa940_7bfd, 0xf900_03ff, 0x9100_43ff, RET];
        let report = report(abi, &code, &[(0, entry), (4, saved), (20, entry)]);
        assert_eq!(errors(&report), [("row/fp-matches-truth", Blame::Compiler, "victim")], "{abi}");
    }
}

/// lea 8(%rbp),%rcx, 7 bytes of `code`, and ret; after the first 4 of them the CFA is rcx + 8: the
/// frame of `outer`'s caller.
fn leaving(code: [u8; 7]) -> Report {
    let entry = FrameState::at_entry(Abi::Amd64);
    let by_rcx = FrameState { cfa: CfaRule::Register { reg: Reg(2), offset: 8 }, ..entry };
    let code = [&[0x48, 0x8d, 0x4d, 0x08][..], &code, &[0xc3]].concat();
    let frames = [(0, entry), (8, by_rcx), (11, entry)].map(|(offset, frame)| FrameAt { offset, frame });
    let victim = Function { code, frames: frames.to_vec(), ..Function::leaf(Abi::Amd64, "victim") };
    let functions =
        vec![Function::framed(Abi::Amd64, "outer", "victim"), victim, Function::start(Abi::Amd64, "_start", "outer")];
    let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    check("leaving", &sample.bytes().expect("a file").into(), &Options::default()).report
}

/// mov (%rbp),%rbp; mov %rcx,%rsp: the row describes the place where control lands one instruction
/// later.
#[test]
fn a_row_that_says_where_a_throw_lands_accuses_nobody() {
    let report = leaving([0x48, 0x8b, 0x6d, 0x00, 0x48, 0x89, 0xcc]);
    assert_eq!(errors(&report), []);
    assert!(report.notes.iter().any(|note| note.contains("leaving-by-longjmp")), "{:?}", report.notes);
}

/// Like glibc's `setcontext`: rdx is a page of the heap, to which the return address of `outer`, SP
/// and rbp as its caller has them are stored. After that the row is relative to rdx, and these 10
/// bytes follow.
fn restoring(code: [u8; 10]) -> Report {
    let filled = [
        [0xb8, 0x0c, 0x00, 0x00, 0x00, 0x31, 0xff, 0x0f, 0x05, 0x48, 0x89, 0xc2].as_slice(), // mov $12,%eax; xor %edi,%edi; syscall; mov %rax,%rdx
        &[0x48, 0x8d, 0xb8, 0x00, 0x10, 0x00, 0x00, 0xb8, 0x0c, 0x00, 0x00, 0x00, 0x0f, 0x05], // lea 4096(%rax),%rdi; mov $12,%eax; syscall
        &[0x48, 0x8b, 0x45, 0x08, 0x48, 0x89, 0x02], // mov 8(%rbp),%rax; mov %rax,(%rdx)
        &[0x48, 0x8d, 0x4d, 0x10, 0x48, 0x89, 0x4a, 0x08], // lea 16(%rbp),%rcx; mov %rcx,8(%rdx)
        &[0x48, 0x8b, 0x45, 0x00, 0x48, 0x89, 0x42, 0x10], // mov (%rbp),%rax; mov %rax,16(%rdx)
    ]
    .concat();
    let (entry, at) = (FrameState::at_entry(Abi::Amd64), filled.len());
    let none = FrameState { cfa: CfaRule::Unspecified, ..entry };
    let frames = vec![FrameAt { offset: 0, frame: entry }, FrameAt { offset: at as u32, frame: none }];
    let (rdx, rbp, rsp, rip) = (Reg(1), Reg(6), Reg(7), Reg(16));
    let rules = [Cfi::DefCfa(rdx, 0), Cfi::Offset(rip, 0), Cfi::Offset(rsp, 8), Cfi::Offset(rbp, 16)];
    let program = rules.into_iter().map(|rule| (at as u64, rule)).collect();
    let cfi = Some(OwnCfi { return_column: rip, program });
    let code = [filled, code.to_vec()].concat();
    let victim = Function { code, frames, cfi, ..Function::leaf(Abi::Amd64, "victim") };
    let functions =
        vec![Function::framed(Abi::Amd64, "outer", "victim"), victim, Function::start(Abi::Amd64, "_start", "outer")];
    let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    check("restoring", &sample.bytes().expect("a file").into(), &Options::default()).report
}

/// mov 16(%rdx),%rbp; mov 8(%rdx),%rsp; jmp *(%rdx)
#[test]
fn a_row_that_says_what_context_is_restored_accuses_nobody() {
    let report = restoring([0x48, 0x8b, 0x6a, 0x10, 0x48, 0x8b, 0x62, 0x08, 0xff, 0x22]);
    assert_eq!((errors(&report), report.exit_status), (vec![], Some(0)));
    let reasons: Vec<&str> = report.undecided.iter().map(|one| one.reason.name()).collect();
    assert_eq!(reasons, ["abandoned-frame", "leaving-by-longjmp"], "the context is not on the stack");
}

/// mov 16(%rdx),%rax; mov 8(%rdx),%rax; ret; nop: the same row, but the function returns normally.
#[test]
fn a_row_of_a_context_that_is_not_restored_is_wrong() {
    let report = restoring([0x48, 0x8b, 0x42, 0x10, 0x48, 0x8b, 0x42, 0x08, 0xc3, 0x90]);
    assert_eq!(errors(&report), [("eh-frame/ra-matches-truth", Blame::Compiler, "victim")]);
}

/// mov (%rbp),%rax; nopl (%rax): the same row, but the function returns normally.
#[test]
fn a_row_that_says_where_nothing_lands_is_wrong() {
    let report = leaving([0x48, 0x8b, 0x45, 0x00, 0x0f, 0x1f, 0x00]);
    assert_eq!(errors(&report), [("row/cfa-matches-truth", Blame::Compiler, "victim")]);
}
