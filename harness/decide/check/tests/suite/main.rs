//! Tests of checking a file: no false alarm on valid files, no silence on wrong ones, and a
//! complete report even if a worker dies.

mod asm;
mod becomes;
mod blame;
mod built;
mod claimed;
mod clean;
mod counts;
mod every_step;
mod hostile;
mod libraries;
mod lines;
mod linker;
mod meaningless;
mod ranges;
mod requested;
mod root;
mod sample;
mod stop;
mod undecided;
mod verdict;
mod workers;

use std::sync::LazyLock;

use check::client::{Limits, Pool};
use check::{Checked, Options};
use types::Bytes;

/// Workers of these tests: a program of this crate.
static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(worker(), Limits::default()));

fn worker() -> std::path::PathBuf {
    env!("CARGO_BIN_EXE_check-worker").into()
}

/// Checks a file as [`check::check()`] does, in the workers of these tests.
fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    POOL.check(name, bytes, options)
}
