//! Many files: those that are not clean, their totals, known findings, and files that are not ELF.

use crate::command::support::{CLEAN_OBJECT, Elf, Folder, bytes_of, finish, program, run};
use crate::command::transcript::Transcript;
use testing::printed;

/// Twelve objects, the eighth of which has a wrong row.
fn twelve() -> (Folder, Vec<String>) {
    let folder = Folder::new();
    let files = (1..=12).map(|number| {
        let mut elf = Elf::new(bytes_of(CLEAN_OBJECT));
        if number == 8 {
            let sframe = elf.section(".sframe");
            elf.bytes[sframe.offset + sframe.size - 5] ^= 0x20;
        } else {
            // A different file with the same meaning.
            elf.bytes.push(number);
        }
        folder.write(&format!("{number:02}.o"), &elf.bytes);
        format!("{number:02}.o")
    });
    let files = files.collect();
    (folder, files)
}

fn call(folder: &Folder, words: &[&str]) -> crate::command::support::Ran {
    let mut command = program();
    command.args(words).current_dir(folder.path("."));
    finish(command)
}

#[test]
fn one_bad_file_of_many_is_told_last() {
    let (folder, files) = twelve();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let ran = call(&folder, &[&["check"], &files[..]].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    printed!("many.txt", &ran.stdout);
    let quiet = call(&folder, &[&["check", "-q"], &files[..]].concat());
    let end = "DISCREPANCY 08.o: FP is [cfa-32], expected [cfa-64], at ms+0x4 (cfi/fp-differs)\n12 files: 1 discrepancy, 11 clean\n";
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(1), end));
    assert!(ran.stdout.ends_with(end));
    let one = call(&folder, &["check", "-q", "01.o"]);
    assert_eq!((one.code, one.stdout.as_str()), (Some(0), ""), "nothing to say of one that is clean");
    let json = call(&folder, &[&["check", "-q", "--format", "json"], &files[..]].concat());
    assert_eq!(json.json()["file"], "08.o");
    let swept = call(&folder, &["sweep", "-q", "--out", "out", "."]);
    assert_eq!((swept.code, swept.stdout.lines().count()), (Some(1), 2), "{}", swept.stdout);
    assert!(swept.stdout.ends_with("\n12 files: 1 discrepancy, 11 clean\n"), "{}", swept.stdout);
}

/// Only reviewed findings are known: the same cause in a further function is new, and so is another
/// rule.
#[test]
fn what_is_known_decides_nothing_and_nothing_more_is_known() {
    let (folder, _) = twelve();
    call(&folder, &["sweep", "-q", "--out", "out", "08.o"]);
    let known = call(&folder, &["check", "--known", "out", "08.o"]);
    assert_eq!(known.code, Some(0), "{}", known.stdout);
    printed!("known.txt", &known.stdout);
    let again = call(&folder, &["sweep", "-q", "--known", "out", "--out", "again", "08.o"]);
    assert_eq!((again.code, again.stdout.as_str()), (Some(0), "1 file: 1 clean; 1 known finding\n"));
    // Findings about another file are new.
    std::fs::copy(folder.path("08.o"), folder.path("copy.o")).expect("a copy");
    assert_eq!(call(&folder, &["check", "-q", "--known", "out", "copy.o"]).code, Some(1));
    // The same cause in one more function.
    let mut elf = Elf::new(std::fs::read(folder.path("08.o")).expect("a file"));
    let sframe = elf.section(".sframe");
    let before = elf.bytes.clone();
    let more = (5..200).map(|back| sframe.offset + sframe.size - back).find(|at| {
        elf.bytes.clone_from(&before);
        elf.bytes[*at] ^= 0x20;
        let file = folder.write("08.o", &elf.bytes);
        let json = run(&["check", "--format", "json", &file]);
        let found = json.json()["discrepancies"].as_array().expect("a list").clone();
        let of: std::collections::BTreeSet<String> =
            found.iter().filter(|one| one["rule"] == "cfi/fp-differs").map(|one| one["function"].to_string()).collect();
        of.len() == 2 && found.iter().all(|one| one["severity"] != "error" || one["rule"] == "cfi/fp-differs")
    });
    assert!(more.is_some(), "no byte spoils the FP of another function");
    assert_eq!(
        call(&folder, &["check", "-q", "--known", "out", "08.o"]).code,
        Some(1),
        "in a further function it is new"
    );
}

#[test]
fn a_ledger_of_ones_own_names_files() {
    let (folder, _) = twelve();
    std::fs::create_dir(folder.path("known")).expect("a folder");
    let entry = |name: &str, expires: &str| {
        let row = call(&folder, &["check", "--format", "json", "08.o"]).json()["discrepancies"][0]["rows"][0].clone();
        let row = format!(
            "{} where {}",
            row["sframe"]["row"].as_str().expect("a row"),
            row["eh_frame"]["row"].as_str().expect("a row")
        );
        let text = format!(
            "title: t\nproject: gas\nversions: {{first: '2', last: '3'}}\nblame: assembler\nreason: r\nlink: unfiled\nadded: '2026-01-01'\n\
             expires: '{expires}'\nfindings:\n- rules: [cfi/fp-differs]\n  in: ['{name}']\n  functions: [ms]\n  rows: ['{row}']\n"
        );
        folder.write("known/one.yaml", text.as_bytes());
        call(&folder, &["check", "-q", "--known", "known", "08.o"]).code
    };
    assert_eq!(entry("08.o", "2999-12-31"), Some(0));
    assert_eq!(entry("*.o", "2999-12-31"), Some(0));
    assert_eq!(entry("09.o", "2999-12-31"), Some(1), "another file's");
    assert_eq!(entry("08.o", "2026-01-02"), Some(1), "it has expired");
    let empty = call(&folder, &["check", "--known", ".", "08.o"]);
    assert!(empty.code == Some(3) && empty.stderr.contains("neither entries of a ledger"), "{}", empty.stderr);
}

#[test]
fn a_ledger_knows_a_bug_of_a_compiler_by_its_cause() {
    let (folder, _) = twelve();
    std::fs::create_dir(folder.path("known")).expect("a folder");
    let code = |project: &str, first: &str, (shape, after): (&str, &str), needs: &str| {
        let text = format!(
            "title: t\nproject: {project}\nversions: {{first: '{first}', last: '99'}}\nblame: assembler\nreason: r\nlink: unfiled\n\
             added: '2026-01-01'\nexpires: '2999-12-31'\ncauses:\n- arch: aarch64\n  rules: [cfi/fp-differs]\n  shapes: ['{shape}']\n  \
             after: ['{after}']\n  needs: [{needs}]\n  proofs: [{{file: a.c, abi: aarch64-le, options: -O2}}]\n"
        );
        folder.write("known/one.yaml", text.as_bytes());
        call(&folder, &["check", "-q", "--known", "known", "08.o"]).code
    };
    // `.comment` of the object: GCC 12.2.0.
    let cause = ("fp=[cfa-N] where [cfa-N]", "*");
    assert_eq!(code("gcc", "12.2.0", cause, ""), Some(0));
    assert_eq!(code("gcc", "12.3", cause, ""), Some(1), "a version before the bug");
    assert_eq!(code("clang", "12.2.0", cause, ""), Some(1), "another compiler's");
    assert_eq!(code("gcc", "12.2.0", ("fp=same where [cfa-N]", "*"), ""), Some(1), "another row");
    assert_eq!(code("gcc", "12.2.0", (cause.0, "leave"), ""), Some(1), "after another instruction");
    assert_eq!(code("gcc", "12.2.0", cause, "-O2"), Some(1), "the options of the file are unknown");
}

#[test]
fn rules_are_ignored_by_name() {
    let (folder, _) = twelve();
    for (rule, code) in [("cfi/fp-differs", 0), ("cfi/", 0), ("row/", 1)] {
        assert_eq!(call(&folder, &["check", "-q", "--ignore", rule, "08.o"]).code, Some(code), "{rule}");
    }
    let ran = call(&folder, &["check", "--ignore", "cfi/fp-difers", "08.o"]);
    assert!(ran.code == Some(3) && ran.stderr.contains("did you mean `cfi/fp-differs`?"), "{}", ran.stderr);
}

/// A file of another kind gets a message with its kind and a hint.
#[test]
fn what_is_no_elf_file_is_named() {
    let folder = Folder::new();
    let mut told = Transcript::new(&[]);
    for (name, bytes) in [
        ("script", &b"#!/bin/sh\nexec real\n"[..]),
        ("libc.so", b"GROUP ( libc.so.6 )\n"),
        ("a.exe", b"MZ\x90\0"),
        ("lto.o", b"BC\xc0\xde1234"),
        ("pack.zip", b"PK\x03\x04"),
        ("libx.a", b"!<arch>\n"),
        (".", b""),
    ] {
        if name != "." {
            folder.write(name, bytes);
        }
        let ran = call(&folder, &["check", name]);
        assert_eq!(ran.code, Some(3), "{name}: {}", ran.stdout);
        told.call(&format!("sframe-conformance check {name}"), &ran);
    }
    told.printed("no-elf.txt");
}
