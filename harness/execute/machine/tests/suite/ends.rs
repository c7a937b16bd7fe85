//! Ends of runs beside those in `tests/runs/ends`.

use std::time::{Duration, Instant};

use crate::common::trace::{Trace, follow, trace, words};
use crate::common::{CODE, DATA, RW, RX, hex, image, load, program};
use machine::single_step::SingleStep;
use machine::{Backend, End, Plan, Reason, Run, Unicorn, VectorBits, processor_time, run};
use types::memo::NoMemo;
use types::{Abi, Image, Pc, Step};

fn code(abi: Abi, text: &str) -> Vec<u8> {
    match abi {
        Abi::Aarch64 | Abi::Aarch64Be => words(text),
        Abi::Amd64 | Abi::S390x => hex(text),
    }
}

/// Asserts an undecided end at an offset of the code; returns its message.
fn undecided(trace: &Trace, reason: Reason, offset: u64) -> &str {
    let End::Undecided { reason: found, pc, message } = &trace.run.end else { panic!("{:?}", trace.run.end) };
    assert_eq!((*found, *pc), (reason, Pc(CODE + offset)), "{message}");
    message
}

/// The undefined instructions on which the emulator crashes when it translates them, from its
/// lists.
#[test]
fn undefined_instructions_that_crash_the_emulator_are_illegal() {
    let mut tried = 0;
    let lists = [
        (Abi::Amd64, "90", include_str!("../../data/amd64.txt")),
        (Abi::Aarch64, "1f2003d5", include_str!("../../data/aarch64-le.txt")),
    ];
    for (abi, nop, list) in lists {
        for line in list.lines().filter(|line| line.starts_with("dies")) {
            let code = line.split_whitespace().nth(2).expect("a word");
            let ended = trace(abi, &hex(&format!("{nop} {code}")));
            let message = undecided(&ended, Reason::IllegalInstruction, nop.len() as u64 / 2);
            assert!(message.contains("illegal instruction") && ended.run.steps == 2, "{abi} {code}: {message}");
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
    // fcvtns h5, h0, which differs in one bit of the operation, is defined.
    assert_eq!(trace(Abi::Aarch64, &words("5e79a805 d2800ba8 d4000001")).run.end, End::Exit(0));
    // fadd d30, d30, d24 differs in bit 30.
    assert_eq!(trace(Abi::Aarch64, &words("1e782bde d2800ba8 d4000001")).run.end, End::Exit(0));
}

/// A branch to itself.
fn endless(abi: Abi) -> Image {
    let text = match abi {
        Abi::Amd64 => "ebfe",
        Abi::Aarch64 | Abi::Aarch64Be => "14000000",
        Abi::S390x => "a7f40000",
    };
    program(abi, &code(abi, text))
}

#[test]
fn a_loop_without_end_stops_when_its_time_is_over() {
    for abi in Abi::ALL {
        let image = endless(abi);
        let within = |time| Plan { step_limit: u64::MAX, deadline: Some(Instant::now() + time), ..Plan::new(&image) };
        // Long enough to load the image on a busy machine. The steps are not kept: their number is
        // unknown.
        let ran = run(&within(Duration::from_millis(150)), &mut |_: &Step<'_>| {}).expect("runs");
        assert!(matches!(ran.end, End::Undecided { reason: Reason::TimeLimit, .. }), "{abi}: {:?}", ran.end);
        assert!(ran.steps > 0, "{abi}");
        let over = within(Duration::ZERO);
        undecided(&follow(&over), Reason::TimeLimit, 0);
        for ran in [ran_by(&Unicorn::default(), &over), ran_by(&SingleStep, &over)] {
            let ran = ran.expect("runs");
            assert!(matches!(ran.end, End::Undecided { reason: Reason::TimeLimit, .. }), "{abi}: {:?}", ran.end);
            assert_eq!(ran.steps, 0, "{abi}");
        }
    }
}

#[test]
fn a_loop_without_end_stops_when_its_processor_time_is_used_up() {
    let image = endless(Abi::Amd64);
    let processor = Some(processor_time() + Duration::from_millis(50));
    let plan = Plan { step_limit: u64::MAX, processor, ..Plan::new(&image) };
    let ran = run(&plan, &mut |_: &Step<'_>| {}).expect("runs");
    assert!(matches!(ran.end, End::Undecided { reason: Reason::TimeLimit, .. }), "{:?}", ran.end);
}

#[test]
fn calls_without_end_stop_at_the_depth_limit() {
    // bl .   brasl %r14,.   Neither uses stack.
    for (abi, endless) in [(Abi::Aarch64, "94000000"), (Abi::S390x, "c0e500000000")] {
        let image = program(abi, &code(abi, endless));
        let mut deepest = 0;
        let plan = Plan { step_limit: 10_000_000, ..Plan::new(&image) };
        let run = run(&plan, &mut |step: &Step<'_>| deepest = step.frames.depth()).expect("runs");
        assert!(matches!(run.end, End::Undecided { reason: Reason::DepthLimit, .. }), "{abi}: {:?}", run.end);
        assert_eq!((deepest, run.steps), (1 << 20, (1 << 20) + 1), "{abi}");
    }
}

#[test]
fn processor_clocks_repeat() {
    // rdtsc; mov %rax,%rbx; rdtscp; sub %rbx,%rax; hlt
    let text = "0f31 4889c3 0f01f9 4829d8 f4";
    let last = |abi, text: &str| {
        let trace = trace(abi, &code(abi, text));
        trace.steps.last().map(|step| step.registers)
    };
    let once = last(Abi::Amd64, text);
    assert_eq!(once, last(Abi::Amd64, text));
    let elapsed = once.and_then(|registers| types::RegFile::read(&registers, types::Reg(0)));
    assert!(elapsed.is_some_and(|elapsed| elapsed > 0), "{elapsed:?}");
    // mrs x0, cntvct_el0; mrs x1, cntvct_el0; mrs x2, tpidr_el0; mov x8, #93; svc #0
    let text = "d53be040 d53be041 d53bd042 d2800ba8 d4000001";
    let once = last(Abi::Aarch64, text).expect("steps");
    assert_eq!(Some(once), last(Abi::Aarch64, text));
    let read = |number| types::RegFile::read(&once, types::Reg(number)).expect("known");
    assert!(read(0) > 0 && read(1) > read(0) && read(2) == 0, "{} {} {}", read(0), read(1), read(2));
}

#[test]
fn a_panic_of_the_observer_is_raised_again() {
    let image = program(Abi::Amd64, &hex("90 90 f4"));
    let mut steps = 0;
    let mut observer = |_: &Step<'_>| {
        steps += 1;
        assert!(steps < 2, "the observer's own words");
    };
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&Plan::new(&image), &mut observer)));
    let payload = caught.expect_err("panics");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the observer's own words"));
    assert_eq!(steps, 2, "nothing is shown after the panic");
}

#[test]
fn uninitialised_memory_reads_as_zero_and_the_tail_of_a_segment_is_mapped() {
    // mov 0x600fff,%al (beyond p_filesz); test %al,%al; jnz .; mov 0x600000,%al; hlt
    let text = "8a0425ff0f6000 84c0 75fe 8a042500006000 f4";
    let segments = vec![load(CODE, RX, &hex(text), 0x100), load(DATA, RW, &[7], 0x1000)];
    let trace = follow(&Plan { step_limit: 100, ..Plan::new(&image(Abi::Amd64, CODE, segments)) });
    let last = trace.steps.last().expect("steps");
    assert_eq!(trace.run.end, End::Halt(Pc(CODE + 0x12)));
    assert_eq!(types::RegFile::read(&last.registers, types::Reg(0)).map(|rax| rax & 0xff), Some(7));
}

/// A run of any engine without an observer.
fn ran_by<B: Backend>(engine: &B, plan: &Plan<'_>) -> Result<Run, B::Error> {
    engine.run(plan, &mut NoMemo(&mut |_: &Step<'_>| {}))
}

#[test]
fn no_processor_has_vectors_of_these_lengths() {
    assert_eq!([0, 64, 384, 4096].map(VectorBits::new), [None; 4]);
}
