//! Decides whether tables are right: their answers against the true frames, the tables against each
//! other, the blame for a difference, the build stage at which it begins, and whether the output of
//! a link is complete.
//!
//! Pure: a function of values. It knows no machine, file, process or thread. The engine that
//! executes code passes each [`types::Step`] to [`execution::Judge`], an [`types::Observer`].
//!
//! - [`execution`], [`verdict`]: a table's answer against the truth, at every step;
//! - [`statics`], [`compare`], [`coverage`]: the tables against each other at every PC, and
//!   functions that `.sframe` leaves out;
//! - [`structure`]: broken rules of the format as findings; [`eh_frame_hdr`]: those of the search
//!   table of `.eh_frame`;
//!   [`ranges`]: what FDEs cover;
//! - [`fold`], [`mod@blame`], [`stages`]: many occurrences to one finding, with its fault and its
//!   first stage;
//! - [`link`]: relations between the files that go into a link and those that come out.

pub mod blame;
mod chain;
pub mod compare;
pub mod coverage;
pub mod eh_frame_hdr;
pub mod execution;
pub mod fold;
pub mod gaps;
pub mod link;
pub mod memo;
pub mod outside;
mod quick;
pub mod ranges;
pub mod slot;
pub mod stages;
pub mod statics;
pub mod structure;
pub mod tables;
pub mod territory;
pub mod verdict;
pub mod witness;
mod wrong_row;
