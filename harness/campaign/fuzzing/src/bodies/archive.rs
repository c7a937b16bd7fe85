//! Fuzzes archives and compressed files: reads every member to its end.

use std::io;
use std::ops::ControlFlow;

use unpack::{Member, Walk};

pub(crate) fn run(input: &[u8]) -> bool {
    let mut read = false;
    let mut visit = |_: &str, found: Member<'_>| {
        if let Member::Elf(from) = found {
            read |= io::copy(from, &mut io::sink()).is_ok();
        }
        ControlFlow::Continue(())
    };
    let _ = Walk::new(input.len() as u64, &mut visit).through("fuzzed", &mut &*input);
    read
}
