//! Vectors from tables of real producers: frozen linked files, and cases built with the installed
//! producers. A row is expected only if the execution of the file and its `.eh_frame` confirm it,
//! because errors of the tables are not bugs of readers. For programs, stacks of their execution
//! are also used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use check::{Checked, Options};
use generators::code::FrameState;
use generators::vectors::{Class, Expected, Has, Lookup, Row, Vector, has};
use ledger::Home;
use matrix::case::Case;
use matrix::frozen::{FrozenObject, TOPIC};
use matrix::link::RecipeError;
use matrix::pipeline::Pipeline;
use matrix::trial::Subject;
use matrix::{Extent, Matrix};
use rayon::prelude::*;
use results::{Key, table_name};
use sframe::{Placement, Section, Table};
use types::{
    Abi, Bytes, CfaRule, CodePoint, Image, ImageKind, Pc, Reg, SframeVersion, TableFormat, UnwindRow, ValueRule,
};
use unwind::{CfiSections, CfiUnwinder, Unwinder as _};

use crate::spread::spread;

use super::stacks::stacks;
use super::{OwnReader, SectionInput};
use crate::corpus::chain_line;

/// Number of cases that a complete run builds.
pub const BUILDS: usize = 60;

/// Maximum number of addresses of one table, evenly spread: a reader has a few seconds for all of
/// them.
const MOST_ANSWERS: usize = 2000;
/// Maximum size of a table in bytes: with tens of thousands of rows in a function, each look-up
/// takes a reader long.
const MOST_BYTES: usize = 64 << 10;

/// Prefix in the id of a frozen file's vector: `real-gas-2.44-gcc12-O2-exe`.
const FROZEN: &str = "real";
/// Prefix in the id of a built file's vector: `built-gas-2.44-calls-recursion`.
const BUILT: &str = "built";

/// Origin of a vector's table: `real`, `built`; `None` for tables of this project.
pub(super) fn origin(vector: &Vector) -> Option<&'static str> {
    let name = vector.id.rsplit('/').next()?;
    [FROZEN, BUILT].into_iter().find(|origin| name.strip_prefix(origin).is_some_and(|rest| rest.starts_with('-')))
}

/// Producer of a vector's table, and the ABI: `gas@2.44 amd64`; `None` for tables of this project.
pub fn made_by(vector: &Vector) -> Option<String> {
    origin(vector)?;
    let mut words = vector.id.rsplit('/').next()?.splitn(4, '-').skip(1);
    Some(format!("{}@{} {}", words.next()?, words.next()?, vector.abi))
}

/// A linked file with a table of a real producer.
struct Made {
    id: String,
    about: String,
    abi: Abi,
    version: String,
    bytes: Bytes,
}

/// The vectors of all frozen linked files whose ids contain a text. Files that cannot be read or
/// judged give none: the matrix tests them.
pub fn real(home: &Home, text: &str) -> Vec<Vector> {
    let folder = home.cases().join(TOPIC);
    let Ok(objects) = FrozenObject::read_all(&folder) else { return Vec::new() };
    let named = objects.into_iter().filter(|object| object.kind != "o").map(|object| {
        let FrozenObject { sframe, abi, producer, producer_version, case, .. } = &object;
        (id(FROZEN, sframe, *abi, &format!("{producer}-{producer_version}-{case}")), object)
    });
    let wanted: Vec<(String, FrozenObject)> = named.filter(|(id, _)| is_wanted(id, text)).collect();
    let of = |(id, object): (String, FrozenObject)| {
        let bytes = std::fs::read(folder.join(&object.file)).ok()?.into();
        let about = format!("What {} {} made of {}.", object.producer, object.producer_version, object.case);
        Some(made_vectors(Made { id, about, abi: object.abi, version: object.sframe, bytes }))
    };
    wanted.into_par_iter().filter_map(of).flatten_iter().collect()
}

/// The vectors of at most `most` cases, evenly spread over all that the installed producers can
/// build, whose ids contain a text.
pub fn built(matrix: &Matrix, most: usize, text: &str) -> Result<Vec<Vector>, RecipeError> {
    let mut builds = Vec::new();
    for trial in matrix.trials(Extent::Often)? {
        let Subject::Built { case, pipeline } = trial.subject else { continue };
        let key = trial.key;
        let name = format!("{}-{}-{}-{}", key.producer, key.version, key.topic, key.case);
        if SframeVersion::named(&key.sframe).is_some() {
            builds.push((id(BUILT, &key.sframe, key.abi, &name), key, case, pipeline));
        }
    }
    let of = |(id, key, case, pipeline): (String, Key, Arc<Case>, Pipeline)| {
        let bytes = pipeline.build(&case, key.abi).ok()?.linked?;
        let about = format!("What {} {} made here of {}/{}.", key.producer, key.version, key.topic, key.case);
        Some(made_vectors(Made { id, about, abi: key.abi, version: key.sframe, bytes }))
    };
    let wanted: Vec<_> = spread(&builds, most).into_iter().filter(|(id, ..)| is_wanted(id, text)).collect();
    Ok(wanted.into_par_iter().filter_map(of).flatten_iter().collect())
}

/// Returns true if the id of a file's `.sframe`, or that of its `.eh_frame`, contains a text.
fn is_wanted(id: &str, text: &str) -> bool {
    has(id, text) || eh_frame_id(id).is_some_and(|id| has(&id, text))
}

/// The id of the `.eh_frame` of a file, from that of its `.sframe`: files of several versions have
/// the same name.
fn eh_frame_id(id: &str) -> Option<String> {
    let (kind, name) = id.rsplit_once('/')?;
    let of = |abi: Abi| {
        let version = kind.strip_suffix(abi.name())?.strip_suffix('-')?.rsplit('/').next()?;
        Some(format!("{}/{}/{name}-{version}", Class::Valid.name(), table_name(TableFormat::EhFrame, abi)))
    };
    Abi::ALL.into_iter().find_map(of)
}

fn id(origin: &str, version: &str, abi: Abi, name: &str) -> String {
    format!("{}/{version}-{abi}/{origin}-{name}", Class::Valid.name())
}

/// The vectors of a file: its `.sframe`, and the stacks of its execution for its `.eh_frame`.
fn made_vectors(made: Made) -> Vec<Vector> {
    let Ok(image) = elf::load(&made.id, &made.bytes) else { return Vec::new() };
    let checked = check::check(&made.id, &made.bytes, &Options::default());
    let eh_frame = eh_frame(&made, &image, &checked).unwrap_or_default();
    vector(made, &image, &checked).into_iter().chain(eh_frame).collect()
}

fn vector(made: Made, image: &Image, checked: &Checked) -> Option<Vector> {
    let Made { id, about, abi, version, bytes: _ } = made;
    let version = SframeVersion::named(&version)?;
    let found = image.sframe_sections().next()?;
    if image.kind == ImageKind::Relocatable || found.bytes.len() > MOST_BYTES {
        return None;
    }
    let section = Section::parse(&found.bytes).ok()?;
    let table = Table::new(&section, Placement::in_file(image.kind, found.address)).ok()?;
    let doubted = doubted(checked);
    let mut begins: BTreeMap<u64, usize> = BTreeMap::new();
    table.functions().for_each(|function| *begins.entry(function.start).or_default() += 1);
    let expected_at = |pc: u64| {
        let found = table.find(pc);
        // The specification does not define which of two functions with the same start is meant.
        let is_open = found.is_some_and(|function| begins.get(&function.start).is_some_and(|count| *count > 1));
        let is_doubted = is_open || doubted.iter().any(|(start, end)| (*start..*end).contains(&pc));
        let row = found.and_then(|function| function.unwind_row(pc)).filter(|_| !is_doubted);
        let says_much = row.as_ref().is_none_or(|row| !is_open_row(abi, version, row));
        (!is_doubted && says_much).then(|| row.map_or(Expected::NoRow, |row| expected(&row)))
    };
    let starts: BTreeSet<u64> = table.functions().flat_map(|function| function.boundaries()).collect();
    let ends: BTreeSet<u64> = table.functions().map(|function| function.end).collect();
    let lasts = starts.iter().chain(&ends).filter_map(|boundary| boundary.checked_sub(1));
    let pcs: BTreeSet<u64> = starts.iter().copied().chain(lasts).collect();
    let rows = |pc: &u64| expected_at(*pc).filter(|one| *one != Expected::NoRow);
    let answers: Vec<Lookup> = pcs.iter().filter_map(|pc| Some(Lookup { pc: *pc, expected: rows(pc)? })).collect();
    let answers = spread(&answers, MOST_ANSWERS);
    // A program that exited in a worker does so in this process too.
    let mut chains = if checked.exit.is_some() { stacks(image, &starts, expected_at) } else { Vec::new() };
    let header = &section.header;
    let text = (*begins.first_key_value()?.0, *ends.last()?);
    // Stacks for which the table itself gives other callers are not used, as during a throw that
    // turns its own slots into those of another frame, or if words beyond the stored ones are
    // needed: `check` judges such tables.
    let (bytes, format) = (found.bytes.to_vec(), version.into());
    let own = OwnReader::new(&SectionInput { bytes, address: found.address, text, abi, format, register: None })?;
    chains.retain(|stack| own.walk(&chain_line(stack)).is_some_and(|callers| callers == stack.callers));
    Some(Vector {
        id,
        about,
        class: Class::Valid,
        abi,
        register: None,
        format,
        bytes: found.bytes.to_vec(),
        address: found.address,
        index: None,
        text,
        answers,
        chains,
        sorted: header.flags.sorted(),
        has: Has {
            flex: section.functions().flatten().any(|function| function.attributes.info2.flex()),
            gaps: header.aux_len > 0,
            empty: section.entries().next().is_none() || section.entries().any(|entry| entry.size == 0),
            expressions: false,
            outermost: false,
            registers: false,
            blocks: table.functions().any(|function| function.mask.is_some()),
        },
    })
}

/// The addresses about which a table differs from the execution or from another table.
fn doubted(checked: &Checked) -> Vec<(u64, u64)> {
    checked.report.discrepancies.iter().flat_map(|finding| finding.evidence.ranges.clone()).collect()
}

/// Number of registers of a file that are asked for beside FP, and of addresses for each.
const MOST_REGISTERS: usize = 2;
const MOST_OF_REGISTER: usize = 100;

/// Stacks of an execution, for readers of its `.eh_frame`, and the rows of registers that a call
/// preserves. `None` if there are no stacks.
fn eh_frame(made: &Made, image: &Image, checked: &Checked) -> Option<Vec<Vector>> {
    let section = |name: &str| image.sections.iter().find(|section| section.name == name);
    let table = section(".eh_frame").filter(|table| table.bytes.len() <= MOST_BYTES)?;
    checked.exit?;
    let (abi, format) = (made.abi, TableFormat::EhFrame);
    let eh_frame = Some((table.address, &*table.bytes));
    let cfi = CfiUnwinder::new(abi, &CfiSections { eh_frame, ..CfiSections::default() });
    let boundaries = cfi.functions().flat_map(|function| cfi.boundaries(function.start, function.end)).map(|pc| pc.0);
    let boundaries: BTreeSet<u64> = boundaries.collect();
    let text = (cfi.functions().next()?.start.0, cfi.functions().map(|function| function.end.0).max()?);
    let doubted = doubted(checked);
    let is_doubted = |pc: u64| doubted.iter().any(|(start, end)| (*start..*end).contains(&pc));
    let rules_at = |pc: u64, register: Option<Reg>| {
        let row = cfi.row(CodePoint::Exact(Pc(pc))).ok()?;
        let rules = cfi.rules(row, Pc(pc));
        let fp = register.map_or(rules.fp, |reg| cfi.rule(row, reg).unwrap_or(ValueRule::SameValue));
        Some(UnwindRow { fp, ..rules })
    };
    let expected_at = |pc: u64| match rules_at(pc, None) {
        _ if is_doubted(pc) => None,
        Some(row) => (!leaves_sp_unsaid(abi, &row)).then(|| expected(&row)),
        None => Some(Expected::NoRow),
    };
    let bytes = table.bytes.to_vec();
    let own = OwnReader::new(&SectionInput {
        bytes: bytes.clone(),
        address: table.address,
        text,
        abi,
        format,
        register: None,
    })?;
    let mut chains = stacks(image, &boundaries, expected_at);
    chains.retain(|stack| own.walk(&chain_line(stack)).is_some_and(|callers| callers == stack.callers));
    let id = eh_frame_id(&made.id)?;
    let index = section(".eh_frame_hdr").map(|index| (index.bytes.to_vec(), index.address));
    let about = format!("Stacks of an execution, for .eh_frame. {}", made.about);
    if chains.is_empty() {
        return None;
    }
    let of_stacks = Vector {
        id,
        about,
        class: Class::Valid,
        abi,
        register: None,
        format,
        bytes,
        address: table.address,
        index,
        text,
        answers: Vec::new(),
        chains,
        sorted: true,
        has: Has::default(),
    };
    let of_register = |reg: Reg| {
        // Others are expressions.
        let is_plain = |rule: &ValueRule| !matches!(rule, ValueRule::Expression(_) | ValueRule::Memory { .. });
        let has_form = |row: &UnwindRow| {
            matches!(row.cfa, CfaRule::Register { .. })
                && row.fp != ValueRule::Undefined
                && [row.ra, row.fp].iter().all(is_plain)
        };
        let asked = |pc: &u64| {
            let row = rules_at(*pc, Some(reg)).filter(|row| !is_doubted(*pc) && has_form(row))?;
            Some(Lookup { pc: *pc, expected: expected(&row) })
        };
        let answers: Vec<Lookup> = boundaries.iter().filter_map(asked).collect();
        Vector {
            id: format!("{}-r{}", of_stacks.id, reg.0),
            about: format!("Rows of a register, for .eh_frame. {}", made.about),
            register: Some(reg),
            answers: spread(&answers, MOST_OF_REGISTER),
            chains: Vec::new(),
            has: Has { outermost: true, registers: true, ..Has::default() },
            ..of_stacks.clone()
        }
    };
    let registers = cfi.registers_with_rules();
    let preserved = abi.facts().preserved().filter(|reg| registers.contains(reg)).take(MOST_REGISTERS);
    let of_registers: Vec<Vector> = preserved.map(of_register).filter(|one| !one.answers.is_empty()).collect();
    Some(std::iter::once(of_stacks).chain(of_registers).collect())
}

/// Returns true if the specification leaves the meaning open ([`generators::vectors::QUESTIONS`]:
/// `ra-at-cfa`, `two-words`, `outermost-v2`).
fn is_open_row(abi: Abi, version: SframeVersion, row: &UnwindRow) -> bool {
    let facts = abi.facts();
    let has_ra_word = facts.fixed_ra.is_none() && facts.pointer_authentication;
    let at_cfa = row.ra == ValueRule::AtCfa(0);
    let ra_alone = matches!(row.ra, ValueRule::AtCfa(_)) && row.fp == ValueRule::SameValue;
    has_ra_word && (at_cfa || ra_alone) || !version.has_flex() && row.ra == ValueRule::Undefined
}

/// Returns true if a row of CFI has no rule for an SP that changed and that is not the CFA: DWARF
/// leaves the meaning to the ABI (DWARF 5, 6.4.1), and debuggers of s390x take it for unchanged, as
/// the other registers that a callee preserves.
fn leaves_sp_unsaid(abi: Abi, row: &UnwindRow) -> bool {
    let facts = abi.facts();
    let at_entry = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry };
    facts.caller_sp_minus_cfa != 0 && row.sp.is_none() && row.cfa != at_entry
}

fn expected(row: &UnwindRow) -> Expected {
    let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
    let ends = row.ra == ValueRule::Undefined;
    let key = (row.signed && !ends).then_some(row.key);
    Expected::Row(Row { frame, key, signal: row.signal })
}
