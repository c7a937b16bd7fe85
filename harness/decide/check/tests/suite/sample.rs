//! A program of three functions on each target.

use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use types::{Abi, SframeVersion};

/// `_start` calls `framed`, which calls `leaf`, and exits.
pub(crate) fn sample(abi: Abi, kind: FileKind) -> Sample {
    let functions = vec![
        Function::framed(abi, "framed", "leaf"),
        Function::leaf(abi, "leaf"),
        Function::start(abi, "_start", "framed"),
    ];
    Sample::new(abi, SframeVersion::V3, kind, functions).expect("a sample")
}
