//! The client's side of executing foreign code, which happens in processes of its own, workers:
//! some instructions bring the emulator down, and with it the process that it runs in. A worker
//! that dies or hangs is replaced, and the file that it had is judged again up to the instruction
//! before: its report has what ended the run and where, and everything else is in it as if the run
//! had ended there by itself.
//!
//! A worker is this program, called as `sframe-conformance worker`. It ends when its standard input
//! does, whatever it is doing, so none outlives the client. It has a process group of its own: what
//! a terminal sends to stop a run ends no worker in the middle.

mod death;
mod process;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use std::{env, io};

use backend::Position;
use results::{Accuracy, Undecided};
use types::{Abi, FileError, FileErrorKind, UndecidedReason};

use self::process::Worker;
use crate::checked::Checked;
use crate::measure;
use crate::options::{self, Execution, Options};
use crate::protocol::{Answer, At, Request, Stop};
pub use crate::protocol::{SUBCOMMAND, WordEnd};
use crate::trace::{self, TraceError, Traced, TracedStep};
pub use death::{Cause, Death};
pub use process::Limits;

/// The name of the program that has the subcommand [`SUBCOMMAND`].
const PROGRAM: &str = "sframe-conformance";

/// Deaths over one file after which its run is given up. Each costs the run up to there once more.
const MOST_DEATHS: usize = 8;

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{}", .0.cause)]
    Died(Death),
    #[error("no worker process: {0}")]
    NoWorker(#[from] io::Error),
    /// A bug of ours, found there.
    #[error("a worker process panicked: {0}")]
    Panicked(String),
    #[error("a worker process gave an answer that cannot be read")]
    Garbled,
    /// Of ours: its answers are of no more use.
    #[error("the answer is not wanted any more")]
    Unwanted,
}

/// Checks a file in a worker of this process.
pub(crate) fn check(name: &str, bytes: &[u8], options: &Options) -> Checked {
    match own() {
        Ok(pool) => pool.check(name, bytes, options),
        Err(error) => failed(name, &error.into()),
    }
}

impl Pool {
    /// Checks a file as [`check()`](crate::check()) does, in one of these workers.
    pub fn check(&self, name: &str, bytes: &[u8], options: &Options) -> Checked {
        let began = Instant::now();
        let checked = survive(|stops| {
            let time = options.limits.time.map(|limit| limit.saturating_sub(began.elapsed()));
            let limits = options::Limits { time, ..options.limits };
            self.check_once(name, bytes, &Options { limits, ..options.clone() }, stops)
        });
        let checked = match checked {
            Err(Lost::GivenUp(death)) => self.given_up(name, bytes, options, &death),
            Err(Lost::Failed(failure)) => Err(failure),
            Ok(checked) => Ok(checked),
        };
        checked.unwrap_or_else(|failure| failed(name, &failure))
    }

    fn check_once(&self, name: &str, bytes: &[u8], options: &Options, stops: &[Stop]) -> Result<Checked, Failure> {
        let request = Request::Check { name: name.to_owned(), options: options.clone(), stops: stops.to_vec() };
        self.converse(&request, bytes, |answer| match answer {
            Answer::Checked(checked) => Ok(ControlFlow::Break(*checked)),
            _ => Err(Failure::Garbled),
        })
    }

    /// The report without any run.
    fn given_up(&self, name: &str, bytes: &[u8], options: &Options, death: &Death) -> Result<Checked, Failure> {
        let mut checked =
            self.check_once(name, bytes, &Options { execution: Execution::Static, ..options.clone() }, &[])?;
        let message = format!("executing the code was given up: it ended the emulator more than {MOST_DEATHS} times");
        let reason = UndecidedReason::Stopped(death.cause.reason());
        checked.report.undecided.push(Undecided { reason, pc: Some(death.position.pc), message });
        Ok(checked)
    }
}

/// Executes a file in a worker, and shows each step once, in order.
///
/// # Errors
/// The code cannot be executed at all, there is no worker, or `show` failed. What ends the emulator
/// is no error but [`types::RunEnd::Undecided`].
pub fn trace(
    name: &str,
    bytes: &[u8],
    options: &trace::Options,
    mut show: impl FnMut(&TracedStep) -> io::Result<()>,
) -> Result<Traced, TraceError> {
    let pool = own().map_err(|error| TraceError::Failed(Failure::from(error).to_string()))?;
    let (mut shown, mut unshown) = (0, None);
    let traced = survive(|stops| {
        let (name, options, stops) = (name.to_owned(), options.clone(), stops.to_vec());
        pool.converse(&Request::Trace { name, options, stops, from: shown }, bytes, |answer| match answer {
            Answer::Steps(steps) => {
                for step in &steps {
                    if let Err(error) = show(step) {
                        unshown = Some(error);
                        return Err(Failure::Unwanted);
                    }
                    shown += 1;
                }
                Ok(ControlFlow::Continue(()))
            }
            Answer::Traced(traced) => Ok(ControlFlow::Break(traced)),
            _ => Err(Failure::Garbled),
        })
    });
    match (traced, unshown) {
        (_, Some(error)) => Err(TraceError::Unshown(error)),
        (Ok(traced), None) => traced.map_err(TraceError::NotRun),
        (Err(Lost::GivenUp(death)), None) => Err(TraceError::Failed(death.cause.to_string())),
        (Err(Lost::Failed(failure)), None) => Err(TraceError::Failed(failure.to_string())),
    }
}

/// Executes a file in a worker, and tries ways of unwinding at its steps.
///
/// # Errors
/// The code cannot be executed at all, or there is no worker. What ends the emulator is no error.
pub fn measure(name: &str, bytes: &[u8], options: &measure::Options) -> Result<Accuracy, TraceError> {
    let pool = own().map_err(|error| TraceError::Failed(Failure::from(error).to_string()))?;
    let measured = survive(|stops| {
        let (name, options, stops) = (name.to_owned(), options.clone(), stops.to_vec());
        pool.converse(&Request::Measure { name, options, stops }, bytes, |answer| match answer {
            Answer::Measured(measured) => Ok(ControlFlow::Break(measured)),
            _ => Err(Failure::Garbled),
        })
    });
    match measured {
        Ok(measured) => measured.map(|measured| *measured).map_err(TraceError::NotRun),
        Err(Lost::GivenUp(death)) => Err(TraceError::Failed(death.cause.to_string())),
        Err(Lost::Failed(failure)) => Err(TraceError::Failed(failure.to_string())),
    }
}

/// Why a file was not executed to its end, or to its emulator's.
enum Lost {
    /// It killed too many workers; the last one so.
    GivenUp(Death),
    Failed(Failure),
}

/// Tries until no worker dies of it; each death adds to where runs are to end.
fn survive<T>(mut attempt: impl FnMut(&[Stop]) -> Result<T, Failure>) -> Result<T, Lost> {
    let mut stops: Vec<Stop> = Vec::new();
    let mut deaths = 0;
    loop {
        let death = match attempt(&stops) {
            Ok(done) => return Ok(done),
            Err(Failure::Died(death)) if death.position.executing => death,
            Err(failure) => return Err(Lost::Failed(failure)),
        };
        deaths += 1;
        if deaths > MOST_DEATHS {
            return Err(Lost::GivenUp(death));
        }
        stop_of(&death).add_to(&mut stops);
    }
}

/// Where the run is to end that killed this worker.
fn stop_of(death: &Death) -> Stop {
    let Position { runs, steps, pc, .. } = death.position;
    let at = match death.cause {
        _ if steps == 0 => At::Start,
        Cause::Signal(_) | Cause::Status(_) => At::After(steps),
        // To see the same again may cost as much again.
        Cause::Hung | Cause::Memory => At::Before(steps),
    };
    Stop { run: runs, at, reason: death.cause.reason(), cause: death.cause.to_string(), last: pc }
}

fn failed(name: &str, failure: &Failure) -> Checked {
    let message = match failure {
        Failure::Died(_) => format!("the file could not be judged: {failure}"),
        other => other.to_string(),
    };
    Checked::failed(name, FileError::new(FileErrorKind::Harness, message))
}

/// How executing each of these instructions ends, each alone in a program of its own
/// ([`crate::worker::words`]).
///
/// # Errors
/// No worker can be started, or it does not answer as one.
pub fn execute_words(abi: Abi, words: &[Vec<u8>], limits: Limits) -> io::Result<Vec<Result<WordEnd, Death>>> {
    let mut ends = Vec::with_capacity(words.len());
    execute_until(abi, words, limits, |end| {
        ends.push(end);
        ControlFlow::Continue(())
    })?;
    Ok(ends)
}

/// The same one after the other, until `take` has seen enough.
fn execute_until(
    abi: Abi,
    words: &[Vec<u8>],
    limits: Limits,
    mut take: impl FnMut(Result<WordEnd, Death>) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut done = 0;
    while done < words.len() {
        let mut worker = Worker::start(&program()?)?;
        let rest = words.get(done..).unwrap_or_default();
        worker.send(&Request::Words { abi, words: rest.to_vec() }, &[], limits).map_err(io::Error::other)?;
        for _ in rest {
            let end = match worker.receive(limits) {
                Ok(Answer::Word(end)) => Ok(end),
                Ok(Answer::Panicked(message)) => return Err(io::Error::other(Failure::Panicked(message))),
                Ok(_) => return Err(io::Error::other(Failure::Garbled)),
                Err(Failure::Died(death)) => Err(death),
                Err(failure) => return Err(io::Error::other(failure)),
            };
            done += 1;
            let died = end.is_err();
            if take(end).is_break() {
                return Ok(());
            }
            if died {
                break;
            }
        }
    }
    Ok(())
}

/// Number of these pieces of code that the emulator survives until one kills it, each executed
/// alone in another worker, in this order; none if that cannot be tried.
pub(crate) fn survived(abi: Abi, blocks: &[Vec<u8>]) -> Option<usize> {
    let mut survived = 0;
    let tried = execute_until(abi, blocks, Limits::default(), |end| match end {
        Ok(_) => {
            survived += 1;
            ControlFlow::Continue(())
        }
        Err(_) => ControlFlow::Break(()),
    });
    tried.ok().map(|()| survived)
}

/// The workers of one program, with their limits. Those that wait for work are no more than there
/// were callers at once.
#[derive(Debug)]
pub struct Pool {
    program: PathBuf,
    limits: Limits,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// None yet. The program becomes a worker when it is called with [`SUBCOMMAND`].
    pub const fn new(program: PathBuf, limits: Limits) -> Pool {
        Pool { program, limits, idle: Mutex::new(Vec::new()) }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker that waits, or a new one.
    fn acquire(&self) -> io::Result<Worker> {
        loop {
            // In a statement of its own, so that others need not wait for what follows.
            let waiting = self.idle().pop();
            let Some(mut worker) = waiting else { return Worker::start(&self.program) };
            // One that died while it waited, of somebody's signal, is no loss.
            if worker.lives() {
                return Ok(worker);
            }
        }
    }

    /// Asks a worker, and takes its answers up to the last one.
    fn converse<T>(
        &self,
        request: &Request,
        bytes: &[u8],
        mut take: impl FnMut(Answer) -> Result<ControlFlow<T>, Failure>,
    ) -> Result<T, Failure> {
        let mut worker = self.acquire()?;
        worker.send(request, bytes, self.limits)?;
        loop {
            let answer = match worker.receive(self.limits)? {
                Answer::Panicked(message) => return Err(Failure::Panicked(message)),
                answer => answer,
            };
            if let ControlFlow::Break(last) = take(answer)? {
                self.idle().push(worker);
                return Ok(last);
            }
        }
    }
}

/// The workers of this process.
fn own() -> io::Result<&'static Pool> {
    static POOL: OnceLock<Pool> = OnceLock::new();
    if let Some(staff) = POOL.get() {
        return Ok(staff);
    }
    let program = program()?;
    Ok(POOL.get_or_init(|| Pool::new(program, Limits::default())))
}

static OWN: OnceLock<PathBuf> = OnceLock::new();

/// This program has the subcommand [`SUBCOMMAND`], whatever its name.
pub fn are_this_program() {
    if let Ok(path) = env::current_exe() {
        // A second call would say the same.
        let _ = OWN.set(path);
    }
}

/// The program that is a worker: this one, or for a test of it the one that cargo built a folder
/// above the test.
fn program() -> io::Result<PathBuf> {
    if let Some(own) = OWN.get() {
        return Ok(own.clone());
    }
    let test = env::current_exe()?;
    let above = test.ancestors().skip(1).take(2).map(|folder| folder.join(PROGRAM)).find(|path| path.is_file());
    above.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{PROGRAM} is not beside {}", test.display())))
}
