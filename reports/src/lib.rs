//! Prints results of any kind: checked or swept files, trials of the matrix, readers. As text and
//! pages for people, as JSON for programs and, by a [`testrun::TestRun`], in formats of other
//! tools. Also creates bundles ready to be filed, and lists changes between two runs.
//!
//! Judges nothing, and depends on no other crate of the project than `types`, `spec` and `results`:
//! findings are typed input, and become text here. Every printer writes to a [`std::io::Write`] or
//! returns its document; [`progress`] shows the progress of a run. External text (symbols, file
//! names, tool output) is escaped in every format.

pub mod acceptance;
pub mod accuracy;
pub mod bundle;
pub mod causes;
mod cells;
pub mod claims;
pub mod clauses;
mod columns;
pub mod console;
pub mod escape;
pub mod findings;
mod folded;
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
pub mod study;
pub mod sweep;
pub mod terminal;
pub mod testrun;
pub mod text;
