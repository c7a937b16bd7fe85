//! Tests the harness itself, and the installed tools with random inputs.
//!
//! - [`score`] judges mutants with known effects, and files with random damage; [`planted`] does so
//!   for files with known bugs, where the ledger must not cover the damage;
//! - [`generate`] judges random programs whose tables are correct by construction;
//! - [`fuzz`] tests assemblers with random directives, [`compiled`] compilers with random C
//!   programs;
//! - [`journal`] keeps the results of long runs.

pub mod compiled;
pub mod fuzz;
pub mod generate;
pub mod journal;
pub mod planted;
pub mod score;
