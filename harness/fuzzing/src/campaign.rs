//! Many executions of one target, watched: panics, time, memory.

use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::input::Inputs;
use crate::target::Target;

/// No execution may take longer.
pub const MOST_TIME: Duration = Duration::from_secs(1);

/// Most resident memory, in bytes.
pub const MOST_MEMORY: u64 = 256 << 20;

/// An execution that has not ended after so long never will: the process ends.
const HOPELESS: Duration = Duration::from_secs(20);

/// How often memory is looked at, in executions.
const LOOK: u64 = 512;

/// Failures that are kept; more are of the same few causes.
const MOST_FAILURES: usize = 100;

thread_local! {
    /// What the last panic said, and where.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What to execute.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    pub target: Target,
    /// Every seed gives other inputs.
    pub seed: u64,
    /// Number of the first input.
    pub first: u64,
    /// How many.
    pub executions: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Record {
    /// What was executed.
    pub campaign: Campaign,
    /// How many inputs were taken for what they should be: a parser that refuses all has not been
    /// tested.
    pub accepted: u64,
    /// How long all took.
    pub took: Duration,
    /// The slowest execution, and the number of its input.
    pub slowest: (Duration, u64),
    /// Most resident memory that was seen, in bytes; 0 where the system does not say.
    pub memory: u64,
    /// What should not be, at most a hundred.
    pub failures: Vec<Failure>,
}

/// Something that should not be, and the number of the input that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A panic.
    Panic { input: u64, said: String },
    /// Too slow.
    Slow { input: u64, took: Duration },
    /// Memory went beyond the limit at one of the inputs from `first` to `last`.
    Memory { first: u64, last: u64, bytes: u64 },
}

impl Campaign {
    /// Executes all, and tells `progress` now and then which comes next.
    pub fn run(self, inputs: &Inputs, mut progress: impl FnMut(u64)) -> Record {
        panic::set_hook(Box::new(|about| PANIC.with_borrow_mut(|said| *said = about.to_string())));
        let watch = Watch::start(self);
        let began = Instant::now();
        let mut record = Record {
            campaign: self,
            accepted: 0,
            took: Duration::ZERO,
            slowest: (Duration::ZERO, 0),
            memory: 0,
            failures: Vec::new(),
        };
        let mut buffer = Vec::new();
        for input in self.first..self.first.saturating_add(self.executions) {
            inputs.write(input, &mut buffer);
            watch.begins(input);
            let (ended, mut took) = self.execute(&buffer);
            if took > MOST_TIME {
                // On a busy machine this process may just have waited for its turn.
                took = took.min(self.execute(&buffer).1);
            }
            record.slowest = record.slowest.max((took, input));
            record.accepted += u64::from(ended == Some(true));
            if ended.is_none() {
                record.fail(Failure::Panic { input, said: PANIC.take() });
            } else if took > MOST_TIME {
                record.fail(Failure::Slow { input, took });
            }
            if (input + 1) % LOOK == 0 {
                record.look_at_memory(input);
            }
            if (input + 1) % (1 << 16) == 0 {
                progress(input + 1);
            }
        }
        watch.ends();
        record.look_at_memory(self.first.saturating_add(self.executions).saturating_sub(1));
        record.took = began.elapsed();
        drop(panic::take_hook());
        record
    }

    /// Whether the input was accepted, none for a panic; and how long that took.
    fn execute(self, input: &[u8]) -> (Option<bool>, Duration) {
        let start = Instant::now();
        let ended = panic::catch_unwind(AssertUnwindSafe(|| self.target.run(input)));
        (ended.ok(), start.elapsed())
    }
}

impl Record {
    fn fail(&mut self, failure: Failure) {
        if self.failures.len() < MOST_FAILURES {
            self.failures.push(failure);
        }
    }

    fn look_at_memory(&mut self, last: u64) {
        let bytes = most_memory();
        if bytes > MOST_MEMORY && self.memory <= MOST_MEMORY {
            let first = last.saturating_sub(LOOK - 1).max(self.campaign.first);
            self.fail(Failure::Memory { first, last, bytes });
        }
        self.memory = self.memory.max(bytes);
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Campaign { target, seed, first, executions } = self.campaign;
        write!(
            f,
            "{}: {executions} executions from {first} of seed {seed} ({} accepted) in {:.0} s, slowest {:.1} ms (input {}), {} MiB, {} failures",
            target.name(),
            self.accepted,
            self.took.as_secs_f64(),
            self.slowest.0.as_secs_f64() * 1e3,
            self.slowest.1,
            self.memory >> 20,
            self.failures.len()
        )
    }
}

impl Failure {
    /// The input that shows it; of several the first.
    pub fn input(&self) -> u64 {
        match self {
            Failure::Panic { input, .. } | Failure::Slow { input, .. } | Failure::Memory { first: input, .. } => *input,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Panic { input, said } => write!(f, "input {input}: {said}"),
            Failure::Slow { input, took } => write!(f, "input {input}: {:.1} s", took.as_secs_f64()),
            Failure::Memory { first, last, bytes } => {
                write!(f, "inputs {first} to {last}: {} MiB", bytes >> 20)
            }
        }
    }
}

/// Ends the process when an execution does not end, and says which.
struct Watch(Arc<AtomicU64>);

impl Watch {
    /// Nothing is being executed.
    const IDLE: u64 = u64::MAX;

    fn start(campaign: Campaign) -> Watch {
        let current = Arc::new(AtomicU64::new(campaign.first));
        let seen = Arc::downgrade(&current);
        thread::spawn(move || {
            let (mut last, mut since) = (Watch::IDLE, Instant::now());
            // Until the campaign, which owns the number, is over.
            while let Some(now) = seen.upgrade().map(|current| current.load(Ordering::Relaxed)) {
                if now != last {
                    (last, since) = (now, Instant::now());
                } else if now != Watch::IDLE && since.elapsed() > HOPELESS {
                    eprintln!("{}: input {now} of seed {} does not end", campaign.target.name(), campaign.seed);
                    std::process::exit(1);
                }
                thread::sleep(Duration::from_millis(100));
            }
        });
        Watch(current)
    }

    fn begins(&self, input: u64) {
        self.0.store(input, Ordering::Relaxed);
    }

    fn ends(&self) {
        self.0.store(Watch::IDLE, Ordering::Relaxed);
    }
}

/// Most resident memory so far of this process, or of one of the workers that this thread started.
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
