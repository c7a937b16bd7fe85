//! `explain`, `dump` and `trace`.

use std::collections::BTreeSet;

use spec::CATALOGUE;

use crate::command::support::{CLEAN_EXE, Elf, Folder, WRONG_EXE, bytes_of, endless, finish, frozen, program, run};
use crate::command::transcript::Transcript;

#[test]
fn explain_lists_every_rule_and_explains_each() {
    let list = run(&["explain"]);
    assert_eq!(list.code, Some(0));
    let ids: Vec<&str> = list.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.len() > 100, "{}", ids.len());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "a rule is listed twice");
    let explained = run(&[&["explain"], ids.as_slice()].concat());
    assert_eq!(explained.code, Some(0), "{}", explained.stderr);
    let heads: Vec<&str> = explained.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(heads, ids);
    for rule in CATALOGUE {
        assert!(ids.contains(&rule.id.name()), "{} is not listed", rule.id);
    }
}

#[test]
fn explain_prints_statement_severity_clause_and_example() {
    let ran = run(&["explain", "header/magic", "row/cfa-matches-truth"]);
    assert_eq!(ran.code, Some(0));
    let mut told = Transcript::new(&[]);
    told.call("sframe-conformance explain header/magic row/cfa-matches-truth", &ran);
    told.printed("explain.txt");
}

#[test]
fn explain_takes_the_beginning_of_names() {
    let ran = run(&["explain", "flex/"]);
    let heads: Vec<&str> = ran.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(heads.len() > 1 && heads.iter().all(|head| head.starts_with("flex/")), "{heads:?}");
}

/// Every byte of the section is printed once, in order, each line with its offset.
#[test]
fn dump_prints_each_byte_of_each_version_with_its_offset() {
    let objects = [
        ("x86_64/gas-2.40--v1--gcc12-O2--exe", "(v1)"),
        ("x86_64/gas-2.44--v2--gcc12-O2--exe", "(v2)"),
        ("x86_64/clang-22--v2e1--gcc12-O2--exe", "(v2e1)"),
        ("x86_64/gas-2.47.50--v3--gcc12-O2--exe", "(v3)"),
        ("aarch64_be/gas-2.47.50--v3--hand--so", "(v3)"),
        ("s390x/gas-2.47.50--v3--gcc12-O0--so", "(v3)"),
    ];
    for (name, version) in objects {
        let ran = run(&["dump", &frozen(name)]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains(version), "{name}");
        let elf = Elf::frozen(name);
        let section = elf.section(".sframe");
        let whole = &elf.bytes[section.offset..section.offset + section.size];
        let mut seen = vec![false; section.size];
        for line in ran.stdout.lines().filter(|line| line.starts_with("0x")) {
            let mut words = line.split_whitespace();
            let offset = words.next().and_then(|word| usize::from_str_radix(&word[2..], 16).ok()).expect("an offset");
            let bytes: Vec<u8> =
                words.map_while(|word| (word.len() == 2).then(|| u8::from_str_radix(word, 16).ok())?).collect();
            assert!(!bytes.is_empty(), "{name}: {line}");
            // A line may contain a word of two hexadecimal digits after its bytes; the printed text
            // must begin with the bytes.
            let known = bytes.iter().zip(&whole[offset..]).take_while(|(a, b)| a == b).count();
            assert!(known > 0, "{name}: {line}");
            seen[offset..offset + known].fill(true);
        }
        let unseen: Vec<usize> = (0..section.size).filter(|at| !seen[*at]).collect();
        assert!(unseen.is_empty(), "{name}: bytes {unseen:x?} are not printed");
    }
}

#[test]
fn dump_prints_what_it_can_of_a_broken_section() {
    let folder = Folder::new();
    let mut elf = Elf::frozen(CLEAN_EXE);
    let section = elf.section(".sframe").offset;
    elf.store(section + 16, 4, 0x7fff_ffff);
    let ran = run(&["dump", &folder.write("broken", &elf.bytes)]);
    assert!(ran.stdout.contains("num_fdes  37"), "{}", ran.stdout);
}

#[test]
fn trace_prints_a_line_a_step_and_how_it_ended() {
    for (name, steps, exit) in [(CLEAN_EXE, 20_983, 8), (WRONG_EXE, 20_877, 9)] {
        let ran = run(&["trace", &frozen(name)]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert_eq!(lines.len(), steps + 1, "{name}");
        assert_eq!(lines[steps], format!("{steps} instructions, exit status {exit}"));
        let numbers =
            lines[..steps].iter().map(|line| line.split_whitespace().next().and_then(|word| word.parse().ok()));
        assert!(numbers.eq((1..=steps).map(Some)), "{name}: step lines are numbered");
        assert!(
            lines[0].contains("entry") && lines[0].contains("_start") && lines[0].contains("depth=0"),
            "{}",
            lines[0]
        );
        let deepest = lines.iter().filter(|line| line.contains(" depth=7 ")).count();
        assert!(deepest > 0 && !ran.stdout.contains(" depth=8 "), "{name}: 7 callers at most");
    }
}

#[test]
fn trace_stops_at_its_limit_undecided() {
    let folder = Folder::new();
    let ran = run(&["trace", "--step-limit", "5", &folder.write("endless", &endless())]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(2), 6), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_explained_printed_or_run_is_told() {
    let folder = Folder::new();
    let mut elf = Elf::frozen(CLEAN_EXE);
    elf.hide(".sframe");
    folder.write("plain", &elf.bytes);
    folder.write("text", b"no ELF file");
    for (name, frozen) in [("exe", CLEAN_EXE), ("object", "aarch64/gas-2.47.50--v3--hand--o")] {
        folder.write(name, &bytes_of(frozen));
    }
    let mut told = Transcript::new(&[]);
    for words in [
        &["dump", "plain"][..],
        &["dump", "text"],
        &["dump", "missing"],
        &["trace", "text"],
        &["trace", "missing"],
        &["trace", "--entry", "no_such_function", "exe"],
        &["trace", "object"],
    ] {
        let mut command = program();
        command.args(words).current_dir(folder.path(""));
        told.refused(&words.join(" "), &finish(command));
    }
    // Known names are explained nevertheless.
    let ran = run(&["explain", "header/magic", "no/such-rule"]);
    assert_eq!(ran.code, Some(3));
    told.call("sframe-conformance explain header/magic no/such-rule", &ran);
    told.printed("tables-refused.txt");
}
