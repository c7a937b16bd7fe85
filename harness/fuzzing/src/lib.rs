//! Damaged inputs for the parsers of this project: none may make one panic, hang or take too much
//! memory.
//!
//! A [`Target`] is a parser with all that is done with its result. [`Inputs`] damages valid inputs:
//! an input is a function of target, seed and number, so that a failure is repeated by its number.
//! The test `replay` executes some of them, and more at night; `cargo-fuzz/` has the targets for
//! libFuzzer.

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

/// Serves as a worker process if this program was called as one, and returns how that ended. Any
/// program that executes a [`Target`] begins with it: code is executed in workers.
pub fn serve_if_worker() -> Option<io::Result<()>> {
    let mut called = env::args_os().skip(1);
    if called.next().as_deref() == Some(OsStr::new(client::SUBCOMMAND)) && called.next().is_none() {
        return Some(check::serve());
    }
    client::are_this_program();
    None
}
