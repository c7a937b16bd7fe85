//! The scripts of bundles, executed: with every installed tool they report what the data states,
//! and never the contrary with any readelf.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ledger::{Home, bundles};
use reports::bundle::files;
use results::ToolVersion;
use results::bundle::{Bundle, Check, DirectiveBug, Filing};
use toolchain::entry::Kind;
use toolchain::producers::{Producers, SHIPPED};
use toolchain::tool::Tool;

use testing::program::write_program;
use testing::{root, samples, scratch};
use types::Abi;

/// The version shows the bug, but no tool that a script may use can prove it: its readelf does not
/// print the row.
const CANNOT_TELL: [(&str, &str); 1] = [("ld-headers-disagree", "2.40")];

/// Writes the files of a bundle.
fn put(filing: &Filing, folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).expect("a folder");
    for (name, text) in files(filing) {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder.join("run.sh")
}

/// Result of a script, with programs for its variables.
fn ended(script: &Path, words: &[&str], programs: &BTreeMap<String, PathBuf>) -> (i32, String) {
    let mut command = Command::new("sh");
    command.arg(script).args(words).envs(programs);
    let ran = command.output().expect("a shell");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    (ran.status.code().unwrap_or(-1), printed)
}

/// The installed tools with an entry's name.
fn here<'a>(producers: &'a Producers, name: &str, bundle: &Bundle) -> &'a [Tool] {
    producers.tools(name, bundle.abi).unwrap_or_default()
}

/// One way to run a script: the expected result for the tool with the bug, and the programs.
struct Way {
    tool: String,
    /// Whether it shows the bug; `None` if it refuses the source.
    shows: Option<bool>,
    /// True if readelf is not the assembler's, or the compiler is not the measured one and may
    /// generate other code.
    foreign: bool,
    programs: BTreeMap<String, PathBuf>,
}

/// The ways for this machine: each tool with the readelf of its own version, and with one other, a
/// different one for each bundle. Unless all are requested, a part of them, at least one for each
/// bundle.
fn ways(producers: &Producers, nth: usize, bundle: &Bundle) -> Vec<Way> {
    let Some(entry) = producers.entries().find(|entry| entry.called() == bundle.culprit.name) else {
        return Vec::new();
    };
    let elsewhere = &bundle.others;
    let knows = |version: &ToolVersion| match version {
        it if *it == bundle.culprit.version || elsewhere.show.contains(it) => Some(Some(true)),
        it if elsewhere.are_right.contains(it) => Some(Some(false)),
        it if elsewhere.refuse.contains(it) => Some(None),
        _ => None,
    };
    let mut ways = Vec::new();
    let known = here(producers, &entry.name, bundle).iter().filter_map(|tool| Some((knows(&tool.version)?, tool)));
    for (place, (shows, tool)) in known.enumerate() {
        if !samples::all() && place > 0 && (nth + place).is_multiple_of(2) {
            continue;
        }
        let gas = here(producers, "gas", bundle);
        let newest = gas.iter().max_by(|a, b| a.version.cmp_numbers(&b.version));
        // For a linker of another project, the assembler is one that writes the bundle's version.
        let writes = |gas: &&Tool| bundle.sframe.is_some_and(|version| gas.sframe().contains(&version));
        let beside = gas.iter().find(|gas| gas.version == tool.version).or(gas.iter().find(writes)).or(newest);
        let Some(beside) = beside else { continue };
        let others: Vec<&Tool> = gas.iter().filter(|reader| reader.version != beside.version).collect();
        // Another readelf for one script in four.
        let is_asked = samples::all() || nth.is_multiple_of(4);
        let other = others.get(nth % others.len().max(1)).copied().filter(|_| is_asked);
        for reader in std::iter::once(beside).chain(other) {
            let mut programs = BTreeMap::new();
            let mut whole = true;
            for command in &bundle.commands {
                // Another version of an assembler has it in its name.
                let named = command.program.rsplit_once('-').map_or("", |(_, version)| version);
                let program = match command.variable.as_str() {
                    "OTHER_AS" => gas.iter().find(|gas| gas.version.as_str() == named).map(|gas| gas.program.clone()),
                    "AS" if entry.kind == Kind::Assembler => Some(tool.program.clone()),
                    "AS" => Some(beside.program.clone()),
                    "CC" if entry.kind == Kind::Linker => None,
                    "CC" | "LD" => Some(tool.program.clone()),
                    _ => None,
                };
                // Programs that a script does not call need not be installed.
                match program {
                    Some(program) => drop(programs.insert(command.variable.clone(), program)),
                    None => whole = matches!(bundle.check, Check::Directive { .. }) && whole,
                }
            }
            let readelf = reader.program.with_file_name(format!("{}-readelf", bundle.abi.facts().gnu_triplet));
            programs.insert("READELF".to_owned(), readelf);
            let other_code = matches!(bundle.check, Check::Directive { .. }) && tool.version != bundle.culprit.version;
            let foreign = reader.version != beside.version || other_code;
            if whole {
                ways.push(Way { tool: tool.name(), shows, foreign, programs });
            }
        }
    }
    ways
}

#[test]
fn scripts_say_what_the_data_says() {
    let root = root();
    let home = Home { root: root.clone() };
    let producers = Producers::read(&root.join(SHIPPED), &root).expect("the shipped one");
    let folder = scratch::folder();
    let mut calls: Vec<(String, PathBuf, Way)> = Vec::new();
    for (nth, name) in bundles::names(&home).expect("a list").into_iter().enumerate() {
        let filing = bundles::read(&home, &name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let script = put(&filing, &folder.path().join(&name));
        calls.extend(ways(&producers, nth, &filing.bundle).into_iter().map(|way| (name.clone(), script.clone(), way)));
    }
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, script, way)) = calls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (status, printed) = ended(script, &[], &way.programs);
                    let unseen = CANNOT_TELL.iter().any(|(of, version)| of == name && way.tool.ends_with(version));
                    let fits = match way.shows {
                        Some(true) if way.foreign || unseen => [1, 2].contains(&status),
                        Some(true) => status == 1,
                        Some(false) if way.foreign => [0, 2].contains(&status),
                        Some(false) => status == 0,
                        None => status == 2,
                    };
                    if !fits {
                        let line = format!(
                            "{name} with {} ({:?}): {status}: {printed}",
                            way.tool,
                            way.programs.get("READELF")
                        );
                        wrong.lock().expect("a lock").push(line);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("a lock");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // What the system has by itself is one version of the GNU tools.
    let system = producers.tools("gas", Abi::Amd64).is_ok_and(|tools| !tools.is_empty());
    assert!(!system || calls.len() >= 20, "{} scripts", calls.len());
}

/// A compiler's bug, tested with a fake compiler that writes a given text.
fn directive(assembly: &str, check: Check) -> (i32, String) {
    let folder = scratch::folder();
    let home = Home { root: root() };
    let mut filing = bundles::read(&home, "gcc-drap-epilogue").expect("a bundle");
    filing.bundle.check = check;
    let script = put(&filing, &folder.path().join("bundle"));
    let (given, compiler) = (folder.path().join("given.s"), folder.path().join("cc"));
    fs::write(&given, assembly).expect("a file");
    write_program(&compiler, &format!("#!/bin/sh\ncp {} repro.s\n", given.display()));
    ended(&script, &[], &BTreeMap::from([("CC".to_owned(), compiler)]))
}

fn after_pop(before: Option<&str>, earlier: bool, fault: DirectiveBug) -> Check {
    Check::Directive {
        function: "test".to_owned(),
        after: r"^pop(q)? %rbp$".to_owned(),
        before: before.map(str::to_owned),
        directive: r"^\.cfi_restore (6|%rbp)$".to_owned(),
        earlier,
        fault,
    }
}

#[test]
fn a_directive_stands_between_two_instructions() {
    let text = |lines: &str| {
        let lines: String =
            lines.split(';').map(|line| format!("\t{}\n", line.trim().replacen(' ', "\t", 1))).collect();
        format!(
            "other:\n\tpopq\t%rbp\n\tret\n\t.cfi_endproc\ntest:\n\t.cfi_startproc\n{lines}\t.cfi_endproc\n\tpopq\t%rbp\n\tnop\n"
        )
    };
    let absent = || after_pop(None, false, DirectiveBug::Absent);
    for (lines, check, status) in [
        ("popq %rbp; ret", absent(), 1),
        ("popq %rbp; .cfi_restore 6; ret", absent(), 0),
        ("pop %rbp   # 8-byte Reload; .L1:; .cfi_def_cfa_offset 8; .cfi_restore %rbp; ret", absent(), 0),
        ("popq %rbp // reload; # a comment; .p2align 4; ret; .cfi_restore 6", absent(), 1),
        // The first is right, the second is not.
        ("popq %rbp; .cfi_restore 6; ret; popq %rbp; ret", absent(), 1),
        // No instruction executes after the last one.
        ("popq %rbp", absent(), 2),
        ("nop; ret", absent(), 2),
        ("popq %rbp; .cfi_restore 6; ret", after_pop(None, false, DirectiveBug::Early), 1),
        ("popq %rbp; ret; .cfi_restore 6", after_pop(None, false, DirectiveBug::Early), 0),
        // It only matters before another instruction.
        ("popq %rbp; ret", after_pop(Some("^movq"), false, DirectiveBug::Absent), 2),
        ("popq %rbp; nop; movq %rax, %rsp; ret", after_pop(Some("^movq"), false, DirectiveBug::Absent), 1),
        ("popq %rbp; movq %rax, %rsp", after_pop(Some("^movq"), false, DirectiveBug::Absent), 1),
        ("movq %rax, %rsp; popq %rbp; ret", after_pop(Some("^movq"), false, DirectiveBug::Absent), 2),
        (".cfi_restore 6; popq %rbp; ret", after_pop(None, true, DirectiveBug::Absent), 0),
        (".cfi_restore 6; nop; popq %rbp; ret", after_pop(None, false, DirectiveBug::Absent), 1),
    ] {
        let (ended, printed) = directive(&text(lines), check);
        assert_eq!(ended, status, "{lines}\n{printed}");
    }
    let (_, printed) = directive(&text("popq %rbp; .cfi_def_cfa 7, 8; ret"), absent());
    assert!(printed.contains("  popq %rbp\n  .cfi_def_cfa 7, 8\n  ret\n"), "{printed}");
}

/// `git bisect run` treats 2 and 77 as bad; 125 is skipped.
#[test]
fn a_script_tells_bisect_what_it_cannot_tell() {
    let folder = scratch::folder();
    let filing = bundles::read(&Home { root: root() }, "gas-simple-crash").expect("a bundle");
    let script = put(&filing, &folder.path().join("bundle"));
    for (body, plain, bisect) in [
        ("exit 0", 0, 0),
        ("echo 'Internal error' >&2; kill -SEGV $$", 1, 1),
        ("echo 'unknown option' >&2; exit 1", 2, 125),
    ] {
        let assembler = folder.path().join("as");
        write_program(&assembler, &format!("#!/bin/sh\n{body}\n"));
        let programs = BTreeMap::from([("AS".to_owned(), assembler)]);
        let (status, printed) = ended(&script, &[], &programs);
        assert_eq!(status, plain, "{body}: {printed}");
        assert_eq!(ended(&script, &["--bisect"], &programs).0, bisect, "{body}");
    }
    let nothing = BTreeMap::from([("AS".to_owned(), PathBuf::from("/nowhere/as"))]);
    assert_eq!((ended(&script, &[], &nothing).0, ended(&script, &["--bisect"], &nothing).0), (77, 125));
}
