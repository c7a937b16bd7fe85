//! Tests of the ledger's entries, and of bundles' tests in the formats of other projects.

mod earlier;
mod known;
mod native;
mod reader_fault;
mod same_as;
