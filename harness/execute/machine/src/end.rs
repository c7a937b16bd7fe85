//! The end of a run, under the short names of this crate.

pub use types::{RunEnd as End, StopReason as Reason};
