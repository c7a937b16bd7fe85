//! Benchmark of the project's speed relative to other tools, as a table of ratios: both sides of
//! each line are measured in this run, alternately if both are programs of similar duration.
//! `cargo bench -p sframe-conformance --bench ratios` (`ci/ratios`) prints it and exits with 1 if a
//! goal is not met. Words after `--` select the lines that contain one of them.

mod dump;
mod explore;
mod goals;
mod object;
mod program;
mod sections;
mod statics;
mod steps;
mod sweeps;
mod tables;
mod turns;

use std::process::ExitCode;

use goals::{EXPLORED, GOALS, HEAD};

/// Result of a line.
pub(crate) struct Measured {
    ours: String,
    yardstick: String,
    ratio: f64,
}

/// Why a line has no ratio: something is not installed.
pub(crate) type Absent = String;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let mut missed = 0;
    println!("{HEAD}");
    println!("|---|---|---|---|---|---|---|");
    let is_chosen = |what: &str| words.is_empty() || words.iter().any(|word| what.contains(word.as_str()));
    for goal in GOALS.iter().filter(|goal| is_chosen(goal.what)) {
        let measured = tables::measure(goal.what)
            .or_else(|| dump::measure(goal.what))
            .or_else(|| statics::measure(goal.what, &words))
            .or_else(|| sweeps::measure(goal.what))
            .or_else(|| (goal.what == EXPLORED).then(explore::measure))
            .unwrap_or_else(|| steps::measure(goal.what));
        let (ours, yardstick, ratio, met) = match measured {
            Err(absent) => (String::new(), absent, String::new(), "absent"),
            Ok(Measured { ours, yardstick, ratio }) => {
                let met = if ratio >= goal.least { "yes" } else { "no" };
                missed += u32::from(ratio < goal.least);
                (ours, yardstick, format!("{ratio:.2}"), met)
            }
        };
        println!("| {} | {} | {ours} | {yardstick} | {ratio} | {} | {met} |", goal.what, goal.yardstick, goal.least);
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
