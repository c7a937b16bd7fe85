//! Observers of an execution.

use crate::{Pc, Step, UndecidedCause};

/// Observes an execution: the only interface between an engine and the judge. A closure that takes
/// a step is one. An observer that remembers steps, so that they need not be shown again, is a
/// [`Memo`](crate::memo::Memo) too.
pub trait Observer {
    /// Called just before each executed instruction.
    fn step(&mut self, step: &Step<'_>);
}

impl<F: FnMut(&Step<'_>)> Observer for F {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self(step);
    }
}

/// Observes functions that are executed without their inputs: states that no run has shown yet, in
/// no particular order.
pub trait Probe {
    /// Compares the tables' answers for the step with the truth. Nothing is charged or counted.
    fn compare(&mut self, step: &Step<'_>) -> Compared;

    /// The step is one that a real execution can reach, and what it shows does not depend on
    /// made-up values. It represents all these PCs: between them nothing changes that an answer
    /// could depend on. Returns whether anything is charged: nothing is where a function has a
    /// convention of its own, as its table or its returns show.
    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed: &Handed<'_>) -> bool;

    /// A table is not right at these PCs, and whether it is wrong cannot be decided: it rests on
    /// made-up values, or a real execution may reach none of the states.
    fn leave_open(&mut self, why: UndecidedCause, pcs: &[Pc]);
}

/// What comparing a step with the tables gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// A table has a row for it.
    pub judged: bool,
    /// Rows that could not be evaluated.
    pub refused: u64,
    /// A table that could be evaluated is not right.
    pub wrong: bool,
}

/// What a function was handed by its caller beyond what a call leaves, by what it does with it. In
/// exploration that is made up.
#[derive(Clone, Copy)]
pub struct Handed<'a> {
    /// It loads its return address from there, where its caller put it, as a procedure linkage
    /// table does for the resolver of AArch64's dynamic linker.
    pub ra: Option<u64>,
    /// Returns true if the function saves its caller's SP, FP or return address around an address
    /// that is not on its stack: in a frame that it was handed to continue with.
    pub keeps_frame_at: &'a dyn Fn(u64) -> bool,
    /// Others can call it by name, what it does from the state of a call ends in a return of that
    /// call, and a table is right in such a state: it is entered as the ABI has it.
    pub by_call: bool,
}

/// What is known of a step's function, besides its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// Nothing special.
    Plain,
    /// It is entered in no way that was seen, and never returns: execution may begin there.
    Unseen,
    /// A system call, which may have returned in a new thread, where nothing called it.
    SystemCall,
    /// Nothing is known of FP: the function's returns give it another value than it found, or
    /// control comes here with it in another place too.
    ButForFp,
}
