//! Follows the frames of a run without any table, by what each instruction did to PC, SP, FP and
//! the return address: the shadow call stack, pointer authentication of the link register, and the
//! kinds of branches. Pure functions: any engine passes in one observation per instruction. And
//! [`Backend`], which an engine implements: what it is asked to execute, and how that ended.
//!
//! Units: addresses are guest addresses, registers are DWARF numbers of the ABI, a step is one
//! instruction boundary.

mod aarch64;
mod amd64;
mod arch;
mod backend;
mod branch;
mod pac;
mod plan;
mod run;
mod s390x;
mod shadow;

pub use arch::branches;
pub use backend::Backend;
pub use branch::Branch;
pub use pac::{PacOp, on_link_register};
pub use plan::{Plan, Start, VectorBits};
pub use run::Run;
pub use shadow::{DEPTH_LIMIT, Interruption, Observation, Shadow, Switch};
