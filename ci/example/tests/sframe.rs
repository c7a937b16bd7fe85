//! The tables of this project's program are right.

use std::process::ExitCode;

use sframe_conformance::{Trials, run};

fn main() -> ExitCode {
    run(|| Trials::of_files([env!("CARGO_BIN_EXE_example")]).expected("tests/sframe.yaml").trials())
}
