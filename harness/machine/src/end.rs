//! How a run ended, under the short names of this crate.

pub use types::{RunEnd as End, StopReason as Reason};
