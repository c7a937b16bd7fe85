//! How often each way of unwinding finds the true callers of executed code, and what it costs.
//!
//! - [`Method`] is a way of finding a frame's caller: the frame pointer, byte patterns, the code of
//!   the function, the back chain, a table. [`methods`] has them all;
//! - [`Study`] is an observer of an execution: at steps that were drawn from it, each method walks
//!   the chain, and what it finds is compared with the true frames;
//! - where a method is wrong, the place is one of [`results::MissPlace`].
//!
//! What is true comes from the steps, and no method sees it. Steps are drawn by a seed, so that the
//! same program gives the same figures.

#![warn(missing_docs)]

mod analysis;
mod chain;
mod compare;
mod draw;
mod method;
pub mod methods;
mod parts;
mod place;
mod sizes;
mod state;
mod study;

pub use draw::Draw;
pub use method::{Caller, Lost, Mark, Method, Position};
pub use parts::{Part, Parts};
pub use study::{Study, Timing};
