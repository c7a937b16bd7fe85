//! Decides: answers of tables against the truth, tables against each other, blame, stages of a build, relations between linked files.
//!
//! Pure: a function of values. It knows no machine, file, process or thread; whoever executes code shows it each [`model::Step`].

pub mod blame;
mod chain;
pub mod compare;
pub mod coverage;
pub mod execution;
pub mod fold;
pub mod link;
pub mod memo;
pub mod slot;
pub mod stages;
pub mod statics;
pub mod structure;
pub mod tables;
pub mod verdict;
pub mod witness;
