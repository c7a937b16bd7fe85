//! Files made to cost more than they should: time and memory stay in proportion to what is in the file and to the step limit.

use std::time::{Duration, Instant};

use generators::code::Function;
use generators::elf::{self, FileKind, PF_R, PF_W, PF_X};
use generators::sample::Sample;
use generators::sframe::{Base, FunctionSpec, PcType, RowSpec, Width};
use matrix::check::{Options, check};
use model::{Abi, Report, SframeVersion};

use crate::support::{Folder, run};

/// Each file is under 200 KiB and takes a second or two, unoptimised; the rest is for a busy machine.
const MOST_TIME: Duration = Duration::from_secs(30);

/// An AMD64 program whose function `leaf` begins with that many bytes of instructions that do nothing.
fn program(padding: usize) -> Sample {
    let abi = Abi::Amd64;
    let functions = vec![Function::leaf(abi, "leaf").padded(abi, 1, padding), Function::start(abi, "_start", "leaf")];
    Sample::new(abi, SframeVersion::V2Errata1, FileKind::Executable, functions).expect("a sample")
}

/// Checks the tables of a sample without running it.
#[track_caller]
fn judged(sample: &Sample) -> Report {
    let bytes = sample.bytes().expect("a file");
    let started = Instant::now();
    let report = check("hostile", &bytes, &Options { static_only: true, ..Options::default() }).report;
    assert!(started.elapsed() < MOST_TIME, "{:?} for {} bytes", started.elapsed(), bytes.len());
    report
}

/// Every descriptor claims the same rows, so that 100 KiB say 20 million rows.
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
    assert!((5000..5_000_000).contains(&compared), "an honest part is still compared, not all: {compared}");
}

/// Functions that all end at the same place and are wrong there: one finding each, far behind their starts. The code around a finding
/// can be found only by reading from the function's start, so that is done for no more findings than a reader will look at.
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
    let (all, shown) = (found.len(), found.iter().filter(|found| !found.window.is_empty()).count());
    assert!(all >= 900 && (50..200).contains(&shown), "{shown} of {all}");
}

/// One row for every byte of a function that claims 4 GiB.
#[test]
fn blocks_of_one_byte_in_a_function_without_end() {
    let mut sample = program(4096);
    let function = &mut sample.section.functions[0];
    (function.pc_type, function.overrides.rep_size, function.size) = (PcType::Mask(1), Some(1), u32::MAX);
    assert!(judged(&sample).summary.pcs_compared_static > 0);
}

/// Code that a program writes where its file has none, and runs there for ever: no table knows it, nothing of it is kept.
#[test]
fn code_made_at_run_time() {
    const MOST_MEMORY: u64 = 128 << 20;
    let mut sample = program(64);
    // lea 0x200(%rip),%rax; movw $0xfeeb,(%rax); jmp *%rax: writes `jmp .` behind the end of the segment, in its page.
    let code = [0x48, 0x8d, 0x05, 0x00, 0x02, 0, 0, 0x66, 0xc7, 0x00, 0xeb, 0xfe, 0xff, 0xe0];
    sample.text[..code.len()].copy_from_slice(&code);
    let mut file = sample.elf().expect("a file");
    file.segments[0].flags = PF_R | PF_W | PF_X;
    let folder = Folder::new();
    let path = folder.write("selfmade", &elf::write(&file).expect("a file"));
    let ran = run(&["check", "--format", "json", "--step-limit", "1000000", &path]);
    let json = ran.json();
    assert_eq!(json["undecided"][0]["reason"], "step-limit", "{json}");
    assert_eq!(json["summary"]["steps_executed"], 1_000_000);
    assert!(ran.peak < MOST_MEMORY, "{} bytes of memory", ran.peak);
}
