//! Readers of `.sframe` under test: every vector that a reader claims to read is put to it, and what it answers is judged by what is
//! known of how the vector was made.

mod judge;
mod policy;
mod summary;

use std::fs;
use std::io;
use std::path::Path;

use generators::vectors::{self, Class, Expected, Vector, call};
use rayon::prelude::*;
use toolchain::consumer::{Exception, Question, Reader, Reply};

pub use judge::{Judged, Verdict};
pub use policy::{Choice, choices};
pub use summary::{Summary, smallest};

use crate::corpus::{AnswerLine, state_line};
use crate::generate::combinations;

/// The vectors of the corpus, and those of so many random programs.
pub fn vectors(seed: u64, programs: u64) -> Vec<Vector> {
    let mut all = vectors::all(seed);
    let pairs = combinations(None, None);
    let drawn = (0..programs).into_par_iter().filter_map(|number| {
        let (abi, version) = *pairs.get(number as usize % pairs.len().max(1))?;
        vectors::program(abi, version, seed, number / pairs.len() as u64)
    });
    all.extend(drawn.collect::<Vec<_>>());
    all
}

/// What a reader came to with one vector.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// Which reader.
    pub reader: &'a Reader,
    /// What was asked.
    pub vector: &'a Vector,
    /// How it ended.
    pub reply: Reply,
    /// What each answer is worth, in the order of the vector's; where there is none, one that says why.
    pub judged: Vec<Judged>,
}

impl Outcome<'_> {
    /// The worst of its answers.
    pub fn worst(&self) -> Option<&Judged> {
        self.judged.iter().max_by_key(|judged| judged.verdict)
    }
}

/// Puts the vectors to the readers, in parallel; files of sections are written to a folder.
///
/// # Errors
/// When a section cannot be written there.
pub fn ask_all<'a>(
    readers: &'a [Reader],
    vectors: &'a [Vector],
    folder: &Path,
) -> io::Result<(Vec<Outcome<'a>>, Vec<NotClaimed>)> {
    for (index, vector) in vectors.iter().enumerate() {
        fs::write(folder.join(file(index)), &vector.bytes)?;
    }
    let mut pairs = Vec::new();
    let mut left_out = Vec::new();
    for reader in readers {
        let before = pairs.len();
        pairs.extend((0..vectors.len()).filter(|index| claims(reader, &vectors[*index])).map(|index| (reader, index)));
        let sections = vectors.len() - (pairs.len() - before);
        left_out.push(NotClaimed { reader: reader.consumer.name.clone(), sections });
    }
    let ask = |(reader, index): (&'a Reader, usize)| ask(reader, &vectors[index], &folder.join(file(index)));
    Ok((pairs.into_par_iter().map(ask).collect(), left_out))
}

/// So many sections were not put to a reader, which does not claim to read them.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after what they are")]
pub struct NotClaimed {
    pub reader: String,
    pub sections: usize,
}

fn file(index: usize) -> String {
    format!("{index}.sframe")
}

/// True where the reader claims to read sections like this one.
fn claims(reader: &Reader, vector: &Vector) -> bool {
    let excepted = |exception: &Exception| match exception {
        Exception::Unsorted => !vector.sorted,
        Exception::Flex => vector.has.flex,
        Exception::Gaps => vector.has.gaps,
        Exception::Blocks => vector.has.blocks,
    };
    reader.consumer.reads(vector.version, vector.abi) && !reader.consumer.except.iter().any(excepted)
}

/// Puts one vector to one reader.
pub fn ask<'a>(reader: &'a Reader, vector: &'a Vector, section: &Path) -> Outcome<'a> {
    let lines: String = vector.answers.iter().map(|answer| line(vector, answer.pc, &answer.expected)).collect();
    let order = vector.abi.facts().order;
    let Vector { address, text, abi, .. } = *vector;
    let reply = reader.ask(&Question { section, address, text, order, abi, lines: &lines });
    let judged = judge::all(&reader.consumer, vector, &reply);
    Outcome { reader, vector, reply, judged }
}

/// A PC and the machine's state there, for readers that answer with the caller.
fn line(vector: &Vector, pc: u64, expected: &Expected) -> String {
    let state = match (vector.class, expected) {
        (Class::Valid | Class::Malformed(_), Expected::Row(row) | Expected::RowOrRefuse(row)) => call(vector.abi, row),
        _ => None,
    };
    match state {
        Some(caller) => format!("{pc:#x} {}\n", state_line(&caller)),
        None => format!("{pc:#x}\n"),
    }
}

/// The answers that a reply has, one for each PC.
fn answers(reply: &Reply, count: usize) -> Result<Vec<AnswerLine>, String> {
    match reply {
        Reply::Refused => Ok(vec![AnswerLine::Err; count]),
        Reply::Lines(text) => {
            let lines: Result<Vec<AnswerLine>, _> = text.lines().map(str::parse).collect();
            let lines = lines.map_err(|error| error.to_string())?;
            if lines.len() == count { Ok(lines) } else { Err(format!("{} answers to {count} questions", lines.len())) }
        }
        _ => Err(String::new()),
    }
}
