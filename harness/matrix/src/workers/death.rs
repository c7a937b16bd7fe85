//! How a worker died, over which instruction, and what that makes of the run.

use std::fmt;

use isa::Disassembler;
use machine::position::Position;
use model::{Image, StopReason};
use serde::{Deserialize, Serialize};

/// A worker's end in the middle of its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// How it ended.
    pub cause: Cause,
    /// How far the execution had come.
    pub position: Position,
}

/// How a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// By a signal of this number.
    Signal(i32),
    /// By itself, with this status.
    Status(i32),
    /// It made no progress and was killed.
    Hung,
    /// It asked for more memory than it may have.
    Memory,
}

impl Cause {
    /// The word in reports.
    pub fn reason(self) -> StopReason {
        match self {
            Cause::Signal(_) | Cause::Status(_) => StopReason::EmulatorDied,
            Cause::Hung => StopReason::EmulatorHung,
            Cause::Memory => StopReason::MemoryLimit,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Linux `arch/x86/include/uapi/asm/signal.h`, the same in `include/uapi/asm-generic/signal.h`.
        match self {
            Cause::Signal(4) => f.write_str("the emulator died of SIGILL"),
            Cause::Signal(6) => f.write_str("the emulator died of SIGABRT"),
            Cause::Signal(7) => f.write_str("the emulator died of SIGBUS"),
            Cause::Signal(8) => f.write_str("the emulator died of SIGFPE"),
            Cause::Signal(9) => f.write_str("the emulator was killed (SIGKILL)"),
            Cause::Signal(11) => f.write_str("the emulator died of SIGSEGV"),
            Cause::Signal(number) => write!(f, "the emulator died of signal {number}"),
            Cause::Status(status) => write!(f, "the emulator ended its process with status {status}"),
            Cause::Hung => f.write_str("the emulator hung and was killed"),
            Cause::Memory => f.write_str("the emulator came to its limit of memory"),
        }
    }
}

/// Where a run is to end because it killed a worker there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// Which run of the file's, from 1.
    pub run: u64,
    /// The instruction before which it ends, counted from 1; 0: it is not begun at all.
    pub step: u64,
    /// Why.
    pub reason: StopReason,
    /// How the worker died, and over which instruction.
    pub message: String,
}

impl Stop {
    pub(super) fn of(death: &Death, image: &Image) -> Stop {
        let Position { runs, steps, pc, .. } = death.position;
        let over = match instruction(image, pc) {
            _ if steps == 0 => " before the first instruction".to_owned(),
            // Instructions are translated in blocks: the one that did it may be in the block after this.
            Some(text) => format!(" at {text}, or when it translated what comes next"),
            None => String::new(),
        };
        Stop { run: runs, step: steps, reason: death.cause.reason(), message: format!("{}{over}", death.cause) }
    }

    /// Adds it. Where the same run was to end already, and yet killed another worker, it is not begun again.
    pub(super) fn add_to(self, stops: &mut Vec<Stop>) {
        match stops.iter_mut().find(|stop| stop.run == self.run) {
            Some(stop) => stop.step = if self.step < stop.step { self.step } else { 0 },
            None => stops.push(self),
        }
    }
}

/// An instruction's bytes and what they mean: `b3160000 sqxbr %f0, %f0`.
fn instruction(image: &Image, pc: u64) -> Option<String> {
    let decoded = Disassembler::new(image).at(pc)?;
    let length = usize::try_from(decoded.length).ok()?;
    let bytes = image.bytes_at(pc)?;
    let hex: String = bytes.iter().take(length).map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{hex} {}", decoded.text.trim_end()))
}
