//! Implementations of the system calls.

mod execute;
mod files;
mod folders;
mod futex;
mod handlers;
mod mapping;
mod pipes;
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
mod wait;

pub use system_call::Served;
pub(crate) use threads::Clone;
