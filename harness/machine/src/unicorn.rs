//! The engine and its settings.

use backend::{Backend, Plan, Run};
use types::memo::Memo;

use crate::MachineError;
use crate::run::run_by;

/// What the emulator, which translates code in blocks, may still translate when the last step of
/// the limit was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtLimit {
    /// The block that comes next.
    Translate,
    /// Nothing of the program any more: all code is overwritten. So a run ends where an instruction
    /// in that block would end the emulator.
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
