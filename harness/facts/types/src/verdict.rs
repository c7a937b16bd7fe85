//! The result of comparing a table's answer for one frame with the truth.

use crate::{Aspect, Fault};

/// The result of comparing a table's answer with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every value that the table gives is right.
    Agree,
    /// A value is wrong. If the CFA is wrong, only the CFA is named, since values relative to it
    /// cannot be right.
    Wrong(Field),
    /// The table has no row for the PC.
    Missing,
    /// The table cannot answer, and nothing shows that it is wrong.
    Refused(Fault),
    /// The truth is not known well enough to judge.
    Undecided(UndecidedCause),
}

/// The part of a frame that a verdict is about, in order of precedence: a wrong one hides those
/// after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// A caller is claimed for the frame in which execution began.
    Outermost,
    /// The row reads stack that may already be overwritten.
    DeadStack,
    /// The canonical frame address.
    Cfa,
    /// Key with which the return address is signed, if it is signed.
    Signed,
    /// The return address.
    Ra,
    /// The caller's frame pointer.
    Fp,
    /// The caller's SP, if the table has a rule for it.
    Sp,
}

crate::named! {
    /// Why an answer is undecided. The names are those of machine-readable output.
    pub enum UndecidedCause {
        /// The true frame or SP lies outside the observed stack: the program switched stacks.
        OtherStack = "other-stack",
        /// SP is above the frame: a longjmp in progress has left it and has not yet arrived.
        Abandoned = "abandoned-frame",
        /// The row describes the target of a longjmp or a throw in progress, before SP has moved.
        Leaving = "leaving-by-longjmp",
        /// The row's slot held the right value earlier in this call of the function, and the
        /// program overwrote it.
        Overwritten = "overwritten-slot",
        /// The function was jumped to, as if called, with SP below the caller's: the jumping code
        /// reserved stack for the caller. Both the old and the new CFA can be defended.
        Lowered = "lowered-stack",
        /// The table describes the code by its own convention: as if it continued in the code it
        /// jumps to, as entered with words that its caller pushed, or as a part of the code that
        /// calls it.
        OwnConvention = "own-entry-convention",
        /// OCaml's own convention: it keeps no register for a caller, and no place has the caller's
        /// FP.
        OcamlRegisters = "ocaml-registers",
        /// Go's own convention: its unwinder knows the function by name, which switches stacks.
        GoStackSwitch = "go-stack-switch",
        /// The function continues in a frame that its caller passed by address, and exploration
        /// makes that address up.
        HandedFrame = "handed-frame",
        /// The row is for a PC without a caller, and exploration sees no call of the function.
        MayBegin = "may-begin-here",
        /// Exploration sees several states of FP at the PC, or FP lost at every return: one of them
        /// belongs to a path that no execution takes.
        UnknownFp = "unknown-fp",
        /// The true frame depends on values that exploration makes up.
        MadeUp = "made-up-values",
        /// The table is wrong in every state that exploration shows, and every one of these states
        /// may be impossible.
        Unconfirmed = "unconfirmed-state",
        /// The row reads a register that a call need not preserve, after a call of a function of
        /// another file.
        Unkept = "register-after-call",
        /// The row is for the function that a signal interrupted, and the table does not mark it as
        /// a signal frame.
        Unmarked = "unmarked-signal-frame",
        /// The row cannot be evaluated.
        Refused = "refused",
    }
}

impl Field {
    /// Part of a row that the field belongs to.
    pub const fn aspect(self) -> Aspect {
        match self {
            Field::Cfa | Field::Sp => Aspect::Cfa,
            Field::Ra | Field::Signed | Field::Outermost | Field::DeadStack => Aspect::Ra,
            Field::Fp => Aspect::Fp,
        }
    }
}

impl UndecidedCause {
    /// Clause that describes these undecided answers.
    pub const fn meaning(self) -> &'static str {
        match self {
            UndecidedCause::OtherStack => "the frame or SP is outside the stack that is tracked",
            UndecidedCause::Abandoned => {
                "SP has passed the frame, and control did not reach the return address that the row gives"
            }
            UndecidedCause::Leaving => {
                "the row gives the return address of an earlier call, and control did not reach it"
            }
            UndecidedCause::Overwritten => "the program wrote over the slot that the row names",
            UndecidedCause::Lowered => "the function was entered by a jump, with SP lower than its caller left it",
            UndecidedCause::OwnConvention => "the table describes the code by a convention of its own",
            UndecidedCause::OcamlRegisters => {
                "OCaml keeps no register for its caller, and its tables have no rule for one"
            }
            UndecidedCause::GoStackSwitch => "the function switches stacks, and Go's own unwinder knows it by its name",
            UndecidedCause::HandedFrame => {
                "the function continues in a frame that its caller made, and that exploration made up"
            }
            UndecidedCause::MayBegin => "the row marks the outermost frame, and exploration sees no caller",
            UndecidedCause::UnknownFp => {
                "exploration sees several states of FP here, and one of them may be unreachable"
            }
            UndecidedCause::MadeUp => "what exploration shows depends on values that it makes up",
            UndecidedCause::Unconfirmed => {
                "the row is wrong in every state that exploration sees, and all may be unreachable"
            }
            UndecidedCause::Unkept => {
                "the row reads a register that a call of a function of another file may have changed"
            }
            UndecidedCause::Unmarked => {
                "the row gives a caller that a signal interrupted, and is not marked as a signal frame"
            }
            UndecidedCause::Refused => "the row cannot be evaluated",
        }
    }
}
