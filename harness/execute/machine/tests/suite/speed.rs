//! Measures the cost of a step. Prints numbers and asserts only that the work was done, so it is
//! run by hand: `cargo test --release -p machine --test suite speed -- --ignored --nocapture`

use crate::common::samples;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::common::read_elf;
use machine::{End, Plan, Reason, run};
use types::{Image, Segment, Step};

/// Processor time of this thread, so that other load on the machine does not count (Linux;
/// elsewhere wall-clock time).
fn now() -> Duration {
    static ORIGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let busy = schedstat.and_then(|text| text.split(' ').next()?.parse().ok());
    busy.map_or_else(|| ORIGIN.elapsed(), Duration::from_nanos)
}

/// The cheapest observer that is not optimized away: times of the first and last step, and a sum
/// over the observed values.
fn timed(image: &Image) -> (u64, Duration) {
    let (mut first, mut last) = (None, Duration::ZERO);
    let (mut sum, mut steps) = (0u64, 0u64);
    let mut observer = |step: &Step<'_>| {
        steps += 1;
        sum = sum
            .wrapping_add(step.pc.0 ^ step.regs.sp)
            .wrapping_add(step.frames.innermost().map_or(0, |frame| frame.cfa));
        if first.is_none() {
            first = Some(now());
        }
        if steps.is_multiple_of(1 << 20) {
            last = now();
        }
    };
    let run = run(&Plan { step_limit: 12 << 20, ..Plan::new(image) }, &mut observer).expect("runs");
    assert!(matches!(run.end, End::Undecided { reason: Reason::StepLimit, .. }), "{:?}", run.end);
    assert_ne!(std::hint::black_box(sum), 0);
    let counted = run.steps & !0xf_ffff;
    (counted, last.saturating_sub(first.unwrap_or_default()))
}

/// Samples, and the instruction that sends each back to its start in place of its exit: offset from
/// `_start`, and bytes.
const LOOPS: [(&str, &str, usize, [u8; 4]); 4] = [
    // jmp _start over the first bytes of `mov %eax,%edi; mov $60,%eax`
    ("x86_64", "gas-2.47.50--v3--gcc12-O0--exe", 14, [0xeb, 0xf0, 0x90, 0x90]),
    // b _start over `mov x8, #93`
    ("aarch64", "gas-2.47.50--v3--gcc12-O0--exe", 16, [0xfc, 0xff, 0xff, 0x17]),
    ("aarch64_be", "gas-2.47.50--v3--gcc12-O0--exe", 16, [0xfc, 0xff, 0xff, 0x17]),
    // j _start over `lghi %r1,1`; each round takes 160 bytes of stack
    ("s390x", "gas-2.47.50--v3--gcc12-O0--exe", 16, [0xa7, 0xf4, 0xff, 0xf8]),
];

#[test]
#[ignore = "a measurement, not a check"]
fn nanoseconds_a_step() {
    for (folder, file, offset, bytes) in LOOPS {
        let mut image = read_elf(&samples::path(folder, file));
        let entry = image.entry.0;
        let holds = |s: &&mut Segment| entry >= s.address && entry - s.address < s.bytes.len() as u64;
        let code = image.segments.iter_mut().find(holds).expect("the entry is loaded");
        let at = (entry - code.address) as usize + offset;
        let mut patched = code.bytes.to_vec();
        patched[at..at + 4].copy_from_slice(&bytes);
        code.bytes = patched.into();
        let best = (0..3).map(|_| timed(&image)).min_by_key(|(_, stepping)| *stepping).expect("three runs");
        let (steps, stepping) = best;
        println!("{}: {steps} steps, {:.1} ns a step", image.abi, stepping.as_nanos() as f64 / steps as f64);
    }
}

#[test]
#[ignore = "a measurement, not a check"]
fn milliseconds_a_run() {
    let image = read_elf(&samples::path("x86_64", "gas-2.47.50--v3--gcc12-O0--exe"));
    let began = now();
    let runs = 200;
    let steps: u64 = (0..runs).map(|_| run(&Plan::new(&image), &mut |_: &Step<'_>| {}).expect("runs").steps).sum();
    let each = (now() - began) / runs;
    println!("one sample: {} steps a run, {each:?} a run with loading and translation", steps / u64::from(runs));
}
