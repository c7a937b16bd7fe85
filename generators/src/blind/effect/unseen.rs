//! Why a change cannot be noticed.

use std::fmt;

/// The reason why a change cannot be noticed where code is executed or the other table has rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unseen {
    /// Only FP changed, and the other table marks it as undefined.
    FpUndefined,
    /// Only the return address changed, and the other table has no rule for it.
    RaUnsaid,
    /// The other table's rule is an expression without a simpler form, and the code is not
    /// executed.
    Expression,
    /// The tables differed there already.
    DifferedBefore,
    /// The tables agree there now, and did not before.
    AgreesNow,
    /// Only `.eh_frame` describes the code; it marked the code as outermost, and now gives a bogus
    /// caller.
    Outermost,
    /// Only `.eh_frame` describes the code, and the CFA is based on another register than SP and
    /// FP, which may hold the same value.
    Rebased,
}

impl Unseen {
    /// All reasons.
    pub const ALL: [Unseen; 7] = [
        Unseen::FpUndefined,
        Unseen::RaUnsaid,
        Unseen::Expression,
        Unseen::DifferedBefore,
        Unseen::AgreesNow,
        Unseen::Outermost,
        Unseen::Rebased,
    ];

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Unseen::FpUndefined => "fp-undefined",
            Unseen::RaUnsaid => "ra-unsaid",
            Unseen::Expression => "expression",
            Unseen::DifferedBefore => "differed-before",
            Unseen::AgreesNow => "agrees-now",
            Unseen::Outermost => "outermost",
            Unseen::Rebased => "rebased",
        }
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
