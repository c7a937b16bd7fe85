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

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use check::supplies::Outside;
use check::{Chains, Execution, Limits, Options, Rows, Sframe, Synchronous, Uncalled};
use ledger::run_files::RESULTS;
use ledger::{Baseline, today};
use reports::escape::line;
use reports::progress::{Amount, Progress};
use reports::sweep::{Fold, text};
use results::{FileLine, Judged, SWEEP_SCHEMA, SweepAsked, SweepTotals, SweepVerdict};
use spec::Severity;
use toolchain::interrupt;
use toolchain::lock::{FolderLock, LockError};
use types::counted;

use crew::Message;
use folder::{Folder, PAGE};
use judged::{failed, verdict};
use paths::What;
use source::SweptFile;

pub use assemble::{Assembled, Refused, Sources, assemble};
pub use folder::totals;
pub use merge::merge;

/// Interval of checks for a signal.
const LOOK: Duration = Duration::from_millis(100);

/// Options of a sweep.
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
    /// Print no lines for clean files.
    pub only_bad: bool,
    /// Print only the total.
    pub quiet: bool,
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
    /// Results cannot be read, written or printed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another sweep is using the results folder.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The folder contains results of a sweep with other options.
    #[error("{}: of another sweep ({was}, not {is})", folder.display())]
    Other { folder: PathBuf, was: String, is: String },
    /// The sweep was not finished.
    #[error("{}: the sweep was not finished; `sweep --resume` continues it", .0.display())]
    Unfinished(PathBuf),
    /// A shard is missing.
    #[error("shard {part}/{parts} is missing")]
    MissingShard { part: u64, parts: u64 },
    /// The results were written by another version of this program.
    #[error("{}: schema {schema}, this program reads {SWEEP_SCHEMA}; sweep again", path.display())]
    Schema { path: PathBuf, schema: u32 },
    /// The results are not valid.
    #[error("{}: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
}

/// Runs a sweep and prints one line for each file, in the order in which they are found, then the
/// totals. Returns the totals. When the program is asked to stop, finished results are kept and
/// printed.
///
/// # Errors
/// Results cannot be written or printed.
pub fn sweep(options: &SweepOptions, out: &mut dyn Write) -> Result<SweepTotals, SweepError> {
    let began = Instant::now();
    let asked = asked(options);
    let _lock = FolderLock::take(&options.out)?;
    let mut folder = Folder::open(&options.out, &asked, options.resume)?;
    let judges = options.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    let all = all(&options.paths);
    let known = folder.hashes().collect();
    let messages =
        crew::begin(options.paths.clone(), (&options.check, &options.baseline), options.shard, known, judges)?;
    let mut progress = Progress::new("file", all, judges);
    let only_bad = options.only_bad || options.quiet;
    let mut list = List { only_bad, waiting: BTreeMap::new(), next: 0, bad: Vec::new(), more: 0 };
    let mut fold = Fold::new(asked);
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
                progress.add(&name, work(&What::File(bytes)));
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
        if line.as_ref().is_some_and(|line| line.exit_code() > 0) {
            progress.bad();
        }
        progress.beside(|| list.add(number, line.as_ref(), out))?;
    }
    interrupt::heard();
    progress.end();
    let unfinished = !(ended && all_read);
    let (day, seconds) = (today(), began.elapsed().as_secs_f64());
    let totals = folder.finish(fold, unfinished, |totals| SweepTotals { day, seconds, unfinished, ..totals })?;
    if !options.quiet {
        text::write(&totals, out)?;
        let name = |file: &str| line(&options.out.join(file).display().to_string());
        writeln!(out, "results: {}\npage:    {}", name(RESULTS), name(PAGE))?;
        // If all files have lines, those that need attention are hard to find among them.
        if !only_bad {
            list.again(out)?;
        }
    }
    text::sentence(&totals, out)?;
    Ok(totals)
}

/// The options of the sweep that affect results.
fn asked(options: &SweepOptions) -> SweepAsked {
    // A sweep has no options for the program's inputs except libraries, its engine, and report
    // contents.
    let Options { execution, judging, limits, sframe, synchronous, inputs, engine: _, include: _ } = &options.check;
    let explored = matches!(execution, Execution::Run { uncalled: Uncalled::Explored, .. });
    let flags = [
        (*execution == Execution::Static, "--static"),
        (explored, "--explore"),
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

/// Number of files, from a first pass; they are found again when they are read.
fn all(paths: &[PathBuf]) -> Amount {
    let mut all = Amount { count: 0, work: 0 };
    let _ = paths::walk(paths, &mut |entry| {
        all.count += 1;
        all.work += work(&entry.what);
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    all
}

/// Estimated work for a file: its size, and a constant.
fn work(what: &What) -> u64 {
    const EACH: u64 = 4 << 10;
    match what {
        What::File(bytes) => bytes.saturating_add(EACH),
        What::Skip(_) | What::Failed(_) => EACH,
    }
}

/// Prints files in the order in which they are found, independent of the order in which they are
/// judged.
struct List {
    only_bad: bool,
    /// Lines that wait for earlier files to be judged.
    waiting: BTreeMap<u64, Option<(bool, String)>>,
    next: u64,
    /// The first lines of files that are not clean, and the number of further ones.
    bad: Vec<String>,
    more: usize,
}

/// Maximum number of lines that are printed again.
const AGAIN: usize = 20;

impl List {
    /// Prints all lines that can be printed now. A file with known contents has no line.
    fn add(&mut self, number: u64, of: Option<&FileLine>, out: &mut dyn Write) -> io::Result<()> {
        // Skipped files are only counted.
        let told = of.filter(|of| of.verdict != SweepVerdict::Skipped);
        let told = told.filter(|of| !self.only_bad || of.verdict != SweepVerdict::Clean);
        let is_bad = of.is_some_and(|of| of.exit_code() > 0);
        self.waiting.insert(number, told.map(|told| (is_bad, sentence(told))));
        while let Some(told) = self.waiting.remove(&self.next) {
            self.next += 1;
            if let Some((is_bad, told)) = told {
                writeln!(out, "{told}")?;
                match is_bad {
                    true if self.bad.len() < AGAIN => self.bad.push(told),
                    true => self.more += 1,
                    false => {}
                }
            }
        }
        Ok(())
    }

    /// Prints the files that are not clean again.
    fn again(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.bad.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nnot clean:")?;
        for told in &self.bad {
            writeln!(out, "{told}")?;
        }
        if self.more > 0 {
            writeln!(out, "and {}; {RESULTS} has them all", counted(self.more, "more file"))?;
        }
        Ok(())
    }
}

/// Summary line of a file: `DISCREPANCY lib.so: amd64, SFrame v3, 2 functions wrong, ...`.
fn sentence(of: &FileLine) -> String {
    let Some(judged) = &of.judged else { return String::new() };
    let mut parts: Vec<String> = Vec::new();
    match &judged.error {
        Some(error) => parts.push(line(&error.message)),
        None => {
            parts.extend(judged.abi.map(|abi| abi.name().to_owned()));
            parts.push(
                judged.sframe_version.map_or_else(|| "no .sframe".to_owned(), |version| format!("SFrame {version}")),
            );
            for severity in [Severity::Error, Severity::Warning] {
                let causes = || judged.causes.iter().filter(move |count| count.cause.severity == severity);
                let functions: u64 = causes().map(|count| count.functions).sum();
                let word = if severity == Severity::Error { "error" } else { "warning" };
                let count = causes().count() as u64;
                if count > 0 {
                    parts.push(format!("{word}s of {} in {}", counted(count, "cause"), counted(functions, "function")));
                }
            }
            if judged.summary.known > 0 {
                parts.push(format!("{} known", judged.summary.known));
            }
            parts.extend(judged.undecided.iter().map(|one| format!("undecided: {}", one.reason)));
        }
    }
    format!("{:<11} {}: {}", of.verdict.name().to_uppercase(), line(&of.file), parts.join(", "))
}
