//! Foreign code is executed in processes of its own, workers: some instructions bring the emulator down, and with it the process that it
//! runs in. A worker that dies or hangs is replaced, and the file that it had is judged again up to the instruction before: its report
//! says what ended the run and where, and everything else is in it as if the run had ended there by itself.
//!
//! A worker is this program, called as `sframe-conformance worker`. It ends when its standard input does, whatever it is doing, so none
//! outlives who started it. It has a process group of its own: what a terminal sends to stop a run ends no worker in the middle.

mod death;
pub mod serve;
mod wire;
mod worker;

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;
use std::{env, io};

use model::{Abi, FileError, FileErrorKind, Image, Report, Undecided, UndecidedReason};

use crate::check::{Checked, Options, check_image};
use crate::scan::WordEnd;
pub use death::{Cause, Death, Stop};
use wire::{Answer, Request};
pub use worker::Limits;
use worker::Worker;

/// The name of the program that has the subcommand [`SUBCOMMAND`].
const PROGRAM: &str = "sframe-conformance";
/// What makes it a worker; a file to share its position through follows.
pub const SUBCOMMAND: &str = "worker";

/// Deaths over one file after which its run is given up. Each costs the run up to there once more.
const MOST_DEATHS: usize = 8;

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{}", .0.cause)]
    Died(Death),
    #[error("no worker process: {0}")]
    NoWorker(#[from] io::Error),
    /// A mistake of ours, found out there.
    #[error("a worker process panicked: {0}")]
    Panicked(String),
    #[error("a worker process gave an answer that cannot be read")]
    Garbled,
}

/// Checks an image whose code is executed, in a worker. `bytes` are the file's.
pub(crate) fn check(image: &Image, bytes: &[u8], options: &Options) -> Checked {
    let mut stops: Vec<Stop> = Vec::new();
    let mut deaths = 0;
    let began = Instant::now();
    loop {
        let time_limit = options.time_limit.map(|limit| limit.saturating_sub(began.elapsed()));
        let left = Options { time_limit, ..options.clone() };
        let request = Request::Check { name: image.name.clone(), options: left, stops: stops.clone() };
        let death = match ask(&request, bytes) {
            Ok(checked) => return checked,
            Err(Failure::Died(death)) if death.position.executing => death,
            Err(failure) => return failed(image, &failure),
        };
        deaths += 1;
        if deaths > MOST_DEATHS {
            return given_up(image, options, &death);
        }
        Stop::of(&death, image).add_to(&mut stops);
    }
}

fn ask(request: &Request, bytes: &[u8]) -> Result<Checked, Failure> {
    let mut worker = hire()?;
    worker.send(request, bytes)?;
    match worker.receive(Limits::default())? {
        Answer::Checked(checked) => {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            Ok((*checked).into())
        }
        Answer::Panicked(message) => Err(Failure::Panicked(message)),
        Answer::Word(_) => Err(Failure::Garbled),
    }
}

/// The report without any run.
fn given_up(image: &Image, options: &Options, death: &Death) -> Checked {
    let mut checked = check_image(image, &Options { static_only: true, ..options.clone() });
    let message = format!("executing the code was given up: it ended the emulator more than {MOST_DEATHS} times");
    let reason = UndecidedReason::Stopped(death.cause.reason());
    checked.report.undecided.push(Undecided { reason, pc: Some(death.position.pc), message });
    checked
}

fn failed(image: &Image, failure: &Failure) -> Checked {
    let message = match failure {
        Failure::Died(_) => format!("the file could not be judged: {failure}"),
        other => other.to_string(),
    };
    let error = FileError { kind: FileErrorKind::Harness, offset: None, message };
    Checked { report: Report::failed(&image.name, error), ..Checked::default() }
}

/// How executing each of these instructions ends, each alone in a program of its own ([`crate::scan`]).
///
/// # Errors
/// No worker can be started, or it does not answer as one.
pub fn execute_words(abi: Abi, words: &[Vec<u8>], limits: Limits) -> io::Result<Vec<Result<WordEnd, Death>>> {
    let mut ends = Vec::with_capacity(words.len());
    while ends.len() < words.len() {
        let mut worker = Worker::start(&program()?)?;
        let rest = words.get(ends.len()..).unwrap_or_default();
        let sent = worker.send(&Request::Words { abi, words: rest.to_vec() }, &[]);
        sent.map_err(io::Error::other)?;
        for _ in rest {
            match worker.receive(limits) {
                Ok(Answer::Word(end)) => ends.push(Ok(end)),
                Ok(Answer::Checked(_)) => return Err(io::Error::other(Failure::Garbled)),
                Ok(Answer::Panicked(message)) => return Err(io::Error::other(Failure::Panicked(message))),
                Err(Failure::Died(death)) => {
                    ends.push(Err(death));
                    break;
                }
                Err(failure) => return Err(io::Error::other(failure)),
            }
        }
    }
    Ok(ends)
}

/// Workers that wait for work: no more than there were callers at once.
static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

/// A worker that waits, or a new one.
fn hire() -> Result<Worker, Failure> {
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    while let Some(mut worker) = idle() {
        // One that died while it waited, of somebody's signal, is no loss.
        if worker.lives() {
            return Ok(worker);
        }
    }
    Ok(Worker::start(&program()?)?)
}

static OWN: OnceLock<PathBuf> = OnceLock::new();

/// This program has the subcommand [`SUBCOMMAND`], whatever its name.
pub fn are_this_program() {
    if let Ok(path) = env::current_exe() {
        // A second call would say the same.
        let _ = OWN.set(path);
    }
}

/// The program that is a worker: this one, or for a test of it the one that cargo built a folder above the test.
fn program() -> io::Result<PathBuf> {
    if let Some(own) = OWN.get() {
        return Ok(own.clone());
    }
    let test = env::current_exe()?;
    let above = test.ancestors().skip(1).take(2).map(|folder| folder.join(PROGRAM)).find(|path| path.is_file());
    above.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{PROGRAM} is not beside {}", test.display())))
}
