//! How a run ended.

use alloc::string::String;

use crate::{Pc, UndecidedCause, named};

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

named! {
    /// Why a run ended early.
    pub enum StopReason {
        /// An access to memory that is not mapped or not permitted, or an arithmetic fault.
        Fault = "fault",
        /// An instruction that the engine does not implement, or does not execute faithfully.
        IllegalInstruction = "illegal-instruction",
        /// A breakpoint or trap instruction.
        Trap = "trap",
        /// An unsupported system call.
        Syscall = "syscall",
        /// The program created a thread that is not followed: too many threads, or unsupported
        /// flags.
        Thread = "thread",
        /// All threads of the program wait for one another.
        Deadlock = "deadlock",
        /// The program created a process, or called `execve`.
        NewProcess = "new-process",
        /// A signal handler was about to execute.
        SignalHandler = "signal-handler",
        /// The program waits for another process or thread.
        WaitsForever = "waits-forever",
        /// The step limit of the plan.
        StepLimit = "step-limit",
        /// The time limit of the plan.
        TimeLimit = "time-limit",
        /// The limit on live frames.
        DepthLimit = "depth-limit",
        /// SP moved to another stack while frames were live on the first.
        StackSwitch = "stack-switch",
        /// Control reached the sentinel with a different SP than after a return.
        StackImbalance = "stack-imbalance",
        /// The engine stopped and gave no reason.
        Stopped = "stopped",
        /// The engine crashed: a signal killed its process.
        EngineDied = "emulator-died",
        /// The engine hung: it executed no instruction for too long and was killed.
        EngineHung = "emulator-hung",
        /// The engine's process reached its memory limit.
        MemoryLimit = "memory-limit",
    }
}

/// Why a requested check is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum UndecidedReason {
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
    /// Functions, or more of the file than is accepted, were not executed.
    Unreached,
    /// A program failed, and files that it did not find exist.
    FilesNotFound,
    /// A run ended early.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Stopped(StopReason),
    /// Answers of rows that cannot be evaluated, or for frames whose true values are not known well
    /// enough.
    #[cfg_attr(feature = "serde", serde(untagged))]
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
            UndecidedReason::Unreached => "unreached",
            UndecidedReason::FilesNotFound => "files-not-found",
            UndecidedReason::Answers(why) => why.name(),
        }
    }
}
