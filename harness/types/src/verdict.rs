//! The result of comparing one table's answer for one frame with the truth.

use crate::{Aspect, Fault};

/// The result of comparing an answer with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every value that the table gives is right.
    Agree,
    /// A value is wrong. When the CFA is, only the CFA is named: what is read relative to it cannot
    /// be right.
    Wrong(Field),
    /// The table has no row here.
    Missing,
    /// The table cannot answer here although nothing shows it wrong.
    Refused(Fault),
    /// The truth is not known well enough to judge.
    Undecided(UndecidedCause),
}

/// The part of a frame that a verdict is about, in the order in which a wrong one hides the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// A caller is claimed where execution began.
    Outermost,
    /// The row reads stack that may already be overwritten.
    DeadStack,
    /// The canonical frame address.
    Cfa,
    /// The key with which the return address is signed, if it is.
    Signed,
    /// The return address.
    Ra,
    /// The caller's frame pointer.
    Fp,
    /// The caller's SP, if a table has a rule for it.
    Sp,
}

/// Why the truth could not decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UndecidedCause {
    /// The true frame, or SP, lies outside the stack that is watched: the program switched stacks.
    OtherStack,
    /// SP has passed the frame: a longjmp under way has left it and not yet arrived.
    Abandoned,
    /// The row describes where a longjmp or a throw under way will land, before SP has moved.
    Leaving,
    /// The row's slot did hold the value in this call of the function, and the program
    /// wrote over it.
    Overwritten,
    /// The function was jumped to, as if called, with SP lower than its caller left it: the code
    /// that jumped keeps stack for the caller. Whether the CFA has moved with it is a matter of
    /// view.
    Lowered,
    /// The table describes the code by a convention of its own, as if it continued where it jumps
    /// to.
    OwnConvention,
    /// The row is for the function that a signal interrupted, and its table does not mark it as a
    /// signal frame.
    Unmarked,
}

impl Field {
    /// The part of a row that it belongs to.
    pub const fn aspect(self) -> Aspect {
        match self {
            Field::Cfa | Field::Sp => Aspect::Cfa,
            Field::Ra | Field::Signed | Field::Outermost | Field::DeadStack => Aspect::Ra,
            Field::Fp => Aspect::Fp,
        }
    }
}

impl UndecidedCause {
    /// A stable word for machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            UndecidedCause::OtherStack => "other-stack",
            UndecidedCause::Abandoned => "abandoned-frame",
            UndecidedCause::Leaving => "leaving-by-longjmp",
            UndecidedCause::Overwritten => "overwritten-slot",
            UndecidedCause::Lowered => "lowered-stack",
            UndecidedCause::OwnConvention => "own-entry-convention",
            UndecidedCause::Unmarked => "unmarked-signal-frame",
        }
    }

    /// What the answers have in common, as a clause.
    pub const fn meaning(self) -> &'static str {
        match self {
            UndecidedCause::OtherStack => "the frame or SP lies outside the stack that is watched",
            UndecidedCause::Abandoned => "SP has passed the frame, and control did not land where the row leads",
            UndecidedCause::Leaving => {
                "the row leads to where an earlier call came back, and control did not land there"
            }
            UndecidedCause::Overwritten => "the program wrote over the slot that the row names",
            UndecidedCause::Lowered => "the function was entered by a jump, with SP lower than its caller left it",
            UndecidedCause::OwnConvention => "the table describes the code by a convention of its own",
            UndecidedCause::Unmarked => {
                "the row leads to a function that a signal interrupted, and is not marked as a signal frame's"
            }
        }
    }
}
