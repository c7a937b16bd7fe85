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
mod call;
mod caller;
mod calls;
mod clock;
mod contents;
pub mod core_file;
mod descriptors;
mod elf_header;
mod errno;
mod files;
mod futexes;
mod kernel;
mod kernel_abi;
mod mappings;
mod memory;
mod numbers;
mod output;
mod pipes;
mod process;
mod processes;
mod programs;
mod record;
mod registers;
mod requested;
mod root;
mod s390x;
mod scheduler;
mod signal;
mod signals;
mod sleeper;
mod space;
mod stack;
mod stat;
mod switches;
#[cfg(test)]
mod tests;
mod threads;
mod timers;
mod tree;
mod turns;
mod world;

pub use absent::Absent;
pub use calls::Served;
pub use clock::Clock;
pub use elf_header::empty_executable;
pub use files::Files;
pub use kernel::Kernel;
pub use mappings::{Mapped, Mappings};
pub use memory::{Access, Denied, Memory, PAGE, USER_END};
pub use numbers::call_numbers;
pub use process::Process;
pub use processes::{Forked, Processes};
pub use programs::{NewProgram, Programs};
pub use registers::{Register, Registers};
pub use requested::RequestedSignals;
pub use root::{Entry, Root};
pub use scheduler::Scheduler;
pub use signal::{ExtendedState, Handler, LeftFrame, own_code};
pub use signals::{Action, Cause, Delivery, Signals};
pub use stack::{Beginning, InitialStack, Processor};
pub use threads::{Made, Next};
pub use world::{Given, World, WorldError};
