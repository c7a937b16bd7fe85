//! The ledger, and the test vectors.

#[path = "../../../../reports/tests/suite/formats/checker.rs"]
mod checker;
mod known;
mod vectors;
