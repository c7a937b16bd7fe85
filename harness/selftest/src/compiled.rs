//! Random C programs through compilers: which of them write CFI that is wrong of their own code.
//!
//! A program of [`generators::c`] is compiled with options of `ci/options.yaml`, assembled, linked,
//! executed and explored. Each wrong row is one of a [`cause`]: the rule, how the row differs from
//! the right one, and the instruction before it. Causes of the ledger are known; any other is made
//! small (`reduce::compiled`). The same seed gives the same program with the same options.

pub mod cause;
pub mod journal;
pub mod observe;
pub mod options;
pub mod subject;
