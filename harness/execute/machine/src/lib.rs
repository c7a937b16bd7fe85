//! Executes an image under Unicorn, instruction by instruction, and follows its frames: the truth
//! that tables are compared with. It knows registers, memory and control flow, and reads no table.
//!
//! Units: addresses are guest addresses, registers are DWARF numbers of the ABI, a step is one
//! instruction boundary.
//!
//! - [`Unicorn`] is the [`Backend`]. [`run`] carries out a [`Plan`] and passes each step to an
//!   [`types::Observer`]; [`Run`] has the end. [`run_with_memo`] passes only steps that are not
//!   memo hits ([`types::memo`]).
//! - [`single_step::run`] does the same one instruction at a time, and follows frames by code of
//!   its own. It is some thirty times slower and exists to be compared with [`run`].
//! - [`explore()`] executes functions without their inputs, both ways at every branch.

mod aarch64;
mod amd64;
mod arch;
mod callbacks;
mod canonical;
mod core;
mod deadly;
mod end;
mod engine;
mod error;
mod explore;
mod hook;
mod interruptions;
mod layout;
mod memory;
mod native;
mod pages;
pub mod position;
mod prepare;
mod process;
mod processor;
mod program;
mod run;
mod s390x;
mod scalable;
mod signal;
pub mod single_step;
mod snapshot;
mod stacks;
mod substitute;
mod target;
mod unicorn;
pub mod yardstick;
mod zarch;

pub use arch::refuses;
pub use end::{End, Reason};
pub use error::MachineError;
pub use explore::{Bits, Budget, Disagreement, Executor, Explored, Pad, Territory, explore};
pub use processor::processor_time;
pub use run::{run, run_to, run_with_memo};
pub use snapshot::{Snapshot, SnapshotPages};
pub use unicorn::{AtLimit, Unicorn};
pub use witness::{Backend, Plan, Run, Start, VectorBits};
