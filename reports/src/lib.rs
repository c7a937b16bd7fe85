//! Prints results of any kind: files that were checked or swept, trials of the matrix, readers. For
//! people as text and pages, for programs as JSON and, by way of a [`testrun::TestRun`], in the
//! formats of others; and bundles ready to be filed, and what changed between two runs.
//!
//! Judges nothing, and uses no other crate of the project but `types`, `spec` and `results`:
//! findings arrive typed, and become text here. Every printer writes into a [`std::io::Write`] that
//! it is given, or returns its document; [`progress`] shows how far a run is. Text from outside
//! (symbols, file names, what tools print) is escaped in every format.

pub mod accuracy;
pub mod bundle;
pub mod causes;
mod cells;
pub mod clauses;
mod columns;
pub mod console;
pub mod escape;
pub mod findings;
pub mod format;
pub mod history;
pub mod json;
pub mod merged;
pub mod page;
pub mod place;
pub mod places;
pub mod progress;
pub mod readers;
pub mod rules;
pub mod screen;
pub mod sentence;
mod sizes;
pub mod sweep;
pub mod tally;
pub mod terminal;
pub mod testrun;
pub mod text;
