//! Every cause of undecided answers is tested with wrong rows that it covers: each is an error, or
//! undecided. None is clean.

use std::collections::{BTreeMap, BTreeSet};

use check::Options;
use results::Report;
use types::{Abi, UndecidedCause, UndecidedReason};

use crate::asm::{program, tools};
use crate::check;

/// How the code of a shape is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A program: `_start` calls each copy.
    Run,
    /// By exploration, without inputs.
    Explore,
}

/// Code that a cause of undecided answers covers. Words in capitals are replaced by [`words`] of
/// the target, `%` by the number of the copy; the row of an instruction after `@` is made wrong in
/// each copy except the first.
struct Shape {
    why: UndecidedReason,
    way: Way,
    on: &'static [Abi],
    source: &'static str,
}

const fn shape(why: UndecidedCause, way: Way, source: &'static str) -> Shape {
    Shape { why: UndecidedReason::Answers(why), way, on: &Abi::ALL, source }
}

const SHAPES: [Shape; 13] = [
    shape(
        UndecidedCause::OtherStack,
        Way::Run,
        "f%: .cfi_startproc\nkeep\n.cfi_def_cfa KEPT, ENTRY\nother\n@nothing\ntake\nback\n.cfi_endproc",
    ),
    // A longjmp out of `h` to the frame of `f`.
    shape(
        UndecidedCause::Abandoned,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ndown\ncalls h%\nl%: leave\n.cfi_endproc
         h%: .cfi_startproc\ndrop\n@nothing\nland\n.cfi_endproc",
    ),
    // A row of `h` describes the return of `s`, and control continues at the instruction after
    // that.
    shape(
        UndecidedCause::Leaving,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ncalls s%\nl%: nothing\ndown\ncalls h%\nleave\n.cfi_endproc
         h%: .cfi_startproc\n.cfi_def_cfa HELD, LANDED\n.cfi_register RA, TARGET\n@nothing\n.cfi_def_cfa SP, ENTRY\n.cfi_restore RA
         back\n.cfi_endproc
         s%: .cfi_startproc\nback\n.cfi_endproc",
    ),
    shape(UndecidedCause::Overwritten, Way::Run, "f%: .cfi_startproc\nSMASHED\ndrop\nland\n.cfi_endproc"),
    // A jump to `g` with SP lowered; neither row has the SP that `g` returns with.
    shape(
        UndecidedCause::Lowered,
        Way::Run,
        "f%: .cfi_startproc\nenter\n.cfi_def_cfa HELD, ENTRY\naddress l%\ndown\ncalls s%\nl%: leave\n.cfi_endproc
         s%: lower\njump g%
         g%: .cfi_startproc\n@nothing\ndrop\nland\n.cfi_endproc",
    ),
    shape(
        UndecidedCause::OwnConvention,
        Way::Explore,
        ".globl f%\nf%: .cfi_startproc\n.cfi_return_column HOLDER\nnothing\n@nothing\n@nothing\ngo\n.cfi_endproc",
    ),
    shape(UndecidedCause::HandedFrame, Way::Explore, "f%: .cfi_startproc\nHANDED\nback\n.cfi_endproc"),
    shape(UndecidedCause::MayBegin, Way::Explore, "f%: .cfi_startproc\nnothing\n@nothing\n@nothing\n1: jump 1b\n.cfi_endproc"),
    shape(UndecidedCause::UnknownFp, Way::Explore, ".globl f%\nf%: .cfi_startproc\nTWO_FPS\n.cfi_endproc"),
    shape(UndecidedCause::MadeUp, Way::Explore, ".globl f%\nf%: .cfi_startproc\nSHIFTED\nback\n.cfi_endproc"),
    // It returns with SP lower than at its call.
    shape(
        UndecidedCause::Unconfirmed,
        Way::Explore,
        "f%: .cfi_startproc\ndown\n.cfi_def_cfa_offset LOW\n@nothing\n@nothing\nback\n.cfi_endproc",
    ),
    // Readers look up one byte before the restorer. The kernel's frame is above, with rbp at 120,
    // rsp at 160.
    Shape {
        why: UndecidedReason::Answers(UndecidedCause::Unmarked),
        way: Way::Run,
        on: &[Abi::Amd64],
        source: "f%: .cfi_startproc\naddress a%\nSIGNAL\nback\n.cfi_endproc
                 .cfi_startproc\nINTERRUPTED\n@nothing\nr%: RESUME\n.cfi_endproc
                 h%: .cfi_startproc\nback\n.cfi_endproc\n.data\n.balign 8\na%: .quad h%, 0x4000004, r%, 0\n.text",
    },
    // DW_OP_GNU_push_tls_address: other readers may support it.
    Shape {
        why: UndecidedReason::Refused,
        way: Way::Run,
        on: &Abi::ALL,
        source: "f%: .cfi_startproc\nnothing\n.cfi_escape 0x0f,1,0xe0\n@nothing\n.cfi_def_cfa SP, ENTRY\nback\n.cfi_endproc",
    },
];

/// Instructions of a target as macros. `hold` stores SP, `enter` also the return address, for
/// `leave`, which restores SP from anywhere; `drop` raises SP to the stored value, `land` jumps to
/// the address that `address` stores.
const fn macros(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => {
            ".macro nothing\nnop\n.endm\n.macro back\nret\n.endm\n.macro go\njmp *%rax\n.endm
             .macro keep\nmov %rsp, %rax\n.endm\n.macro take\nmov %rax, %rsp\n.endm\n.macro other\nlea stack(%rip), %rsp\n.endm
             .macro hold\nmov %rsp, %rbx\n.endm\n.macro enter\nhold\n.endm\n.macro leave\nmov %rbx, %rsp\nret\n.endm\n.macro down\nsub $32, %rsp\n.endm
             .macro drop\nmov %rbx, %rsp\n.endm\n.macro land\njmp *%r12\n.endm\n.macro address to\nlea \\to(%rip), %r12\n.endm
             .macro lower\nmov (%rsp), %rcx\nsub $32, %rsp\nmov %rcx, (%rsp)\n.endm\n.macro calls to\ncall \\to\n.endm\n.macro jump to\njmp \\to\n.endm"
        }
        Abi::Aarch64 | Abi::Aarch64Be => {
            ".macro nothing\nnop\n.endm\n.macro back\nret\n.endm\n.macro go\nbr x9\n.endm
             .macro keep\nmov x9, sp\n.endm\n.macro take\nmov sp, x9\n.endm\n.macro other\nadr x10, stack\nmov sp, x10\n.endm
             .macro hold\nmov x19, sp\n.endm\n.macro enter\nmov x21, x30\n.cfi_register x30, x21\nhold\n.endm\n.macro leave\nmov sp, x19\nret x21\n.endm
             .macro down\nsub sp, sp, #32\n.endm\n.macro drop\nmov sp, x19\n.endm\n.macro land\nbr x20\n.endm
             .macro address to\nadr x20, \\to\n.endm\n.macro lower\nsub sp, sp, #32\n.endm\n.macro calls to\nbl \\to\n.endm\n.macro jump to\nb \\to\n.endm"
        }
        Abi::S390x => {
            ".macro nothing\nnopr\n.endm\n.macro back\nbr %r14\n.endm\n.macro go\nbr %r1\n.endm
             .macro keep\nlgr %r1, %r15\n.endm\n.macro take\nlgr %r15, %r1\n.endm\n.macro other\nlarl %r15, stack\n.endm
             .macro hold\nlgr %r12, %r15\n.endm\n.macro enter\nlgr %r10, %r14\n.cfi_register 14, 10\nhold\n.endm\n.macro leave\nlgr %r15, %r12\nbr %r10\n.endm
             .macro down\naghi %r15, -32\n.endm\n.macro drop\nlgr %r15, %r12\n.endm\n.macro land\nbr %r13\n.endm
             .macro address to\nlarl %r13, \\to\n.endm\n.macro lower\naghi %r15, -32\n.endm\n.macro calls to\nbrasl %r14, \\to\n.endm\n.macro jump to\nj \\to\n.endm"
        }
    }
}

/// Registers, offsets and code of a target.
const fn words(abi: Abi) -> &'static [(&'static str, &'static str)] {
    match abi {
        Abi::Amd64 => &[
            (
                "SIGNAL",
                "mov $1, %r14d\nmov $13, %eax\nmov $10, %edi\nmov %r12, %rsi\nxor %edx, %edx\nmov $8, %r10d\nsyscall\nmov $39, %eax
                 syscall\nmov %eax, %edi\nmov $10, %esi\nmov $62, %eax\nsyscall",
            ),
            (
                "INTERRUPTED",
                ".cfi_def_cfa rsp, 176\n.cfi_offset rbp, -56\n.cfi_offset rsp, -16\n.cfi_offset rip, -8",
            ),
            ("RESUME", "mov $15, %eax\nsyscall"),
            ("SMASHED", "nop\nmovq $0, (%rsp)\n@nop"),
            (
                "HANDED",
                "push %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset rbx, -16\nmov 8(%rsp), %rax\nmov %rax, 8(%rdi)\nmov %rdi, %rbx
                 .cfi_def_cfa rbx, 16\n@mov %rsi, %rax\n.cfi_def_cfa rsp, 16\npop %rbx\n.cfi_def_cfa_offset 8",
            ),
            (
                "TWO_FPS",
                "test %edi, %edi\nje 3f\nmov %rbp, %rcx\n.cfi_register rbp, rcx\nmov $1, %ebp\ncmp $5, %edx\nja 3f
                 2: add %ebp, %eax\nmov %rcx, %rbp\n.cfi_restore rbp\nret\n3: cmp $5, %edx\njbe 2b\n@xor %eax, %eax\nret",
            ),
            ("SHIFTED", "mov %rdi, %rax\nand $512, %eax\nadd %rax, %rbp\n@nop\nsub %rax, %rbp"),
            ("TARGET", "r12"),
            ("HOLDER", "rax"),
            ("ENTRY", "8"),
            ("HELD", "rbx"),
            ("KEPT", "rax"),
            ("LANDED", "0"),
            ("LOW", "40"),
            ("RA", "rip"),
            ("FP", "rbp"),
            ("SP", "rsp"),
        ],
        Abi::Aarch64 | Abi::Aarch64Be => &[
            (
                "SMASHED",
                "str x30, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x30, -16\nnop\nmov x30, #0\nstr x30, [sp]\n@nop",
            ),
            (
                "HANDED",
                "str x19, [sp, #-16]!\n.cfi_def_cfa_offset 16\n.cfi_offset x19, -16\nstr x30, [x0, #8]\nmov x19, x0
                 .cfi_def_cfa x19, 16\n@mov x1, x2\n.cfi_def_cfa sp, 16\nldr x19, [sp], #16\n.cfi_def_cfa_offset 0",
            ),
            (
                "TWO_FPS",
                "cbz w0, 3f\nmov x9, x29\n.cfi_register x29, x9\nmov x29, #1\ncmp w1, #5\nb.hi 3f\n2: add w2, w2, w29
                 mov x29, x9\n.cfi_restore x29\nret\n3: cmp w1, #5\nb.ls 2b\n@mov w2, #0\nret",
            ),
            ("SHIFTED", "and x9, x0, #32\nadd x29, x29, x9\n@nop\nsub x29, x29, x9"),
            ("TARGET", "x20"),
            ("HOLDER", "x9"),
            ("ENTRY", "0"),
            ("HELD", "x19"),
            ("KEPT", "x9"),
            ("LANDED", "0"),
            ("LOW", "32"),
            ("RA", "x30"),
            ("FP", "x29"),
            ("SP", "sp"),
        ],
        Abi::S390x => &[
            (
                "SMASHED",
                "stg %r14, 112(%r15)\n.cfi_offset 14, -48\nnopr\nlghi %r14, 0\nstg %r14, 112(%r15)\n@nopr",
            ),
            (
                "HANDED",
                "stg %r12, 96(%r15)\n.cfi_offset 12, -64\nstg %r14, 8(%r2)\nlgr %r12, %r2\n.cfi_def_cfa 12, 160
                 @lgr %r4, %r3\n.cfi_def_cfa 15, 160\nlg %r12, 96(%r15)\n.cfi_restore 12",
            ),
            (
                "TWO_FPS",
                "ltr %r2, %r2\nje 3f\nlgr %r5, %r11\n.cfi_register 11, 5\nlghi %r11, 1\nchi %r3, 5\njh 3f\n2: ar %r4, %r11
                 lgr %r11, %r5\n.cfi_restore 11\nbr %r14\n3: chi %r3, 5\njle 2b\n@lghi %r4, 0\nbr %r14",
            ),
            ("SHIFTED", "lghi %r1, 256\nngr %r1, %r2\nagr %r11, %r1\n@nopr\nsgr %r11, %r1"),
            ("TARGET", "13"),
            ("HOLDER", "1"),
            ("ENTRY", "160"),
            ("HELD", "12"),
            ("KEPT", "1"),
            ("LANDED", "160"),
            ("LOW", "192"),
            ("RA", "14"),
            ("FP", "11"),
            ("SP", "15"),
        ],
    }
}

/// Wrong rows: the CFA too high, the return address in a slot that does not hold it and nowhere, FP
/// in a slot that does not hold it.
const WRONG: [&str; 4] =
    [".cfi_adjust_cfa_offset 16", ".cfi_offset RA, -88", ".cfi_undefined RA", ".cfi_offset FP, -88"];

/// Cause, number of planted wrong rows that it covers, errors among these, undecided ones, and
/// those without any report.
const TABLE: [&str; 13] = [
    "abandoned-frame             16       0        16       0",
    "handed-frame                16       0        16       0",
    "leaving-by-longjmp          16      12         4       0",
    "lowered-stack               16      14         2       0",
    "made-up-values              16       0        16       0",
    "may-begin-here              32      24         8       0",
    "other-stack                 16       0        16       0",
    "overwritten-slot            16      12         4       0",
    "own-entry-convention        32       0        32       0",
    "refused                     16       8         8       0",
    "unconfirmed-state           32       0        32       0",
    "unknown-fp                  16      16         0       0",
    "unmarked-signal-frame        4       4         0       0",
];

/// Results for the wrong rows that a cause covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fates {
    planted: usize,
    found: usize,
    undecided: usize,
    missed: usize,
}

fn worded(abi: Abi, text: &str) -> String {
    words(abi).iter().fold(text.to_owned(), |text, (word, is)| text.replace(word, is))
}

/// A copy of a shape, with a wrong row at one of the marks.
fn copy(shape: &Shape, abi: Abi, number: usize, wrong: Option<(usize, &str)>) -> String {
    let text = worded(abi, &shape.source.replace('%', &format!("_{number}")));
    let mut mark = 0;
    let lines = text.lines().map(|line| match line.trim().strip_prefix('@') {
        None => line.to_owned(),
        Some(instruction) => {
            mark += 1;
            match wrong.filter(|(at, _)| *at == mark) {
                None => instruction.to_owned(),
                Some((_, rule)) => {
                    let rule = worded(abi, rule);
                    format!(".cfi_remember_state\n{rule}\nplanted_{number}: {instruction}\n.cfi_restore_state")
                }
            }
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Report of a file with a copy without a wrong row and one with each; range of the first copy, and
/// the wrong rows.
fn judged(shape: &Shape, abi: Abi) -> (Report, (u64, u64), Vec<u64>) {
    let marks = worded(abi, shape.source).matches('@').count();
    let wrong = (1..=marks).flat_map(|mark| WRONG.map(|rule| Some((mark, rule))));
    let copies: Vec<String> =
        std::iter::once(None).chain(wrong).enumerate().map(|(number, wrong)| copy(shape, abi, number, wrong)).collect();
    let count = copies.len();
    let copies = copies.join("\n");
    let bytes = match shape.way {
        Way::Run => {
            let calls: String = (0..count)
                .map(|number| {
                    format!("hold\ndown\naddress m_{number}\ncalls f_{number}\nnothing\nm_{number}: nothing\n")
                })
                .collect();
            let stack = ".bss\n.balign 16\n.skip 256\nstack: .skip 64";
            program(abi, &format!("{}\n{calls}", macros(abi)), &format!("{copies}\n{stack}"))
        }
        Way::Explore => tools(abi).object(&format!("{}\n{copies}", macros(abi))),
    };
    let options = if shape.way == Way::Run { Options::default() } else { Options::exploring() };
    let image = elf::load("f", &bytes).expect("an image");
    let symbol = |name: String| {
        let symbol = image.symbols.iter().find(|symbol| symbol.name.as_str() == name);
        symbol.map(|symbol| symbol.address).expect("a symbol")
    };
    let right = (symbol("f_0".to_owned()), symbol("f_1".to_owned()));
    let planted = (1..count).map(|number| symbol(format!("planted_{number}"))).collect();
    (check("f", &bytes, &options).report, right, planted)
}

/// Results for a shape's wrong rows. Panics if the cause does not occur, or a right row is an
/// error.
fn fates(shape: &Shape, abi: Abi) -> Fates {
    let (report, right, planted) = judged(shape, abi);
    let name = format!("{abi}, {}", shape.why.name());
    let errors = report.discrepancies.iter().filter(|found| found.is_error());
    let errors: Vec<(u64, u64)> = errors.flat_map(|found| found.evidence.ranges.iter().copied()).collect();
    assert!(
        !errors.iter().any(|(start, end)| *start < right.1 && right.0 < *end),
        "{name}: {:?}",
        report.discrepancies
    );
    assert!(report.undecided.iter().any(|one| one.reason == shape.why), "{name}: {:?}", report.undecided);
    let mut refused = if shape.why == UndecidedReason::Refused { report.summary.refused.saturating_sub(1) } else { 0 };
    let mut fates = Fates { planted: planted.len(), ..Fates::default() };
    for pc in planted {
        if errors.iter().any(|(start, end)| (*start..*end).contains(&pc)) {
            fates.found += 1;
        } else if report.undecided_in.iter().any(|one| one.pcs.contains(&pc)) {
            fates.undecided += 1;
        } else if refused > 0 {
            refused -= 1;
            fates.undecided += 1;
        } else {
            fates.missed += 1;
        }
    }
    fates
}

#[test]
fn no_reason_hides_a_wrong_row() {
    let mut table: BTreeMap<&str, Fates> = BTreeMap::new();
    for shape in &SHAPES {
        for &abi in shape.on {
            let one = fates(shape, abi);
            assert!(one.planted >= WRONG.len() && one.missed == 0, "{abi}, {}: {one:?}", shape.why.name());
            let Fates { planted, found, undecided, missed } = one;
            let sum = table.entry(shape.why.name()).or_default();
            sum.planted += planted;
            sum.found += found;
            sum.undecided += undecided;
            sum.missed += missed;
        }
    }
    let causes = UndecidedCause::ALL.iter().map(|why| why.name()).chain(["refused"]);
    assert_eq!(table.keys().copied().collect::<BTreeSet<_>>(), causes.collect());
    let line = |(why, Fates { planted, found, undecided, missed }): (&&str, &Fates)| {
        format!("{why:<22} {planted:>7} {found:>7} {undecided:>9} {missed:>7}")
    };
    let text: Vec<String> = table.iter().map(line).collect();
    assert_eq!(text, TABLE);
}
