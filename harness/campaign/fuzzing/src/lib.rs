//! Fuzzing of this project's parsers with damaged inputs: none may cause a panic, a hang or
//! excessive memory use.
//!
//! A [`Target`] is a parser with the code that uses its result. [`Inputs`] damages valid inputs: an
//! input is a function of target, seed and number, so that a failure can be reproduced by its
//! number. The test `replay` executes some of them, and more at night; `cargo-fuzz/` has the
//! targets for libFuzzer.

mod bodies;
mod input;
mod mutate;
mod seeds;
mod target;

use std::ffi::OsStr;
use std::{env, io};

use check::client;

pub use input::Inputs;
pub use seeds::SeedError;
pub use target::Target;

/// Serves as a worker process if this program was called as one, and returns the result. Programs
/// that execute a [`Target`] call it first, because code is executed in workers.
pub fn serve_if_worker() -> Option<io::Result<()>> {
    let mut called = env::args_os().skip(1);
    if called.next().as_deref() == Some(OsStr::new(client::SUBCOMMAND)) && called.next().is_none() {
        return Some(check::serve());
    }
    client::are_this_program();
    None
}
