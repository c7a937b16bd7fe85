//! Repairs of planted bugs: one directive of each function of a compiler's output is dropped,
//! doubled, moved by an instruction, or has a wrong operand. Where that makes a row wrong, the
//! repair has to be the one edit that takes it back. The original text is the oracle.

use std::collections::{BTreeMap, BTreeSet};

use generators::c::Program;
use generators::cfi_text::Text as _;
use judge::tables::read_cfi;
use libtest_mimic::Failed;
use results::{Repair, Report};
use selftest::compiled::observe::{ProgramEnd, observe, observe_edited};
use selftest::compiled::options::Choices;
use selftest::compiled::subject::CompilerSubject;
use types::{Abi, Bytes, CodePoint, Image, Pc, Rng};
use unwind::{CfiUnwinder, Unwinder as _};

/// Share of repairs that have to be right, in percent.
fn least(abi: Abi) -> usize {
    match abi {
        Abi::Amd64 => 98,
        // Not yet: of saves in several places, and of states that are right in part.
        Abi::Aarch64 | Abi::Aarch64Be => 97,
        // Not yet: of rows at calls of functions that do not keep the return address.
        Abi::S390x => 95,
    }
}

/// A planted bug.
#[derive(Clone, Debug)]
pub(crate) struct Plant {
    function: String,
    bug: Bug,
    /// It was moved to where it changes no row: after an instruction that control does not pass, or
    /// after the last one.
    changes_nothing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bug {
    Dropped,
    Doubled,
    Early,
    Late,
    Operand,
}

/// Plants bugs in programs until `count` functions have one that shows.
pub(crate) fn are_found(subject: &CompilerSubject, choices: &Choices, count: usize) -> Result<(), Failed> {
    let (mut right, mut wrong) = (BTreeMap::<Bug, usize>::new(), Vec::new());
    for seed in 7000.. {
        let total = right.values().sum::<usize>() + wrong.len();
        if total >= count || seed > 7000 + 2 * count as u64 {
            break;
        }
        let text = Program::draw(subject.target(), seed).text();
        let options = choices.draw(subject.family, subject.version(), subject.abi, seed);
        let options = options.iter().map(|choice| choice.words.as_str()).collect::<Vec<_>>().join(" ");
        let clean = observe(subject, &text, &options).map_err(|error| error.to_string())?;
        let (ProgramEnd::Right, Some(before), Some(original)) = (clean.end, &clean.report, &clean.program) else {
            continue;
        };
        let mut plants = Vec::new();
        let mut rng = Rng::new(seed);
        let edit = |assembly: &str| {
            let (text, all) = planted(assembly, &mut rng, None);
            plants = all;
            text
        };
        let with = observe_edited(subject, &text, &options, edit).map_err(|error| error.to_string())?;
        let (Some(report), Some(program)) = (&with.report, &with.program) else { continue };
        let rows = (Rows::new(original), Rows::new(program));
        let bad_before = wrong_functions(before);
        for plant in &plants {
            if bad_before.contains(&plant.function) || !wrong_functions(report).contains(&plant.function) {
                continue;
            }
            match verdict(plant, report, &rows) {
                Ok(()) => *right.entry(plant.bug).or_default() += 1,
                Err(why) => wrong.push(format!("seed {seed} {options}: {plant:?}: {why}")),
            }
        }
    }
    let found: usize = right.values().sum();
    println!("{} {}: {found} of {}: {right:?}", subject.name, subject.abi, found + wrong.len());
    wrong.iter().for_each(|miss| println!("{miss}"));
    match found * 100 >= (found + wrong.len()) * least(subject.abi) {
        true => Ok(()),
        false => Err(format!("{} of {}:\n{}", wrong.len(), found + wrong.len(), wrong.join("\n")).into()),
    }
}

/// Functions with an error about rows.
fn wrong_functions(report: &Report) -> BTreeSet<String> {
    let errors = report.discrepancies.iter().filter(|found| found.is_error());
    errors.map(|found| found.function().to_owned()).collect()
}

/// A program's rows.
struct Rows {
    image: Image,
    table: CfiUnwinder,
}

impl Rows {
    fn new(bytes: &Bytes) -> Rows {
        let image = elf::load("t", bytes).expect("an image");
        let table = read_cfi(&image).expect("CFI");
        Rows { image, table }
    }

    fn at(&self, pc: u64) -> Option<String> {
        let id = self.table.row(CodePoint::Exact(Pc(pc))).ok()?;
        Some(self.table.rules(id, Pc(pc)).describe(self.image.abi))
    }
}

/// Whether the repair of a function takes a planted bug back.
fn verdict(plant: &Plant, report: &Report, (original, planted): &(Rows, Rows)) -> Result<(), String> {
    let of = |found: &&results::Finding| found.is_error() && found.function() == plant.function;
    let repairs: Vec<&Repair> =
        report.discrepancies.iter().filter(of).filter_map(|found| found.evidence.repair.as_ref()).collect();
    let Some(Repair::Edits { edits, rows }) = repairs.first() else {
        let rules =
            report.discrepancies.iter().filter(of).map(|found| format!("{}: {}", found.rule(), found.shown.message));
        return Err(format!("no repair: {repairs:?} of {:?}", rules.collect::<Vec<_>>()));
    };
    let [edit] = edits.as_slice() else { return Err(format!("{edits:#?}")) };
    let symbol = planted.image.symbols.iter().find(|symbol| symbol.name.as_str() == plant.function);
    let Some(symbol) = symbol else { return Err("no symbol".to_owned()) };
    for pc in symbol.address..symbol.address + symbol.size {
        let repaired = rows.iter().find(|row| (row.pc_start..row.pc_end).contains(&pc)).map(|row| row.row.clone());
        let repaired = repaired.or_else(|| planted.at(pc));
        let right = original.at(pc);
        if repaired != right {
            return Err(format!("{}: {repaired:?} at {pc:#x}, expected {right:?}", edit.edit));
        }
    }
    let actions: &[&str] = match plant.bug {
        // Another directive for the same part may be at the same place.
        Bug::Dropped => &["insert ", "change "],
        // Signs once more.
        Bug::Doubled => &["delete ", "change ", "insert "],
        // After a jump it changes no row.
        Bug::Late if plant.changes_nothing => &["move ", "insert "],
        Bug::Early | Bug::Late => &["move "],
        Bug::Operand => &["change "],
    };
    match actions.iter().any(|action| edit.normal_form.starts_with(action)) {
        true => Ok(()),
        false => Err(format!("{} has another form", edit.edit)),
    }
}

/// The text with a bug in each function, if one has a directive that can have it: any bug, or this
/// one of this directive.
pub(crate) fn planted(assembly: &str, rng: &mut Rng, only: Option<(&str, Bug)>) -> (String, Vec<Plant>) {
    let lines: Vec<&str> = assembly.lines().collect();
    let mut edited: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    let (mut plants, mut function) = (Vec::new(), String::new());
    let mut start = None;
    for (at, line) in lines.iter().enumerate() {
        let word = line.trim();
        if start.is_none()
            && let Some(name) = line.strip_suffix(':').or_else(|| line.split_once(": ").map(|(name, _)| name))
            && !name.starts_with(['.', ' ', '\t', '#', '/'])
        {
            function = name.to_owned();
        }
        match word.split_whitespace().next() {
            Some(".cfi_startproc") => start = Some(at),
            Some(".cfi_endproc") => {
                let Some(start) = start.take() else { continue };
                plants.extend(plant(&lines, (start..at, &function), &mut edited, rng, only));
            }
            _ => {}
        }
    }
    (edited.concat(), plants)
}

fn is_code(line: &str) -> bool {
    line.starts_with(['\t', ' ']) && line.trim_start().starts_with(|c: char| c.is_ascii_lowercase())
}

fn plant(
    lines: &[&str],
    (function, name): (std::ops::Range<usize>, &str),
    edited: &mut [String],
    rng: &mut Rng,
    only: Option<(&str, Bug)>,
) -> Option<Plant> {
    const NAMES: [&str; 10] = [
        "def_cfa",
        "def_cfa_offset",
        "adjust_cfa_offset",
        "def_cfa_register",
        "offset",
        "rel_offset",
        "restore",
        "remember_state",
        "restore_state",
        "negate_ra_state",
    ];
    let directive =
        |at: &usize| lines[*at].trim().strip_prefix(".cfi_").and_then(|rest| rest.split_whitespace().next());
    let places: Vec<usize> = function
        .clone()
        .filter(|at| directive(at).is_some_and(|name| only.map_or(NAMES.contains(&name), |(only, _)| only == name)))
        .collect();
    if places.is_empty() {
        return None;
    }
    let at = rng.pick(&places);
    let kind = directive(&at)?;
    let bugs: &[Bug] = match kind {
        "remember_state" => &[Bug::Early, Bug::Late],
        "restore_state" | "restore" | "def_cfa_register" => &[Bug::Dropped, Bug::Early, Bug::Late],
        "negate_ra_state" => &[Bug::Dropped, Bug::Doubled, Bug::Early, Bug::Late],
        "adjust_cfa_offset" => &[Bug::Dropped, Bug::Doubled, Bug::Early, Bug::Late, Bug::Operand],
        _ => &[Bug::Dropped, Bug::Early, Bug::Late, Bug::Operand],
    };
    let bug = only.map_or_else(|| rng.pick(bugs), |(_, bug)| bug);
    let mut changes_nothing = false;
    let own = std::mem::take(&mut edited[at]);
    match bug {
        Bug::Dropped => {}
        Bug::Doubled => edited[at] = own.repeat(2),
        Bug::Operand => {
            edited[at].clone_from(&own);
            let (rest, number) = own.trim_end().rsplit_once([' ', ','])?;
            let changed = number.trim().parse::<i64>().ok()? + 16;
            edited[at] = format!("{rest}{}{changed}\n", if kind.contains("cfa_offset") { " " } else { "," });
        }
        Bug::Early => {
            let before = (function.start..at).rev().find(|at| is_code(lines[*at]))?;
            edited[before] = format!("{own}{}", edited[before]);
        }
        Bug::Late => {
            let after = (at..function.end).find(|at| is_code(lines[*at]))?;
            let word = lines[after].split_whitespace().next().unwrap_or_default();
            changes_nothing = (after + 1..function.end).all(|at| !is_code(lines[at]))
                || ["ret", "retq", "jmp", "jmpq", "b", "br", "retaa", "retab", "j", "jg"].contains(&word);
            edited[after] = format!("{}{own}", edited[after]);
        }
    }
    Some(Plant { function: name.to_owned(), bug, changes_nothing })
}
