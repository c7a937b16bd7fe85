//! Classes of findings about assembler text: what they match, and which are refused.

use ledger::class::{Class, ClassError, Classes, Evidence, Judgement};
use ledger::words::{line, words};
use types::Abi;

fn class(name: &str, text: &[&str]) -> Class {
    Class {
        class: name.to_owned(),
        verdict: Judgement::Wrong,
        by: vec!["gas@2.4".to_owned()],
        abis: vec![Abi::Amd64],
        what: vec!["crash: signal 11".to_owned(), "cfi/cfa-differs".to_owned()],
        text: text.iter().map(|text| (*text).to_owned()).collect(),
        entries: vec!["an-entry".to_owned()],
        reason: None,
        clause: None,
    }
}

fn function(lines: &[&str]) -> String {
    format!("\t.text\nf:\n\t.cfi_startproc\n\t{}\n\t.cfi_endproc\n\t.size f, .-f\n", lines.join("\n\t"))
}

#[test]
fn a_version_between_two_that_are_named_has_the_classes_of_the_later_or_the_earlier() {
    let by = |name: &str, version: &str| Class { by: vec![format!("gas@{version}")], ..class(name, &["code+"]) };
    let classes =
        Classes::new(vec![by("oldest", "2.40"), by("older", "2.44"), by("newer", "2.47.50")]).expect("classes");
    let of = |assembler: &str| {
        let evidence = Evidence { assembler, abi: Abi::Amd64, what: "cfi/cfa-differs", text: &function(&["nop"]) };
        classes.matching(evidence).iter().map(|class| class.class.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("gas@2.47.20260726"), ["newer"]);
    assert_eq!(of("gas@2.42"), ["older"]);
    assert_eq!(of("gas@2.44"), ["older"]);
    assert_eq!(of("gas@2.47.50.20261021"), ["newer"]);
    // Later than all, and another assembler.
    assert_eq!([of("gas@2.48"), of("clang@2.45")], [[""; 0], [""; 0]]);
}

#[test]
fn a_class_takes_the_whole_text_and_nothing_more() {
    let classes = Classes::new(vec![class("one", &["code? def_cfa_offset~odd offset.ra!byte|restore* code+"])]);
    let classes = classes.expect("classes");
    let is = |assembler: &str, abi: Abi, what: &str, lines: &[&str]| {
        let evidence = Evidence { assembler, abi, what, text: &function(lines) };
        classes.matching(evidence).len() == 1
    };
    let lines = [".cfi_def_cfa_offset 16", ".cfi_offset rip, 160", "nop"];
    assert!(is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &lines));
    assert!(is("gas@2.4.1", Abi::Amd64, "crash: signal 11", &lines));
    assert!(is(
        "gas@2.4",
        Abi::Amd64,
        "cfi/cfa-differs",
        &["nop", ".cfi_def_cfa_offset 16", ".cfi_restore rbp", "nop", "nop"]
    ));
    assert!(!is("gas@2.40", Abi::Amd64, "cfi/cfa-differs", &lines), "another version");
    assert!(!is("gas@2.4", Abi::S390x, "cfi/cfa-differs", &lines), "another target");
    assert!(!is("gas@2.4", Abi::Amd64, "cfi/fp-differs", &lines), "another symptom");
    assert!(!is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[lines[0], lines[1]]), "no code at the end");
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[lines[0], lines[1], "nop", ".cfi_restore rbp"]),
        "a line more"
    );
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[".cfi_def_cfa_offset 12", "nop"]),
        "a mark that must not be"
    );
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[".cfi_def_cfa_offset 16", ".cfi_offset rip, 16", "nop"]),
        "none that must"
    );
}

#[test]
fn a_pattern_that_is_none_and_a_name_twice_are_refused() {
    assert!(
        Classes::new(vec![class("one", &["offset!large"])])
            .expect_err("no mark")
            .to_string()
            .contains("unknown mark large")
    );
    assert!(Classes::new(vec![class("one", &["off$et"])]).is_err());
    let reason = Some("because".to_owned());
    for unsound in [
        Class { entries: Vec::new(), ..class("one", &[]) },
        Class { reason: reason.clone(), ..class("one", &[]) },
        Class { verdict: Judgement::Limit, ..class("one", &[]) },
        Class { verdict: Judgement::Right, entries: Vec::new(), reason, ..class("one", &[]) },
    ] {
        assert!(matches!(Classes::new(vec![unsound]), Err(ClassError::Unsound { .. })));
    }
    assert!(Classes::new(vec![class("one", &[]), class("one", &[])]).expect_err("twice").to_string().contains("twice"));
}

/// Registers by role, numbers by properties that an encoder may get wrong, escapes by the
/// instruction that they contain (DWARF 5, 7.24).
#[test]
fn words_tell_what_stands_in_a_text() {
    let lines = [
        ".cfi_personality 0x1b, p",
        "nop",
        "nop",
        ".skip 0",
        ".cfi_def_cfa rbp, -12",
        ".cfi_offset rip, -8",
        ".cfi_register rbp, r12",
        ".cfi_escape 0x10, 0x6, 0x2, 0x77, 0x8",
        ".cfi_escape 0xf, 0x3, 0x76, 0x78, 0x6",
        ".cfi_escape 0x2e, 0x0",
        ".cfi_restore_state",
    ];
    let printed = line(&words(Abi::Amd64, &function(&lines)));
    let expected = "personality code code.skip!zero def_cfa.fp!neg!odd offset.ra!neg!entry register.fp.other escape.expression.fp.sp \
                    escape.cfa_load.fp escape.args_size.zero restore_state";
    assert_eq!(printed, expected);
    let two = function(&[".cfi_def_cfa_offset 40000"]) + &function(&[".cfi_def_cfa_offset 4294967296"]);
    assert_eq!(line(&words(Abi::S390x, &two)), "def_cfa_offset!byte!short next def_cfa_offset!byte!short!wide");
}
