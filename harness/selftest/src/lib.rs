//! What the harness itself misses, and what random inputs find in the tools of this machine.
//!
//! - [`score`] judges mutants whose effect is known, and files with damage at random; [`planted`]
//!   does so to files with known errors, which the ledger must not cover;
//! - [`generate`] judges random programs whose tables are true by construction;
//! - [`fuzz`] feeds random directives to assemblers, [`compiled`] random C programs to compilers.

pub mod compiled;
pub mod fuzz;
pub mod generate;
pub mod planted;
pub mod score;
