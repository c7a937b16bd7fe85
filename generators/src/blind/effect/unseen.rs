//! Why a change cannot be noticed.

types::named! {
    /// The reason why a change cannot be noticed where code is executed or the other table has
    /// rows.
    pub enum Unseen {
        /// Only FP changed, and the other table marks it as undefined.
        FpUndefined = "fp-undefined",
        /// Only the return address changed, and the other table has no rule for it.
        RaUnsaid = "ra-unsaid",
        /// The other table's rule is an expression without a simpler form, and the code is not
        /// executed.
        Expression = "expression",
        /// The tables differed there already.
        DifferedBefore = "differed-before",
        /// The tables agree there now, and did not before.
        AgreesNow = "agrees-now",
        /// Only `.eh_frame` describes the code; it marked the code as outermost, and now gives a
        /// bogus caller.
        Outermost = "outermost",
        /// Only `.eh_frame` describes the code, and the CFA is based on another register than SP
        /// and FP, which may hold the same value.
        Rebased = "rebased",
    }
}
