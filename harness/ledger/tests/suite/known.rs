//! The ledger: which trials an entry is for, which rows it covers, and that it covers nothing else.

mod patterns;
mod programs;
mod relations;
mod standing;
pub(crate) mod support;
