//! The kernel that executed programs find: the system calls that C libraries and programs make, as
//! Linux answers them to a process alone on its machine, with a file tree in memory; threads;
//! signals and the frames of their handlers; the stack that a process begins with. Deterministic;
//! nothing reaches the host.
//!
//! It knows a program's memory and registers by the traits [`Memory`] and [`Registers`] alone. What
//! differs by target is in `amd64.rs`, `aarch64.rs` and `s390x.rs`.

mod aarch64;
mod absent;

mod alt_stack;
mod amd64;
mod arch;
mod asked;
mod call;
mod calls;
mod clock;
mod descriptors;
mod errno;
mod futexes;
mod kernel;
mod memory;
mod output;
mod pipes;
mod record;
mod registers;
mod root;
mod s390x;
mod signal;
mod signals;
mod space;
mod stack;
mod stat;
mod target;
#[cfg(test)]
mod tests;
mod threads;
mod timers;
mod tree;
mod world;

pub use absent::Absent;
pub use asked::Wanted;
pub use calls::Served;
pub use kernel::{Kernel, Mapped};
pub use memory::{Access, Denied, Memory, PAGE, USER_END};
pub use registers::{Register, Registers};
pub use root::{Entry, Root};
pub use signal::{Handler, LeftFrame};
pub use signals::{Action, Cause, Delivery};
pub use stack::{Beginning, InitialStack};
pub use threads::Made;
pub use world::{Given, World, WorldError};
