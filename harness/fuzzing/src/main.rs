//! `fuzzing TARGET...`: runs campaigns and prints a line for each. Exit code 1 where something
//! should not be; the inputs that show it are kept in the folder of `--out`.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use fuzzing::{Campaign, Inputs, SeedError, Target};

/// Feeds mutated inputs to the parsers of this project.
#[derive(Parser)]
struct Arguments {
    /// Parsers; none for all, one after the other
    #[arg(value_enum)]
    targets: Vec<Target>,
    /// How many inputs for each
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    executions: u64,
    /// How many for each that starts an engine or processes
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    engine_executions: u64,
    /// Other inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of the first input
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Where records, and inputs that show a failure, are kept
    #[arg(long, value_name = "DIR", default_value = "target/fuzzing-out")]
    out: PathBuf,
    /// Execute this file once
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write the inputs into the folder, and execute nothing
    #[arg(long)]
    write: bool,
}

/// Why nothing, or not all, was executed.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Seed(#[from] SeedError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn main() -> ExitCode {
    let done = match fuzzing::serve_if_worker() {
        Some(served) => served.map(|()| 0).map_err(Problem::from),
        None => run(&Arguments::parse()),
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("fuzzing: {problem}");
            ExitCode::from(3)
        }
    }
}

fn run(arguments: &Arguments) -> Result<usize, Problem> {
    let targets = if arguments.targets.is_empty() { &Target::ALL[..] } else { &arguments.targets };
    fs::create_dir_all(&arguments.out)?;
    let mut failures = 0;
    for target in targets {
        if let Some(path) = &arguments.input {
            target.run(&fs::read(path)?);
            continue;
        }
        failures += campaign(*target, arguments)?;
    }
    Ok(failures)
}

fn campaign(target: Target, arguments: &Arguments) -> Result<usize, Problem> {
    let inputs = Inputs::new(target, arguments.seed)?;
    let executions = if target.is_dear() { arguments.engine_executions } else { arguments.executions };
    let Arguments { seed, first, .. } = *arguments;
    let mut buffer = Vec::new();
    let mut keep = |number: u64| {
        inputs.write(number, &mut buffer);
        fs::write(arguments.out.join(format!("{}-{seed}-{number}", target.name())), &buffer)
    };
    if arguments.write {
        (first..first + executions).try_for_each(keep)?;
        return Ok(0);
    }
    // Where the process dies, this says near which input.
    let next = arguments.out.join(format!("{}.next", target.name()));
    let record = Campaign { target, seed, first, executions }.run(&inputs, |number| {
        let _ = fs::write(&next, number.to_string());
    });
    println!("{record}");
    for failure in &record.failures {
        println!("  {failure}");
        keep(failure.input())?;
    }
    Ok(record.failures.len())
}
