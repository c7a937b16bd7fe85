//! Known bugs of assemblers: each reproducer of `cases/found` with each installed assembler for
//! which a result is recorded. An assembler that is not installed, or of a version that was not
//! reviewed, is ignored.
//!
//! Also tests the lists: every source is listed, every class that is a bug has a reproducer and
//! ledger entries, and every reproducer belongs to its class.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ledger::class::{Class, Classes, Evidence, Judgement};
use ledger::{Home, Ledger, LedgerError};
use libtest_mimic::{Arguments, Failed, Trial, run};
use selftest::fuzz::found::{Reproducer, TOPIC};
use selftest::fuzz::tool::{self, Tool};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let home = Home::checkout().expect("tests run in it");
    let root = home.root.clone();
    let folder = root.join("cases").join(TOPIC);
    let read = Reproducer::read_all(&folder).map_err(|error| error.to_string());
    let (reproducers, classes) = match (read, Classes::read(&folder).map_err(|error| error.to_string())) {
        (Ok(reproducers), Ok(classes)) => (reproducers, classes),
        (reproducers, classes) => {
            eprintln!("{}{}", reproducers.err().unwrap_or_default(), classes.err().unwrap_or_default());
            return ExitCode::from(3);
        }
    };
    let tools = match tool::of_file(&root) {
        Ok(tools) => tools,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    let mut tests = vec![
        every_source_is_listed(&reproducers, &folder),
        every_bug_has_a_reproducer(&reproducers, &classes),
        every_bug_is_in_the_ledger(&classes, Ledger::read(&home)),
        every_reproducer_is_of_its_class(&reproducers, &classes, &folder),
    ];
    for reproducer in reproducers {
        for tool in &tools {
            if tool.abi == reproducer.abi {
                tests.push(test(reproducer.clone(), tool.clone(), folder.clone()));
            }
        }
    }
    run(&arguments, tests).exit_code()
}

fn test(reproducer: Reproducer, tool: Tool, folder: PathBuf) -> Trial {
    let recorded = reproducer.recorded(&tool).is_some();
    let name = format!("{}::{}::{}::{}", tool.name, tool.abi, reproducer.file, reproducer.what);
    Trial::test(name, move || reproducer.check(&folder, &tool).map_err(Failed::from)).with_ignored_flag(!recorded)
}

fn every_source_is_listed(reproducers: &[Reproducer], folder: &Path) -> Trial {
    let listed: BTreeSet<String> = reproducers.iter().map(|reproducer| reproducer.file.clone()).collect();
    let folder = folder.to_owned();
    Trial::test("every_source_is_listed", move || {
        let entries = fs::read_dir(&folder).map_err(|error| Failed::from(error.to_string()))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let sources: BTreeSet<String> = names.filter(|name| name.ends_with(".s")).collect();
        if sources == listed { Ok(()) } else { Err(format!("{sources:?} are there, {listed:?} listed").into()) }
    })
}

/// For each assembler that a class marks as wrong, a text that shows it.
fn every_bug_has_a_reproducer(reproducers: &[Reproducer], classes: &Classes) -> Trial {
    let mut shown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for reproducer in reproducers {
        shown.entry(reproducer.class.clone()).or_default().extend(reproducer.shown_by.iter().cloned());
    }
    let mut missing = Vec::new();
    for class in classes.all().filter(|class| class.verdict == Judgement::Wrong) {
        let shown = shown.get(&class.class).cloned().unwrap_or_default();
        missing.extend(class.by.iter().filter(|by| !shown.contains(*by)).map(|by| format!("{} by {by}", class.class)));
    }
    Trial::test("every_bug_has_a_reproducer", move || {
        if missing.is_empty() { Ok(()) } else { Err(format!("nothing shows {missing:?}").into()) }
    })
}

/// For each assembler that a class marks as wrong, the entry of its project includes the version,
/// and has not expired.
fn every_bug_is_in_the_ledger(classes: &Classes, ledger: Result<Ledger, LedgerError>) -> Trial {
    let wrong = ledger.map(|ledger| {
        let of = |class: &Class| {
            ledger.complaints(class).into_iter().map(|complaint| format!("{}: {complaint}", class.class)).collect()
        };
        classes.all().flat_map(|class| -> Vec<String> { of(class) }).collect::<Vec<String>>()
    });
    Trial::test("every_bug_is_in_the_ledger", move || match wrong {
        Ok(wrong) if wrong.is_empty() => Ok(()),
        Ok(wrong) => Err(wrong.join("\n").into()),
        Err(error) => Err(error.to_string().into()),
    })
}

/// The class of every reproducer is the one that a run would find for the same text.
fn every_reproducer_is_of_its_class(reproducers: &[Reproducer], classes: &Classes, folder: &Path) -> Trial {
    let mut wrong = Vec::new();
    for reproducer in reproducers {
        let text = fs::read_to_string(folder.join(&reproducer.file)).unwrap_or_default();
        for assembler in &reproducer.shown_by {
            let evidence = Evidence { assembler, abi: reproducer.abi, what: &reproducer.what, text: &text };
            let of: Vec<&str> = classes.matching(evidence).iter().map(|class| class.class.as_str()).collect();
            if of != [reproducer.class.as_str()] {
                wrong.push(format!("{} with {assembler}, {}: {of:?}", reproducer.file, reproducer.what));
            }
        }
    }
    Trial::test("every_reproducer_is_of_its_class", move || {
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
    })
}
