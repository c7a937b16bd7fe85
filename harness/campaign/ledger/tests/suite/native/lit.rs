//! Tests for lit: the result of FileCheck for a dump with the bug, and for one without. LLVM's own
//! FileCheck gave the same results with LLVM 22.1.8, which has all of these bugs: each test fails.

use ledger::bundles;
use regex::{Regex, RegexBuilder};
use reports::bundle::files;

use super::home;

/// A directive of FileCheck.
enum Directive {
    Check(Regex),
    Not(Regex),
}

/// Parses the directives of a test. Braces contain an expression, the rest is text; blanks are
/// equivalent.
fn directives(test: &str) -> Vec<Directive> {
    let read = |line: &str| {
        let (kind, pattern) = line.trim_start_matches(['/', '#', ' ']).split_once(": ")?;
        let mut expression = String::new();
        for (nth, part) in pattern.split("{{").enumerate() {
            let (inside, outside) = if nth == 0 { ("", part) } else { part.split_once("}}")? };
            expression += inside;
            expression += &regex::escape(outside);
        }
        let regex = RegexBuilder::new(&expression).multi_line(true).build().expect(&expression);
        match kind {
            "CHECK" | "CHECK-LABEL" => Some(Directive::Check(regex)),
            "CHECK-NOT" => Some(Directive::Not(regex)),
            _ => None,
        }
    };
    test.lines().filter(|line| line.contains("CHECK")).filter_map(read).collect()
}

/// Returns true if FileCheck finds each directive after the one before, and none of the forbidden
/// ones in between.
fn passes(test: &str, text: &str) -> bool {
    let (mut at, mut not) = (0, Vec::new());
    let directives = directives(test);
    assert!(!directives.is_empty(), "{test}");
    for directive in directives {
        match directive {
            Directive::Not(regex) => not.push(regex),
            Directive::Check(regex) => {
                let Some(found) = regex.find(&text[at..]) else { return false };
                if not.drain(..).any(|not: Regex| not.is_match(&text[at..at + found.start()])) {
                    return false;
                }
                at += found.end();
            }
        }
    }
    !not.iter().any(|not| not.is_match(&text[at..]))
}

/// The test of a bundle.
fn test_of(name: &str) -> String {
    let files = files(&bundles::read(&home(), name).expect("a bundle"));
    let test = files.into_iter().find(|(file, _)| ["test.c", "test.s"].contains(&file.as_str()));
    test.unwrap_or_else(|| panic!("{name} has no test")).1
}

#[test]
fn assembly_without_the_directive_fails() {
    for (name, instruction, directive) in [
        ("clang-aarch64-minsize", "stp\tx29, x30, [sp, #-16]!", ".cfi_def_cfa_offset 16"),
        ("clang-aarch64-signing-lost", "ret", ".cfi_restore_state"),
        ("clang-hoisted-epilogue", "addq\t$8, %rsp", ".cfi_def_cfa_offset 24"),
        ("clang-ms-abi-epilogue", "subq\t$168, %rsp", ".cfi_def_cfa_offset 192"),
        ("clang-s390x-epilogue", "lmg\t%r14, %r15, 272(%r15)", ".cfi_def_cfa_offset 160"),
        ("clang-push-adjust-late", "pushq\t%rbx", ".cfi_adjust_cfa_offset 8"),
        ("clang-builtin-longjmp-order", "movq\tplace(%rip), %rbp", ".cfi_def_cfa_register %rsp"),
    ] {
        let test = test_of(name);
        let (_, label) = test.split_once("// CHECK-LABEL: ").expect("a label");
        let label = label.lines().next().expect("a label");
        let end = "\tmovq\tplace+16(%rip), %rsp\n\tcallq\tten\n";
        // A forbidden next instruction is found only if no label is in between.
        let between = if test.contains("CHECK-NOT: {{pushq") { "" } else { ".LBB0_2:\n" };
        let text = |behind: &str| format!("{label}\n\t{instruction}\n{between}{behind}\tnop\n{end}\t{directive}\n");
        assert!(!passes(&test, &text("")), "{name} passes without the directive");
        assert!(passes(&test, &text(&format!("\t{directive}\n"))), "{name} fails with it: {test}");
    }
}

/// A table as llvm-readelf prints it: for each row its start, the CFA's offset and, if it has one,
/// FP's.
fn table(functions: usize, rows: &[(u64, i64, Option<i64>)]) -> String {
    let mut text =
        format!("    Num FDEs: {functions}\n      PC {{\n        Start Address: 0x0\n      }}\n      FREs [\n");
    for (start, cfa, fp) in rows {
        text +=
            &format!("        Frame Row Entry {{\n          Start Address: 0x{start:X}\n          CFA Offset: {cfa}\n");
        text += "          RA Offset: -8\n";
        text += &fp.map(|fp| format!("          FP Offset: {fp}\n")).unwrap_or_default();
        text += "        }\n";
    }
    text + "      ]\n"
}

#[test]
fn tables_with_the_wrong_row_fail() {
    let refused = || table(0, &[]);
    for (name, wrong, right) in [
        ("clang-fp-at-cfa", table(1, &[(0, 8, None)]), table(1, &[(0, 8, Some(0))])),
        ("clang-fp-elsewhere", table(1, &[(0, 8, None)]), refused()),
        ("clang-ra-offset-ignored", table(1, &[(0, 8, None)]), refused()),
        ("clang-rel-offset", table(1, &[(0, 24, Some(8))]), table(1, &[(0, 24, Some(-16))])),
        (
            "clang-restore-to-the-first-row",
            table(1, &[(0, 8, Some(-16))]),
            table(1, &[(0, 8, Some(-16)), (1, 8, None), (2, 8, Some(-16))]),
        ),
        ("clang-wide-offsets", table(1, &[(0, 16, None)]), refused()),
        ("lld-concatenates", table(1, &[(0, 8, None)]), table(2, &[(0, 8, None)])),
        ("lld-gc-drops-table", String::new(), table(1, &[(0, 8, None)])),
        ("lld-no-segment", "  LOAD 0x0\n".to_owned(), "  LOAD 0x0\n  GNU_SFRAME 0x0\n".to_owned()),
        (
            "clang-adjust-after-restore-state",
            " FDE cie\n  DW_CFA_def_cfa_offset: +24\n".to_owned(),
            " FDE cie\n  DW_CFA_def_cfa_offset: +16\n".to_owned(),
        ),
    ] {
        let test = test_of(name);
        assert!(!passes(&test, &wrong), "{name} passes: {test}\n{wrong}");
        assert!(passes(&test, &right), "{name} fails: {test}\n{right}");
    }
    // In the row that is checked, not in another.
    let elsewhere = table(1, &[(0, 24, None), (1, 24, Some(-16))]);
    assert!(!passes(&test_of("clang-rel-offset"), &elsewhere));
}

/// A test without expressions passes or fails by its commands.
#[test]
fn commands_alone_are_a_test_too() {
    for (name, ends) in [
        ("clang-old-start", "| grep -o 'Start Address: .*' | sort -c\n"),
        ("lld-comdat-refused", "# RUN: ld.lld --eh-frame-hdr -o out one.o two.o\n"),
        ("clang-remember-crash", "-o /dev/null %s\n"),
    ] {
        let test = test_of(name);
        let (_, behind) = test.split_once(ends).unwrap_or_else(|| panic!("{name}: {test}"));
        assert!(!behind.contains("CHECK") && !behind.contains("RUN"), "{test}");
    }
}
