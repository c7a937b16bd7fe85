//! The Unicorn engine and its settings.

use types::memo::Memo;
use witness::{Backend, Plan, Run};

use crate::MachineError;
use crate::run::run_by;

/// Whether the emulator, which translates code in blocks, may still translate code after the last
/// step of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLimit {
    /// The emulator may translate the next block.
    Translate,
    /// The emulator may translate nothing more of the program: all code is overwritten. So a run
    /// ends before an instruction in the next block that would crash the emulator.
    OverwriteCode,
}

/// Executes plans under Unicorn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unicorn {
    /// What happens at the plan's step limit.
    pub at_limit: AtLimit,
}

impl Default for Unicorn {
    fn default() -> Unicorn {
        Unicorn { at_limit: AtLimit::Translate }
    }
}

impl Backend for Unicorn {
    type Error = MachineError;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, MachineError> {
        run_by(*self, plan, observer)
    }
}
