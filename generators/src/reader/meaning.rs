//! The meaning of a row, and whether two rows mean the same.

use types::{CfaRule, PacKey, ValueRule};

/// What a row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// How to find the CFA.
    pub cfa: CfaRule,
    /// How to find the return address.
    pub ra: ValueRule,
    /// How to find the caller's frame pointer.
    pub fp: ValueRule,
    /// AArch64: key with which the return address is signed, if it is.
    pub signed: Option<PacKey>,
    /// The frame is one that the kernel pushed.
    pub signal: bool,
}

impl Meaning {
    /// There is no caller.
    pub(crate) const fn outermost(signal: bool) -> Self {
        Meaning { cfa: CfaRule::Unspecified, ra: ValueRule::Undefined, fp: ValueRule::SameValue, signed: None, signal }
    }

    /// The rules in one form: an undefined return address leaves nothing else, and an offset from
    /// the CFA becomes one from the CFA's own register.
    fn plain(self) -> Self {
        if self.ra == ValueRule::Undefined {
            return Meaning::outermost(self.signal);
        }
        let resolve = |rule| match (rule, self.cfa) {
            (ValueRule::AtCfa(n), CfaRule::Register { reg, offset }) => {
                ValueRule::Memory { reg, offset: offset.wrapping_add(n) }
            }
            (ValueRule::CfaPlus(n), CfaRule::Register { reg, offset }) => {
                ValueRule::Register { reg, offset: offset.wrapping_add(n) }
            }
            _ => rule,
        };
        Meaning { ra: resolve(self.ra), fp: resolve(self.fp), ..self }
    }

    /// Returns true if both find the same values whatever the machine holds.
    pub fn same(self, other: Self) -> bool {
        self.plain() == other.plain()
    }
}
