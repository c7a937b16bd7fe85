//! The vectors as a Rust crate without dependencies, `sframe-vectors`.

use generators::vectors::Vector;

use super::text;
use crate::corpus::VERSION;

pub(super) fn files(vectors: &[Vector]) -> Vec<(String, Vec<u8>)> {
    let manifest = include_str!("rust/Cargo.toml.in").replace("VERSION", &VERSION.to_string());
    vec![
        ("Cargo.toml".to_owned(), manifest.into_bytes()),
        ("README.md".to_owned(), include_bytes!("rust/README.md").to_vec()),
        ("src/lib.rs".to_owned(), include_bytes!("rust/lib.rs").to_vec()),
        ("src/vectors.txt".to_owned(), text::file(vectors).into_bytes()),
    ]
}
