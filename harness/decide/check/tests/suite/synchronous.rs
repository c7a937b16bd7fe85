//! Synchronous unwind tables: one finding per file, whether executed or explored, of all functions
//! or of a group; errors at calls are still reported, and a bug of a single prologue is not
//! attributed to them.

use std::collections::BTreeSet;

use check::{Include, Options, Synchronous};
use generators::code::{Call, FrameAt, FrameState, Function, Transfer};
use generators::elf::FileKind;
use generators::sample::Sample;
use results::{Deny, Finding, Outcome, ProgramCause, Report};
use spec::{RuleId, Severity};
use types::{Abi, Bytes, CfaRule, Reg, SframeVersion, ValueRule};

use crate::check;

/// A function that pushes a frame in two steps, calls, and pops it.
struct Shape {
    code: Vec<u8>,
    /// Offset of the call.
    call: usize,
    /// Frames of a table that is right at every instruction.
    right: Vec<FrameAt>,
    /// Offset from which the body's frame holds.
    body: u32,
    /// Offset of a tail call.
    jump: Option<usize>,
}

fn shape(abi: Abi) -> Shape {
    let frame = |reg: u16, offset, slot: Option<i64>| FrameState {
        cfa: CfaRule::Register { reg: Reg(reg), offset },
        fp: slot.map_or(ValueRule::SameValue, ValueRule::AtCfa),
        ..FrameState::at_entry(abi)
    };
    let at = |offset, frame| FrameAt { offset, frame };
    let entry = FrameState::at_entry(abi);
    match abi {
        Abi::Amd64 => Shape {
            // push %rbp; mov %rsp,%rbp; push %rbx; sub $8,%rsp; call; add $8,%rsp; pop %rbx; pop
            // %rbp; ret
            code: vec![
                0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 8, 0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 8, 0x5b, 0x5d,
                0xc3,
            ],
            call: 9,
            right: vec![at(0, entry), at(1, frame(7, 16, Some(-16))), at(4, frame(6, 16, Some(-16))), at(20, entry)],
            body: 4,
            jump: None,
        },
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => {
            let saved = |reg, offset| FrameState { ra: ValueRule::AtCfa(-24), ..frame(reg, offset, Some(-32)) };
            // stp x29,x30,[sp,-32]!; str x19,[sp,16]; mov x29,sp; bl; ldr x19,[sp,16];
            // ldp x29,x30,[sp],32; ret
            let words = [0xa9be_7bfd_u32, 0xf900_0bf3, 0x9100_03fd, 0x9400_0000, 0xf940_0bf3, 0xa8c2_7bfd, 0xd65f_03c0];
            Shape {
                code: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
                call: 12,
                right: vec![at(0, entry), at(4, saved(31, 32)), at(12, saved(29, 32)), at(24, entry)],
                body: 12,
                jump: None,
            }
        }
    }
}

/// Adds a check before the prologue, which jumps past the return: to a trap, or to code that
/// jumps to the return.
fn checked(abi: Abi, shape: Shape, to_trap: bool) -> Shape {
    // test %edi,%edi; je after. cbz x0,after.
    let after = u8::try_from(shape.code.len()).expect("short code");
    let check = match abi {
        Abi::Amd64 => vec![0x85, 0xff, 0x74, after],
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => {
            (0xb400_0000 | ((u32::from(after) + 4) / 4) << 5).to_le_bytes().to_vec()
        }
    };
    // ud2; xor %eax,%eax, jmp. brk 0; mov x0,0, b.
    let after = match (abi, to_trap) {
        (Abi::Amd64, true) => vec![0x0f, 0x0b],
        (Abi::Amd64, false) => vec![0x31, 0xc0, 0xeb, 0xfb],
        (_, true) => 0xd420_0000_u32.to_le_bytes().to_vec(),
        (_, false) => [0xd280_0000_u32.to_le_bytes(), 0x17ff_fffe_u32.to_le_bytes()].concat(),
    };
    let later = |at: FrameAt| FrameAt { offset: if at.offset == 0 { 0 } else { at.offset + 4 }, ..at };
    Shape {
        code: [check, shape.code, after].concat(),
        call: shape.call + 4,
        right: shape.right.into_iter().map(later).collect(),
        body: shape.body + 4,
        jump: None,
    }
}

/// Adds a branch after the call to a second epilogue, which ends in a tail call.
fn tail_calling(abi: Abi, shape: Shape) -> Shape {
    let Shape { code, call, mut right, body, .. } = shape;
    // test %eax,%eax; jne. cbnz x0.
    let (call_length, return_length, jump) = match abi {
        Abi::Amd64 => (5, 1, vec![0xe9, 0, 0, 0, 0]),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => (4, 4, 0x1400_0000_u32.to_le_bytes().to_vec()),
    };
    let (start, first) = code.split_at(call + call_length);
    let over = u8::try_from(first.len()).expect("short code");
    let branch = match abi {
        Abi::Amd64 => vec![0x85, 0xc0, 0x75, over],
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => {
            (0xb500_0000 | (u32::from(over) / 4 + 1) << 5).to_le_bytes().to_vec()
        }
    };
    let second = &first[..first.len() - return_length];
    let returns = FrameAt { offset: right[right.len() - 1].offset + 4, frame: FrameState::at_entry(abi) };
    let of_body = right[right.len() - 2].frame;
    let at = |offset: usize, frame| FrameAt { offset: u32::try_from(offset).expect("short code"), frame };
    let again = start.len() + branch.len() + first.len();
    right.pop();
    right.extend([returns, at(again, of_body), at(again + second.len(), FrameState::at_entry(abi))]);
    let code = [start, &branch, first, second, &jump].concat();
    Shape { code, call, right, body, jump: Some(again + second.len()) }
}

/// Rows that a function's table lacks.
#[derive(Clone, Copy, PartialEq)]
enum Table {
    Right,
    /// The rows of the prologue.
    Prologue,
    /// The rows of the epilogue.
    Epilogue,
    /// The rows of prologue and epilogue.
    Synchronous,
    /// As [`Table::Synchronous`], of a function with a trap ([`checked`]).
    Checked,
    /// As [`Table::Synchronous`], of a function with code after its return ([`checked`]).
    After,
    /// As [`Table::Synchronous`], of a function that may end in a tail call of itself
    /// ([`tail_calling`]).
    Again,
    /// The rows of prologue and epilogue; the CFA of the body is wrong.
    WrongBody,
}

fn function(abi: Abi, name: &str, callee: &str, table: Table) -> Function {
    let shape = match table {
        Table::Checked | Table::After => checked(abi, shape(abi), table == Table::Checked),
        Table::Again => tail_calling(abi, shape(abi)),
        _ => shape(abi),
    };
    let Shape { code, call, mut right, body, jump } = shape;
    let last = right.len() - 1;
    if table == Table::WrongBody
        && let CfaRule::Register { offset, .. } = &mut right[last - 1].frame.cfa
    {
        *offset += 16;
    }
    right.retain(|at| match table {
        Table::Right => true,
        Table::Prologue => at.offset == 0 || at.offset >= body,
        Table::Epilogue => at.offset <= body,
        Table::Synchronous | Table::Checked | Table::After | Table::Again | Table::WrongBody => {
            [0, body].contains(&at.offset)
        }
    });
    let mut calls = vec![Call { at: call, callee: callee.to_owned(), into: 0, transfer: Transfer::Call }];
    calls.extend(jump.map(|at| Call { at, callee: name.to_owned(), into: 0, transfer: Transfer::Jump }));
    Function { name: name.to_owned(), code, calls, frames: right, ..Function::leaf(abi, name) }
}

/// Functions that call one another, each with its table.
fn report(abi: Abi, kind: FileKind, tables: &[Table], synchronous: Synchronous) -> Report {
    let name = |index: usize| if index == tables.len() { "leaf".to_owned() } else { format!("f{index}") };
    let mut functions: Vec<Function> = Vec::new();
    if kind == FileKind::Executable {
        functions.push(Function::start(abi, "_start", "f0"));
    }
    let framed = tables.iter().enumerate();
    functions.extend(framed.map(|(index, table)| function(abi, &name(index), &name(index + 1), *table)));
    functions.push(Function::leaf(abi, "leaf"));
    let sample = Sample::new(abi, SframeVersion::V3, kind, functions).expect("a sample");
    let bytes = Bytes::from(sample.bytes().expect("a file"));
    let include = [Include::Causes].into();
    let options = match kind {
        FileKind::Executable => Options { synchronous, include, ..Options::default() },
        FileKind::Relocatable | FileKind::Shared => Options { synchronous, include, ..Options::exploring() },
    };
    check("sample", &bytes, &options).report
}

/// Rules and severities of the findings.
fn wrong(report: &Report) -> Vec<(RuleId, Severity)> {
    report.discrepancies.iter().map(|found| (found.rule(), found.severity)).collect()
}

#[test]
fn synchronous_tables_are_one_finding_a_file() {
    let one = |severity| vec![(RuleId::EhFrameSynchronous, severity)];
    for abi in [Abi::Amd64, Abi::Aarch64] {
        for kind in [FileKind::Executable, FileKind::Relocatable] {
            let of = |wanted| report(abi, kind, &[Table::Synchronous; 4], wanted);
            assert!(of(Synchronous::Listed).summary.discrepancies >= 4, "{abi} {kind:?}");
            let error = of(Synchronous::Error);
            assert_eq!(wrong(&error), one(Severity::Error), "{abi} {kind:?}: {error:#?}");
            let note = of(Synchronous::Note);
            assert_eq!((wrong(&note), note.outcome(Deny::default())), (one(Severity::Info), Outcome::Clean), "{abi}");
        }
    }
}

/// A ledger that does not list one of the causes does not list the finding.
#[test]
fn the_one_finding_has_the_causes_of_all() {
    for abi in [Abi::Amd64, Abi::Aarch64] {
        let tables = [Table::Synchronous, Table::Synchronous, Table::After, Table::Synchronous];
        let causes = |wanted| -> BTreeSet<ProgramCause> {
            let found = report(abi, FileKind::Relocatable, &tables, wanted).discrepancies;
            found.into_iter().flat_map(|found| found.evidence.causes).collect()
        };
        let listed = causes(Synchronous::Listed);
        assert!(listed.len() > 1, "{abi}: {listed:#?}");
        assert_eq!(causes(Synchronous::Error), listed, "{abi}");
    }
}

/// The row of the body holds from the epilogue to the end of the function.
#[test]
fn what_stands_after_the_return_belongs_to_the_epilogue() {
    for abi in [Abi::Amd64, Abi::Aarch64] {
        for table in [Table::Checked, Table::After] {
            let report = report(abi, FileKind::Relocatable, &[table; 4], Synchronous::Error);
            assert_eq!(wrong(&report), [(RuleId::EhFrameSynchronous, Severity::Error)], "{abi}: {report:#?}");
        }
    }
}

/// The frame is released before a jump to the function's start, as in Swift's libraries.
#[test]
fn an_epilogue_may_end_in_a_tail_call_of_the_function_itself() {
    for abi in [Abi::Amd64, Abi::Aarch64] {
        let report = report(abi, FileKind::Relocatable, &[Table::Again; 4], Synchronous::Error);
        assert_eq!(wrong(&report), [(RuleId::EhFrameSynchronous, Severity::Error)], "{abi}: {report:#?}");
    }
}

#[test]
fn what_is_wrong_at_a_call_stays_beside_synchronous_tables() {
    use Table::{Synchronous as Late, WrongBody};
    for abi in [Abi::Amd64, Abi::Aarch64] {
        for kind in [FileKind::Executable, FileKind::Relocatable] {
            let report = report(abi, kind, &[Late, Late, WrongBody, Late, Late], Synchronous::Note);
            let errors: Vec<&str> =
                report.discrepancies.iter().filter(|found| found.is_error()).map(|found| found.function()).collect();
            assert!(!errors.is_empty() && errors.iter().all(|name| *name == "f2"), "{abi} {kind:?}: {errors:?}");
            assert!(wrong(&report).contains(&(RuleId::EhFrameSynchronous, Severity::Info)), "{abi} {kind:?}");
        }
    }
}

#[test]
fn a_group_of_synchronous_functions_is_one_finding_among_others() {
    use Table::{Epilogue, Right, Synchronous as Late, WrongBody};
    let tables = [Right, Right, Right, Right, Late, Late, Epilogue, Late, Right, WrongBody, Right];
    for abi in [Abi::Amd64, Abi::Aarch64] {
        for kind in [FileKind::Executable, FileKind::Relocatable] {
            let report = report(abi, kind, &tables, Synchronous::Error);
            let (group, others): (Vec<&Finding>, Vec<&Finding>) =
                report.discrepancies.iter().partition(|found| found.rule() == RuleId::EhFrameSynchronous);
            let group: Vec<&str> = group.iter().map(|found| found.shown.message.as_str()).collect();
            assert!(matches!(group[..], [one] if one.contains("in 4 functions of this file")), "{abi}: {group:?}");
            let others: BTreeSet<&str> = others.iter().map(|found| found.function()).collect();
            assert_eq!(others, BTreeSet::from(["f9"]), "{abi} {kind:?}");
        }
    }
}

#[test]
fn bugs_of_some_functions_are_no_synchronous_tables() {
    use Table::{Epilogue, Prologue, Right, Synchronous as Late};
    for abi in [Abi::Amd64, Abi::Aarch64] {
        for tables in [
            vec![Right, Prologue, Right, Right],
            vec![Prologue; 4],
            vec![Right, Late, Late, Right],
            [Right; 6].into_iter().chain([Epilogue; 4]).chain([Right]).collect(),
        ] {
            let report = report(abi, FileKind::Executable, &tables, Synchronous::Error);
            assert!(!wrong(&report).iter().any(|(rule, _)| *rule == RuleId::EhFrameSynchronous), "{abi}");
            assert!(report.summary.discrepancies > 0, "{abi}");
        }
        let right = report(abi, FileKind::Executable, &[Right; 4], Synchronous::Error);
        assert_eq!(wrong(&right), [], "{abi}");
    }
}
