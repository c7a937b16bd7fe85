//! The whole: the command as its users meet it, and the judge beside what is known of files by other means.

mod architecture;
#[path = "../../../../reports/tests/suite/formats/blessed.rs"]
mod blessed;
mod blind;
#[path = "../../../../reports/tests/suite/formats/checker.rs"]
mod checker;
mod clean;
mod command;
mod emulator;
mod every_step;
mod explored;
mod fuzz;
mod link;
#[path = "../../../unpack/tests/suite/pack.rs"]
mod pack;
mod planted;
#[path = "../../../toolchain/tests/support/program.rs"]
mod program;
mod programs;
mod ratios;
mod rules;
mod samples;
mod score;
mod scratch;
mod targets;
mod workers;
