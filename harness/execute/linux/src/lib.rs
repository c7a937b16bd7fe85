//! The Linux kernel for executed programs: the system calls of C libraries and programs, with the
//! results of Linux for the only process on a machine, and a file tree in memory; threads; signals
//! and their frames; the initial stack of a process. It is deterministic; nothing reaches the host.
//!
//! It accesses a program's memory and registers only through the traits [`Memory`] and
//! [`Registers`]. The differences between targets are in `amd64.rs`, `aarch64.rs` and `s390x.rs`.

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
mod processes;
mod programs;
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
pub use processes::Forked;
pub use programs::{NewProgram, Programs};
pub use registers::{Register, Registers};
pub use root::{Entry, Root};
pub use signal::{ExtendedState, Handler, LeftFrame, own_code};
pub use signals::{Action, Cause, Delivery};
pub use stack::{Beginning, InitialStack, Processor};
pub use threads::{Made, Next};
pub use world::{Given, World, WorldError};
