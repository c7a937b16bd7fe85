//! Observers of an execution.

use crate::{Pc, Reg, RegisterSet, Step, UndecidedCause};

/// Receives each step of an execution: the only interface between an engine and the judge. A
/// closure that takes a step is an observer. An observer that remembers steps, so that they need
/// not be shown again, is also a [`Memo`](crate::memo::Memo).
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

/// Receives the steps of functions that are explored: executed without their inputs. The states are
/// shown in no particular order, and only once each.
pub trait Probe {
    /// Compares the tables' answers for the step with the truth. Nothing is charged or counted.
    fn compare(&mut self, step: &Step<'_>, preserved: &Preserved<'_>) -> Compared;

    /// Judges a step that a real execution can reach, and whose frame does not depend on made-up
    /// values. The step represents all PCs in `pcs`: no value that an answer depends on changes
    /// between them. Returns true if a finding is charged. Nothing is charged in a function whose
    /// table or returns show a convention of its own.
    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed: &Handed<'_>) -> bool;

    /// Notes the rows whose CFA is a mere name, at a step as for [`Probe::charge`].
    fn note_names(&mut self, step: &Step<'_>, pcs: &[Pc]);

    /// Judges the registers that a call preserves, at a step as for [`Probe::charge`] at which the
    /// frame is right. `suspects`: those that `.eh_frame` does not restore, whatever the made-up
    /// values are.
    fn charge_registers(&mut self, step: &Step<'_>, pcs: &[Pc], preserved: &Preserved<'_>, suspects: Unrestored);

    /// A function returns to its caller with other values than at its entry in these registers,
    /// which a call preserves.
    fn change_registers(&mut self, registers: RegisterSet);

    /// Leaves the answers of a table at these PCs undecided although they are not right: they
    /// depend on made-up values, or a real execution may reach none of the states.
    fn leave_open(&mut self, why: UndecidedCause, pcs: &[Pc]);
}

/// The result of comparing a step with the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// True if a table has a row for the step.
    pub judged: bool,
    /// Number of rows that could not be evaluated.
    pub refused: u64,
    /// True if a row could be evaluated and is not right.
    pub wrong: bool,
    /// True if a row is right but for a CFA that is a mere name.
    pub named: bool,
    /// Registers that `.eh_frame` does not restore.
    pub unrestored: Unrestored,
}

/// The registers that a call preserves, other than SP, FP and link register, in an exploration:
/// each entered the function with a value of its own.
#[derive(Clone, Copy, Debug)]
pub struct Preserved<'a> {
    /// The values at the entry.
    pub entered: &'a [(Reg, u64)],
    /// These registers.
    pub all: RegisterSet,
    /// The registers that have these values now.
    pub intact: RegisterSet,
}

/// Registers whose value at the entry of the function a row does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unrestored {
    /// A rule gives another value.
    pub wrong: RegisterSet,
    /// Those of `wrong` whose rule reads stack below SP.
    pub dead: RegisterSet,
    /// There is no rule, and the register has another value.
    pub missing: RegisterSet,
}

impl Unrestored {
    /// All of them.
    #[must_use]
    pub fn all(self) -> RegisterSet {
        self.wrong.and(self.missing)
    }

    /// Only those whose rule reads stack below SP.
    #[must_use]
    pub fn dead_only(self) -> Unrestored {
        Unrestored { wrong: self.dead, dead: self.dead, missing: RegisterSet::NONE }
    }

    /// Those that are in `other` too, for the same reason.
    #[must_use]
    pub fn common(self, other: Unrestored) -> Unrestored {
        let Unrestored { wrong, dead, missing } = other;
        Unrestored {
            wrong: self.wrong.common(wrong),
            dead: self.dead.common(dead),
            missing: self.missing.common(missing),
        }
    }
}

/// Values that a function received from its caller in addition to those of a normal call, found by
/// how the function uses them. In exploration these values are made up.
#[derive(Clone, Copy)]
pub struct Handed<'a> {
    /// Address from which the function loads its return address, if its caller stored it there, as
    /// a procedure linkage table does for the resolver of AArch64's dynamic linker.
    pub ra: Option<u64>,
    /// Returns true if the function saves its caller's SP, FP or return address around an address
    /// outside its stack: in a frame that it received to continue with.
    pub keeps_frame_at: &'a dyn Fn(u64) -> bool,
    /// Copies bytes of the made-up memory outside the stack; `None` if the address is elsewhere.
    pub made_up: &'a dyn Fn(u64, &mut [u8]) -> Option<()>,
    /// True if the function follows the ABI at entry: other code can call it by name, its execution
    /// from the state of a call ends in a return of that call, and a table is right in such a
    /// state.
    pub by_call: bool,
    /// What it does from the state of a call ends in a return of that call: the return address is
    /// where the ABI has it.
    pub returns: bool,
}

/// What is known of the function of a step, besides its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// Nothing special.
    Plain,
    /// No entry of the function was seen, and it never returns: execution may begin in it.
    Unseen,
    /// The step is a system call, which may have returned in a new thread, where nothing called the
    /// function.
    SystemCall,
    /// FP is unknown: the function returns with an FP that differs from the one at entry, or
    /// control reaches this PC also with FP saved in another location.
    ButForFp,
    /// The function wrote over its return address, and is not seen to return: it may continue where
    /// that leads.
    Overwritten,
}
