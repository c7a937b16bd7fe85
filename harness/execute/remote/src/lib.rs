//! The second engine: executes code in another process, a *stub* of the GDB remote serial protocol
//! ("Debugging with GDB", appendix E), and shares no code with the first engine. qemu-user,
//! gdbserver, qemu-system and most boards implement the protocol.
//!
//! [`Remote`] takes single steps, reads the registers by the stub's description and the stack of
//! the program, and feeds the same shadow stack as the first engine. [`Both`] executes a plan under
//! two engines in lockstep and compares their states.
//!
//! Code under test runs outside the sandbox: qemu-user passes system calls on to the host. The user
//! must request a [`Remote`] explicitly.
//!
//! Threads take turns in the stub's one thread: registers, blocked signals and the thread pointer
//! are exchanged. Calls that make, end, stop or wake threads are answered by `linux`, all others by
//! the stub's kernel.
//!
//! # Packets
//!
//! Nothing else is sent:
//!
//! - `qSupported`, `?`, `vCont?`, `k`: the stub's features and state; its end.
//! - `qXfer:features:read`: number, name and size of the registers (appendix G).
//! - `g`, `p`; `P`, else `G`; `m`, `M`: registers and memory.
//! - `vCont;s`, `vCont;S`, `vCont;c`, `vCont;C`, else `s`, `S`, `c`, `C`: execution.
//! - `Z0`, `z0`: breakpoints at the beginning of a handler and after its end.
//!
//! Every wait has a limit and every answer a bound. A stub that dies, hangs or sends what the
//! protocol does not have ends the run as undecided.
//!
//! # Stubs that differ from processors
//!
//! Each is worked around in the file of its architecture. qemu 10.0 executes the instruction after
//! `syscall` and `svc` in the same step; its `xsave` saves parts of the state that the first engine
//! does not have. qemu 10.0.13 takes the flags of big-endian AArch64 (`P21`, `cpsr`, 32 bits) as a
//! register of 64 bits when they are set, so that the next instruction is executed in another mode:
//! it is given 8 bytes. It also sign-extends the size of `enter` (`tests/engines/assembled.rs`).
//!
//! Code that the program can write is read at each step. Values of `cpuid`, `rdrand`, `str`,
//! `sldt`, `smsw` and the like are taken over from the first engine.

#![warn(missing_docs)]

mod aarch64;
mod amd64;
mod arch;
mod both;
mod calls;
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

pub use both::{Both, BothError, Compared, Difference, State};
pub use engine::{Remote, StubSource, qemu};
pub use error::RemoteError;
