//! Tests of the crate `unwind` from outside, in one binary.

mod both;
mod cfi_rows;
mod cfi_sections;
mod evaluation;
mod expressions;
mod hostile;
mod support;
