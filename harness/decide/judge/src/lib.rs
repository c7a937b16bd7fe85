//! Judges unwind tables: compares their answers with the true frames and with each other,
//! attributes differences to tools and build stages, and checks that the output of a link is
//! complete.
//!
//! Pure functions of values: no machine, file, process or thread. [`judge()`] judges one image; the
//! engine that executes code passes it each [`types::Step`].
//!
//! - [`execution`], [`verdict`]: a table's answer compared with the true frame, at every step;
//! - [`statics`], [`compare`], [`coverage`]: the tables compared with each other at every PC, and
//!   functions that `.sframe` omits;
//! - [`structure`]: broken rules of the format as findings; [`eh_frame_hdr`]: those of the search
//!   table of `.eh_frame`; [`ranges`]: the code that FDEs cover;
//! - [`fold`], [`mod@blame`], [`mod@cause`], [`stages`]: merge occurrences into findings, with the
//!   tool to blame, the cause and the first stage;
//! - [`link`]: relations between the input files and output files of a link.

pub mod blame;
pub mod cause;
mod chain;
pub mod compare;
mod conventions;
pub mod coverage;
pub mod eh_frame_hdr;
pub mod execution;
pub mod fold;
mod gaps;
pub mod instructions;
pub mod link;
pub mod memo;
pub mod options;
pub mod outside;
mod quick;
mod ranges;
mod remarks;
mod report;
pub mod saves;
pub mod slot;
pub mod stages;
mod statics;
pub mod structure;
mod synchronous;
pub mod tables;
pub mod territory;
pub mod verdict;
mod window;
pub mod witness;
mod wrong_row;

use results::Report;
use types::Image;

pub use execution::Judge;
pub use options::Options;

use crate::tables::Tables;

/// Judges the tables of an image by what `observe` passes to the judge: the steps of executions,
/// between [`Judge::begin`] and the next `begin` or the end.
pub fn judge<'a>(
    image: &'a Image,
    tables: &'a Tables,
    options: Options,
    observe: impl FnOnce(&mut Judge<'a>),
) -> Report {
    let mut judge = Judge::new(image, tables, options);
    observe(&mut judge);
    judge.finish()
}
