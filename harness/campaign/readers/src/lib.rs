//! Tests readers of `.sframe` and `.eh_frame`: each reader is given every vector that it claims to
//! read, and its answers are judged by how the vector was constructed.

pub mod acceptance;
mod again;
mod answers;
pub mod corpus;
mod earlier;
mod findings;
mod judge;
mod known;
mod linker;
mod own;
mod policy;
mod real;
mod run_folder;
mod spread;
mod stacks;
mod summary;
mod timed;
mod wrong_answer;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use generators::vectors::{self, Class, Expected, Lookup, Vector};
use rayon::prelude::*;
use results::table_name;
use toolchain::consumer::{Consumer, Exception, Question, Reader, Reply, Tells};
use types::{Abi, SframeVersion, TableFormat, combinations};

pub use again::ask_again;
pub use earlier::EarlierFindings;
pub use findings::{CauseEvidence, cause, findings};
pub use judge::Judged;
pub use known::{ReadersLedger, Scope};
pub use linker::{Inputs, Linked, Output, SectionInput, inputs, link, linker};
pub use own::{GIMLI, OwnReader};
pub use policy::choices;
pub use real::{BUILDS, built, made_by, real};
pub use run_folder::{FACTS, FINDINGS, PRIVATE, read, write};
pub use summary::{reader_lines, stacks_by_origin};
pub use timed::timed;
pub use wrong_answer::WrongAnswer;

use crate::corpus::{chain_line, row_state};

/// Of `.eh_frame` only the first of as many random programs.
const EH_FRAME_PART: usize = 4;

/// The vectors of the corpus, and those of `programs` random programs, the same number for each
/// target and version; only those whose id contains `text`.
pub fn vectors(seed: u64, programs: u64, text: &str) -> Vec<Vector> {
    let mut all = corpus::all(seed, text);
    let each = programs.div_ceil(combinations(None, None).len().max(1) as u64) as usize;
    // Debuggers take long for each answer.
    let count = move |format| if format == TableFormat::EhFrame { each.div_ceil(EH_FRAME_PART) } else { each };
    let drawn = tables().into_par_iter().flat_map_iter(|(abi, format)| {
        // Only programs without open questions.
        (0..).filter_map(move |number| vectors::program(abi, format, seed, number)).take(count(format))
    });
    all.extend(vectors::eh_frame(text));
    all.extend(corpus::eh_frame_chains(seed, text));
    all.extend(drawn.collect::<Vec<_>>().into_iter().filter(|vector| vectors::has(&vector.id, text)));
    all
}

/// The vector with this id, from the corpus or random.
pub fn vector_named(seed: u64, id: &str) -> Option<Vector> {
    let drawn = || {
        let (kind, number) = id.strip_prefix("valid/")?.split_once("/random-")?;
        let (abi, format) = tables().into_iter().find(|(abi, format)| table_name(*format, *abi) == kind)?;
        vectors::program(abi, format, seed, number.parse().ok()?)
    };
    let constructed = || corpus::all(seed, id).into_iter().chain(vectors::eh_frame(id));
    let all = || constructed().chain(corpus::eh_frame_chains(seed, id));
    drawn().or_else(|| all().find(|vector| vector.id == id))
}

fn tables() -> Vec<(Abi, TableFormat)> {
    let sframe = combinations(None, None).into_iter().map(|(abi, version)| (abi, version.into()));
    sframe.chain(Abi::ALL.map(|abi| (abi, TableFormat::EhFrame))).collect()
}

/// Result of a reader for one vector.
#[derive(Clone, Debug)]
pub struct VectorResult<'a> {
    pub reader: &'a Reader,
    pub vector: &'a Vector,
    /// How the question ended.
    pub reply: Reply,
    /// Verdict on each answer, in the order of the vector; without answers a single one with the
    /// reason.
    pub judged: Vec<Judged>,
}

impl VectorResult<'_> {
    /// The answer with the worst verdict.
    pub fn worst(&self) -> Option<&Judged> {
        self.judged.iter().max_by_key(|judged| judged.verdict)
    }
}

/// Asks the readers about the vectors, in parallel; the sections are written as files into a
/// folder.
pub fn ask_all<'a>(
    readers: &'a [Reader],
    vectors: &'a [Vector],
    folder: &Path,
) -> io::Result<(Vec<VectorResult<'a>>, Vec<NotClaimed>)> {
    let written = |(index, vector): (usize, &Vector)| written(vector, folder, &index.to_string());
    let files: Vec<PathBuf> = vectors.iter().enumerate().map(written).collect::<io::Result<_>>()?;
    let mut left_out = Vec::new();
    let mut shares: Vec<(&Reader, Vec<usize>)> = Vec::new();
    for reader in readers {
        let claimed: Vec<usize> = (0..vectors.len()).filter(|index| claims(reader, &vectors[*index])).collect();
        left_out.push(NotClaimed { reader: reader.consumer.name.clone(), sections: vectors.len() - claimed.len() });
        shares.extend(claimed.chunks(SHARE).map(|share| (reader, share.to_vec())));
    }
    let ask = |(reader, share): (&'a Reader, Vec<usize>)| {
        let vectors: Vec<(&Vector, PathBuf)> =
            share.into_iter().map(|index| (&vectors[index], files[index].clone())).collect();
        ask(reader, &vectors)
    };
    let outcomes: Vec<VectorResult<'a>> = shares.into_par_iter().flat_map_iter(ask).collect();
    for one in &mut left_out {
        let not_asked = |outcome: &&VectorResult<'_>| {
            outcome.reader.consumer.name == one.reader && matches!(outcome.reply, Reply::NotAsked(_))
        };
        one.sections += outcomes.iter().filter(not_asked).count();
    }
    Ok((outcomes, left_out))
}

/// Maximum number of sections for one process of a reader.
const SHARE: usize = 200;

/// Number of sections that a reader was not asked about, because it does not claim to read them, or
/// cannot be given them.
#[derive(Clone, Debug)]
pub struct NotClaimed {
    pub reader: String,
    pub sections: usize,
}

/// Name of the file of a section.
fn file(vector: &Vector, name: &str) -> String {
    format!("{name}{}", vector.format.section())
}

/// Extension of the file of an index, beside that of its `.eh_frame`.
const INDEX: &str = "eh_frame_hdr";

/// Writes the section of a vector into a folder, and its index; returns the file of the section.
fn written(vector: &Vector, folder: &Path, name: &str) -> io::Result<PathBuf> {
    let path = folder.join(file(vector, name));
    fs::write(&path, &vector.bytes)?;
    if let Some((bytes, _)) = &vector.index {
        fs::write(path.with_extension(INDEX), bytes)?;
    }
    Ok(path)
}

/// Returns true if the reader claims to read sections like this one.
fn claims(reader: &Reader, vector: &Vector) -> bool {
    let excepted = |exception: &Exception| match exception {
        Exception::Unsorted => !vector.sorted,
        Exception::SectionStarts => counts_from_section(vector),
        Exception::Flex => vector.has.flex,
        Exception::Gaps => vector.has.gaps,
        Exception::Blocks => vector.has.blocks,
        Exception::Expressions => vector.has.expressions,
        Exception::Outermost => vector.has.outermost,
        Exception::Registers => vector.has.registers,
        Exception::Rows => vector.chains.is_empty(),
        Exception::NoIndex => vector.format == TableFormat::EhFrame && !has_table(vector),
        // Its behaviour for open questions is tested nevertheless.
        Exception::Empty => vector.has.empty && !matches!(vector.class, Class::Open(_)),
        Exception::Malformed => matches!(vector.class, Class::Malformed(_)),
        // It may still not crash.
        Exception::Guesses => false,
    };
    let only = &reader.consumer.only;
    // Of some executions there are only stacks.
    let is_asked = !vector.answers.is_empty() || reader.consumer.tells.contains(&Tells::Chain);
    is_asked
        && (vector.register.is_none() || reader.consumer.tells.contains(&Tells::Registers))
        && (only.is_empty() || only.contains(&vector.id))
        && reader.consumer.reads(vector.format, vector.abi)
        && !reader.consumer.except.iter().any(excepted)
}

/// Returns true if the section has an index with a table of functions.
fn has_table(vector: &Vector) -> bool {
    // The third byte is the encoding of the count, or DW_EH_PE_omit.
    vector.index.as_ref().is_some_and(|(bytes, _)| bytes.get(2).is_some_and(|encoding| *encoding != 0xff))
}

/// Returns true if PCREL is clear in a version that has this flag.
fn counts_from_section(vector: &Vector) -> bool {
    vector.format.sframe().is_some_and(SframeVersion::has_pcrel_flag)
        && sframe::Header::parse(&vector.bytes).is_ok_and(|header| !header.flags.pcrel())
}

/// Asks one reader about vectors, whose sections are in these files.
pub fn ask<'a>(reader: &'a Reader, vectors: &[(&'a Vector, PathBuf)]) -> Vec<VectorResult<'a>> {
    let lines: Vec<String> = vectors
        .iter()
        .map(|(vector, _)| {
            let rows =
                answered(&reader.consumer, vector).iter().map(|answer| line(vector, answer.pc, &answer.expected));
            let walks = reader.consumer.tells.contains(&Tells::Chain);
            let chains = vector.chains.iter().filter(|_| walks).map(|chain| chain_line(chain) + "\n");
            rows.chain(chains).collect()
        })
        .collect();
    let questions: Vec<Question<'_>> = vectors
        .iter()
        .zip(&lines)
        .map(|((vector, section), lines)| {
            let Vector { address, text, abi, format, register, .. } = **vector;
            let index = vector.index.as_ref().map(|(_, address)| (section.with_extension(INDEX), *address));
            Question { section, address, text, order: abi.facts().order, abi, format, register, index, lines }
        })
        .collect();
    let replies = reader.ask(&questions);
    let outcome = |(reply, (vector, _)): (Reply, &(&'a Vector, PathBuf))| {
        let judged = judge::all(&reader.consumer, vector, &reply);
        VectorResult { reader, vector, reply, judged }
    };
    replies.into_iter().zip(vectors).map(outcome).collect()
}

/// The single rows that a reader is asked for.
fn answered<'v>(consumer: &Consumer, vector: &'v Vector) -> &'v [Lookup] {
    if consumer.except.contains(&Exception::Rows) { &[] } else { &vector.answers }
}

/// Question line: a PC and the machine's state, for readers that answer with the caller.
fn line(vector: &Vector, pc: u64, expected: &Expected) -> String {
    let state = match (vector.class, expected) {
        (Class::Valid | Class::Malformed(_) | Class::Open(_), Expected::Row(row) | Expected::RowOrRefuse(row)) => {
            row_state(vector, row)
        }
        _ => None,
    };
    match state {
        Some(state) => format!("{pc:#x} {state}\n"),
        None => format!("{pc:#x}\n"),
    }
}
