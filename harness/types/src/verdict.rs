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

crate::named! {
    /// Why an answer could not be decided. The names are those of machine-readable output.
    pub enum UndecidedCause {
        /// The true frame, or SP, lies outside the stack that is watched: the program switched
        /// stacks.
        OtherStack = "other-stack",
        /// SP has passed the frame: a longjmp under way has left it and not yet arrived.
        Abandoned = "abandoned-frame",
        /// The row describes where a longjmp or a throw under way will land, before SP has moved.
        Leaving = "leaving-by-longjmp",
        /// The row's slot did hold the value in this call of the function, and the program wrote
        /// over it.
        Overwritten = "overwritten-slot",
        /// The function was jumped to, as if called, with SP lower than its caller left it: the
        /// code that jumped keeps stack for the caller. Whether the CFA has moved with it is a
        /// matter of view.
        Lowered = "lowered-stack",
        /// The table describes the code by a convention of its own, as if it continued where it
        /// jumps to, or as entered with words that its caller pushed.
        OwnConvention = "own-entry-convention",
        /// The function continues in a frame that its caller handed to it by address, and
        /// exploration makes that address up.
        HandedFrame = "handed-frame",
        /// The row is that of a place without a caller, and nothing that exploration sees calls the
        /// function.
        MayBegin = "may-begin-here",
        /// Exploration sees FP in several states there, or lost at every return: one of them is of
        /// a way that no execution takes.
        UnknownFp = "unknown-fp",
        /// What exploration shows rests on values that it makes up.
        MadeUp = "made-up-values",
        /// Exploration has the table right in no state there, and every one may be impossible.
        Unconfirmed = "unconfirmed-state",
        /// The row is for the function that a signal interrupted, and its table does not mark it as
        /// a signal frame.
        Unmarked = "unmarked-signal-frame",
    }
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
            UndecidedCause::HandedFrame => {
                "the function continues in a frame that it was handed, and exploration makes up"
            }
            UndecidedCause::MayBegin => {
                "the row says that no caller exists (outermost frame), and exploration sees none"
            }
            UndecidedCause::UnknownFp => "exploration sees FP in states of which one is none",
            UndecidedCause::MadeUp => "what exploration shows rests on values that it makes up",
            UndecidedCause::Unconfirmed => {
                "the row is not right in any state that exploration sees, and all may be impossible"
            }
            UndecidedCause::Unmarked => {
                "the row leads to a function that a signal interrupted, and is not marked as a signal frame's"
            }
        }
    }
}
