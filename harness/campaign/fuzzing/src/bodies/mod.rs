//! Test functions of the fuzzing targets.

pub(crate) mod archive;
pub(crate) mod check;
pub(crate) mod elf;
mod image;
pub(crate) mod results;
pub(crate) mod section;
pub(crate) mod texts;
pub(crate) mod tool;
pub(crate) mod unwinder;

use std::fmt;
use std::io;

/// A writer that discards its output.
struct Nowhere;

impl fmt::Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

impl io::Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
