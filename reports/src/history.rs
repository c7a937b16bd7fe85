//! Results over time: changes between two runs, and merging of the parts of one run.
//!
//! - [`compare`]: new, vanished and moved results; [`text`] and [`markdown`] print only those.
//! - [`merge`]: combines shards to one run.

mod compare;
pub mod markdown;
mod merge;
mod pair;
pub mod text;

pub use compare::{
    BlameChange, Changes, ClauseChange, CompareOptions, FindingChange, RowsChange, SizeChange, Spread, StatusChange,
    TrialChange, compare,
};
pub use merge::{MergeError, RunResults, Source, merge};
