//! Tests of the generators' output: by independent readers, or against independent expectations.

mod c;
mod cfi_text;
mod corpus;
mod eh_frame;
mod files;
mod refusals;
mod worked_examples;
