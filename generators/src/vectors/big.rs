//! Big tables with look-ups, for measuring readers.

use types::{Abi, SframeVersion};

use super::bench::{Bench, TEXT};
use super::expected::{self, Lookup};
use super::{Class, Vector};
use types::Rng;

/// Bytes from one function to the next.
const APART: u64 = 0x40;
/// Bytes of a function: the rest is padding that nothing describes.
const SIZE: u32 = 0x3a;

/// A right table of that many functions, sorted, and look-ups in it in random order, repeatable by
/// its seed: one in sixteen lies between functions.
pub fn big(abi: Abi, version: SframeVersion, functions: u32, lookups: u64, seed: u64) -> Vector {
    let bench = Bench { abi, version };
    let frames = bench.frames();
    let mut draft = bench.empty(&format!("big-{functions}"), "A big table, to measure look-ups.");
    for number in 0..functions {
        let rows = frames.get(..1 + number as usize % frames.len()).unwrap_or(&frames);
        draft = draft.with(TEXT + u64::from(number) * APART, SIZE, rows);
    }
    let end = TEXT + u64::from(functions) * APART;
    draft.text = (TEXT, end);
    draft.address = end.next_multiple_of(0x1000);
    let mut rng = Rng::new(seed);
    let answers = (0..lookups).map(|_| {
        let number = rng.below(u64::from(functions.max(1)));
        let offset = if rng.one_in(16) { u64::from(SIZE) } else { rng.below(u64::from(SIZE)) };
        let pc = TEXT + number * APART + offset;
        let known = draft.known.get(number as usize).map(std::slice::from_ref).unwrap_or_default();
        Lookup { pc, expected: expected::at(known, pc) }
    });
    let answers = answers.collect();
    let bytes = draft.bytes();
    Vector {
        id: format!("{}/{version}-{abi}/big-{functions}", Class::Valid.name()),
        about: format!("A table of {functions} functions, and look-ups in random order."),
        class: Class::Valid,
        abi,
        register: None,
        format: version.into(),
        bytes,
        address: draft.address,
        index: None,
        text: draft.text,
        answers,
        chains: Vec::new(),
        sorted: true,
        has: super::Has::default(),
    }
}
