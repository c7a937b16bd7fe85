//! How a worker died, and at which position.

use std::fmt;

use backend::Position;
use types::StopReason;

/// The death of a worker during a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// Cause of the death.
    pub cause: Cause,
    /// Position that the execution had reached.
    pub position: Position,
}

/// Cause of a worker's death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A signal, by number.
    Signal(i32),
    /// It exited with this status.
    Status(i32),
    /// It made no progress and was killed.
    Hung,
    /// It exceeded its memory limit.
    Memory,
}

impl Cause {
    /// Reason in reports.
    pub fn reason(self) -> StopReason {
        match self {
            Cause::Signal(_) | Cause::Status(_) => StopReason::EngineDied,
            Cause::Hung => StopReason::EngineHung,
            Cause::Memory => StopReason::MemoryLimit,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Linux `arch/x86/include/uapi/asm/signal.h`, the same in
        // `include/uapi/asm-generic/signal.h`.
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
            Cause::Memory => f.write_str("the emulator reached its memory limit"),
        }
    }
}
