//! The ledger, the test vectors, and the tests that bundles have in the forms of other projects.

#[path = "../../../../reports/tests/suite/formats/checker.rs"]
mod checker;
mod known;
mod native;
#[path = "../../../toolchain/tests/support/program.rs"]
mod program;
mod vectors;
