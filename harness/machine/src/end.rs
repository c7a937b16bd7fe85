//! How a run ended.

use std::fmt;

use model::Pc;

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "`reason` says what it is")]
pub enum End {
    /// The program exited with this status, 0 to 255 (`exit` or `exit_group`).
    Exit(i32),
    /// A halt instruction at this address.
    Halt(Pc),
    /// The function called returned to its sentinel with the stack as it was.
    Sentinel,
    /// The run ended early. Nothing follows from it for or against a table.
    Undecided {
        reason: Reason,
        /// The instruction at which it ended.
        pc: Pc,
        /// What happened, with addresses.
        message: String,
    },
}

/// Why a run ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// An access to memory that is not mapped or not permitted, or an arithmetic fault.
    Fault,
    /// An instruction the emulated processor does not have, or does not execute faithfully.
    IllegalInstruction,
    /// A breakpoint or trap instruction.
    Trap,
    /// A system call of this number, which is not served.
    Syscall(u64),
    /// The step limit of the plan.
    StepLimit,
    /// More live frames than are followed.
    DepthLimit,
    /// SP moved to another stack while frames were live on the first.
    StackSwitch,
    /// Control came to the sentinel with SP elsewhere than a return leaves it.
    StackImbalance,
    /// The emulator stopped and gave no reason.
    Stopped,
}

impl Reason {
    /// A stable kebab-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Fault => "fault",
            Reason::IllegalInstruction => "illegal-instruction",
            Reason::Trap => "trap",
            Reason::Syscall(_) => "syscall",
            Reason::StepLimit => "step-limit",
            Reason::DepthLimit => "depth-limit",
            Reason::StackSwitch => "stack-switch",
            Reason::StackImbalance => "stack-imbalance",
            Reason::Stopped => "stopped",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Syscall(number) => write!(f, "syscall {number}"),
            other => f.write_str(other.name()),
        }
    }
}

impl End {
    pub(crate) fn undecided(reason: Reason, pc: u64, message: impl Into<String>) -> Self {
        End::Undecided { reason, pc: Pc(pc), message: message.into() }
    }
}
