//! How a run ended, under the short names of this crate.

pub use model::{RunEnd as End, StopReason as Reason};
