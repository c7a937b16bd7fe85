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
use types::{Abi, Bytes, SframeVersion, StopReason, UndecidedCause, UndecidedReason};

use crate::asm::tools;
use crate::check;

/// A program whose `f` has these directives after its first instruction; executed or explored.
fn report(directives: &str, explore: bool) -> Report {
    judged(directives, &if explore { Options::exploring() } else { Options::default() })
}

fn judged(directives: &str, options: &Options) -> Report {
    check("f", &program(&format!("nop\n{directives}\nnop\nret")), options).report
}

/// A program that calls `f`.
fn program(f: &str) -> Bytes {
    linked(&format!(
        ".text\n.globl _start\n_start:\n.cfi_startproc\n.cfi_undefined rip\ncall f\nmov $60,%eax\nxor %edi,%edi\nsyscall\n\
         .cfi_endproc\n.type f,@function\nf:\n.cfi_startproc\n{f}\n.cfi_endproc\n.size f,.-f\n"
    ))
}

/// An AMD64 program, executed.
fn executed(source: &str) -> Report {
    check("f", &linked(&format!(".text\n{source}\n")), &Options::default()).report
}

fn linked(source: &str) -> Bytes {
    let folder = scratch::folder();
    let (text, object, program) = (folder.path().join("f.s"), folder.path().join("f.o"), folder.path().join("f"));
    fs::write(&text, source).expect("a file");
    let made = |command: &mut Command| assert!(command.status().expect("GNU binutils").success(), "{source}");
    made(Command::new("as").arg("--64").arg(&text).arg("-o").arg(&object));
    made(Command::new("ld").arg("-o").arg(&program).arg(&object));
    Bytes::copy_from_slice(&fs::read(&program).expect("a program"))
}

const DENIED: Deny = Deny { warnings: false, gaps: false, undecided: true };

/// It goes to the middle of a function on another stack: what called it there is not known, what it
/// calls is.
#[test]
fn callers_on_a_stack_that_is_not_followed_are_undecided() {
    let report = executed(
        ".lcomm stack,4096\n.globl _start\n.type _start,@function\n_start:\n.cfi_startproc\n.cfi_undefined rip\ncall f\n.cfi_endproc\n\
         .size _start,.-_start\n.type f,@function\nf:\n.cfi_startproc\nlea stack+4096(%rip),%rsp\nlea 1f(%rip),%rax\njmp *%rax\n\
         nop\n1: call g\nmov $60,%eax\nxor %edi,%edi\nsyscall\n.cfi_endproc\n.size f,.-f\n\
         .type g,@function\ng:\n.cfi_startproc\nnop\nnop\nret\n.cfi_endproc\n.size g,.-g",
    );
    let reasons: Vec<_> = report.undecided.iter().map(|one| one.reason).collect();
    assert!(reasons.contains(&UndecidedReason::Answers(UndecidedCause::OtherStack)), "{:?}", report.undecided);
    assert_eq!((report.outcome(Deny::default()), report.discrepancies.len()), (Outcome::Undecided, 0));
    // Two of _start and f before it, and those of g.
    assert!(report.summary.steps_judged >= 5, "{}", report.summary.steps_judged);
    assert!(report.notes.iter().any(|note| note.contains("exited with status 0")), "{:?}", report.notes);
}

/// The code of gcc for an indirect call with `-mindirect-branch=thunk-inline` and frame pointers.
/// With the symbol of `f` the retpoline is a part of it; without, it could be a function.
#[test]
fn a_retpoline_in_a_function_without_a_symbol_is_undecided() {
    let program = |symbol: &str, offset: u32| {
        executed(&format!(
            ".globl _start\n.type _start,@function\n_start:\n.cfi_startproc\n.cfi_undefined rip\ncall f\nmov $60,%eax\n\
             xor %edi,%edi\nsyscall\n.cfi_endproc\n.size _start,.-_start\n{symbol}\nf:\n.cfi_startproc\npush %rbp\n\
             .cfi_def_cfa_offset 16\n.cfi_offset %rbp,-16\nmov %rsp,%rbp\n.cfi_def_cfa_register %rbp\n\
             lea g(%rip),%rax\njmp 2f\n1: .cfi_def_cfa_offset {offset}\ncall 3f\n4: pause\njmp 4b\n\
             3: mov %rax,(%rsp)\nret\n2: .cfi_def_cfa_offset 16\ncall 1b\npop %rbp\n.cfi_def_cfa %rsp,8\nret\n\
             .cfi_endproc\nf_end:\ng:\n.cfi_startproc\nret\n.cfi_endproc"
        ))
    };
    let known = ".type f,@function\n.size f,f_end-f";
    assert_eq!(program(known, 16).outcome(DENIED), Outcome::Clean);
    let report = program("", 16);
    let [one] = report.undecided_in.as_slice() else { panic!("{:?}", report.undecided_in) };
    assert_eq!((one.why, one.answers), (UndecidedCause::OwnConvention, 3));
    assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
    for symbol in [known, ""] {
        assert_eq!(program(symbol, 24).outcome(Deny::default()), Outcome::Discrepancy, "{symbol}");
    }
}

/// A program that calls this function.
fn calls(name: &str, body: &str) -> Report {
    executed(&format!(
        ".globl _start\n.type _start,@function\n_start:\n.cfi_startproc\n.cfi_undefined rip\ncall {name}\nmov $60,%eax\n\
         xor %edi,%edi\nsyscall\n.cfi_endproc\n.size _start,.-_start\n.type {name},@function\n{name}:\n.cfi_startproc\n\
         {body}\n.cfi_endproc\n.size {name},.-{name}"
    ))
}

/// The causes of undecided answers.
fn causes(report: &Report) -> Vec<UndecidedCause> {
    report.undecided_in.iter().map(|one| one.why).collect()
}

/// OCaml keeps no register for a caller: FP is lost, and no rule has it. The C functions of its
/// runtime keep it, and a saved FP or a wrong CFA is an error as anywhere.
#[test]
fn only_a_lost_frame_pointer_is_a_convention_of_ocaml() {
    let lost = "inc %rbp\nnop\nret";
    let report = calls("camlList.map_7", lost);
    assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{:?}", report.discrepancies);
    assert_eq!(causes(&report), [UndecidedCause::OcamlRegisters]);
    for (name, body) in [
        ("map", lost),
        ("caml_map", lost),
        (
            "camlList.map_7",
            "push %rbp\n.cfi_adjust_cfa_offset 8\ninc %rbp\nnop\npop %rbp\n.cfi_adjust_cfa_offset -8\nret",
        ),
        ("camlList.map_7", "inc %rbp\n.cfi_adjust_cfa_offset 8\nnop\nret"),
    ] {
        assert_eq!(calls(name, body).outcome(Deny::default()), Outcome::Discrepancy, "{name}: {body}");
    }
}

/// Go's unwinder ends a walk at `runtime.mstart`, which is called, and knows where `runtime.mcall`
/// left the stack of the goroutine.
#[test]
fn only_another_caller_is_a_convention_of_go() {
    let denied = ".cfi_undefined rip\nnop\nret";
    for name in ["runtime.mstart", "runtime.mstart.abi0"] {
        let report = calls(name, denied);
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{:?}", report.discrepancies);
        assert_eq!(causes(&report), [UndecidedCause::GoStackSwitch]);
    }
    let wrong_cfa = ".cfi_adjust_cfa_offset 8\nnop\nret";
    for (name, body) in [("runtime.mstart1", denied), ("mstart", denied), ("runtime.mstart", wrong_cfa)] {
        assert_eq!(calls(name, body).outcome(Deny::default()), Outcome::Discrepancy, "{name}: {body}");
    }
}

/// `DW_CFA_def_cfa_expression` with one operation, `DW_OP_GNU_push_tls_address`: some reader may
/// know it.
#[test]
fn rows_that_cannot_be_evaluated_are_undecided() {
    for (explore, counts) in [(false, (2, 7)), (true, (4, 14))] {
        let report = report(".cfi_escape 0x0f,1,0xe0", explore);
        let summary = report.summary;
        assert_eq!((summary.refused, summary.steps_judged), counts, "{:?} {:?}", report.undecided, report.error);
        assert_eq!(
            report.undecided.first().map(|one| one.reason),
            Some(UndecidedReason::Answers(UndecidedCause::Refused))
        );
        let [one] = report.undecided_in.as_slice() else { panic!("{:?}", report.undecided_in) };
        assert_eq!((one.why, one.function.as_str()), (UndecidedCause::Refused, "f"));
        assert_eq!(report.outcome(Deny::default()), Outcome::Undecided);
        assert_eq!(report.outcome(DENIED), Outcome::Discrepancy);
    }
}

/// `DW_CFA_GNU_negative_offset_extended`, which libgcc and gdb support, in the FDE or in its CIE:
/// the function is undecided. It saves a register 16 bytes above the CFA.
#[test]
fn an_instruction_of_other_readers_is_undecided() {
    let escape = ".cfi_escape 0x2f,3,2";
    for f in [format!("nop\n{escape}\nnop\nret"), format!("{escape}\nnop\nret")] {
        for options in [Options::default(), Options::exploring()] {
            let report = check("f", &program(&f), &options).report;
            assert_eq!(report.outcome(Deny::default()), Outcome::Undecided, "{f}: {:?}", report.discrepancies);
        }
    }
}

/// Answers about a frame on a stack that is not followed affect the verdict; so do those about a
/// frame that SP has passed, unless control goes where the row leads.
#[test]
fn single_answers_decide_the_verdict() {
    let other_stack = "mov %rsp,%rax\nlea 1f(%rip),%rsp\nnop\nmov %rax,%rsp\nret\n.bss\n.skip 64\n1:\n.text";
    let report = check("f", &program(other_stack), &Options::default()).report;
    let reasons: Vec<UndecidedReason> = report.undecided.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [UndecidedReason::Answers(UndecidedCause::OtherStack)]);
    assert_eq!((report.summary.undecided, report.count_undecided()), (2, 2));
    assert_eq!((report.outcome(Deny::default()), report.outcome(DENIED)), (Outcome::Undecided, Outcome::Discrepancy));

    // A longjmp is decided by where it lands, if its row leads there.
    let longjmp = |row: &str| {
        let code = format!(
            "mov %rsp,%rbx\nlea 1f(%rip),%r12\ncall g\n1: ret\n.cfi_endproc\ng:\n.cfi_startproc\ncall h\nret\n.cfi_endproc\nh:\n.cfi_startproc\n\
             sub $24,%rsp\n.cfi_adjust_cfa_offset 24\nmov %rbx,%rsp\n{row}\nnop\njmp *%r12"
        );
        let report = check("f", &program(&code), &Options::default()).report;
        let settled = report.notes.iter().any(|note| note.ends_with("be right: 2 abandoned-frame"));
        (settled, report.summary.undecided, report.outcome(Deny::default()))
    };
    assert_eq!(longjmp(".cfi_def_cfa rbx,0\n.cfi_register rip,r12"), (true, 0, Outcome::Clean));
    for row in ["", ".cfi_def_cfa rbx,8\n.cfi_register rip,r12", ".cfi_def_cfa rbx,0\n.cfi_register rip,r13"] {
        assert_eq!(longjmp(row), (false, 2, Outcome::Undecided), "{row}");
    }
}

/// The report of a program that was not executed states this, also in its first line.
#[test]
fn a_program_that_was_not_executed_is_judged_statically_only() {
    for (options, static_only) in
        [(Options::static_only(), true), (Options::default(), false), (Options::exploring(), false)]
    {
        assert_eq!(judged("", &options).static_only, static_only, "{options:?}");
    }
}

/// Operations, registers and columns that are meaningless on the ABI are errors, whatever the
/// result of the run.
#[test]
fn rows_that_mean_nothing_are_errors() {
    let nothing =
        [".cfi_escape 0x0f,1,0xdf", ".cfi_escape 0x0f,1,0xe5", ".cfi_escape 9,16,60", ".cfi_return_column 18"];
    for directives in nothing {
        let report = report(directives, false);
        let found: Vec<RuleId> = report.discrepancies.iter().map(|found| found.rule()).collect();
        assert_eq!(found, [RuleId::CfiRefused], "{directives}");
        assert!(report.summary.refused > 0, "{directives}");
        assert_eq!(report.outcome(Deny::default()), Outcome::Discrepancy, "{directives}");
    }
}

/// Rows that can be evaluated cause no finding, and `--deny` has no effect.
#[test]
fn rows_that_can_be_evaluated_are_clean() {
    let report = report(".cfi_escape 0x0f,4,0x77,0,0x38,0x22", false);
    assert_eq!((report.summary.refused, report.summary.undecided), (0, 0), "{:?}", report.notes);
    assert_eq!(report.outcome(DENIED), Outcome::Clean);
}

/// A V2 `.sframe` whose single FDE covers this many of the four instructions of `f`, with an
/// `.eh_frame` that covers all of them; not executed.
fn described(abi: Abi, instructions: u32, cfi: &str) -> Vec<RuleId> {
    // ABI, fixed RA offset, the one CFA offset; the instructions and the size of one.
    let (target, ra, cfa, nop, back, size) = match abi {
        Abi::Amd64 => (3, -8, 8, "nop", "ret", 1),
        Abi::Aarch64 => (2, 0, 0, "nop", "ret", 4),
        Abi::Aarch64Be => (1, 0, 0, "nop", "ret", 4),
        Abi::S390x => (4, 0, 0, "nopr", "br %r14", 2),
    };
    let (code, bytes) = (cfi.replace("nop", nop).replace("ret", back), instructions * size);
    let source = format!(
        ".type f,%function\nf:\n{code}\n.size f,.-f\n.section .sframe,\"a\",%progbits\n.short 0xdee2\n.byte 2,4,{target},0,{ra},0\n\
         .long 1,1,3,0,20\n.long f-.,{bytes},0,1\n.byte 0,0\n.short 0\n.byte 0,3,{cfa}\n"
    );
    let report = check("f.o", &tools(abi).object(&source), &Options::default()).report;
    let found = report.discrepancies.iter().map(|found| found.rule());
    found.filter(|rule| *rule == RuleId::CfiRangeDiffers).collect()
}

/// Adjacent descriptors that cover the range of one descriptor of the other table mean the same; a
/// range that lost code does not.
#[test]
fn a_descriptor_may_be_split_and_must_not_lose_code() {
    let whole = ".cfi_startproc\nnop\nnop\nnop\nret\n.cfi_endproc";
    let split = ".cfi_startproc\nnop\nnop\n.cfi_endproc\n.cfi_startproc\nnop\nret\n.cfi_endproc";
    let apart = ".cfi_startproc\nnop\nnop\n.cfi_endproc\nnop\n.cfi_startproc\nret\n.cfi_endproc";
    let empty = ".cfi_startproc\n.cfi_endproc\nnop\nnop\nnop\nret";
    for abi in Abi::ALL {
        for (instructions, cfi, expected) in [
            (4, whole, vec![]),
            (4, split, vec![]),
            (4, apart, vec![RuleId::CfiRangeDiffers]),
            (3, whole, vec![RuleId::CfiRangeDiffers]),
            (3, split, vec![RuleId::CfiRangeDiffers]),
            (0, whole, vec![RuleId::CfiRangeDiffers]),
            (4, empty, vec![RuleId::CfiRangeDiffers]),
            (0, empty, vec![]),
        ] {
            assert_eq!(described(abi, instructions, cfi), expected, "{abi}: {instructions} instructions, {cfi}");
        }
    }
}

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
        let reasons: Vec<UndecidedReason> = report.undecided.iter().map(|one| one.reason).collect();
        assert_eq!(
            (reasons, report.outcome(Deny::default())),
            (vec![UndecidedReason::NothingJudged], Outcome::Undecided)
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
    let source = ".text\n.globl _start\n_start:\n.cfi_startproc\n.cfi_undefined rip\ncall f\nmov $60,%eax\nxor %edi,%edi\nsyscall\n\
                  .cfi_endproc\nf:\n.cfi_startproc\nOFFSET\nret\n.cfi_endproc\n";
    for (directive, outcome) in [("", Outcome::Clean), (".cfi_def_cfa_offset 16", Outcome::Discrepancy)] {
        let folder = scratch::folder();
        let (text, object, program) = (folder.path().join("f.s"), folder.path().join("f.o"), folder.path().join("f"));
        fs::write(&text, source.replace("OFFSET", directive)).expect("a file");
        let made = |command: &mut Command| assert!(command.status().expect("GNU binutils").success());
        made(Command::new("as").arg("--64").arg(&text).arg("-o").arg(&object));
        made(Command::new("ld").arg("--eh-frame-hdr").arg("-o").arg(&program).arg(&object));
        let mut bytes = fs::read(&program).expect("a program");
        // e_shoff; e_shnum and e_shstrndx.
        bytes[0x28..0x30].fill(0);
        bytes[0x3c..0x40].fill(0);
        let report = check("f", &Bytes::copy_from_slice(&bytes), &Options::default()).report;
        assert_eq!(report.outcome(Deny::default()), outcome, "{:?}", report.error);
        assert_eq!(report.summary.steps_judged, 5);
    }
}

/// A tail call with more arguments moves the return address down, and the callee pops them. Its
/// entry looks like a call, so no row of it is wrong about the SP of its caller's caller.
#[test]
fn a_callee_with_a_moved_return_address_is_undecided_and_what_else_is_wrong_is_found() {
    let source = "
.globl _start
_start: .cfi_startproc
    .cfi_undefined rip
    call grow
    xor %edi, %edi
    mov $60, %eax
    syscall
    .cfi_endproc
grow: .cfi_startproc
    sub $16, %rsp
    .cfi_adjust_cfa_offset 16
    mov 16(%rsp), %rcx
    .cfi_register rip, rcx
    mov %rdi, 16(%rsp)
    mov %rcx, (%rsp)
    .cfi_offset rip, -24
    PAD
    jmp callee
    .cfi_endproc
    .size grow, .-grow
.type callee, @function
callee: .cfi_startproc
    push %rbx
    .cfi_def_cfa_offset OFFSET
    pop %rbx
    .cfi_def_cfa_offset 8
    ret $16
    .cfi_endproc
    .size callee, .-callee";
    // The jump may go to the next instruction.
    for pad in ["nop", "jmp callee\n    nop\n    .cfi_endproc\nlast: .cfi_startproc"] {
        let program = |offset: &str| executed(&source.replace("PAD", pad).replace("OFFSET", offset));
        let right = program("16");
        assert_eq!(right.summary.discrepancies, 0, "{:?}", right.discrepancies);
        let lowered =
            right.undecided.iter().find(|one| one.reason == UndecidedReason::Answers(UndecidedCause::Lowered));
        assert!(lowered.is_some_and(|one| one.message.starts_with("3 answers")), "{:?}", right.undecided);
        assert_eq!(program("24").summary.discrepancies, 1);
    }
}

/// A run without an end leaves half of the time for exploration.
#[test]
fn a_run_does_not_use_up_the_time_for_exploring() {
    let source = ".text\n.globl _start\n_start:\n.cfi_startproc\n.cfi_undefined rip\n1: jmp 1b\n.cfi_endproc\n\
                  f:\n.cfi_startproc\npush %rbx\n.cfi_def_cfa_offset 16\npop %rbx\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc\n";
    let limits = Limits { steps: u64::MAX, time: Some(Duration::from_millis(800)) };
    let report = check("f", &linked(source), &Options { limits, ..Options::exploring() }).report;
    let reasons: Vec<UndecidedReason> = report.undecided.iter().map(|one| one.reason).collect();
    assert_eq!(reasons, [UndecidedReason::Stopped(StopReason::TimeLimit)], "the run alone");
    assert!(report.summary.reach.is_some_and(|reach| reach.executed >= 3), "{:?}", report.summary);
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
