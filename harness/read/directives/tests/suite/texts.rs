use std::fs;

use generators::cfi_text::{Text as _, random, truth};
use types::{Abi, CfaRule, CodePoint, Image, Pc, Reg, ValueRule};
use unwind::{CfiSections, CfiUnwinder, Unwinder as _};

use crate::assembled::assembled;

/// Registers with a DWARF number that a text names.
const REGISTERS: u16 = 150;

/// The unwinder of an object's `.eh_frame`.
fn cfi(image: &Image) -> CfiUnwinder {
    let section = image.sections.iter().find(|section| section.name == ".eh_frame");
    let eh_frame = section.map(|section| (section.address, &section.bytes[..]));
    CfiUnwinder::new(image.abi, &CfiSections { eh_frame, ..CfiSections::default() })
}

/// Rows compared, and what differs.
fn differences(text: &str, abi: Abi) -> (usize, Vec<String>) {
    let (mut rows, mut found) = (0, Vec::new());
    let Some(assembled) = assembled(text, abi) else { return (0, found) };
    let cfi = cfi(&assembled.image);
    let functions = assembled.meaning.functions().iter();
    for (function, row) in functions.flat_map(|function| function.rows.iter().flatten().map(move |row| (function, row)))
    {
        let Some(meant) = row.unwind_row() else { continue };
        // The reader refuses a CFA in a register that holds no addresses.
        if matches!(meant.cfa, CfaRule::Register { reg, .. } if !abi.holds_addresses(reg)) {
            continue;
        }
        rows += 1;
        let Ok(id) = cfi.row(CodePoint::Exact(row.start)) else {
            // What directives ask for may have no meaning.
            let bad = cfi.broken().iter().filter(|bad| bad.function.is_none_or(|start| start == function.start));
            let bad: Vec<String> =
                bad.filter(|bad| !bad.error.is_of_directives()).map(|bad| bad.error.to_string()).collect();
            if cfi.broken().is_empty() || !bad.is_empty() {
                found.push(format!("{:#x}: no row {bad:?}", row.start.0));
            }
            continue;
        };
        let (written, meant) = (cfi.rules(id, row.start).describe(abi), meant.describe(abi));
        if written != meant {
            found.push(format!("{:#x}: {written}, expected {meant}", row.start.0));
        }
        for reg in (0..REGISTERS).map(Reg) {
            let (written, meant) = (cfi.rule(id, reg), row.register(reg));
            // The reader keeps the expressions that read the PC.
            let is_expression = meant == Some(None) || matches!(written, Some(ValueRule::Expression(_)));
            if !is_expression && written != meant.flatten() {
                found.push(format!("{:#x}: {reg}: {written:?}, expected {meant:?}", row.start.0));
            }
        }
    }
    (rows, found)
}

/// Bugs of GNU as that `reports/known/gas` has: a `.cfi_restore` at the entry is written to the
/// CIE, where it is invalid, so that the function has no row; a negative CFA offset that is no
/// multiple of the factor is rounded; before 2.45 the floating-point registers of s390x have wrong
/// numbers; after an empty CIE of `.cfi_startproc simple` a function's initial rules are in its
/// FDE, so that
/// `.cfi_restore` of the return address removes its rule.
fn is_known(abi: Abi, text: &str, found: &str) -> bool {
    let ra = abi.facts().ra;
    let is_after_simple = text.contains(".cfi_startproc simple")
        && (found.contains(&format!("{ra}: None")) || found.contains(" ra=same") || found.contains(" ra=undefined"));
    let restores = found.contains("DW_CFA_restore in a CIE");
    // The reader refuses a column that no call leaves a return address in: it is meaningless.
    let is_other_column = found.contains("return-address column");
    let is_rounded = found.contains("expected cfa=") && found.contains('-');
    let float = |reg: u16| found.contains(&Reg(reg).to_string()) || found.contains(&format!("{:?}", Reg(reg)));
    let is_float = abi == Abi::S390x && ((16..32).any(float) || found.contains("=f"));
    restores || is_rounded || is_float || is_after_simple || is_other_column
}

#[test]
fn random_texts_mean_what_the_assembler_writes() {
    let count = if testing::samples::all() { 2_500 } else { 10 };
    for abi in Abi::ALL {
        let mut rows = 0;
        for seed in 0..count {
            for text in [random::program(abi, seed).text(), truth::program(abi, seed).text()] {
                let (compared, found) = differences(&text, abi);
                rows += compared;
                let new: Vec<&String> = found.iter().filter(|found| !is_known(abi, &text, found)).collect();
                assert!(new.is_empty(), "{abi} seed {seed}: {new:#?}\n{text}");
            }
        }
        assert!(rows as u64 > 12 * count, "{abi}: {rows}");
    }
}

/// The assembly cases of the matrix, of which some need a newer assembler: by day one in four.
#[test]
fn cases_mean_what_the_assembler_writes() {
    let step = if testing::samples::all() { 1 } else { 4 };
    let (mut compared, mut seen) = (0, 0);
    for topic in fs::read_dir(testing::root().join("cases")).expect("cases").map(|entry| entry.expect("an entry")) {
        let Ok(files) = fs::read_dir(topic.path()) else { continue };
        for path in files.map(|entry| entry.expect("an entry").path()) {
            let of = |abi: &Abi| path.to_string_lossy().ends_with(&format!(".{}.s", arch(*abi)));
            for abi in Abi::ALL.into_iter().filter(of) {
                seen += 1;
                if seen % step > 0 {
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a case");
                // Other sections.
                if text.contains(".cfi_sections") {
                    continue;
                }
                let (rows, found) = differences(&text, abi);
                let new: Vec<&String> = found.iter().filter(|found| !is_known(abi, &text, found)).collect();
                assert!(new.is_empty(), "{} on {abi}: {new:#?}", path.display());
                compared += usize::from(rows > 0);
            }
        }
    }
    assert!(compared * step > 300, "{compared}");
}

/// The part of a case's file name for a target.
fn arch(abi: Abi) -> &'static str {
    match abi {
        Abi::Amd64 => "amd64",
        Abi::Aarch64 | Abi::Aarch64Be => "aarch64",
        Abi::S390x => "s390x",
    }
}

/// The assembler expands and evaluates; the log has the result.
#[test]
fn macros_repetitions_conditions_and_expressions_are_expanded() {
    let text = "\
.macro saved reg, at
push %\\reg
.cfi_adjust_cfa_offset 8
.cfi_rel_offset %\\reg, \\at
.endm
.set size, 4 * 8
.section .text.f, \"ax\"
f: .cfi_startproc; saved rbp, 0
.if size > 100
.cfi_undefined rbx
.endif
.rept 2
sub $size, %rsp; .cfi_adjust_cfa_offset size
.endr
ret # .cfi_undefined rbx
.cfi_endproc
";
    let assembled = assembled(text, Abi::Amd64).expect("it is assembled");
    let [function] = assembled.meaning.functions() else { panic!("{:?}", assembled.meaning) };
    let rows = function.rows.as_ref().expect("rows").iter();
    let rows: Vec<String> = rows.map(|row| row.unwind_row().expect("no expression").describe(Abi::Amd64)).collect();
    assert_eq!(
        rows,
        [
            "cfa=rsp+8 ra=[cfa-8] fp=same",
            "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]",
            "cfa=rsp+48 ra=[cfa-8] fp=[cfa-16]",
            "cfa=rsp+80 ra=[cfa-8] fp=[cfa-16]"
        ]
    );
    let last = assembled.meaning.row(Pc(function.end.0 - 1)).and_then(|row| row.unwind_row()).expect("the last row");
    assert_eq!(last.describe(Abi::Amd64), rows[3]);
    assert_eq!(assembled.meaning.row(function.end), None);
}
