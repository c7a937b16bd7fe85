//! SFrame and `.eh_frame` tables as tests of another project: its files, or the tools that make
//! them, judged under `cargo test`.
//!
//! A test of the project with `harness = false`, say `tests/sframe.rs`:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use sframe_conformance::{Trials, run};
//!
//! fn main() -> ExitCode {
//!     run(|| Trials::of_files(["target/release/libmine.so"]).trials())
//! }
//! ```
//!
//! Each file is a test, named by its path; [`Trials::of_producers`] makes the trials of the matrix,
//! one for each case and tool. They run under `cargo test` and `cargo nextest`, and a filter
//! selects them by name. Failures that a project expects are listed in a file of its own
//! ([`FileTrials::expected`]).
//!
//! The test contains the emulator Unicorn, whose licence is GPL-2.0. [`assert_unwindable`] uses an
//! installed `sframe-conformance` instead.

mod copy;
mod expected;
#[doc(hidden)]
pub mod home;
#[doc(hidden)]
pub mod judged;
mod trials;
mod unwindable;

pub use libtest_mimic;
pub use trials::{FileTrials, ProducerTrials, Trials, TrialsError, run};
pub use unwindable::assert_unwindable;
