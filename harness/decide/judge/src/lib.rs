//! Judges unwind tables: compares their answers with the true frames and with each other,
//! attributes differences to tools and build stages, and checks that the output of a link is
//! complete.
//!
//! Pure functions of values: no machine, file, process or thread. The engine that executes code
//! passes each [`types::Step`] to [`execution::Judge`], an [`types::Observer`].
//!
//! - [`execution`], [`verdict`]: a table's answer compared with the true frame, at every step;
//! - [`statics`], [`compare`], [`coverage`]: the tables compared with each other at every PC, and
//!   functions that `.sframe` omits;
//! - [`structure`]: broken rules of the format as findings; [`eh_frame_hdr`]: those of the search
//!   table of `.eh_frame`; [`ranges`]: the code that FDEs cover;
//! - [`fold`], [`mod@blame`], [`stages`]: merge occurrences into findings, with the tool to blame
//!   and the first stage;
//! - [`link`]: relations between the input files and output files of a link.

pub mod blame;
mod chain;
pub mod compare;
mod conventions;
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
pub mod saves;
pub mod slot;
pub mod stages;
pub mod statics;
pub mod structure;
pub mod tables;
pub mod territory;
pub mod verdict;
pub mod witness;
mod wrong_row;
