//! Follows the frames of an execution from behaviour alone: the shadow call stack, pointer
//! authentication of the link register, and what kind of branch an instruction is. Pure: it is fed
//! one observation per instruction by any engine.
//!
//! Units: addresses are guest addresses, a step is one instruction boundary.

mod aarch64;
mod amd64;
mod arch;
mod branch;
mod pac;
mod s390x;
mod shadow;

pub use arch::branches;
pub use branch::Branch;
pub use pac::{PacOp, on_link_register};
pub use shadow::{DEPTH_LIMIT, Interruption, Observation, Shadow, Switch};
