//! The instructions for which a conclusion holds, by conclusion.

use types::{Pc, Probe, UndecidedCause};

use super::super::bits::Bits;
use super::super::counts::Counts;
use super::super::survey::Survey;

/// Sets of instructions.
pub(super) struct Marks {
    /// In a state that a real execution may reach.
    pub(super) possible: Bits,
    /// Each table is right in a state that a real execution can reach. That state decides: of
    /// others, in which the same row is wrong, the paths do not exist.
    pub(super) right: Bits,
    /// A table is wrong in a state that may be impossible.
    pub(super) doubted: Bits,
    /// The same for functions whose first state is not that after a call, without evidence that
    /// they are entered, but with a global name or an address that is taken.
    pub(super) assumed: Bits,
    /// The same for functions whose first state is not that after a call, but which return as after
    /// one.
    pub(super) returning: Bits,
    /// Code of functions that are not entered by a call.
    pub(super) other_entry: Bits,
    /// A row depends on a register that a call of another file may have changed.
    pub(super) unkept: Bits,
    /// They ended a path.
    pub(super) stopped: Bits,
}

impl Marks {
    pub(super) fn new(survey: &Survey) -> Marks {
        let nothing = || survey.functions.nothing();
        Marks {
            possible: nothing(),
            right: nothing(),
            doubted: nothing(),
            assumed: nothing(),
            returning: nothing(),
            other_entry: nothing(),
            unkept: nothing(),
            stopped: nothing(),
        }
    }

    /// Leaves instructions undecided at which a table is wrong in a doubtful state and right in no
    /// certain one.
    pub(super) fn leave_open(&self, counts: &Counts<'_>, probe: &mut dyn Probe) {
        let open = |set: &Bits, decided: &dyn Fn(u64) -> bool| -> Vec<Pc> {
            set.iter().filter(|pc| !decided(*pc)).map(Pc).collect()
        };
        let is_right = |pc| self.right.has(pc);
        probe.leave_open(UndecidedCause::Unconfirmed, &open(&self.doubted, &is_right));
        probe.leave_open(UndecidedCause::Unkept, &open(&self.unkept, &|_| false));
        probe.leave_open(UndecidedCause::OwnConvention, &open(&self.assumed, &is_right));
        // A row that denies a caller cannot be right if the function was called.
        probe.leave_open(UndecidedCause::MayBegin, &open(&self.returning, &is_right));
        probe.leave_open(UndecidedCause::Lowered, &open(&self.other_entry, &|pc| counts.is_confirmed(pc)));
    }
}
