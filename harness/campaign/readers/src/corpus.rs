//! The corpus: test vectors for readers of `.sframe`, as files that can be used without Rust or
//! ELF.
//!
//! `CLASS/VERSION-ABI/NAME.sframe` is a section, `NAME.json` has the expected answers, `index.json`
//! lists all vectors. The vectors come from `generators`; this module defines the file format.

mod case;
mod chain;
pub mod kit;
mod line;
mod stack;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use generators::vectors::{self, Vector};
use serde_json::{Value, json};

pub(crate) use case::row_state;
pub use case::{case, chain_line, state_line, state_words};
pub use chain::chains;
pub(crate) use chain::eh_frame_chains;
pub use line::{AnswerLine, LineError};
pub(crate) use line::{AnswerValue, Name};
pub(crate) use stack::{Window, witnessed};

/// Version of the contents: increased when a vector is changed or removed. New vectors do not
/// change the ids of others.
pub const VERSION: u32 = 1;

/// Seed of the released corpus.
pub const SEED: u64 = 1;

/// Further files, unchanged.
const BESIDE: [(&str, &str); 4] = [
    ("README.md", include_str!("corpus/README.md")),
    ("LICENSE", include_str!("corpus/LICENSE")),
    ("schemas/corpus-index.schema.json", include_str!("../../../../reports/schemas/corpus-index.schema.json")),
    ("schemas/corpus-case.schema.json", include_str!("../../../../reports/schemas/corpus-case.schema.json")),
];

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub error: io::Error,
}

/// All vectors whose ids contain a text, sorted by id: the constructed ones, and stacks of
/// executions.
pub fn all(seed: u64, text: &str) -> Vec<Vector> {
    let mut all = vectors::matching(seed, text);
    all.extend(chains(seed, text));
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all
}

/// Writes files below a folder.
pub fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), WriteError> {
    for (name, bytes) in files {
        let path = folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, bytes)).map_err(|error| WriteError { path, error })?;
    }
    Ok(())
}

/// The files of the corpus by name, the index last. The same vectors and seed give the same bytes.
pub fn files(vectors: &[Vector], seed: u64) -> impl Iterator<Item = (String, Vec<u8>)> {
    let beside = BESIDE.into_iter().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    let cases = vectors.iter().flat_map(|vector| {
        [(section_file(vector), vector.bytes.clone()), (format!("{}.json", vector.id), text(&case(vector)))]
    });
    let index = std::iter::once_with(move || ("index.json".to_owned(), text(&index(vectors, seed))));
    beside.chain(cases).chain(index)
}

/// Numbers of vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By class, version and ABI.
    pub vectors: BTreeMap<(&'static str, String, String), usize>,
    /// Number of PCs to ask for.
    pub answers: usize,
}

impl Counts {
    pub fn new(vectors: &[Vector]) -> Counts {
        let mut counts = Counts::default();
        for vector in vectors {
            let key = (vector.class.name(), vector.format.to_string(), vector.abi.to_string());
            *counts.vectors.entry(key).or_default() += 1;
            counts.answers += vector.answers.len();
        }
        counts
    }
}

fn index(vectors: &[Vector], seed: u64) -> Value {
    let cases: Vec<Value> = vectors
        .iter()
        .map(|vector| {
            json!({
                "id": vector.id,
                "class": vector.class.name(),
                "version": vector.format.name(),
                "abi": vector.abi.name(),
                "section": section_file(vector),
                "bytes": vector.bytes.len(),
                "case": format!("{}.json", vector.id),
                "answers": vector.answers.len(),
            })
        })
        .collect();
    json!({ "schema": 1, "corpus": VERSION, "seed": seed, "cases": cases })
}

/// File of a vector's section, below the folder of all.
pub(crate) fn section_file(vector: &Vector) -> String {
    format!("{}{}", vector.id, vector.format.section())
}

fn text(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}
