//! The first inputs of each target, the same on every machine: valid ones and damaged ones. With
//! `SAMPLES=all` a million of each, different ones for another `SEED`. An input that shows a bug
//! becomes a test of its parser.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use fuzzing::{Inputs, Target};
use libtest_mimic::{Arguments, Failed, Trial, run};

/// Time limit of one execution.
const MOST_TIME: Duration = Duration::from_secs(1);

/// Limit of resident memory of this process and of its workers, in bytes.
const MOST_MEMORY: u64 = 256 << 20;

/// Time for the damaged inputs of a target, unless all are requested.
const BUDGET: Duration = Duration::from_millis(15);

/// Number of inputs of a target if all are requested.
const ALL: u64 = 1_000_000;

/// Number of inputs of a slow target if all are requested.
const ALL_OF_SLOW: u64 = 20_000;

fn main() -> ExitCode {
    if let Some(served) = fuzzing::serve_if_worker() {
        return served.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let mut trials: Vec<Trial> =
        Target::ALL.map(|target| Trial::test(target.name(), move || replay(target, seed))).into();
    trials.push(Trial::test("an_input_is_a_function_of_its_number", numbers));
    run(&Arguments::from_args(), trials).exit_code()
}

fn replay(target: Target, seed: u64) -> Result<(), Failed> {
    let inputs = Inputs::new(target, seed)?;
    let right = inputs.right() as u64;
    let all = right + if target.is_slow() { ALL_OF_SLOW } else { ALL };
    let mut buffer = Vec::new();
    let mut accepted = false;
    for number in 0..4.min(right) {
        accepted |= execute(target, &inputs, seed, number, &mut buffer)?;
    }
    if !accepted {
        return Err("no valid input is accepted".into());
    }
    let began = Instant::now();
    for number in right..all {
        execute(target, &inputs, seed, number, &mut buffer)?;
        if !testing::samples::all() && began.elapsed() > BUDGET {
            break;
        }
    }
    match most_memory() {
        bytes if bytes > MOST_MEMORY => Err(format!("{} MiB of memory", bytes >> 20).into()),
        _ => Ok(()),
    }
}

/// Returns whether the input was accepted; a panic message contains its number.
fn execute(target: Target, inputs: &Inputs, seed: u64, number: u64, buffer: &mut Vec<u8>) -> Result<bool, Failed> {
    struct Named(Target, u64, u64);
    impl Drop for Named {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("{}: input {} of seed {}", self.0, self.2, self.1);
            }
        }
    }
    let _named = Named(target, seed, number);
    inputs.write(number, buffer);
    let timed = || {
        let began = Instant::now();
        (target.run(buffer), began.elapsed())
    };
    let (accepted, took) = timed();
    // On a loaded machine the process may have been waiting: the second time counts.
    if took > MOST_TIME && timed().1 > MOST_TIME {
        return Err(format!("input {number} of seed {seed}: {:.1} s", took.as_secs_f64()).into());
    }
    Ok(accepted)
}

/// Peak resident memory of this process and of its workers, in bytes.
fn most_memory() -> u64 {
    let workers = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    workers.split_whitespace().chain(["self"]).map(resident).max().unwrap_or(0)
}

/// `VmHWM` of `/proc/PID/status`, which is in KiB.
fn resident(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}

fn numbers() -> Result<(), Failed> {
    let (one, other) = (Inputs::new(Target::Case, 1)?, Inputs::new(Target::Case, 1)?);
    let input = |inputs: &Inputs, number| {
        let mut bytes = vec![7; 3];
        inputs.write(number, &mut bytes);
        bytes
    };
    let numbers = one.right() as u64..one.right() as u64 + 200;
    assert!(numbers.clone().all(|number| input(&one, number) == input(&other, number)));
    let different: std::collections::BTreeSet<Vec<u8>> = numbers.map(|number| input(&one, number)).collect();
    assert!(different.len() > 150, "{}", different.len());
    Ok(())
}
