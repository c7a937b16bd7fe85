//! Implementations of the system calls.

mod execute;
mod files;
mod folders;
mod futex;
mod mapping;
mod pipes;
mod poll;
mod process;
mod processes;
mod serve;
mod signals;
mod stat;
mod suspend;
mod system_call;
mod threads;
mod time;
mod timers;
mod transfer;

pub use system_call::Served;
