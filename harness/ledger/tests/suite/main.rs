//! Which trials an entry of the ledger is for and what it covers, and the tests that bundles have
//! in the forms of other projects.

mod earlier;
mod known;
mod native;
mod same_as;
