//! Changes between two runs: [`compare`]; [`text`] and [`markdown`] print them.

mod compare;
pub mod markdown;
mod pair;
pub mod text;

pub use compare::{
    BlameChange, Changes, ClauseChange, CompareOptions, FindingChange, RowsChange, SizeChange, Spread, StatusChange,
    TrialChange, compare,
};
