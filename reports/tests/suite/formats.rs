//! Outputs from the results of a run: findings grouped and ranked, JUnit, SARIF, annotations,
//! Markdown, JSON, comparison of two runs and merging of shards. All from one small sample with
//! every status.

mod annotations;
mod claims;
mod console;
mod escape;
mod findings;
mod history;
mod junit;
mod markdown;
mod merge;
mod rules;
pub(crate) mod sample;
mod sarif;
pub(crate) mod schema;
mod study;
mod sweep;
mod terminal;
mod testrun;
