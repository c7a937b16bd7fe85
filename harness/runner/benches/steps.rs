//! Benchmark: judged steps per second, compared with unjudged steps per second, on every target, in
//! one run: the ratio is the cost of judging.
//!
//! The program loops for ever over a chain of three calls, one of which does some work, and is
//! ended by the step limit; both tables describe it. About one step in ten is a call or a return,
//! at which the complete chain is walked, as in compiled code.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use generators::code::{FrameAt, FrameState, Function};
use generators::elf::FileKind;
use generators::sample::Sample;
use judge::execution::Judge;
use judge::tables::Tables;
use machine::{Plan, run, run_with_memo};
use types::{Abi, Image, Observer, SframeVersion, Step};

const STEPS: u64 = 1_000_000;

/// An observer that ignores each step.
struct Bystander;

impl Observer for Bystander {
    fn step(&mut self, step: &Step<'_>) {
        std::hint::black_box(step.frames.depth());
    }
}

fn endless(abi: Abi) -> Image {
    let mut forever = Function::start(abi, "_start", "outer");
    let Some(call) = forever.calls.first().map(|call| call.at) else { unreachable!("start calls") };
    // The instruction after the call jumps back to it.
    let (length, back): (usize, &[u8]) = match abi {
        Abi::Amd64 => (5, &[0xeb, 0xf9]),
        Abi::Aarch64 | Abi::Aarch64Be => (4, &[0xff, 0xff, 0xff, 0x17]),
        Abi::S390x => (6, &[0xa7, 0xf4, 0xff, 0xfd]),
    };
    forever.code.truncate(call + length);
    forever.code.extend_from_slice(back);
    let entry = FrameAt { offset: 0, frame: FrameState::at_entry(abi) };
    let work = Function { frames: vec![entry], ..Function::leaf(abi, "work").padded(abi, 0, 64) };
    let functions =
        vec![forever, Function::framed(abi, "outer", "middle"), Function::framed(abi, "middle", "work"), work];
    let sample = Sample::new(abi, SframeVersion::V3, FileKind::Executable, functions).expect("a sample");
    elf::load("endless", &sample.bytes().expect("a file").into()).expect("an image")
}

fn steps(criterion: &mut Criterion) {
    for abi in Abi::ALL {
        let image = endless(abi);
        let tables = Tables::new(&image);
        let plan = Plan { step_limit: STEPS, ..Plan::new(&image) };
        let mut group = criterion.benchmark_group(abi.name());
        group.throughput(Throughput::Elements(STEPS)).sample_size(10);
        group.bench_function("witnessed", |bencher| {
            bencher.iter(|| assert_eq!(run(&plan, &mut Bystander).expect("a run").steps, STEPS));
        });
        group.bench_function("judged", |bencher| {
            bencher.iter(|| {
                let mut judge = Judge::new(&image, &tables, false);
                run_with_memo(&plan, &mut judge).expect("a run");
                assert_eq!(judge.counts.judged, STEPS);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
