//! Measures unwinding methods: how often each finds the true callers of executed code, and its
//! cost.
//!
//! - [`Method`] finds a frame's caller: by the frame pointer, byte patterns, the code of the
//!   function, the back chain, or a table. [`methods`] has all of them;
//! - [`Study`] is an observer of an execution: at sampled steps each method walks the chain, and
//!   the result is compared with the true frames;
//! - where a method is wrong, the place is one of [`results::MissPlace`].
//!
//! The true frames come from the steps, and are not visible to methods. Steps are sampled by a
//! seed, so that the same program gives the same numbers.

#![warn(missing_docs)]

mod analysis;
mod chain;
mod compare;
mod draw;
mod method;
pub mod methods;
mod parts;
mod place;
mod questions;
mod registers;
mod sizes;
mod state;
mod study;
mod worst;

pub use draw::Draw;
pub use method::{Caller, Lost, Mark, Method, Position};
pub use parts::{Part, Parts, SynthesisedTable};
pub use questions::{FrameQuestion, QuestionedTable};
pub use study::{Study, Timing};
