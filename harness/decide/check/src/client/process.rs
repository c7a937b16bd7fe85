//! A worker process as the client sees it: the process, the pipes to it, and shared memory.

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::os::unix::fs::FileExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use machine::position::{POSITION_BYTES, Position};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process};

use super::{Death, DeathCause, Failure, MARK};
use crate::protocol::{Request, SUBCOMMAND, WorkerReply, decode, encode, take_frame, write_frame};

/// How long a worker may run without progress, in processor time, so that the load of the machine
/// does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Limit while it executes code: without reaching another instruction.
    pub executing: Duration,
    /// Limit at other times: loading, comparing tables, writing the report.
    pub judging: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { executing: Duration::from_secs(20), judging: Duration::from_secs(600) }
    }
}

/// Interval at which a worker that does not answer is checked.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// Maximum time for which a worker may use no processor time, relative to its limit: a worker that
/// sleeps, or was stopped and cannot be continued, would wait for ever.
const IDLE: Duration = Duration::from_secs(120);
const PATIENCE: u32 = 30;
/// The file in which the kernel reports the state of a process.
const PROC: &str = "/proc";
/// Message of Rust when memory is exhausted (`alloc::alloc::handle_alloc_error`), and the length of
/// the end of standard error that is searched for it.
const NO_MEMORY: &str = "memory allocation of";
const COMPLAINTS: u64 = 64 << 10;

/// A worker process, idle or with a request.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// Its standard error: a position, followed by messages.
    position: File,
    /// Bytes that were read but are not yet a complete frame.
    read: Vec<u8>,
}

impl Worker {
    pub(super) fn start(program: &Path) -> io::Result<Worker> {
        // Without `/proc` the client could not detect a hang.
        if !Path::new(PROC).join("self/stat").exists() {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("{PROC} is not mounted here")));
        }
        let position = Position::file()?;
        let mut child = Command::new(program)
            .arg(SUBCOMMAND)
            .env(MARK, "1")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(position.try_clone()?)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        fcntl_setfl(&input, OFlags::NONBLOCK)?;
        Ok(Worker { child, input, output, position, read: Vec::new() })
    }

    /// Returns false if the process has ended.
    pub(super) fn lives(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_none())
    }

    /// Sends a request. Waiting for a worker that does not read has the same limits as waiting for
    /// an answer.
    pub(super) fn send(&mut self, request: &Request, bytes: &[u8], limits: Limits) -> Result<(), Failure> {
        let request = encode(request)?;
        let mut feed = Feed { watch: Watch::new(&self.child, limits), worker: self };
        match write_frame(&mut feed, &request).and_then(|()| write_frame(&mut feed, bytes)) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Died(self.bury(None))),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                Err(Failure::Died(self.bury(Some(DeathCause::Hung))))
            }
            sent => Ok(sent?),
        }
    }

    /// Handles a worker without progress: continues it if it was stopped, kills it if it hangs.
    /// Returns true if it was killed.
    fn tend(&mut self, watch: &mut Watch) -> io::Result<bool> {
        if watch.is_stopped()
            && let Some(id) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
        {
            // An error means that it has already ended.
            let _ = kill_process(id, Signal::CONT);
        }
        let is_stuck = watch.is_stuck(Position::read(&self.position)?);
        if is_stuck {
            // An error means that it has already ended.
            let _ = self.child.kill();
        }
        Ok(is_stuck)
    }

    /// Receives the next answer.
    pub(super) fn receive(&mut self, limits: Limits) -> Result<WorkerReply, Failure> {
        let mut watch = Watch::new(&self.child, limits);
        let mut chunk = vec![0; 64 << 10];
        loop {
            if let Some(frame) = take_frame(&mut self.read) {
                return decode(&frame).map_err(|_| Failure::Garbled);
            }
            let waited = poll(&mut [PollFd::new(&self.output, PollFlags::IN)], Some(&LOOK));
            match waited {
                Ok(0) | Err(rustix::io::Errno::INTR) => {
                    if self.tend(&mut watch)? {
                        return Err(Failure::Died(self.bury(Some(DeathCause::Hung))));
                    }
                    continue;
                }
                Ok(_) => {}
                Err(error) => return Err(io::Error::from(error).into()),
            }
            match self.output.read(&mut chunk) {
                Ok(0) => return Err(Failure::Died(self.bury(None))),
                Ok(count) => self.read.extend(chunk.iter().take(count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns how it ended; it has ended or is about to.
    fn bury(&mut self, known: Option<DeathCause>) -> Death {
        let status = self.child.wait();
        let signal = status.as_ref().ok().and_then(ExitStatusExt::signal);
        let code = status.as_ref().ok().and_then(|status| status.code());
        let ended = || match (signal, self.is_out_of_memory()) {
            (_, true) => DeathCause::Memory,
            (Some(signal), false) => DeathCause::Signal(signal),
            (None, false) => DeathCause::Status(code.unwrap_or(-1)),
        };
        let cause = known.unwrap_or_else(ended);
        Death { cause, position: Position::read(&self.position).unwrap_or_default() }
    }

    fn is_out_of_memory(&self) -> bool {
        let size = self.position.metadata().map_or(0, |about| about.len());
        let mut bytes = vec![0; COMPLAINTS as usize];
        let from = size.saturating_sub(COMPLAINTS).max(POSITION_BYTES as u64);
        let count = self.position.read_at(&mut bytes, from).unwrap_or(0);
        String::from_utf8_lossy(bytes.get(..count).unwrap_or_default()).contains(NO_MEMORY)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Request that is being written, as fast as the worker reads.
struct Feed<'w> {
    worker: &'w mut Worker,
    watch: Watch,
}

impl Write for Feed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.worker.input.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return written,
            }
            let waited = poll(&mut [PollFd::new(&self.worker.input, PollFlags::OUT)], Some(&LOOK));
            let is_idle = matches!(waited, Ok(0) | Err(rustix::io::Errno::INTR));
            if is_idle && self.worker.tend(&mut self.watch)? {
                return Err(io::ErrorKind::TimedOut.into());
            }
            match waited {
                Err(rustix::io::Errno::INTR) | Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.worker.input.flush()
    }
}

/// Monitors whether a worker makes progress.
struct Watch {
    limits: Limits,
    stat: String,
    last: Option<Position>,
    /// Its processor time at the last progress.
    since: Duration,
    /// Its processor time, and the clock when that last increased.
    used: (Duration, Instant),
}

impl Watch {
    fn new(child: &Child, limits: Limits) -> Watch {
        Watch {
            limits,
            stat: format!("{PROC}/{}/stat", child.id()),
            last: None,
            since: Duration::ZERO,
            used: (Duration::ZERO, Instant::now()),
        }
    }

    fn is_stuck(&mut self, position: Position) -> bool {
        let now = self.processor_time();
        if self.last != Some(position) {
            (self.last, self.since) = (Some(position), now);
        }
        if now > self.used.0 {
            self.used = (now, Instant::now());
        }
        let limit = if position.executing { self.limits.executing } else { self.limits.judging };
        now.saturating_sub(self.since) > limit || self.used.1.elapsed() > IDLE.min(limit * PATIENCE)
    }

    /// Returns true for a process that a signal has stopped (third field of the line).
    fn is_stopped(&self) -> bool {
        let stat = fs::read_to_string(&self.stat).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    /// User and system time (proc_pid_stat(5), fields 14 and 15), in hundredths of a second
    /// (`USER_HZ`).
    fn processor_time(&self) -> Duration {
        let stat = fs::read_to_string(&self.stat).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }
}
