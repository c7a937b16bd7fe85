//! The vectors in other forms than JSON: what the author of a reader or of a writer puts into
//! their own tests without this program.

mod bare_c;
mod crate_files;
mod seeds;
mod tables;
mod text;
mod writers;

use generators::vectors::Vector;
use types::named;

pub use writers::{EncodedError, JudgedTable, encoded};

named! {
    /// A form of the vectors.
    pub enum Form {
        /// Sections, a JSON file for each, and an index.
        Json = "json",
        /// One text file, a line an answer.
        Lines = "lines",
        /// A C header, its data, and a runner without a parser.
        C = "c",
        /// A Rust crate without dependencies.
        Rust = "rust",
        /// A seed corpus for libFuzzer, and a dictionary.
        Fuzz = "libfuzzer",
        /// Big tables and look-ups in them, for measuring.
        Tables = "tables",
        /// All of the above for readers in one folder, with changes and examples.
        Release = "release",
        /// Rows that a writer gets, to be judged by decoding what it writes.
        Writer = "writer",
    }
}

/// The licence of all files.
pub(super) const LICENSE: &str = include_str!("LICENSE");

/// Further files of a release, unchanged.
const BESIDE_RELEASED: [(&str, &str); 4] = [
    ("CHANGELOG.md", include_str!("CHANGELOG.md")),
    ("READERS.md", include_str!("READERS.md")),
    ("examples/vectors.py", include_str!("examples/vectors.py")),
    ("examples/vectors.go", include_str!("examples/vectors.go")),
];

/// The files of a form, by name. The same vectors and seed give the same bytes. The text is part of
/// the ids of tables that are made.
pub fn files(form: Form, vectors: &[Vector], seed: u64, text: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = match form {
        Form::Json => return super::files(vectors, seed).collect(),
        Form::Release => return release(vectors, seed, text),
        Form::Lines => vec![("vectors.txt".to_owned(), text::file(vectors).into_bytes())],
        Form::C => bare_c::files(vectors),
        Form::Rust => crate_files::files(vectors),
        Form::Fuzz => seeds::files(vectors),
        Form::Tables => tables::files(seed, text),
        Form::Writer => writers::files(vectors),
    };
    files.push(("LICENSE".to_owned(), LICENSE.as_bytes().to_vec()));
    files
}

/// What is released: the forms for readers, each below its name.
fn release(vectors: &[Vector], seed: u64, text: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = super::files(vectors, seed).collect();
    files.extend(BESIDE_RELEASED.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    for form in [Form::Lines, Form::C, Form::Rust, Form::Fuzz] {
        let of = self::files(form, vectors, seed, text).into_iter();
        files.extend(of.map(|(name, bytes)| (format!("{}/{name}", form.name()), bytes)));
    }
    files
}
