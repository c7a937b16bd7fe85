//! The worker side: loads a file, executes it under a judge, and makes the outcome. Runs in a
//! separate process if code is executed ([`serve()`]), else in the caller's.

mod corefile;
mod dispatch;
mod engines;
mod error;
mod explore;
mod features;
mod invoked;
mod lacks;
mod load;
mod measure;
mod objects;
mod outcome;
mod process;
mod programs;
mod run;
mod serve;
mod stopped;
mod trace;
pub mod words;

use judge::Judge;
use judge::tables::Tables;
use types::{Bytes, Image};

use self::engines::Engines;
use self::explore::explore;
use self::load::{Program, Started, nothing_to_judge};
use self::outcome::outcome;
use self::run::{Runs, run};
use self::stopped::Stops;
use crate::checked::Checked;
use crate::options::{Execution, Include, Options, Start};
pub use serve::serve;
pub use stopped::Survived;

/// Checks a file's bytes in this process.
pub(crate) fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    check_until(name, bytes, options, Stops::default())
}

/// Checks a loaded image in this process: that of a program generated here, or one that is not
/// executed.
pub fn check_image(image: &Image, options: &Options) -> Checked {
    let program = Program { image: image.clone(), started: Started::Alone };
    check_program(&program, &Bytes::new(), options, Stops::default())
}

/// Checks a file's bytes in this process; runs end at the stops.
fn check_until(name: &str, bytes: &Bytes, options: &Options, stops: Stops<'_>) -> Checked {
    let program = match options.execution {
        Execution::Run { start: Start::ElfEntry, .. } => Program::from_entry(name, bytes, &options.inputs),
        Execution::Run { .. } | Execution::Static => Program::alone(name, bytes),
    };
    match program {
        Ok(program) => check_program(&program, bytes, options, stops),
        Err(error) => Checked::failed(name, error.into()),
    }
}

/// Checks a loaded program: runs it, explores it, and judges.
fn check_program(program: &Program, file: &Bytes, options: &Options, stops: Stops<'_>) -> Checked {
    let image = &program.image;
    let tables = Tables::new(image);
    if let Some(report) = nothing_to_judge(image, &tables) {
        return Checked { report, ..Checked::default() };
    }
    let mut judge = Judge::new(image, &tables, options.judge_options());
    judge.report().output = options.include.contains(&Include::Output).then(String::new);
    let engines = Engines::new(machine::Unicorn::default(), &options.engine, file);
    let mut runs = Runs::new(engines, options, stops);
    let ran = match run(program, options, &mut runs, &mut judge) {
        Ok(ran) => ran,
        Err(error) => {
            let mut report = std::mem::take(judge.report());
            report.error = Some(error.into());
            return Checked { report, ..Checked::default() };
        }
    };
    let explored = explore(image, &tables, options, &runs, &mut judge);
    outcome(image, &tables, judge, ran, explored.as_deref(), options)
}
