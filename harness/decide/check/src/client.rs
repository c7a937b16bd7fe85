//! The client side of executing untrusted code in separate processes (workers): some instructions
//! crash the emulator, and with it its process. A worker that crashes or hangs is replaced, and its
//! file is judged again up to the preceding instruction: the report states what ended the run and
//! where, and otherwise contains the same as if the run had ended there by itself.
//!
//! A worker is this program, called as `sframe-conformance worker`. It exits when its standard
//! input is closed, even if it is busy, so no worker outlives the client. It has its own process
//! group, so that a terminal's signals to stop a run do not kill workers.

mod death;
mod process;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use std::{env, io};

use machine::position::Position;
use results::Undecided;
use types::{Abi, FileError, FileErrorKind, UndecidedReason};

use self::process::Worker;
use crate::checked::Checked;
use crate::corefile;
use crate::measure;
use crate::options::{self, Execution, Options};
use crate::protocol::{At, Request, Stop, WorkerReply};
pub use crate::protocol::{SUBCOMMAND, WordEnd};
use crate::trace::{self, TraceError, Traced, TracedStep};
pub use death::{Death, DeathCause};
pub use process::Limits;

/// Name of the program that has the subcommand [`SUBCOMMAND`].
const PROGRAM: &str = "sframe-conformance";
/// Environment variable of workers.
const MARK: &str = "SFRAME_CONFORMANCE_WORKER";

/// Number of deaths on one file after which the run is given up. Each death costs another execution
/// up to its position.
const MOST_DEATHS: usize = 8;

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{}", .0.cause)]
    Died(Death),
    #[error("no worker process: {0}")]
    NoWorker(#[from] io::Error),
    #[error("a worker process panicked: {0}")]
    Panicked(String),
    #[error("cannot parse the answer of a worker process")]
    Garbled,
    #[error("the caller no longer waits for the answer")]
    Unwanted,
}

/// Checks a file in a worker of this process's pool.
pub(crate) fn check(name: &str, bytes: &[u8], options: &Options) -> Checked {
    match own() {
        Ok(pool) => pool.check(name, bytes, options),
        Err(error) => failed(name, &error.into()),
    }
}

impl Pool {
    /// Checks a file as [`check()`](crate::check()) does, in a worker of this pool.
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
            WorkerReply::Checked(checked) => Ok(ControlFlow::Break(*checked)),
            _ => Err(Failure::Garbled),
        })
    }

    /// Report of static checks only, after too many deaths.
    fn given_up(&self, name: &str, bytes: &[u8], options: &Options, death: &Death) -> Result<Checked, Failure> {
        let mut checked =
            self.check_once(name, bytes, &Options { execution: Execution::Static, ..options.clone() }, &[])?;
        let message = format!("execution abandoned: it crashed the emulator more than {MOST_DEATHS} times");
        let reason = UndecidedReason::Stopped(death.cause.reason());
        checked.report.undecided.push(Undecided { reason, pc: Some(death.position.pc), message });
        Ok(checked)
    }
}

/// Executes a file in a worker, and calls `show` for each step once, in order. A crash of the
/// emulator is not an error but [`types::RunEnd::Undecided`].
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
            WorkerReply::Steps(steps) => {
                for step in &steps {
                    if let Err(error) = show(step) {
                        unshown = Some(error);
                        return Err(Failure::Unwanted);
                    }
                    shown += 1;
                }
                Ok(ControlFlow::Continue(()))
            }
            WorkerReply::Traced(traced) => Ok(ControlFlow::Break(traced)),
            _ => Err(Failure::Garbled),
        })
    });
    match (traced, unshown) {
        (_, Some(error)) => Err(TraceError::Unshown(error)),
        (Ok(traced), None) => traced.map_err(TraceError::NotRun),
        (Err(lost), None) => Err(lost.into()),
    }
}

/// Executes a file in a worker, and applies unwinding methods at its steps. A crash of the emulator
/// is not an error.
pub fn measure(name: &str, bytes: &[u8], options: &measure::Options) -> Result<measure::Measured, TraceError> {
    let request = |stops| Request::Measure { name: name.to_owned(), options: options.clone(), stops };
    let measured = answered(bytes, request, |answer| match answer {
        WorkerReply::Measured(measured) => Some(measured),
        _ => None,
    })?;
    Ok(*measured)
}

/// Executes a file in a worker up to a step, and writes a core file of it.
pub fn write_core(name: &str, bytes: &[u8], options: &corefile::Options) -> Result<corefile::Written, TraceError> {
    let request = |stops| Request::Core { name: name.to_owned(), options: options.clone(), stops };
    answered(bytes, request, |answer| match answer {
        WorkerReply::CoreWritten(written) => Some(written),
        _ => None,
    })
}

/// The one answer to a request, which is repeated with more stops while workers die.
fn answered<T>(
    bytes: &[u8],
    request: impl Fn(Vec<Stop>) -> Request,
    take: impl Fn(WorkerReply) -> Option<Result<T, FileError>>,
) -> Result<T, TraceError> {
    let pool = own().map_err(|error| TraceError::Failed(Failure::from(error).to_string()))?;
    let answer = survive(|stops| {
        pool.converse(&request(stops.to_vec()), bytes, |answer| {
            take(answer).map(ControlFlow::Break).ok_or(Failure::Garbled)
        })
    });
    answer?.map_err(TraceError::NotRun)
}

/// Why a file was executed neither to its end nor to a crash of the emulator.
enum Lost {
    /// Too many workers died; this is the last death.
    GivenUp(Death),
    Failed(Failure),
}

impl From<Lost> for TraceError {
    fn from(lost: Lost) -> TraceError {
        TraceError::Failed(match lost {
            Lost::GivenUp(death) => death.cause.to_string(),
            Lost::Failed(failure) => failure.to_string(),
        })
    }
}

/// Repeats an attempt until no worker dies; each death adds a stop at which runs end.
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

/// The stop for the run that killed this worker.
fn stop_of(death: &Death) -> Stop {
    let Position { runs, steps, pc, .. } = death.position;
    let at = match death.cause {
        _ if steps == 0 => At::Start,
        DeathCause::Signal(_) | DeathCause::Status(_) => At::After(steps),
        // Executing up to the same state may take as long again.
        DeathCause::Hung | DeathCause::Memory => At::Before(steps),
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

/// Executes each of these instructions alone in a program of its own, and returns how each ended
/// ([`crate::worker::words`]).
pub fn execute_words(abi: Abi, words: &[Vec<u8>], limits: Limits) -> io::Result<Vec<Result<WordEnd, Death>>> {
    let mut ends = Vec::with_capacity(words.len());
    execute_until(abi, words, limits, |end| {
        ends.push(end);
        ControlFlow::Continue(())
    })?;
    Ok(ends)
}

/// Executes instructions one after the other, until `take` returns that it has enough.
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
                Ok(WorkerReply::Word(end)) => Ok(end),
                Ok(WorkerReply::Panicked(message)) => return Err(io::Error::other(Failure::Panicked(message))),
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

/// Number of these code blocks that the emulator survives before one crashes it, each executed
/// alone, in order, in another worker; `None` if that cannot be tried.
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

/// The workers of one program, with their limits. There are at most as many idle workers as there
/// were callers at once.
#[derive(Debug)]
pub struct Pool {
    program: PathBuf,
    limits: Limits,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// An empty pool. The program becomes a worker when it is called with [`SUBCOMMAND`].
    pub const fn new(program: PathBuf, limits: Limits) -> Pool {
        Pool { program, limits, idle: Mutex::new(Vec::new()) }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle worker, or a new one.
    fn acquire(&self) -> io::Result<Worker> {
        loop {
            // A separate statement, so that the lock is released before what follows.
            let idle = self.idle().pop();
            let Some(mut worker) = idle else { return Worker::start(&self.program) };
            // An idle worker that was killed by an external signal is dropped.
            if worker.lives() {
                return Ok(worker);
            }
        }
    }

    /// Sends a request to a worker, and receives its answers up to the last one.
    fn converse<T>(
        &self,
        request: &Request,
        bytes: &[u8],
        mut take: impl FnMut(WorkerReply) -> Result<ControlFlow<T>, Failure>,
    ) -> Result<T, Failure> {
        let mut worker = self.acquire()?;
        worker.send(request, bytes, self.limits)?;
        loop {
            let answer = match worker.receive(self.limits)? {
                WorkerReply::Panicked(message) => return Err(Failure::Panicked(message)),
                answer => answer,
            };
            if let ControlFlow::Break(last) = take(answer)? {
                self.idle().push(worker);
                return Ok(last);
            }
        }
    }
}

/// The pool of this process.
fn own() -> io::Result<&'static Pool> {
    static POOL: OnceLock<Pool> = OnceLock::new();
    if let Some(staff) = POOL.get() {
        return Ok(staff);
    }
    let program = program()?;
    Ok(POOL.get_or_init(|| Pool::new(program, Limits::default())))
}

static OWN: OnceLock<PathBuf> = OnceLock::new();

/// Makes this program's own executable the worker program, whatever its name; it has the subcommand
/// [`SUBCOMMAND`].
pub fn are_this_program() {
    if let Ok(path) = env::current_exe() {
        // A second call would set the same value.
        let _ = OWN.set(path);
    }
}

/// Returns true if this process was started to be a worker: a test program may be started with any
/// word.
pub fn is_worker() -> bool {
    env::var_os(MARK).is_some() && env::args_os().nth(1).is_some_and(|word| word == SUBCOMMAND)
}

/// Path of the worker program: this program, or for its tests the one that cargo built one folder
/// above the test.
fn program() -> io::Result<PathBuf> {
    if let Some(own) = OWN.get() {
        return Ok(own.clone());
    }
    let test = env::current_exe()?;
    let above = test.ancestors().skip(1).take(2).map(|folder| folder.join(PROGRAM)).find(|path| path.is_file());
    above.ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, format!("{PROGRAM} not found next to {}", test.display()))
    })
}
