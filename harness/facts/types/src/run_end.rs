//! How a run ended.

use alloc::string::String;
use core::fmt;

use crate::{Pc, UndecidedCause};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RunEnd {
    /// The program exited with this status, 0 to 255 (`exit` or `exit_group`).
    Exit(i32),
    /// A halt instruction at this address.
    Halt(Pc),
    /// The called function returned to the sentinel address with SP balanced.
    Sentinel,
    /// The run ended early. It proves nothing for or against a table.
    Undecided {
        /// Why it ended.
        reason: StopReason,
        /// PC at which it ended.
        pc: Pc,
        /// What happened, with addresses.
        message: String,
    },
}

impl RunEnd {
    /// A run that ended early.
    pub fn undecided(reason: StopReason, pc: u64, message: impl Into<String>) -> Self {
        RunEnd::Undecided { reason, pc: Pc(pc), message: message.into() }
    }
}

/// Why a run ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum StopReason {
    /// An access to memory that is not mapped or not permitted, or an arithmetic fault.
    Fault,
    /// An instruction that the engine does not implement, or does not execute faithfully.
    IllegalInstruction,
    /// A breakpoint or trap instruction.
    Trap,
    /// An unsupported system call, by number.
    Syscall(u64),
    /// The program created a thread that is not followed: too many threads, or unsupported flags.
    Thread,
    /// All threads of the program wait for one another.
    Deadlock,
    /// The program created a process, or called `execve`.
    NewProcess,
    /// A signal handler was about to execute.
    SignalHandler,
    /// The program waits for another process or thread.
    WaitsForever,
    /// The step limit of the plan.
    StepLimit,
    /// The time limit of the plan.
    TimeLimit,
    /// The limit on live frames.
    DepthLimit,
    /// SP moved to another stack while frames were live on the first.
    StackSwitch,
    /// Control reached the sentinel with a different SP than after a return.
    StackImbalance,
    /// The engine stopped and gave no reason.
    Stopped,
    /// The engine crashed: a signal killed its process.
    EngineDied,
    /// The engine hung: it executed no instruction for too long and was killed.
    EngineHung,
    /// The engine's process reached its memory limit.
    MemoryLimit,
}

impl StopReason {
    /// A stable kebab-case name.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Fault => "fault",
            StopReason::IllegalInstruction => "illegal-instruction",
            StopReason::Trap => "trap",
            StopReason::Syscall(_) => "syscall",
            StopReason::Thread => "thread",
            StopReason::Deadlock => "deadlock",
            StopReason::NewProcess => "new-process",
            StopReason::SignalHandler => "signal-handler",
            StopReason::WaitsForever => "waits-forever",
            StopReason::StepLimit => "step-limit",
            StopReason::TimeLimit => "time-limit",
            StopReason::DepthLimit => "depth-limit",
            StopReason::StackSwitch => "stack-switch",
            StopReason::StackImbalance => "stack-imbalance",
            StopReason::Stopped => "stopped",
            StopReason::EngineDied => "emulator-died",
            StopReason::EngineHung => "emulator-hung",
            StopReason::MemoryLimit => "memory-limit",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Syscall(number) => write!(f, "syscall {number}"),
            other => f.write_str(other.name()),
        }
    }
}

/// Why a requested check is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UndecidedReason {
    /// A run ended early.
    Stopped(StopReason),
    /// The file's code cannot be loaded for a run.
    NotLoadable,
    /// No row of any table was judged, by execution or comparison.
    NothingJudged,
    /// Functions share rows with more functions than are read.
    SharedRows,
    /// The file has more `.sframe` sections than are checked.
    ManySections,
    /// A signal that was asked for was not sent.
    SignalNotSent,
    /// Answers of rows that cannot be evaluated, or for frames whose true values are not known well
    /// enough.
    Answers(UndecidedCause),
}

impl UndecidedReason {
    /// A stable kebab-case name.
    pub const fn name(self) -> &'static str {
        match self {
            UndecidedReason::Stopped(reason) => reason.name(),
            UndecidedReason::NotLoadable => "not-loadable",
            UndecidedReason::NothingJudged => "nothing-judged",
            UndecidedReason::SharedRows => "shared-rows",
            UndecidedReason::ManySections => "many-sections",
            UndecidedReason::SignalNotSent => "signal-not-sent",
            UndecidedReason::Answers(why) => why.name(),
        }
    }
}
