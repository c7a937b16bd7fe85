//! The meaning of a row, and comparison of meanings.

use types::{CfaRule, PacKey, ValueRule};

/// The meaning of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) cfa: CfaRule,
    /// Rule for the return address.
    pub(crate) ra: ValueRule,
    /// Rule for the caller's frame pointer.
    pub(crate) fp: ValueRule,
    /// AArch64: key of the signed return address; `None` if not signed.
    pub(crate) signed: Option<PacKey>,
    /// The frame is a signal frame.
    pub(crate) signal: bool,
}

impl Meaning {
    /// The meaning of an outermost frame.
    pub(crate) const fn outermost(signal: bool) -> Self {
        Meaning { cfa: CfaRule::Unspecified, ra: ValueRule::Undefined, fp: ValueRule::SameValue, signed: None, signal }
    }

    /// A canonical form: with an undefined return address nothing else counts, and offsets from the
    /// CFA become offsets from the CFA's base register.
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

    /// Returns true if both rules give the same values in every machine state.
    pub(crate) fn same(self, other: Self) -> bool {
        self.plain() == other.plain()
    }
}
