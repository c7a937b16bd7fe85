//! Files made to be expensive: time and memory are proportional to the contents of the file and to
//! the step limit.

use std::time::{Duration, Instant};

use check::Options;
use generators::code::Function;
use generators::elf::FileKind;
use generators::sample::Sample;
use generators::sframe::{Base, FunctionSpec, PcType, RowSpec, Width};
use results::Report;
use types::{Abi, Bytes, SframeVersion};

use crate::check;

/// Each file is under 200 KiB and takes a second or two, unoptimised; the limit allows for a loaded
/// machine.
const MOST_TIME: Duration = Duration::from_secs(30);

/// An AMD64 program whose function `leaf` begins with this many bytes of no-ops.
fn program(padding: usize) -> Sample {
    let abi = Abi::Amd64;
    let functions = vec![Function::leaf(abi, "leaf").padded(abi, 1, padding), Function::start(abi, "_start", "leaf")];
    Sample::new(abi, SframeVersion::V2Errata1, FileKind::Executable, functions).expect("a sample")
}

/// Checks the tables of a sample without executing it.
#[track_caller]
fn judged(sample: &Sample) -> Report {
    let bytes = sample.bytes().expect("a file");
    let started = Instant::now();
    let report = check("hostile", &Bytes::copy_from_slice(&bytes), &Options::static_only()).report;
    assert!(started.elapsed() < MOST_TIME, "{:?} for {} bytes", started.elapsed(), bytes.len());
    report
}

/// Every descriptor claims the same rows, so that 100 KiB encode 20 million rows.
#[test]
fn functions_that_share_their_rows() {
    const FUNCTIONS: u64 = 4000;
    const ROWS: u32 = 5000;
    let mut sample = program(16 * FUNCTIONS as usize);
    let start = sample.section.functions[0].start;
    let size = 16 * FUNCTIONS as u32;
    let rows = (0..ROWS).map(|offset| RowSpec::offsets(offset, Base::Sp, &[8])).collect();
    sample.section.functions = vec![FunctionSpec { starts: Width::Four, ..FunctionSpec::new(start, size, rows) }];
    for index in 1..FUNCTIONS {
        let mut other = FunctionSpec::new(start + 16 * index, size - 16 * index as u32, Vec::new());
        other.starts = Width::Four;
        other.overrides.no_blob = true;
        (other.overrides.fre_offset, other.overrides.num_fres) = (Some(0), Some(ROWS));
        sample.section.functions.push(other);
    }
    let compared = judged(&sample).summary.pcs_compared_static;
    assert!((5000..200_000).contains(&compared), "an honest part is still compared, not all: {compared}");
}

/// Functions that all end at the same address and are wrong there: one finding each, far from their
/// starts. The window around a finding requires decoding from the function's start, so it is made
/// only for a limited number of findings.
#[test]
fn functions_that_overlap_and_are_wrong_at_their_ends() {
    const SIZE: u32 = 16_000;
    let mut sample = program(SIZE as usize);
    let start = sample.section.functions[0].start;
    let function = |index: u32| {
        let size = SIZE - 16 * index;
        let rows = vec![RowSpec::offsets(0, Base::Sp, &[8]), RowSpec::offsets(size - 1, Base::Sp, &[16])];
        FunctionSpec { starts: Width::Four, ..FunctionSpec::new(start + u64::from(16 * index), size, rows) }
    };
    sample.section.functions = (0..900).map(function).collect();
    let found = judged(&sample).discrepancies;
    let (all, shown) = (found.len(), found.iter().filter(|found| !found.shown.window.is_empty()).count());
    assert!(all >= 900 && (50..200).contains(&shown), "{shown} of {all}");
}

/// One row for every byte of a function that claims 4 GiB.
#[test]
fn blocks_of_one_byte_in_a_function_without_end() {
    let mut sample = program(4096);
    let function = &mut sample.section.functions[0];
    (function.pc_type, function.overrides.rep_size, function.size) = (PcType::Mask(1), Some(1), u32::MAX);
    let report = judged(&sample);
    let (compared, bytes) = (report.summary.pcs_compared_static, sample.bytes().expect("a file").len() as u64);
    assert!(compared > 0 && compared <= bytes, "{compared} rows of {bytes} bytes");
}
