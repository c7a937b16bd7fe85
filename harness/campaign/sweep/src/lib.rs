//! `sweep`: judges many files, found in folders, archives and packages, each as by `check`, in
//! bounded memory; and computes totals.
//!
//! One thread reads (`paths` and `source`), and one per core judges (`judged`); code is executed in
//! worker processes. At most one file more than there are threads is in memory. For each finished
//! file about 200 bytes stay in memory: hashes of its contents and name, and the position of its
//! line; everything else is on disk (`lines`, `spill`). A line is written as soon as a file is
//! judged (`folder`), and all lines are sorted by name at the end (`lines`): the results do not
//! depend on threads, interruptions or shards (`merge`).

mod assemble;
mod crew;
mod digest;
mod folder;
mod judged;
mod lines;
mod merge;
mod paths;
mod source;
mod spill;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use check::supplies::Outside;
use check::{Chains, Execution, Explore, Limits, Options, Rows, Sframe, Synchronous};
use ledger::{Baseline, today};
use results::{FileLine, Judged, SWEEP_SCHEMA, SweepAsked, SweepFold, SweepTotals};
use toolchain::interrupt;
use toolchain::lock::{FolderLock, LockError};

use crew::Message;
use folder::Folder;
use judged::{failed, verdict};
use paths::What;
use source::SweptFile;

pub use assemble::{Assembled, Refused, Sources, assemble};
pub use folder::{PAGE, totals};
pub use merge::merge;

/// Interval of checks for a signal.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// Options for checking each file.
    pub check: Options,
    /// Number of threads; `None` for one per core.
    pub jobs: Option<usize>,
    /// Shard K of N, K from 1.
    pub shard: Option<(u64, u64)>,
    /// Keep existing results and judge only the remaining files.
    pub resume: bool,
    /// Known findings, and ignored rules.
    pub baseline: Baseline,
    /// Options of the baseline, as on the command line.
    pub baseline_words: Vec<String>,
    /// Results folder.
    pub out: PathBuf,
}

/// Why a sweep gave no results.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("{}: of another sweep ({was}, not {is})", folder.display())]
    Other { folder: PathBuf, was: String, is: String },
    #[error("{}: the sweep was not finished; `sweep --resume` continues it", .0.display())]
    Unfinished(PathBuf),
    #[error("shard {part}/{parts} is missing")]
    MissingShard { part: u64, parts: u64 },
    #[error("{}: schema {schema}, this program reads {SWEEP_SCHEMA}; sweep again", path.display())]
    Schema { path: PathBuf, schema: u32 },
    /// The results are not valid.
    #[error("{}: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
}

/// Follows a sweep.
pub trait SweepObserver {
    /// Called first, with the number of files, the sum of their sizes as work, and the number of
    /// threads.
    fn begin(&mut self, files: u64, work: u64, threads: usize);

    /// Called when a file was read.
    fn read(&mut self, file: &str, work: u64);

    /// Called when a file was judged; `number` counts files in the order in which they are found.
    /// A file whose contents are known has no line.
    fn judged(&mut self, number: u64, line: Option<&FileLine>) -> io::Result<()>;

    /// Called when all files were judged, or the program was asked to stop.
    fn end(&mut self);
}

/// Runs a sweep and returns its totals. When the program is asked to stop, finished results are
/// kept.
pub fn sweep(options: &SweepOptions, observer: &mut dyn SweepObserver) -> Result<SweepTotals, SweepError> {
    let began = Instant::now();
    let asked = recorded(options);
    let _lock = FolderLock::take(&options.out)?;
    let mut folder = Folder::open(&options.out, &asked, options.resume)?;
    let judges = options.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    let (files, all_work) = amount(&options.paths);
    let known = folder.hashes().collect();
    let messages = crew::begin(options.paths.clone(), &options.check, &options.baseline, options.shard, known, judges)?;
    observer.begin(files, all_work, judges);
    let mut fold = SweepFold::new(asked);
    let (mut all_read, mut ended) = (false, false);
    while !ended && !interrupt::is_requested() {
        let (number, line) = match messages.recv_timeout(LOOK) {
            Ok(Message::Judged { number, seen: one, judged, seconds }) => {
                let line = line_of(&one, *judged);
                folder.add(&line, seconds)?;
                folder.see(one, None)?;
                (number, Some(line))
            }
            Ok(Message::Known { number, seen: one }) => {
                folder.see(one, None)?;
                (number, None)
            }
            Ok(Message::Failed { number, seen: one, error }) => {
                let line = line_of(&one, failed(error.clone()));
                folder.see(one, Some(error))?;
                (number, Some(line))
            }
            Ok(Message::Skip(skip)) => {
                fold.skip(skip, 1);
                continue;
            }
            Ok(Message::Read(name, bytes)) => {
                observer.read(&name, work(&What::File(bytes)));
                continue;
            }
            Ok(Message::AllRead) => {
                all_read = true;
                continue;
            }
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => {
                ended = true;
                continue;
            }
        };
        observer.judged(number, line.as_ref())?;
    }
    interrupt::acknowledge();
    observer.end();
    let unfinished = !(ended && all_read);
    let (day, seconds) = (today(), began.elapsed().as_secs_f64());
    Ok(folder.finish(fold, unfinished, |totals| SweepTotals { day, seconds, unfinished, ..totals })?)
}

/// The options of the sweep that affect results.
fn recorded(options: &SweepOptions) -> SweepAsked {
    // A sweep has no options for the program's inputs except libraries, its engine, and report
    // contents.
    let Options { execution, judging, limits, sframe, synchronous, inputs, engine: _, include: _ } = &options.check;
    let explores = |asked| matches!(execution, Execution::Run { explore, .. } if *explore == asked);
    let flags = [
        (*execution == Execution::Static, "--static"),
        (explores(Explore::All) && limits.time.is_none() && limits.exploration.is_none(), "--explore"),
        (explores(Explore::Nothing), "--no-explore"),
        (inputs.supplies.outside != Outside::Nothing, "--run"),
        (judging.chains == Chains::AtEveryStep, "--whole-chain"),
        (judging.rows == Rows::AtEveryStep, "--every-step"),
        (*sframe == Sframe::Required, "--require-sframe"),
        (*synchronous == Synchronous::Note, "--sync-tables"),
    ];
    let mut words: Vec<String> = flags.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned()).collect();
    if limits.steps != Limits::default().steps {
        words.push(format!("--step-limit {}", limits.steps));
    }
    words.extend(limits.time.map(|limit| format!("--seconds {}", limit.as_secs())));
    words.extend(options.baseline_words.iter().cloned());
    SweepAsked {
        schema: SWEEP_SCHEMA,
        tool_version: concat!("sframe-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
        options: words,
        paths: options.paths.iter().map(|path| path.display().to_string()).collect(),
        shard: options.shard,
    }
}

fn line_of(seen: &SweptFile, judged: Judged) -> FileLine {
    let SweptFile { name, named, digest, bytes } = seen.clone();
    let sha256 = digest.map_or_else(String::new, |digest| digest.to_string());
    let verdict = verdict(&judged, named);
    FileLine { schema: SWEEP_SCHEMA, file: name, sha256, bytes, verdict, named, same_as: None, judged: Some(judged) }
}

/// Number of files and their work, from a first pass; they are found again when they are read.
fn amount(paths: &[PathBuf]) -> (u64, u64) {
    let (mut files, mut sum) = (0, 0);
    let _ = paths::walk(paths, &mut |entry| {
        files += 1;
        sum += work(&entry.what);
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (files, sum)
}

/// Estimated work for a file: its size, and a constant.
fn work(what: &What) -> u64 {
    const EACH: u64 = 4 << 10;
    match what {
        What::File(bytes) => bytes.saturating_add(EACH),
        What::Skip(_) | What::Failed(_) => EACH,
    }
}
