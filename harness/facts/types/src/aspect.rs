//! The part of a table that a finding is about.

crate::named! {
    /// The part of a table that a finding is about.
    pub enum Aspect {
        /// The canonical frame address.
        Cfa = "cfa",
        /// The return address, including its signing.
        Ra = "ra",
        /// The caller's frame pointer.
        Fp = "fp",
        /// Registers that a call preserves, other than FP and SP.
        Registers = "registers",
        /// The encoding of the table, not the meaning of a row.
        Structure = "structure",
        /// The range of code that has rows.
        Coverage = "coverage",
    }
}
