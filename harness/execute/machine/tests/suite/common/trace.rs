//! Runs a few bytes of machine code and records each step.

use machine::{Plan, Run, run};
use types::{Abi, Event, Frame, FrameRegs, Step, ThreadId};

use super::{CODE, hex, program};

/// A copied step.
#[derive(Debug)]
pub(crate) struct StepRecord {
    /// Offset of the instruction from the start of the code.
    pub at: u64,
    pub thread: ThreadId,
    pub event: Event,
    /// The frames, outermost first.
    pub frames: Vec<Frame>,
    pub registers: FrameRegs,
}

/// The steps and the end of a run.
#[derive(Debug)]
pub(crate) struct Trace {
    pub steps: Vec<StepRecord>,
    pub run: Run,
}

/// The bytes of AArch64 machine code given as instruction words.
pub(crate) fn words(text: &str) -> Vec<u8> {
    hex(text).chunks(4).flat_map(|word| word.iter().rev().copied()).collect()
}

/// Executes a plan and records its steps.
pub(crate) fn follow(plan: &Plan<'_>) -> Trace {
    let mut steps = Vec::new();
    let mut observer = |step: &Step<'_>| {
        steps.push(StepRecord {
            at: step.pc.0.wrapping_sub(CODE),
            thread: step.thread,
            event: step.event,
            frames: step.frames.0.to_vec(),
            registers: FrameRegs::snapshot(&step.regs),
        });
    };
    let run = run(plan, &mut observer).expect("the image loads");
    Trace { steps, run }
}

/// Runs code from its first byte as a process.
pub(crate) fn trace(abi: Abi, code: &[u8]) -> Trace {
    let image = program(abi, code);
    follow(&Plan { step_limit: 10_000, stack_size: 64 << 10, ..Plan::new(&image) })
}

impl Trace {
    /// The step at the nth visit of an offset, counted from 0.
    pub(crate) fn visit(&self, offset: u64, nth: usize) -> &StepRecord {
        self.steps.iter().filter(|step| step.at == offset).nth(nth).expect("the offset is visited")
    }
}
