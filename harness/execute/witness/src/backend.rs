//! The interface between engines, which execute code, and observers, which receive each step.

use types::memo::Memo;

use crate::plan::Plan;
use crate::run::Run;

/// An engine, which executes a plan and passes each step to an observer.
pub trait Backend {
    /// An error that prevents the execution of a plan.
    type Error: std::error::Error;

    /// Executes the plan. Each step is shown to the observer, or is a memo hit or part of a block
    /// hit by the protocol of [`types::memo`], any part of which an engine may ignore. For an
    /// observer without a memo: [`types::memo::NoMemo`]. The same plan gives the same steps, as far
    /// as the engine is deterministic.
    ///
    /// # Errors
    /// The image cannot be loaded, or the engine fails. A program that cannot be followed to its
    /// end is not an error but [`types::RunEnd::Undecided`].
    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, Self::Error>;
}
