//! The ledger, the test vectors, and the tests that bundles have in the forms of other projects.

mod known;
mod native;
mod vectors;
