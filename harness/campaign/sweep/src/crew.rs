//! Threads of a sweep: one that reads, and others that judge the files found. They are not joined:
//! they end with the program.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;
use std::{io, thread};

use check::Options;
use ledger::Baseline;
use results::Judged;
use types::{Bytes, FileError, Skip};

use super::digest::Digest;
use super::judged::{judged_file, of_the_harness};
use super::paths::{self, FoundPath};
use super::source::{Event, Source, SweptFile};

/// Messages of the threads. Files are numbered in the order in which they are found.
pub(super) enum Message {
    /// A file was judged, in this many seconds.
    Judged { number: u64, seen: SweptFile, judged: Box<Judged>, seconds: f64 },
    /// A file with the same contents was judged, or is about to be.
    Known { number: u64, seen: SweptFile },
    /// It cannot be read.
    Failed { number: u64, seen: SweptFile, error: FileError },
    /// A file was skipped.
    Skip(Skip),
    /// An entry with this name and size was read completely.
    Read(String, u64),
    /// All entries were read.
    AllRead,
}

/// Maximum number of unprocessed messages.
const WAITING: usize = 1024;

/// A file passed to a judging thread.
struct Job {
    number: u64,
    seen: SweptFile,
    bytes: Bytes,
    /// Released when the file is judged.
    share: Share,
}

/// Bytes of files that may be judged at once, for each judging thread; a larger file is judged
/// alone. Judging needs memory of a few times the file's size.
const SHARE: u64 = 32 << 20;

/// Counter of the bytes of files being judged, with a condition to wait for.
#[derive(Default)]
struct Scales {
    bytes: Mutex<u64>,
    fewer: Condvar,
}

/// A share of these bytes.
struct Share {
    of: Arc<Scales>,
    bytes: u64,
}

impl Scales {
    /// Waits until there is room for a file of this size, or no other file is being judged.
    fn take(self: &Arc<Self>, bytes: u64, most: u64) -> Share {
        let all = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |all: &mut u64| *all > 0 && all.saturating_add(bytes) > most;
        let mut all = self.fewer.wait_while(all, full).unwrap_or_else(PoisonError::into_inner);
        *all += bytes;
        Share { of: Arc::clone(self), bytes }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        *self.of.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.of.fewer.notify_all();
    }
}

/// Starts the threads. The channel is closed when they end.
pub(super) fn begin(
    paths: Vec<PathBuf>,
    options: &Options,
    baseline: &Baseline,
    shard: Option<(u64, u64)>,
    known: HashSet<Digest>,
    judges: usize,
) -> io::Result<Receiver<Message>> {
    let (tell, messages) = sync_channel(WAITING);
    // No queue between the reader and a judging thread, because queued files are in memory.
    let (give, jobs) = sync_channel(0);
    let jobs = Arc::new(Mutex::new(jobs));
    for _ in 0..judges {
        let (jobs, tell) = (Arc::clone(&jobs), tell.clone());
        let options = (options.clone(), baseline.clone());
        thread::Builder::new().name("judge".to_owned()).spawn(move || judge_all(&jobs, &tell, &options))?;
    }
    let most = SHARE.saturating_mul(judges as u64);
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_all(&paths, shard, known, most, &give, &tell))?;
    Ok(messages)
}

fn read_all(
    paths: &[PathBuf],
    shard: Option<(u64, u64)>,
    known: HashSet<Digest>,
    most: u64,
    give: &SyncSender<Job>,
    tell: &SyncSender<Message>,
) {
    let (mut numbers, scales) = (0.., Arc::<Scales>::default());
    let mut send = |event: Event| {
        let mut number = || numbers.next().unwrap_or(u64::MAX);
        let sent = match event {
            Event::Judge(seen, bytes) => {
                let share = scales.take(bytes.len() as u64, most);
                give.send(Job { number: number(), seen, bytes: bytes.into(), share }).is_ok()
            }
            Event::Known(seen) => tell.send(Message::Known { number: number(), seen }).is_ok(),
            Event::Failed(seen, error) => tell.send(Message::Failed { number: number(), seen, error }).is_ok(),
            Event::Skip(skip) => tell.send(Message::Skip(skip)).is_ok(),
            Event::Done(name, bytes) => tell.send(Message::Read(name, bytes)).is_ok(),
        };
        if sent { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut source = Source::new(shard, known, &mut send);
    let mut look = |entry: FoundPath| {
        let looked = catch_unwind(AssertUnwindSafe(|| source.look(&entry)));
        // A failure of a decoder on one file does not affect other files.
        looked.unwrap_or_else(|_| source.fail(&entry, &entry.name, of_the_harness()))
    };
    if paths::walk(paths, &mut look).is_continue() {
        // An error means that no thread is listening any more.
        let _ = tell.send(Message::AllRead);
    }
}

fn judge_all(jobs: &Mutex<Receiver<Job>>, tell: &SyncSender<Message>, (options, baseline): &(Options, Baseline)) {
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(Job { number, seen, bytes, share }) = next() {
        let began = Instant::now();
        let judged = Box::new(judged_file(&seen.name, &bytes, options, baseline));
        drop((bytes, share));
        let seconds = began.elapsed().as_secs_f64();
        if tell.send(Message::Judged { number, seen, judged, seconds }).is_err() {
            return;
        }
    }
}
