//! Results over time: what changed between two runs, and the parts of one run put together.
//!
//! - [`compare`]: what is new, vanished or moved; [`text`] and [`markdown`] print that and nothing
//!   else.
//! - [`merge`]: shards to one run.

mod compare;
pub mod markdown;
mod merge;
mod pair;
pub mod text;

pub use compare::{
    BlameChange, Changes, ClauseChange, FindingChange, Options, RowsChange, SizeChange, Spread, StatusChange,
    TrialChange, compare,
};
pub use merge::{MergeError, RunResults, Source, merge};
