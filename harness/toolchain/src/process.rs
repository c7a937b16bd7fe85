//! Running a producer: bounded in time and output, killed when it exceeds either, or when this
//! program is to stop.

use std::io::{self, Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, prlimit};
use wait_timeout::ChildExt as _;

use crate::clock::Clock;
use crate::complaint::ENDED_BY_SIGNAL;
use crate::interrupt;
use crate::running::{Running, pid};
use crate::trouble::{self, Trouble};

/// What a command printed and how it ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Exit status 0.
    pub success: bool,
    /// The exit status, where no signal ended it.
    pub code: Option<i32>,
    /// The number of the signal that ended it, where one did.
    pub signal: Option<i32>,
    /// Standard output, up to [`MOST_OUTPUT`] bytes.
    pub stdout: String,
    /// Standard error, up to [`MOST_OUTPUT`] bytes.
    pub stderr: String,
}

impl Finished {
    /// The first five lines of what it printed, with "; " between, or how it ended where it printed
    /// nothing.
    pub fn complaint(&self) -> String {
        let printed: Vec<&str> = self.stderr.lines().chain(self.stdout.lines()).take(5).collect();
        match (self.signal, printed.is_empty()) {
            (Some(signal), _) => format!("{ENDED_BY_SIGNAL} {signal}: {}", printed.join("; ")),
            (None, true) => "it failed and printed nothing".to_owned(),
            (None, false) => printed.join("; "),
        }
    }
}

/// Why a command gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It could not be started, or its files could not be read or written.
    #[error("cannot run {program}: {error}")]
    Start { program: String, error: io::Error },
    /// There is no folder for its files.
    #[error("cannot make a temporary folder: {0}")]
    Folder(io::Error),
    /// It was killed after that many seconds.
    #[error("{program} did not finish in {seconds} s and was killed")]
    Timeout { program: String, seconds: u64 },
    /// It was killed because this program is to stop: [`interrupt::is_requested`].
    #[error("{program} was interrupted")]
    Interrupted { program: String },
    /// It failed, and so would any: its folder takes no files.
    #[error("{program} failed where no file can be written: {trouble}")]
    Trouble { program: String, trouble: Trouble },
    /// It was asked twice for the same and did something else the second time; or its answer
    /// depends on what is not known of it.
    #[error("{program} is not deterministic: {what} differs from the earlier result of the same command")]
    NotDeterministic { program: String, what: String },
    /// It failed, or did not make what it should. `program` is the command with its words; the
    /// message is its complaint ([`Finished::complaint`]) or what is missing.
    #[error("{program} failed: {message}")]
    Failed { program: String, message: String },
}

/// Bytes kept of each output stream; the rest is read and dropped.
pub const MOST_OUTPUT: usize = 64 << 10;

/// How long what a command printed is waited for once it has ended and its group is killed: only a
/// process that left the group can still hold its streams open, and would for ever.
const GRACE: Duration = Duration::from_secs(1);

/// Interval of checks whether this program is to stop, while a command runs.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Runs a command in a folder, for at most so long: of the processor's time, or waiting on the
/// clock.
///
/// # Errors
/// When it cannot start, does not end in time, or its output cannot be read.
pub fn run_within(program: &str, arguments: &[&str], folder: &Path, limit: Duration) -> Result<Finished, ProcessError> {
    run_bounded(program, arguments, folder, Bounds { time: limit, most_file: None, most_memory: None }, &[])
}

/// What a command may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Until it is killed, with all that it started: of the processor's time, or on the clock where
    /// it waits.
    pub time: Duration,
    /// Bytes beyond which no file that it writes can grow: the system ends it there.
    pub most_file: Option<u64>,
    /// Bytes of address space that it can have: the system refuses it more.
    pub most_memory: Option<u64>,
}

/// Runs a command like [`run_within`], with more bounds, and with these bytes on its standard
/// input.
///
/// # Errors
/// When it cannot start, does not end in time, or its output cannot be read.
pub fn run_bounded(
    program: &str,
    arguments: &[&str],
    folder: &Path,
    bounds: Bounds,
    input: &[u8],
) -> Result<Finished, ProcessError> {
    let started = |error| ProcessError::Start { program: program.to_owned(), error };
    let mut child = start(program, arguments, folder, bounds, !input.is_empty()).map_err(started)?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // Whether it reads all of it is its own affair.
        thread::spawn(move || stdin.write_all(&input));
    }
    let (stdout, stderr) = (Stream::drain(child.stdout.take()), Stream::drain(child.stderr.take()));
    let is_flooded = || stdout.is_flooded() || stderr.is_flooded();
    let status = wait(&mut child, bounds.time, is_flooded).map_err(started)?;
    // All that it started ends with it, in time or not.
    drop(child);
    if status.is_none() {
        let program = program.to_owned();
        return Err(match interrupt::is_requested() {
            true => ProcessError::Interrupted { program },
            false => ProcessError::Timeout { program, seconds: bounds.time.as_secs() },
        });
    }
    let failed = status.is_some_and(|status| !status.success());
    if failed && folder.starts_with(std::env::temp_dir()) {
        let program = program.to_owned();
        trouble::look(folder).map_err(|trouble| ProcessError::Trouble { program, trouble })?;
    }
    Ok(Finished {
        success: status.is_some_and(|status| status.success()),
        code: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
        stdout: stdout.text(),
        stderr: stderr.text(),
    })
}

/// Starts a command in a process group of its own, with its output to be read, and its input to be
/// written where it is `fed`. Its time is for the caller to bound.
pub(crate) fn start(
    program: &str,
    arguments: &[&str],
    folder: &Path,
    bounds: Bounds,
    fed: bool,
) -> io::Result<Running> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        // Where clang crashes, naming the functions of its stack takes ten times as long as all the
        // rest, and names this machine.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(if fed { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = Running::start(&mut command)?;
    for (resource, most) in [(Resource::Fsize, bounds.most_file), (Resource::As, bounds.most_memory)] {
        if let (Some(most), Some(id)) = (most, pid(child.id())) {
            // Already gone is as good as bounded.
            let _ = prlimit(Some(id), resource, Rlimit { current: Some(most), maximum: Some(most) });
        }
    }
    Ok(child)
}

/// How it ended; none when the time is over, or this program is to stop. What prints without end
/// has its time on the clock: it waits for its reader.
pub(crate) fn wait(
    child: &mut Running,
    limit: Duration,
    is_flooded: impl Fn() -> bool,
) -> io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    let mut clock = Clock::new(limit);
    loop {
        let status = child.wait_timeout(clock.pause())?;
        let mut is_over = || clock.is_over(child) || is_flooded() && began.elapsed() >= limit;
        if status.is_some() || interrupt::is_requested() || is_over() {
            return Ok(status);
        }
    }
}

/// Bytes that a pipe holds: pipe(7).
const PIPE: usize = 64 << 10;

/// A stream that a thread of its own reads to its end, keeping its beginning.
pub(crate) struct Stream {
    kept: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Stream {
    pub(crate) fn drain(stream: Option<impl Read + Send + 'static>) -> Stream {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = mpsc::channel();
        let keep = Arc::clone(&kept);
        thread::spawn(move || {
            let mut stream = stream;
            let mut buffer = vec![0; 8 << 10];
            // What was read of a stream that breaks off is kept.
            while let Some(count) = stream.as_mut().and_then(|stream| read_some(stream, &mut buffer)) {
                let mut kept = keep.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MOST_OUTPUT.saturating_sub(kept.len());
                kept.extend_from_slice(buffer.get(..count.min(room)).unwrap_or_default());
                drop(kept);
                if count > room {
                    // Nothing more is kept. What prints without end until its time is over then
                    // mostly waits for its reader, and takes no processor from the others: a pipe
                    // is emptied a thousand times a second.
                    buffer.resize(PIPE, 0);
                    thread::sleep(Duration::from_millis(1));
                }
            }
            // Nobody may be waiting any more.
            let _ = sender.send(());
        });
        Stream { kept, ended }
    }

    /// Returns true once it has brought as much as is kept.
    fn is_flooded(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST_OUTPUT
    }

    /// The output that was kept, once the stream has ended or the grace is over.
    pub(crate) fn text(self) -> String {
        let _ = self.ended.recv_timeout(GRACE);
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

/// Bytes read; none at the end.
fn read_some(stream: &mut impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            count => return count.ok().filter(|count| *count > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::{Bounds, MOST_OUTPUT, run_bounded, run_within};

    fn bounds(most_memory: Option<u64>) -> Bounds {
        Bounds { time: Duration::from_secs(60), most_file: None, most_memory }
    }

    #[test]
    fn what_is_fed_is_read_and_the_exit_status_kept() {
        let words = ["-c", "cat; exit 7"];
        let ran = run_bounded("sh", &words, Path::new("."), bounds(None), b"0x10\n").expect("sh");
        assert_eq!((ran.stdout.as_str(), ran.code, ran.success), ("0x10\n", Some(7), false));
    }

    #[test]
    fn no_more_memory_is_given_than_the_bound() {
        let words = ["-c", "sleep 0.2; dd if=/dev/zero of=/dev/null bs=256M count=1"];
        let run = |most| run_bounded("sh", &words, Path::new("."), bounds(most), b"").expect("sh").success;
        assert!(run(None) && !run(Some(128 << 20)));
    }

    #[test]
    fn no_more_is_kept_than_the_bound() {
        let ran = run_within("head", &["-c", "1000000", "/dev/zero"], Path::new("."), Duration::from_secs(60));
        assert_eq!(ran.expect("head").stdout.len(), MOST_OUTPUT);
    }
}
