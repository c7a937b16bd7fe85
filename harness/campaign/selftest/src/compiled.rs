//! Tests compilers with random C programs: finds those that write CFI that is wrong for their own
//! code.
//!
//! A program of [`generators::c`] is compiled with options of `ci/options.yaml`, assembled, linked,
//! executed and explored. Each wrong row has a [cause](judge::cause): the rule, its difference from
//! the right row, and the instruction before it. Causes in the ledger are known; others are reduced
//! (`reduce::compiled`). The same seed gives the same program with the same options.

pub mod observe;
pub mod options;
pub mod run;
pub mod subject;
