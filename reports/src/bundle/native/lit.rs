//! A source for LLVM's lit: RUN lines and FileCheck patterns.

use std::fmt::Write as _;

use results::bundle::{Bundle, Check, Column, Command, DirectiveBug, Dump};
use types::Abi;

use super::{any, is_file, options, output, unanchored};
use crate::escape::{one_line, shell};
use results::bundle::Filing;

/// The test of one source, which checks the assembly, the object, or only that it assembles.
pub(super) fn of_clang(bundle: &Bundle, source: &str) -> Option<(&'static str, String)> {
    let command = bundle.commands.first()?;
    let words = options(bundle, command);
    let compiled = |checks: String| {
        Some(("test.c", format!("// RUN: %clang -S {words} -o - %s | FileCheck %s\n{source}\n{checks}")))
    };
    let assembled = |dump: &str, checks: String| {
        let asks = command.words.iter().any(|word| word.ends_with("--gsframe"));
        // What a compiler makes of C is not for llvm-mc.
        bundle.sources.first().filter(|source| source.name.ends_with(".s"))?;
        let assembler = assembler(bundle.abi, asks)?;
        Some(("test.s", format!("# RUN: {assembler} %s -o %t.o\n# RUN: {dump}\n\n{source}\n{checks}")))
    };
    let table = "llvm-readelf --sframe %t.o | FileCheck %s";
    // Where another assembler refuses the compiler's output, lit has no such assembler.
    let (is_c, compiles) = (bundle.sources.first()?.name.ends_with(".c"), bundle.commands.len() == 1);
    match &bundle.check {
        Check::Directive { function, after, before, directive, earlier, fault: DirectiveBug::Absent } => {
            let label = format!("// CHECK-LABEL: {}:\n", one_line(function));
            compiled(label + &gap(after, before.as_deref(), directive, *earlier)?)
        }
        Check::Failure { .. } if is_c => {
            compiles.then(|| ("test.c", format!("// RUN: %clang {words} -S -o /dev/null %s\n{source}")))
        }
        Check::Failure { .. } => Some(("test.s", format!("# RUN: %clang -c {words} -o /dev/null %s\n{source}"))),
        Check::Row { pc, section: None, column, right, .. } => assembled(table, row(*pc, *column, right)?),
        // FileCheck compares numbers only for equality.
        Check::StartsDescend => {
            assembled("llvm-readelf --sframe %t.o | grep -o 'Start Address: .*' | sort -c", String::new())
        }
        Check::Printed { dump: Dump::Frames, wrong, or, .. } => {
            // llvm-readelf prints some numbers with their sign; its regular expressions are
            // POSIX's.
            let wrong = any(wrong, or).replace(": ", r": \+?").replace("(?:", "(");
            assembled(
                "llvm-dwarfdump --eh-frame %t.o | FileCheck %s",
                format!("# CHECK: FDE\n# CHECK-NOT: {{{{{wrong}}}}}\n"),
            )
        }
        Check::Directive { fault: DirectiveBug::Early, .. }
        | Check::Row { section: Some(_), .. }
        | Check::Printed { dump: Dump::Sframe, .. }
        | Check::Relocations { .. }
        | Check::Lacks { .. }
        | Check::Silence { .. }
        | Check::Exit { .. }
        | Check::NoSegment
        | Check::Rule { .. }
        | Check::File { .. }
        | Check::ByEye => None,
    }
}

/// The assembler command of LLVM for a target for which it writes `.sframe`; `.eh_frame` needs only
/// a triple.
fn assembler(abi: Abi, asks: bool) -> Option<String> {
    let triple = match abi {
        Abi::Amd64 => "x86_64",
        Abi::Aarch64 => "aarch64",
        Abi::Aarch64Be | Abi::S390x => return None,
    };
    Some(format!("llvm-mc -filetype=obj -triple={triple}{}", if asks { " --gsframe" } else { "" }))
}

/// The text after an instruction. Labels may be between the instruction and the directive, other
/// instructions not.
fn gap(after: &str, before: Option<&str>, directive: &str, earlier: bool) -> Option<String> {
    let (after, directive, before) = (regex(after), regex(directive), before.map(regex));
    Some(match (before, earlier) {
        (None, false) => {
            format!(
                "// CHECK: {{{{{after}}}}}\n// CHECK-NOT: {{{{^[[:blank:]]+[a-z]}}}}\n// CHECK: {{{{{directive}}}}}\n"
            )
        }
        // No instruction may follow directly: a line break is a space.
        (Some(before), false) => {
            format!("// CHECK-NOT: {{{{{after}.*[[:space:]]+[a-z]}}}}\n// CHECK: {{{{{before}}}}}\n")
        }
        (Some(before), true) => format!("// CHECK: {{{{{directive}}}}}\n// CHECK: {{{{{before}}}}}\n"),
        (None, true) => return None,
    })
}

/// A cell of the row that begins at a PC, or the absence of a row, as llvm-readelf prints it.
fn row(pc: u64, column: Column, right: &str) -> Option<String> {
    if right == "no row" {
        return Some("# CHECK: Num FDEs: 0{{$}}\n".to_owned());
    }
    let row = format!("# CHECK: FREs [\n# CHECK: Start Address: 0x{pc:X}{{{{$}}}}\n# CHECK-NOT: }}\n");
    let cell = match (column, right) {
        (Column::Fp, "u") => return Some(row + "# CHECK-NOT: FP Offset:\n# CHECK: }\n"),
        (Column::Cfa, right) => {
            format!("CFA Offset: {}", number(right.strip_prefix("sp").or(right.strip_prefix("fp"))?)?)
        }
        (Column::Fp, right) => format!("FP Offset: {}", number(right.strip_prefix('c')?)?),
        (Column::Ra, right) => format!("RA Offset: {}", number(right.strip_prefix('c')?)?),
    };
    Some(format!("{row}# CHECK: {cell}{{{{$}}}}\n"))
}

/// The value of `+8` or `-16`, as readelf prints them.
fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// A regular expression for FileCheck, whose expressions distinguish blanks and tabs.
fn regex(expression: &str) -> String {
    unanchored(expression).0.replace(' ', "[[:blank:]]+")
}

/// The test of a link: sources in one file, one RUN line for each command, and a check of the last
/// file.
pub(super) fn of_lld(filing: &Filing) -> Option<String> {
    let bundle = &filing.bundle;
    let (link, assembled) = bundle.commands.split_last()?;
    // The lit feature of lld's target; `None` if lld has no test of `.sframe` for the ABI.
    let feature = match bundle.abi {
        Abi::Amd64 => "x86",
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => return None,
    };
    let mut text = format!("# REQUIRES: {feature}\n# RUN: rm -rf %t && split-file %s %t && cd %t\n");
    for command in assembled {
        let source = command.words.iter().find(|word| bundle.sources.iter().any(|source| source.name == **word))?;
        let assembler = assembler(bundle.abi, true)?;
        let _ = writeln!(text, "# RUN: {assembler} {} -o {}", shell(source), shell(output(command)?));
    }
    let made = shell(output(link)?);
    let given = options(bundle, link);
    let space = if given.is_empty() { "" } else { " " };
    let _ = writeln!(text, "# RUN: ld.lld{space}{given} -o {made}{}", inputs(bundle, link));
    text += &match &bundle.check {
        // The test only requires that the link succeeds.
        Check::Failure { .. } => String::new(),
        Check::Lacks { line, of: None } => {
            format!("# RUN: llvm-readelf --sframe {made} | FileCheck %s\n\n# CHECK: {{{{{}}}}}\n", one_line(line))
        }
        Check::NoSegment => {
            format!("# RUN: llvm-readelf -l -W {made} | FileCheck %s\n\n# CHECK: {{{{GNU_SFRAME|0x6474e554}}}}\n")
        }
        Check::Lacks { of: Some(_), .. }
        | Check::Directive { .. }
        | Check::Row { .. }
        | Check::Printed { .. }
        | Check::Relocations { .. }
        | Check::StartsDescend
        | Check::Silence { .. }
        | Check::Exit { .. }
        | Check::Rule { .. }
        | Check::File { .. }
        | Check::ByEye => return None,
    };
    for (source, body) in bundle.sources.iter().zip(&filing.texts) {
        let _ = write!(text, "\n#--- {}\n{body}", one_line(&source.name));
    }
    Some(text)
}

/// The linked files in order, each after a blank.
fn inputs(bundle: &Bundle, link: &Command) -> String {
    let made = output(link);
    let input = |word: &&String| is_file(bundle, word) && Some(*word) != made;
    link.words.iter().filter(input).map(|word| format!(" {}", shell(word))).collect()
}
