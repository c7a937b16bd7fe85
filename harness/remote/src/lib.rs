//! The second engine: executes code in another process, a *stub* of the GDB remote serial protocol
//! ("Debugging with GDB", appendix E), and shares no code with the first engine. qemu-user,
//! gdbserver, qemu-system and most boards implement the protocol.
//!
//! [`Remote`] takes single steps, reads the registers by the stub's description and the stack of
//! the program, and feeds the same shadow stack as the first engine. [`Both`] executes a plan under
//! two engines in lockstep and compares their states. [`UnderWay`] follows a part of the execution
//! of a running machine, such as a kernel.
//!
//! Code under test runs outside the sandbox: qemu-user passes system calls on to the host. The user
//! must request a [`Remote`] explicitly.
//!
//! Every wait has a limit and every answer a bound. A stub that dies, hangs or sends what the
//! protocol does not have ends the run as undecided.

#![warn(missing_docs)]

mod aarch64;
mod amd64;
mod arch;
mod both;
mod code;
mod connection;
mod description;
mod engine;
mod error;
mod packet;
mod process;
mod s390x;
mod session;
mod stack;
mod stub;
mod turns;
mod under_way;

pub use both::{Both, BothError, Compared, Difference, State};
pub use engine::{Remote, Target, qemu};
pub use error::RemoteError;
pub use under_way::UnderWay;
