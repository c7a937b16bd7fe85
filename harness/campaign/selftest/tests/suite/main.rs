//! Tests of the harness's own tests: they can fail, and the harness passes them.

mod blind;
mod judges;
mod planted;
mod programs;
mod reasons;
mod score;
mod silence;
