//! Tables of real producers as vectors: the frozen files that are linked, and cases that the
//! producers of this machine build. A row is expected where the file's run and its `.eh_frame` bear
//! it out, and nowhere else: what is wrong with the tables themselves is no reader's fault. Of
//! programs, stacks of their run are kept too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use check::Options;
use generators::code::FrameState;
use generators::vectors::{Answer, Class, Expected, Has, Row, Vector};
use ledger::Home;
use matrix::case::Case;
use matrix::frozen::{FrozenObject, TOPIC};
use matrix::link::RecipeError;
use matrix::pipeline::Pipeline;
use matrix::trial::Subject;
use matrix::{Extent, Matrix};
use rayon::prelude::*;
use results::Key;
use sframe::{Placement, Section, Table};
use types::{Abi, Bytes, ImageKind, SframeVersion, UnwindRow, ValueRule};

use crate::spread::spread;

use super::stacks::stacks;
use super::{OwnReader, SectionInput};
use crate::corpus::chain_line;

/// Cases that a whole run builds.
pub const BUILDS: usize = 60;

/// Addresses of one table, spread evenly over it: a reader has seconds for all of them.
const MOST_ANSWERS: usize = 2000;
/// Bytes of a table: with ten thousands of rows in a function, each of those addresses takes a
/// reader long.
const MOST_BYTES: usize = 64 << 10;

/// The file's part of a frozen one's id: `real-gas-2.44-gcc12-O2-exe`.
const FROZEN: &str = "real";
/// And of one that is built here: `built-gas-2.44-calls-recursion`.
const BUILT: &str = "built";

/// Where the table of a vector is from: `real`, `built`; none for tables of this project.
pub(super) fn origin(vector: &Vector) -> Option<&'static str> {
    let name = vector.id.rsplit('/').next()?;
    [FROZEN, BUILT].into_iter().find(|origin| name.strip_prefix(origin).is_some_and(|rest| rest.starts_with('-')))
}

/// The producer of a vector's table, and the ABI: `gas@2.44 amd64`; none for tables of this
/// project.
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

/// The vectors of all frozen files that are linked and whose ids contain a text. What cannot be
/// read or judged gives none: that is a matter of the matrix.
pub fn real(home: &Home, text: &str) -> Vec<Vector> {
    let folder = home.cases().join(TOPIC);
    let Ok(objects) = FrozenObject::read_all(&folder) else { return Vec::new() };
    let named = objects.into_iter().filter(|object| object.kind != "o").map(|object| {
        let FrozenObject { sframe, abi, producer, producer_version, case, .. } = &object;
        (id(FROZEN, sframe, *abi, &format!("{producer}-{producer_version}-{case}")), object)
    });
    let wanted: Vec<(String, FrozenObject)> = named.filter(|(id, _)| id.contains(text)).collect();
    let of = |(id, object): (String, FrozenObject)| {
        let bytes = std::fs::read(folder.join(&object.file)).ok()?.into();
        let about = format!("What {} {} made of {}.", object.producer, object.producer_version, object.case);
        vector(Made { id, about, abi: object.abi, version: object.sframe, bytes })
    };
    wanted.into_par_iter().filter_map(of).collect()
}

/// The vectors of at most that many cases, spread evenly over all that the producers of this
/// machine can build, whose ids contain a text.
///
/// # Errors
/// When data files cannot be read.
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
        vector(Made { id, about, abi: key.abi, version: key.sframe, bytes })
    };
    let wanted: Vec<_> = spread(&builds, most).into_iter().filter(|(id, ..)| id.contains(text)).collect();
    Ok(wanted.into_par_iter().filter_map(of).collect())
}

fn id(origin: &str, version: &str, abi: Abi, name: &str) -> String {
    format!("{}/{version}-{abi}/{origin}-{name}", Class::Valid.name())
}

fn vector(made: Made) -> Option<Vector> {
    let Made { id, about, abi, version, bytes } = made;
    let version = SframeVersion::named(&version)?;
    let image = elf::load(&id, &bytes).ok()?;
    let found = image.sframe_sections().next()?;
    if image.kind == ImageKind::Relocatable || found.bytes.len() > MOST_BYTES {
        return None;
    }
    let section = Section::parse(&found.bytes).ok()?;
    let table = Table::new(&section, Placement::in_file(image.kind, found.address)).ok()?;
    let checked = check::check(&id, &bytes, &Options::default());
    let doubted: Vec<(u64, u64)> =
        checked.report.discrepancies.iter().flat_map(|finding| finding.evidence.ranges.clone()).collect();
    let mut begins: BTreeMap<u64, usize> = BTreeMap::new();
    table.functions().for_each(|function| *begins.entry(function.start).or_default() += 1);
    let owed = |pc: u64| {
        let found = table.find(pc);
        // The text does not say which of two functions is meant that begin at one address.
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
    let rows = |pc: &u64| owed(*pc).filter(|owed| *owed != Expected::NoRow);
    let answers: Vec<Answer> = pcs.iter().filter_map(|pc| Some(Answer { pc: *pc, expected: rows(pc)? })).collect();
    let answers = spread(&answers, MOST_ANSWERS);
    // A program that ended by itself in a worker does so here.
    let mut chains = if checked.exit.is_some() { stacks(&image, &starts, owed) } else { Vec::new() };
    let header = &section.header;
    let text = (*begins.first_key_value()?.0, *ends.last()?);
    // Where the table itself leads elsewhere, as in the middle of a throw that makes its own slots
    // those of another frame, or beyond the words that were kept, it is judged by `check`, and no
    // reader by it.
    let own = OwnReader::new(&SectionInput { bytes: found.bytes.to_vec(), address: found.address, text, abi })?;
    chains.retain(|stack| own.walk(&chain_line(stack)).is_some_and(|callers| callers == stack.callers));
    Some(Vector {
        id,
        about,
        class: Class::Valid,
        abi,
        version,
        bytes: found.bytes.to_vec(),
        address: found.address,
        text,
        answers,
        chains,
        sorted: header.flags.sorted(),
        has: Has {
            flex: section.functions().flatten().any(|function| function.attributes.info2.flex()),
            gaps: header.aux_len > 0,
            empty: section.entries().next().is_none() || section.entries().any(|entry| entry.size == 0),
            blocks: table.functions().any(|function| function.mask.is_some()),
        },
    })
}

/// The text leaves the meaning open ([`generators::vectors::QUESTIONS`]: `ra-at-cfa`, `two-words`,
/// `outermost-v2`).
fn is_open_row(abi: Abi, version: SframeVersion, row: &UnwindRow) -> bool {
    let facts = abi.facts();
    let has_ra_word = facts.fixed_ra.is_none() && facts.pointer_authentication;
    let at_cfa = row.ra == ValueRule::AtCfa(0);
    let ra_alone = matches!(row.ra, ValueRule::AtCfa(_)) && row.fp == ValueRule::SameValue;
    has_ra_word && (at_cfa || ra_alone) || !version.has_flex() && row.ra == ValueRule::Undefined
}

fn expected(row: &UnwindRow) -> Expected {
    let frame = FrameState { cfa: row.cfa, ra: row.ra, fp: row.fp, signed: row.signed };
    let ends = row.ra == ValueRule::Undefined;
    let key = (row.signed && !ends).then_some(row.key);
    Expected::Row(Row { frame, key, signal: row.signal })
}
