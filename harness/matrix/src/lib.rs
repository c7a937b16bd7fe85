//! From cases to the results of a run; from many files to one report.
//!
//! - [`case`] with [`included`], [`link`], [`frozen`] read what is tested; [`Matrix`] combines it with the producers of this machine to trials, each named
//!   by a [`results::Key`]; [`pipeline`] and [`linked`] build them;
//! - [`run`] runs trials in parallel and writes [`results`]; matched with the ledger, which [`planted`] tests;
//! - [`sweep`] judges the many files of folders and archives;
//! - [`corpus`] writes test vectors for readers, [`consumers`] puts them to those of this machine;
//! - [`generate`], [`score`] and [`fuzz`] judge programs, mutants and random directives that `generators` writes.

mod built;
pub mod case;
pub mod choice;
pub mod consumers;
pub mod corpus;
pub mod frozen;
pub mod fuzz;
pub mod generate;
pub mod included;
mod kept;
pub mod link;
pub mod linked;
pub mod pipeline;
pub mod planted;
pub mod results;
pub mod run;
pub mod score;
pub mod sweep;
pub mod trial;
mod trials;

pub use trials::{Extent, Matrix};
