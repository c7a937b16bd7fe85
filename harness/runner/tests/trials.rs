//! The trials of the matrix as tests: one for each frozen object and for each case and installed
//! assembler, named by key.
//!
//! A known finding passes if it recurs as recorded (`reports/known/`); everything else must be
//! clean.

use std::process::ExitCode;

use sframe_conformance::{Trials, run};

fn main() -> ExitCode {
    run(|| Trials::of_producers().trials())
}
