//! Runs a command with limits on time and output; kills it if it exceeds one, or if this program is
//! to stop.

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

use crate::clock::{Clock, Over};
use crate::complaint::ENDED_BY_SIGNAL;
use crate::interrupt;
use crate::running::{Running, pid};
use crate::trouble::{self, Trouble};

/// Output and exit of a command.
#[derive(Clone, Debug)]
pub struct Finished {
    /// True for exit status 0.
    pub success: bool,
    /// Exit status, if no signal killed it.
    pub code: Option<i32>,
    /// Number of the signal that killed it, if any.
    pub signal: Option<i32>,
    /// Standard output, up to [`MOST_OUTPUT`] bytes.
    pub stdout: String,
    /// Standard error, up to [`MOST_OUTPUT`] bytes.
    pub stderr: String,
}

impl Finished {
    /// The first five lines of its output, separated by "; ", or how it ended if it printed
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
    #[error("cannot make a temporary folder: {0}")]
    Folder(io::Error),
    #[error("{program} did not finish in {seconds} s and was killed")]
    Timeout { program: String, seconds: u64 },
    #[error("{program} was killed: this machine had less than {seconds} s of processor time for it")]
    Starved { program: String, seconds: u64 },
    /// It was killed because this program is to stop: [`interrupt::is_requested`].
    #[error("{program} was interrupted")]
    Interrupted { program: String },
    #[error("{program} failed because temporary files cannot be written: {trouble}")]
    Trouble { program: String, trouble: Trouble },
    #[error("{program} is not deterministic: {what} differs from the earlier result of the same command")]
    NotDeterministic { program: String, what: String },
    /// It failed, or did not make its output file. `program` is the command with its arguments; the
    /// message is its complaint ([`Finished::complaint`]) or names the missing file.
    #[error("{program} failed: {message}")]
    Failed { program: String, message: String },
}

impl ProcessError {
    /// Returns true if the host may be the reason: the command ran out of time or space while
    /// others were running.
    pub const fn may_be_of_host(&self) -> bool {
        self.may_pass() || matches!(self, ProcessError::Timeout { .. })
    }

    /// Returns true if the command may succeed when it is run once more: it found no processor or
    /// no space. A command that hangs, or uses up its time, does so again.
    pub const fn may_pass(&self) -> bool {
        matches!(self, ProcessError::Start { .. } | ProcessError::Folder(_) | ProcessError::Starved { .. })
    }
}

/// Number of bytes kept of each output stream; the rest is read and dropped.
pub const MOST_OUTPUT: usize = 64 << 10;

/// Time to wait for the output after a command ended and its group was killed: only a process that
/// left the group can still hold its streams open, and might for ever.
const GRACE: Duration = Duration::from_secs(1);

/// Interval of checks whether this program is to stop, while a command runs.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Runs a command in a folder with a time limit: processor time, or wall-clock time while it waits.
pub fn run_within(program: &str, arguments: &[&str], folder: &Path, limit: Duration) -> Result<Finished, ProcessError> {
    run_bounded(program, arguments, folder, Bounds { time: limit, most_file: None, most_memory: None }, &[])
}

/// Resource limits of a command.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Time until it is killed, with all processes that it started: processor time, or wall-clock
    /// time while it waits.
    pub time: Duration,
    /// Maximum size in bytes of files that it writes: the system kills it there.
    pub most_file: Option<u64>,
    /// Maximum address space in bytes: the system refuses more.
    pub most_memory: Option<u64>,
}

/// Runs a command like [`run_within`], with more limits, and with these bytes on its standard
/// input.
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
        // The command need not read all of its input.
        thread::spawn(move || stdin.write_all(&input));
    }
    let (stdout, stderr) = (Stream::drain(child.stdout.take()), Stream::drain(child.stderr.take()));
    let is_flooded = || stdout.is_flooded() || stderr.is_flooded();
    let waited = wait(&mut child, bounds.time, is_flooded).map_err(started)?;
    // All processes that it started end with it, in any case.
    drop(child);
    let (owned, seconds) = (|| program.to_owned(), bounds.time.as_secs());
    let status = match waited {
        Waited::Ended(status) => status,
        Waited::Interrupted => return Err(ProcessError::Interrupted { program: owned() }),
        Waited::Over(Over::Used) => return Err(ProcessError::Timeout { program: owned(), seconds }),
        Waited::Over(Over::Starved) => return Err(ProcessError::Starved { program: owned(), seconds }),
    };
    if !status.success() && folder.starts_with(std::env::temp_dir()) {
        trouble::look(folder).map_err(|trouble| ProcessError::Trouble { program: owned(), trouble })?;
    }
    Ok(Finished {
        success: status.success(),
        code: status.code(),
        signal: status.signal(),
        stdout: stdout.text(),
        stderr: stderr.text(),
    })
}

/// Starts a command in its own process group, with its output piped, and its input piped if `fed`.
/// The caller limits its time.
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
        // When clang crashes, symbolizing its stack takes ten times as long as everything else, and
        // prints paths of this machine.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(if fed { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = Running::start(&mut command)?;
    for (resource, most) in [(Resource::Fsize, bounds.most_file), (Resource::As, bounds.most_memory)] {
        if let (Some(most), Some(id)) = (most, pid(child.id())) {
            // An error means that it has already exited.
            let _ = prlimit(Some(id), resource, Rlimit { current: Some(most), maximum: Some(most) });
        }
    }
    Ok(child)
}

/// Result of waiting for a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// It ended by itself.
    Ended(ExitStatus),
    /// It gets no more time.
    Over(Over),
    /// This program is to stop.
    Interrupted,
}

/// Waits for the end of a command, or of its time. A command with endless output is limited by
/// wall-clock time, because it waits for its reader.
pub(crate) fn wait(child: &mut Running, limit: Duration, is_flooded: impl Fn() -> bool) -> io::Result<Waited> {
    let began = Instant::now();
    let mut clock = Clock::new(limit);
    loop {
        if let Some(status) = child.wait_timeout(clock.pause())? {
            return Ok(Waited::Ended(status));
        }
        if interrupt::is_requested() {
            return Ok(Waited::Interrupted);
        }
        let flooded = || (is_flooded() && began.elapsed() >= limit).then_some(Over::Used);
        if let Some(over) = clock.over(child).or_else(flooded) {
            return Ok(Waited::Over(over));
        }
    }
}

/// Capacity of a pipe in bytes: pipe(7).
const PIPE: usize = 64 << 10;

/// A stream that a separate thread reads to its end, keeping the beginning.
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
            // What was read before an error is kept.
            while let Some(count) = stream.as_mut().and_then(|stream| read_some(stream, &mut buffer)) {
                let mut kept = keep.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MOST_OUTPUT.saturating_sub(kept.len());
                kept.extend_from_slice(buffer.get(..count.min(room)).unwrap_or_default());
                drop(kept);
                if count > room {
                    // Nothing more is kept. A command with endless output then mostly waits for its
                    // reader, and uses little processor time: the pipe is emptied a thousand times
                    // a second.
                    buffer.resize(PIPE, 0);
                    thread::sleep(Duration::from_millis(1));
                }
            }
            // The receiver may be gone.
            let _ = sender.send(());
        });
        Stream { kept, ended }
    }

    /// Returns true once the maximum that is kept has been read.
    fn is_flooded(&self) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST_OUTPUT
    }

    /// The output that was kept, once the stream has ended or the grace period is over.
    pub(crate) fn text(self) -> String {
        let _ = self.ended.recv_timeout(GRACE);
        String::from_utf8_lossy(&self.kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

/// Number of bytes read; `None` at the end.
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
