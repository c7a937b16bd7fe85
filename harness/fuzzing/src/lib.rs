//! Feeds the project's own parsers what nobody wrote: no bytes may make one panic, run for more
//! than a second, or take more than [`MOST_MEMORY`].
//!
//! A [`Target`] is a parser with all that is done with what it gives. A [`Campaign`] mutates inputs
//! that are right, and watches. An input is a function of target, seed and number alone, so that a
//! number is enough to see a failure again.

mod bodies;
pub mod campaign;
mod input;
mod mutate;
mod seeds;
mod target;

use std::ffi::OsStr;
use std::{env, io};

use check::client;

pub use campaign::{Campaign, Failure, MOST_MEMORY, MOST_TIME, Record};
pub use input::Inputs;
pub use seeds::SeedError;
pub use target::Target;

/// Serves, where this program was called by itself: what is fuzzed executes code, and that is done
/// in worker processes. Any program that executes a [`Target`] begins with it.
pub fn serve_if_worker() -> Option<io::Result<()>> {
    let mut called = env::args_os().skip(1);
    if called.next().as_deref() == Some(OsStr::new(client::SUBCOMMAND)) && called.next().is_none() {
        return Some(check::serve());
    }
    client::are_this_program();
    None
}
