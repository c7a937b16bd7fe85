//! The tests of the harness can fail, and it passes them.

mod blind;
mod planted;
mod programs;
mod rows;
mod score;
