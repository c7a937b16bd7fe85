//! The ledger: the trials that an entry applies to, the rows that it covers, and that it covers no
//! others.

mod patterns;
mod programs;
mod standing;
pub(crate) mod support;
