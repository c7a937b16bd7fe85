//! Real files with single bytes changed at random: the checker never panics and always ends,
//! whatever the byte means.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use check::{Limits, Options, check};
use results::{Deny, Outcome};
use types::Bytes;

use crate::command::support::bytes_of;
use testing::samples;

/// Knuth's MMIX generator: the same files in each run.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}

/// Time limit for one file, on a loaded machine.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Checks `count` copies of a file, each with one byte changed, and prints the number of each
/// outcome.
fn outcomes(name: &str, count: usize, options: &Options) -> BTreeMap<Outcome, usize> {
    let original = bytes_of(name);
    // Most of an executable is padding between pages; a byte is changed only if its 8-byte word is
    // not zero.
    let counts = |at: &usize| original.chunks(8).nth(at / 8).is_some_and(|word| word.iter().any(|byte| *byte != 0));
    let places: Vec<usize> = (0..original.len()).filter(counts).collect();
    let mut random = Lcg(0x5f_7a_3e);
    let mut outcomes = BTreeMap::new();
    for _ in 0..count {
        let at = places[random.next() % places.len()];
        let change = 1 + random.next() % 255;
        let mut bytes = original.clone();
        bytes[at] ^= change as u8;
        let started = Instant::now();
        let report = check(name, &Bytes::copy_from_slice(&bytes), options).report;
        let took = started.elapsed();
        assert!(took < MOST_TIME, "{name}, byte {at:#x} changed by {change:#x}: {took:?}");
        *outcomes.entry(report.outcome(Deny::default())).or_default() += 1;
    }
    outcomes
}

#[test]
fn a_relocatable_object() {
    let options = Options { limits: Limits::steps(200_000), ..Options::default() };
    let outcomes = outcomes("x86_64/gas-2.47.50--v3--hand--o", 150, &options);
    // The object has a known error; some changes make it an invalid ELF file.
    for outcome in [Outcome::Discrepancy, Outcome::Error] {
        assert!(outcomes.contains_key(&outcome), "{outcomes:?}");
    }
}

#[test]
fn an_executable() {
    let options = Options { limits: Limits::steps(200_000), ..Options::default() };
    let count = if samples::all() { 150 } else { 75 };
    let outcomes = outcomes("s390x/gas-2.47.50--v3--gcc12-O2--exe", count, &options);
    for outcome in [Outcome::Clean, Outcome::Discrepancy, Outcome::Undecided] {
        assert!(outcomes.contains_key(&outcome), "{outcomes:?}");
    }
}

#[test]
fn a_shared_object_whose_functions_are_called() {
    let options = Options { limits: Limits::steps(2_000), ..Options::exploring() };
    let outcomes = outcomes("x86_64/gas-2.47.50--v3--hand--so", 60, &options);
    assert!(outcomes.len() > 1, "{outcomes:?}");
}
