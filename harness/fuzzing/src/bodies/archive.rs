//! Archives and compressed files: every member, to its end.

use std::io;
use std::ops::ControlFlow;

use unpack::{Found, Walk};

pub(crate) fn run(input: &[u8]) -> bool {
    let mut read = false;
    let mut visit = |_: &str, found: Found<'_>| {
        if let Found::Elf(from) = found {
            read |= io::copy(from, &mut io::sink()).is_ok();
        }
        ControlFlow::Continue(())
    };
    let _ = Walk::new(input.len() as u64, &mut visit).through("fuzzed", &mut &*input);
    read
}
