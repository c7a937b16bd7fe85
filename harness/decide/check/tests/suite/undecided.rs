//! Tables that cannot be evaluated for executed code: never clean, and an error if the bytes are
//! meaningless.

use std::fs;
use std::process::Command;
use std::time::Duration;

use check::{Limits, Options, Sframe};
use generators::code::Function;
use generators::elf::{FileKind, Section};
use generators::sample::Sample;
use generators::sframe::Word;
use judge::tables::MOST_SECTIONS;
use results::{Deny, Outcome, Report};
use spec::RuleId;
use testing::scratch;
use types::{Abi, Bytes, SframeVersion, StopReason, UndecidedReason};

use crate::asm::{program, program_with};
use crate::check;

/// Executed code, and a `.sframe` for other code only, with `.eh_frame` and without.
#[test]
fn a_table_of_dead_code_only_is_not_clean() {
    for (abi, eh_frame) in Abi::ALL.into_iter().flat_map(|abi| [(abi, true), (abi, false)]) {
        let functions = ["f", "dead"].map(|name| Function::leaf(abi, name));
        let functions = [vec![Function::start(abi, "_start", "f")], functions.to_vec()].concat();
        let mut sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
        let dead = sample.functions.last().map(|placed| sample.text_address() + placed.offset);
        sample.section.functions.retain(|function| Some(function.start) == dead);
        sample.eh_frame.cies.iter_mut().for_each(|cie| cie.fdes.retain(|fde| eh_frame && Some(fde.start) != dead));
        let bytes = Bytes::from(sample.bytes().expect("a file"));
        let report = check("f", &bytes, &Options::default()).report;
        let reason = report.undecided.first().map(|one| one.reason);
        assert_eq!(
            (reason, report.outcome(Deny::default())),
            (Some(UndecidedReason::NothingJudged), Outcome::Undecided)
        );
        assert!(report.undecided[0].message.starts_with("no row of .sframe was judged"), "{:?}", report.undecided);
        let required = Options { sframe: Sframe::Required, ..Options::default() };
        let report = check("f", &bytes, &required).report;
        assert!(report.discrepancies.iter().any(|found| found.rule() == RuleId::CoverageSectionPresent));
    }
}

/// Missing section headers, or none for `.sframe`: PT_GNU_SFRAME leads to the section at run time,
/// and errors in it are found. A segment that makes it empty is itself wrong.
#[test]
fn what_segments_lead_to_is_judged() {
    const ENTRY: usize = 64;
    for abi in Abi::ALL {
        let functions = vec![Function::start(abi, "_start", "f"), Function::leaf(abi, "f")];
        let right = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
        let mut wrong = right.clone();
        for row in wrong.section.functions.iter_mut().flat_map(|function| &mut function.rows) {
            if let Some(Word::Offset(offset)) = row.words.first_mut() {
                *offset += 8;
            }
        }
        let file = |sample: &Sample| {
            let mut bytes = sample.bytes().expect("a file");
            let order = abi.facts().order;
            let long = |at: usize| order.u64(*bytes[at..].first_chunk().expect("8 bytes")) as usize;
            let spec = sample.elf().expect("a file");
            let headers = long(0x28);
            let sframe = headers + (spec.section_index(".sframe").expect("it is there") + 1) * ENTRY;
            (bytes.split_off(0), sframe)
        };
        for (sample, expected) in [(&right, Outcome::Clean), (&wrong, Outcome::Discrepancy)] {
            let (bytes, sframe) = file(sample);
            let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
                let mut bytes = bytes.clone();
                edit(&mut bytes);
                check("f", &Bytes::from(bytes), &Options::default()).report
            };
            // e_shoff, e_shnum and e_shstrndx; sh_name and sh_type; sh_size.
            let headerless = edited(&|bytes| {
                bytes[0x28..0x30].fill(0);
                bytes[0x3c..0x40].fill(0);
            });
            let unnamed = edited(&|bytes| bytes[sframe..sframe + 8].fill(0));
            for report in [&headerless, &unnamed] {
                assert_eq!(report.outcome(Deny::default()), expected, "{abi}: {:?}", report.discrepancies);
                assert_eq!((report.summary.functions, report.error.as_ref()), (2, None), "{abi}");
            }
            let empty = edited(&|bytes| bytes[sframe + 32..sframe + 40].fill(0));
            assert!(empty.discrepancies.iter().any(|found| found.rule() == RuleId::ElfSegment), "{abi}");
        }
    }
}

/// The output of `objcopy --only-keep-debug` has neither code nor tables, and is valid.
#[test]
fn a_separate_debug_file_is_undecided() {
    let folder = scratch::folder();
    let (whole, debug) = (folder.path().join("f"), folder.path().join("f.debug"));
    let functions = vec![Function::start(Abi::Amd64, "_start", "f"), Function::leaf(Abi::Amd64, "f")];
    let sample = Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    fs::write(&whole, sample.bytes().expect("a file")).expect("a file");
    let mut objcopy = Command::new("objcopy");
    assert!(objcopy.arg("--only-keep-debug").args([&whole, &debug]).status().expect("objcopy").success());
    let bytes = Bytes::copy_from_slice(&fs::read(&debug).expect("a file"));
    for sframe in [Sframe::default(), Sframe::Required] {
        let report = check("f.debug", &bytes, &Options { sframe, ..Options::default() }).report;
        assert_eq!(report.discrepancies, []);
        let reasons: Vec<UndecidedReason> = report.undecided.iter().map(|one| one.reason).collect();
        assert_eq!(reasons, [UndecidedReason::NothingJudged]);
    }
}

/// Section headers are not needed at run time: PT_GNU_EH_FRAME leads to the table.
#[test]
fn a_program_without_section_headers_is_judged() {
    for (directive, outcome) in [("", Outcome::Clean), (".cfi_def_cfa_offset 16", Outcome::Discrepancy)] {
        let function = format!("f: .cfi_startproc\n{directive}\nret\n.cfi_endproc");
        let mut bytes = program_with(Abi::Amd64, "call f", &function, &["--eh-frame-hdr"]).to_vec();
        // e_shoff; e_shnum and e_shstrndx.
        bytes[0x28..0x30].fill(0);
        bytes[0x3c..0x40].fill(0);
        let report = check("f", &Bytes::from(bytes), &Options::default()).report;
        assert_eq!(report.outcome(Deny::default()), outcome, "{:?}", report.error);
        assert_eq!(report.summary.steps_judged, 5);
    }
}

/// A run without an end leaves half of the time for exploration.
#[test]
fn a_run_does_not_use_up_the_time_for_exploring() {
    let function =
        "f: .cfi_startproc\npush %rbx\n.cfi_def_cfa_offset 16\npop %rbx\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc";
    let limits = Limits { steps: u64::MAX, time: Some(Duration::from_millis(800)), run: None, exploration: None };
    let report =
        check("f", &program(Abi::Amd64, "1: jmp 1b", function), &Options { limits, ..Options::exploring() }).report;
    let ends = report.undecided.iter().filter(|one| one.is_of_a_run()).count();
    assert_eq!(ends, 1, "the run alone: {:?}", report.undecided);
    assert_eq!(report.undecided[0].reason, UndecidedReason::Stopped(StopReason::TimeLimit));
    assert!(report.summary.reach.is_some_and(|reach| reach.executed >= 3), "{:?}", report.summary);
}

/// Exploration without any processor time explores nothing, which is undecided.
#[test]
fn what_is_not_explored_in_its_time_is_undecided() {
    let function = "f: .cfi_startproc\nnop\nret\n.cfi_endproc";
    let of = |exploration| {
        let limits = Limits { exploration, ..Limits::default() };
        check("f", &program(Abi::Amd64, "call f", function), &Options { limits, ..Options::exploring() }).report
    };
    let reasons = |report: &Report| report.undecided.iter().map(|one| one.reason).collect::<Vec<_>>();
    assert_eq!(reasons(&of(Some(Duration::ZERO))), [UndecidedReason::Stopped(StopReason::TimeLimit)]);
    assert_eq!(reasons(&of(Some(Duration::from_secs(60)))), []);
}

/// One judged step in a thousand is too few to call a program clean.
#[test]
fn a_run_outside_the_tables_is_undecided() {
    let function = "f: mov $2000, %ecx\n1: dec %ecx\njnz 1b\nret";
    let report = check("f", &program(Abi::Amd64, "call f", function), &Options::default()).report;
    let run = report.summary.run().expect("a run");
    assert!(run.permille() < 10 && run.judged > 0, "{run:?}");
    assert_eq!(report.undecided.iter().map(|one| one.reason).collect::<Vec<_>>(), [UndecidedReason::Unreached]);
}

/// A program that fails, and did not find a file that is there, proves little.
#[test]
fn a_program_that_fails_for_a_file_of_this_machine_is_undecided() {
    let folder = scratch::folder();
    let path = folder.path().join("present");
    fs::write(&path, "text").expect("a file");
    let path = path.to_str().expect("a name");
    for (path, status, undecided) in [(path, 1, true), (path, 0, false), ("/no/such/file/anywhere", 1, false)] {
        // open(path, O_RDONLY), exit(status)
        let main = format!(
            "lea 1f(%rip), %rdi\nxor %esi, %esi\nmov $2, %eax\nsyscall\nmov ${status}, %edi\nmov $60, %eax\nsyscall"
        );
        let report =
            check("f", &program(Abi::Amd64, &main, &format!("1: .asciz \"{path}\"")), &Options::default()).report;
        let reasons: Vec<UndecidedReason> = report.undecided.iter().map(|one| one.reason).collect();
        assert_eq!(reasons == [UndecidedReason::FilesNotFound], undecided, "{path} {status}: {:?}", report.undecided);
        assert!(undecided || reasons.is_empty(), "{:?}", report.undecided);
    }
}

/// Programs that fail without a file of this machine, or a system call that Linux 3.2 has not
/// (landlock, 444), prove little if they say so or nothing.
#[test]
fn a_program_that_fails_for_what_the_emulated_system_lacks_is_undecided() {
    let folder = scratch::folder();
    let path = folder.path().join("present.conf");
    fs::write(&path, "text").expect("a file");
    let path = path.to_str().expect("a name");
    let file = Some(UndecidedReason::FilesNotFound);
    let call = Some(UndecidedReason::Stopped(StopReason::Syscall));
    for (output, status, of_file, of_call) in [
        ("", 1, file, call),
        ("", 0, None, None),
        ("missing operand", 1, None, None),
        ("represent!", 1, None, None),
        ("no module 'present'", 1, file, None),
        ("cannot read a file: No such file or directory (os error 2)", 1, file, None),
        ("landlock: Function not implemented", 1, None, call),
    ] {
        let write = format!("mov $1, %eax\nmov %eax, %edi\nlea 2f(%rip), %rsi\nmov ${}, %edx\nsyscall", output.len());
        let exit = format!("mov ${status}, %edi\nmov $60, %eax\nsyscall\n2: .ascii \"{output}\"");
        let first = |what: &str| {
            check("f", &program(Abi::Amd64, &format!("{what}\n{write}\n{exit}"), ""), &Options::default()).report
        };
        // open(path, O_RDONLY); landlock_create_ruleset, whose result is -ENOSYS
        let opens =
            format!("jmp 4f\n3: .asciz \"{path}\"\n4: lea 3b(%rip), %rdi\nxor %esi, %esi\nmov $2, %eax\nsyscall");
        let report = first(&opens);
        assert_eq!(report.undecided.first().map(|one| one.reason), of_file, "{output}: {:?}", report.undecided);
        let report = first("1: mov $444, %eax\nsyscall\ncmp $-38, %eax\njne 1b");
        assert_eq!(report.undecided.first().map(|one| one.reason), of_call, "{output}: {:?}", report.undecided);
        let texts = report.notes.iter().chain(report.undecided.iter().map(|one| &one.message));
        assert_eq!(texts.filter(|text| text.ends_with("with few options: 444")).count(), 1, "{:?}", report.notes);
    }
}

/// Sections beyond the maximum that are checked are counted, not ignored.
#[test]
fn more_sections_than_are_checked_are_undecided() {
    let mut file =
        Sample::new(Abi::Amd64, SframeVersion::V3, FileKind::Relocatable, vec![Function::leaf(Abi::Amd64, "f")])
            .and_then(|sample| sample.elf())
            .expect("an object");
    let section = file.section_mut(".sframe").expect(".sframe is there").clone();
    for _ in 0..MOST_SECTIONS + 6 {
        file.push_section(Section { relocations: Vec::new(), ..section.clone() });
    }
    let bytes = Bytes::from(generators::elf::write(&file).expect("a file"));
    let report = check("f", &bytes, &Options::static_only()).report;
    let many = report.undecided.iter().find(|one| one.reason == UndecidedReason::ManySections).expect("too many");
    assert!(many.message.starts_with("7 .sframe sections beyond the first"), "{}", many.message);
}
