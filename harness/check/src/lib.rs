//! One file from bytes to a report.
//!
//! - [`check()`] loads a file, reads its tables, executes it under the judge and compares the
//!   tables; [`client::trace`] only executes it, [`client::measure`] tries ways of unwinding on it;
//! - code of others is executed in processes that may die without a report being lost. This process
//!   is their [`client`]: a pool of them, limits, and another try after a death; of a file it looks
//!   at the ELF and program headers only. The [`worker`] loads, executes and judges. Neither side
//!   uses the other: `protocol` has what goes between them;
//! - [`supplies`], [`signals`]: what a program is given and sent.
//!
//! What steps go through is compiled here, the machine with the judge that watches it, and
//! optimised also where the rest is not.

mod checked;
pub mod client;
mod dumped;
mod libraries;
pub mod measure;
mod options;
mod protocol;
mod root;
pub mod signals;
pub mod supplies;
mod symbol;
pub mod trace;
pub mod worker;

use std::io;

use types::Bytes;

pub use checked::Checked;
pub use dumped::dumped;
pub use options::{
    Chains, Engine, Execution, Include, Inputs, Judging, Limits, Options, Rows, Sframe, Start, Stub, Synchronous,
    Uncalled,
};
pub use worker::check_image;

/// Checks a file's bytes; what is executed, is executed in a worker process. Never fails: what
/// cannot be judged is an error or undecided in the report.
pub fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    match elf::kind(bytes) {
        Ok(kind) if options.executes(kind) => client::check(name, bytes, options),
        // Nothing of it is executed, or it does not load.
        Ok(_) | Err(_) => worker::check(name, bytes, options),
    }
}

/// Makes this process a worker ([`worker::serve`]).
///
/// # Errors
/// As [`worker::serve`].
pub fn serve() -> io::Result<()> {
    worker::serve(&client::survived)
}
