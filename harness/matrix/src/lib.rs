//! The matrix: one file from bytes to report; cases and recipes by producers, as trials; the ledger, results, score and fuzzing.

mod built;
pub mod case;
pub mod check;
pub mod features;
pub mod frozen;
pub mod fuzz;
pub mod generate;
pub mod known;
pub mod ledger;
pub mod link;
pub mod linked;
pub mod pipeline;
mod progress;
pub mod report_files;
pub mod results;
pub mod run;
pub mod score;
pub mod trial;
mod trials;
mod window;

pub use trials::{Extent, Home, Matrix};
