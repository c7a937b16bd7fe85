//! Checks one file: from its bytes to a report.
//!
//! - [`check()`] loads a file, reads its tables, executes it under the judge and compares the
//!   tables; [`client::trace`] only executes it, [`client::measure`] applies unwinding methods to
//!   it, [`client::write_core`] writes a core file of it;
//! - untrusted code is executed in processes that may die without a report being lost. This process
//!   is the [`client`]: it has a pool of workers, limits, and repeats a request after a death; of a
//!   file it reads only the ELF and program headers. The [`worker`] loads, executes and judges.
//!   Neither side uses the other: `protocol` defines their messages;
//! - [`supplies`], [`signals`]: inputs of a program, and signals sent to it.
//!
//! The code that runs at every step, the machine with the judge that observes it, is compiled in
//! this crate, and optimised even in builds where other code is not.

pub mod built;
mod checked;
pub mod client;
pub mod corefile;
mod dumped;
pub mod libraries;
pub mod measure;
mod options;
pub mod protocol;
pub mod root;
pub mod signals;
pub mod supplies;
mod symbol;
pub mod trace;
pub mod worker;

use std::io;

use types::Bytes;

pub use checked::Checked;
pub use dumped::dumped;
pub use judge::options::{Chains, Rows, Sframe, Synchronous};
pub use options::{Engine, Execution, Explore, Include, Inputs, Judging, Limits, Options, Start, Stub};
pub use worker::check_image;

/// Checks a file; code is executed in a worker process. Never fails: what cannot be judged is an
/// error or undecided in the report.
pub fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    match elf::kind(bytes) {
        Ok(kind) if options.executes(kind) => client::check(name, bytes, options),
        // Nothing of it is executed, or it cannot be loaded.
        Ok(_) | Err(_) => worker::check(name, bytes, options),
    }
}

/// Makes this process a worker ([`worker::serve`]).
pub fn serve() -> io::Result<()> {
    worker::serve(&client::survived)
}
