//! Blame by directives: stand-ins of the assembler that lose, double, move or change one directive
//! of each function, in both tables or in one. Each error that they bring has to be the
//! assembler's, and the compiler's if its text has it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use check::{Limits, Options};
use generators::c::Program;
use generators::cfi_text::Text as _;
use libtest_mimic::Failed;
use matrix::{Meant, attribute};
use results::{Blame, Finding};
use selftest::compiled::options::Choices;
use selftest::compiled::subject::CompilerSubject;
use testing::elf::{Elf, Section};
use toolchain::entry::Step;
use toolchain::files::Files;
use types::{Abi, Bytes, Rng};

use super::repaired::{Bug, planted};

/// A stand-in: which directives it breaks, and how.
const STAND_INS: [(&str, Bug); 20] = [
    ("def_cfa", Bug::Dropped),
    ("def_cfa", Bug::Late),
    ("def_cfa", Bug::Operand),
    ("def_cfa_offset", Bug::Dropped),
    ("def_cfa_offset", Bug::Early),
    ("def_cfa_offset", Bug::Late),
    ("def_cfa_offset", Bug::Operand),
    ("def_cfa_register", Bug::Dropped),
    ("def_cfa_register", Bug::Late),
    ("adjust_cfa_offset", Bug::Dropped),
    ("adjust_cfa_offset", Bug::Doubled),
    ("offset", Bug::Dropped),
    ("offset", Bug::Late),
    ("offset", Bug::Operand),
    ("restore", Bug::Dropped),
    ("restore", Bug::Early),
    ("restore", Bug::Late),
    ("restore_state", Bug::Dropped),
    ("remember_state", Bug::Late),
    ("negate_ra_state", Bug::Doubled),
];

/// The tables that a stand-in makes of the broken text.
const TABLES: [&[&str]; 3] = [&[".sframe", ".eh_frame"], &[".sframe"], &[".eh_frame"]];

/// Builds programs with each stand-in until `count` trials of each have an error that the
/// unchanged assembler does not bring.
pub(crate) fn are_attributed(
    subject: &CompilerSubject,
    home: &Path,
    choices: &Choices,
    count: usize,
) -> Result<(), Failed> {
    let mut counts = BTreeMap::<(usize, usize), usize>::new();
    let mut wrong = Vec::new();
    let cases = assembly_cases(home, subject.abi)?;
    let compiled = (8000..8000 + 4 * count as u64).filter_map(|seed| compiled(subject, choices, seed));
    for (name, seed, source) in compiled.chain(cases) {
        let Some(original) = assembled(subject, &source) else { continue };
        let before = errors(&original, &[]);
        for (nth, (directive, bug)) in STAND_INS.iter().enumerate() {
            if (0..TABLES.len()).all(|tables| counts.get(&(nth, tables)).is_some_and(|done| *done >= count)) {
                continue;
            }
            let edit = |text: &str| planted(text, &mut Rng::new(seed), Some((directive, *bug))).0;
            let (broken, log) = (edit(&source), edit(&directives::logged(&source, subject.abi)));
            if broken == source {
                continue;
            }
            let (Some(edited), Some(log)) = (assembled(subject, &broken), assembled(subject, &log)) else { continue };
            for (which, names) in TABLES.iter().enumerate() {
                let Some(object) = spliced(&original, &edited, names) else { continue };
                let Ok(meant) = meant(&object, &log) else { continue };
                let shown = errors(&object, &[meant]);
                let new: Vec<&Finding> = shown.iter().filter(|found| is_new(found, &before)).collect();
                if new.is_empty() {
                    continue;
                }
                *counts.entry((nth, which)).or_default() += 1;
                let is_right = |blame| blame == Blame::Assembler || blame == Blame::EhFrame && which == 2;
                wrong.extend(new.iter().filter(|found| !is_right(found.blame())).map(|found| {
                    format!("{name}: {directive} {bug:?} in {names:?}: {}: {}", found.blame(), found.headline())
                }));
            }
            // The same text, written by the compiler.
            let log = assembled(subject, &directives::logged(&broken, subject.abi));
            if let Some(Ok(meant)) = log.map(|log| meant(&edited, &log)) {
                let shown = errors(&edited, &[meant]);
                wrong.extend(
                    shown.iter().filter(|found| is_new(found, &before) && found.blame() != Blame::Compiler).map(
                        |found| format!("{name}: written {directive} {bug:?}: {}: {}", found.blame(), found.headline()),
                    ),
                );
            }
        }
    }
    let total: usize = counts.values().sum();
    println!("{} {}: {} of {total} trials wrong; {counts:?}", subject.name, subject.abi, wrong.len());
    match wrong.is_empty() && total > 0 {
        true => Ok(()),
        false => Err(wrong.join("\n").into()),
    }
}

/// What the compiler makes of a program, with its name and seed.
fn compiled(subject: &CompilerSubject, choices: &Choices, seed: u64) -> Option<(String, u64, String)> {
    let text = Program::draw(subject.target(), seed).text();
    let options = choices.draw(subject.family, subject.version(), subject.abi, seed);
    let options = options.iter().map(|choice| choice.words.as_str()).collect::<Vec<_>>().join(" ");
    let mut files = Files::default();
    files.put("t.c", text.into_bytes().into());
    subject.run(Step::Compile, &mut files, &options).ok().filter(|ran| ran.success)?;
    let source = String::from_utf8_lossy(files.get("t.s")?).into_owned();
    Some((format!("seed {seed} {options}"), seed, source))
}

/// Cases written in assembly.
fn assembly_cases(home: &Path, abi: Abi) -> Result<Vec<(String, u64, String)>, Failed> {
    let suffix = format!(".{}.s", abi.facts().family);
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(home.join("cases/frames"))? {
        let path = entry?.path();
        let name = path.display().to_string();
        if name.ends_with(&suffix) {
            cases.push((name, 1, std::fs::read_to_string(&path)?));
        }
    }
    match cases.is_empty() {
        true => Err("no case".into()),
        false => Ok(cases),
    }
}

fn assembled(subject: &CompilerSubject, text: &str) -> Option<Bytes> {
    let mut files = Files::default();
    files.put("t.s", text.as_bytes().to_vec().into());
    subject.run(Step::Assemble, &mut files, "").ok()?;
    files.get("t.o").cloned()
}

fn meant(object: &Bytes, log: &Bytes) -> Result<Meant, String> {
    let load = |bytes: &Bytes| elf::load("t.o", bytes).map_err(|error| error.to_string());
    Meant::new(load(object)?, &load(log)?).map_err(|error| error.to_string())
}

fn errors(object: &Bytes, meant: &[Meant]) -> Vec<Finding> {
    let limits = Limits { time: Some(std::time::Duration::from_secs(20)), ..Limits::default() };
    let mut report = check::check("t.o", object, &Options { limits, ..Options::exploring() }).report;
    attribute(&mut report.discrepancies, meant, None);
    report.discrepancies.retain(|found| found.is_error());
    report.discrepancies
}

/// Returns true for an error in a function that had none.
fn is_new(found: &Finding, before: &[Finding]) -> bool {
    let functions: BTreeSet<&str> = before.iter().map(|found| found.function()).collect();
    !functions.contains(found.function())
}

/// The object with the contents of sections, and their relocations, of another object of the same
/// code.
fn spliced(object: &Bytes, other: &Bytes, names: &[&str]) -> Option<Bytes> {
    let (mut elf, other) = (Elf::new(object.to_vec()), Elf::new(other.to_vec()));
    let (own, theirs) = (elf.sections(), other.sections());
    for name in names.iter().flat_map(|name| [(*name).to_owned(), format!(".rela{name}")]) {
        let (Section { header, .. }, Section { offset, size, .. }) = (own.get(&name)?, theirs.get(&name)?);
        elf.bytes.resize(elf.bytes.len().next_multiple_of(8), 0);
        // sh_offset and sh_size.
        elf.store(header + 24, 8, elf.bytes.len() as u64);
        elf.store(header + 32, 8, *size as u64);
        elf.bytes.extend_from_slice(&other.bytes[*offset..offset + size]);
    }
    Some(elf.bytes.into())
}
