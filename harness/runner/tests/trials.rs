//! The trials of the matrix as tests: one for each frozen object and for each case and installed
//! assembler, named by key.
//!
//! Run by libtest-mimic: `--list --format terse` prints names only, `--exact NAME` reads no more
//! than that trial needs. A known finding passes if it recurs as recorded (`reports/known/`);
//! everything else must be clean.

use std::process::ExitCode;
use std::sync::Arc;

use ledger::{Home, Ledger};
use libtest_mimic::{Arguments, Failed, Trial as Test, run};
use matrix::trial::Trial;
use matrix::{Extent, Matrix};
use results::Status;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Each waits for a worker half of the time.
    arguments.test_threads.get_or_insert_with(|| 2 * std::thread::available_parallelism().map_or(1, usize::from));
    let home = Home::checkout().expect("tests run in it");
    let cache = home.cache();
    let matrix = match Matrix::new(home, None, Some(cache)) {
        Ok(matrix) => matrix,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    let listed = match (&arguments.filter, arguments.exact) {
        (Some(name), true) => matrix.trial_named(plain(name)).map(|trial| trial.into_iter().collect()),
        _ => matrix.trials(Extent::Often),
    };
    let (trials, ledger) = match (listed, Ledger::read(&matrix.home)) {
        (Ok(trials), Ok(ledger)) => (trials, ledger),
        (Err(error), _) => {
            eprintln!("cannot read the trials: {error}");
            return ExitCode::from(3);
        }
        (_, Err(error)) => {
            eprintln!("cannot read the ledger: {error}");
            return ExitCode::from(3);
        }
    };
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    let ledger = Arc::new(ledger);
    let tests = trials.into_iter().map(|trial| test(trial, Arc::clone(&ledger), strict)).collect();
    run(&arguments, tests).exit_code()
}

/// The name without the reason that `--list` prints before the name of an ignored trial:
/// `[no as on PATH] gas@absent::…`.
fn plain(name: &str) -> &str {
    name.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(name, |(_, name)| name)
}

/// A test that runs a trial. One with a missing producer is ignored, with the reason in the kind.
fn test(trial: Trial, ledger: Arc<Ledger>, strict: bool) -> Test {
    let name = trial.key.to_string();
    let absent = trial.absent().map(str::to_owned);
    let test = Test::test(name, move || {
        let result = trial.run(&ledger);
        match result.status {
            Status::Pass | Status::Xfail => Ok(()),
            Status::Fail | Status::Xpass | Status::Unresolved | Status::Unsupported => {
                Err(Failed::from(result.reasons().collect::<Vec<_>>().join("\n")))
            }
        }
    });
    match absent {
        Some(why) => test.with_ignored_flag(!strict).with_kind(why),
        None => test,
    }
}
