//! The threads of a sweep: one that reads, and those that judge what it found. Nobody waits for
//! them: when the program ends, they do.

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
use super::judged::{judge, of_the_harness};
use super::paths::{self, Entry};
use super::source::{Event, Seen, Source};

/// Messages of the threads. Files are numbered in the order in which they are found.
pub(super) enum Message {
    /// A file was judged, in that many seconds.
    Judged { number: u64, seen: Seen, judged: Box<Judged>, seconds: f64 },
    /// One with the same bytes was, or is about to be.
    Known { number: u64, seen: Seen },
    /// It cannot be read.
    Failed { number: u64, seen: Seen, error: FileError },
    /// Something was passed by.
    Skip(Skip),
    /// An entry of this name and size was read.
    Read(String, u64),
    /// All of them were.
    AllRead,
}

/// Messages that nobody has taken yet.
const WAITING: usize = 1024;

/// A file on its way to a judging thread.
struct Job {
    number: u64,
    seen: Seen,
    bytes: Bytes,
    /// Given back when it is judged.
    share: Share,
}

/// Bytes of files that may be judged at once, for each judge; a larger one is judged alone. To
/// judge a file takes a few times its size.
const SHARE: u64 = 32 << 20;

/// Bytes of files that are being judged, and what waits for them to become fewer.
#[derive(Default)]
struct Scales {
    bytes: Mutex<u64>,
    fewer: Condvar,
}

/// That many of them.
struct Share {
    of: Arc<Scales>,
    bytes: u64,
}

impl Scales {
    /// Waits until there is room for a file of that many bytes, or no other file is being judged.
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

/// Sets the threads to work. The channel ends when they do.
pub(super) fn begin(
    paths: Vec<PathBuf>,
    (options, baseline): (&Options, &Baseline),
    shard: Option<(u64, u64)>,
    known: HashSet<Digest>,
    judges: usize,
) -> io::Result<Receiver<Message>> {
    let (tell, messages) = sync_channel(WAITING);
    // Nothing waits between the reader and a judge: what is read is in memory.
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
    let mut look = |entry: Entry| {
        let looked = catch_unwind(AssertUnwindSafe(|| source.look(&entry)));
        // What a decoder makes of one file ends no other.
        looked.unwrap_or_else(|_| source.fail(&entry, &entry.name, of_the_harness()))
    };
    if paths::walk(paths, &mut look).is_continue() {
        // No thread listens any more.
        let _ = tell.send(Message::AllRead);
    }
}

fn judge_all(jobs: &Mutex<Receiver<Job>>, tell: &SyncSender<Message>, (options, baseline): &(Options, Baseline)) {
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(Job { number, seen, bytes, share }) = next() {
        let began = Instant::now();
        let judged = Box::new(judge(&seen.name, &bytes, options, baseline));
        drop((bytes, share));
        let seconds = began.elapsed().as_secs_f64();
        if tell.send(Message::Judged { number, seen, judged, seconds }).is_err() {
            return;
        }
    }
}
